"""Build a sample site with the plugin of this checkout: python3 sample_sites/build.py [name]."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from itertools import islice
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
# Per framework, which is also its extra: the module to run in the sample's folder, and its arguments. The output goes
# to "site" there. A sample's folder is named after its framework, such as "pelican" or "pelican_subsites".
COMMANDS = {
    "mkdocs": ("mkdocs", "build", "--strict"),
    "pelican": ("pelican", "--fatal", "warnings", "-o", "site"),
    "sphinx": ("sphinx", "-W", "-b", "dirhtml", ".", "site"),
}
# Material and the plugins beside it print advertisements for their own future on every run.
QUIET = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true", "PYTHONUTF8": "1"}
LEFT_BY_PLUGIN = ("sitemap.xml", "sitemap.xml.gz", "robots.txt")


def main(arguments: list[str]) -> int:
    """Build the named sample and show what the plugin left at the root of its output."""
    known = sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir() and framework(folder.name) in COMMANDS)
    name = arguments[0] if arguments else "mkdocs"
    if len(arguments) > 1 or name not in known:
        return fail(f"expected one of {', '.join(known)}, got {' '.join(arguments)!r}")
    try:
        python = environment(FOLDER.parent, "samples", extras=framework(name))
        run(python, "-m", *COMMANDS[framework(name)], cwd=FOLDER / name)
    except subprocess.CalledProcessError as error:
        return fail(f"this failed with status {error.returncode}: {shlex.join(map(str, error.cmd))}", status=1)
    return show(FOLDER / name / "site")


def environment(root: Path, *groups: str, extras: str) -> Path:
    """Install the checkout, editable, with extras and dependency groups into its .venv; return that one's Python.

    The .venv is made if missing. Raises SystemExit where this Python is too old, CalledProcessError where a step fails.
    """
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever runs this may not have looked
        raise SystemExit(fail(f"Python 3.11 or later is needed, and this is {sys.version.split()[0]}"))
    python = root / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        run(sys.executable, "-m", "venv", root / ".venv", cwd=root)
    version = subprocess.run([python, "-m", "pip", "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"pip (\d+)\.(\d+)", version)
    if found is None:
        run(python, "-m", "ensurepip", cwd=root)
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    if found is None or (int(found[1]), int(found[2])) < (25, 1):  # the first that knows --group
        run(*pip, "--upgrade", "pip>=25.1", cwd=root)
    run(*pip, "--editable", f".[{extras}]", *(f"--group={group}" for group in groups), cwd=root)
    return python


def framework(name: str) -> str:
    """Return the framework that a sample's folder is named after."""
    return re.split("[-_]", name)[0]


def run(*command: str | Path, cwd: Path) -> None:
    """Run a command, its output going where ours goes."""
    subprocess.run(command, cwd=cwd, env={**os.environ, **QUIET}, check=True)


def show(site: Path) -> int:
    """Print the files that the plugin left, with sizes, robots.txt whole and how sitemap.xml begins."""
    print(f"\n{site}", flush=True)
    missing = [name for name in LEFT_BY_PLUGIN if not (site / name).is_file()]
    if missing:
        return fail(f"not written: {', '.join(missing)}", status=1)
    for name in LEFT_BY_PLUGIN:
        print(f"  {(site / name).stat().st_size:>8,}  {name}")
    print(f"\nrobots.txt\n{(site / 'robots.txt').read_text('utf-8')}\nsitemap.xml")
    with (site / "sitemap.xml").open(encoding="utf-8") as file:
        print(*(line.rstrip() for line in islice(file, 12)), "…", sep="\n")
    return 0


def fail(message: str, *, status: int = 2) -> int:
    """Say on stderr what is wrong and return the exit status."""
    print(f"build.py: {message}", file=sys.stderr)
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
