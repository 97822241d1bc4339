"""The test command, from a fresh clone: ``python3 tests/run.py [pytest arguments]``.

It makes the environment ``.venv``, runs the linters and then pytest, and ends with the exit code of the first to fail.
"""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def environment() -> Path:
    """Return the Python of an environment with the checkout and the tools, made as for the sample sites."""
    sys.path.insert(0, str(ROOT / "sample_sites"))
    python: Path = importlib.import_module("build").environment(ROOT, "dev", extras="all")
    return python


def main(arguments: list[str]) -> int:
    """Run each check in turn, pytest last, and return the exit code of the first that fails, or 0."""
    try:
        python = environment()
    except subprocess.CalledProcessError as error:
        print(error, flush=True)
        return error.returncode
    checks = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["lint-imports"]]
    for name, *options in [*checks, ["pytest", "--numprocesses=auto", *arguments]]:
        print("==", name, *options, flush=True)
        # By its full name, which ends in .exe on Windows.
        command = shutil.which(name, path=str(python.parent))
        if command is None:
            print(f"{name} is not in {python.parent}; remove .venv and run this again", flush=True)
            return 1
        code = subprocess.run([command, *options], cwd=ROOT, check=False).returncode
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
