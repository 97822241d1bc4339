"""What is shipped: sdist, wheel from the sdist, and a site built with the installed wheel, the source tree away."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest
from lxml import etree

from tests.schemas import validate

ROOT = Path(__file__).resolve().parent.parent
NOT_SOURCE = shutil.ignore_patterns(".*cache*", ".git", ".venv", ".hypothesis", "__pycache__", "build", "dist", "site")

MKDOCS_YML = """\
site_name: Example
site_url: https://docs.example.org/
plugins: [sitemap]
"""
PAGES = {"index.md": "# Home\n", "install.md": "# Install\n", "guide/first-steps.md": "# First steps\n"}


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command that knows nothing of the checkout; its output is the message where it fails."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**variables, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


class Built(NamedTuple):
    source: Path
    sdist: Path
    wheel: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build the sdist from a copy of the checkout, and the wheel from the sdist."""
    folder = tmp_path_factory.mktemp("packaging")
    source = folder / "source"
    shutil.copytree(ROOT, source, ignore=NOT_SOURCE)
    run(sys.executable, "-m", "build", "--outdir", folder / "dist", source, cwd=folder)
    (sdist,) = (folder / "dist").glob("*.tar.gz")
    (wheel,) = (folder / "dist").glob("*.whl")
    return Built(source, sdist, wheel)


def test_sdist_holds_what_the_checks_need(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "tests/test_packaging.py", "sample_sites/build.py"} <= names
    assert {f"templates/{path.name}" for path in (built.source / "templates").iterdir()} <= names


def test_wheel_holds_the_package_and_nothing_else(built: Built) -> None:
    package = built.source / "sitemap_plugins"
    sources = {f"templates/{path.name}": path for path in (built.source / "templates").iterdir()}
    sources |= {f"schemas/{path.name}": path for path in (package / "schemas").glob("*.xsd")}
    sources |= {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
    sources["py.typed"] = package / "py.typed"
    with ZipFile(built.wheel) as archive:
        shipped = {
            name.removeprefix("sitemap_plugins/"): archive.read(name)
            for name in archive.namelist()
            if not name.partition("/")[0].endswith(".dist-info")
        }
    assert shipped.keys() == sources.keys()
    assert shipped == {name: path.read_bytes() for name, path in sources.items()}


def test_installed_wheel_builds_a_mkdocs_site(built: Built, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    requirement = f"sitemap-plugins[mkdocs] @ {built.wheel.as_uri()}"
    run(python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement, cwd=tmp_path)
    project = tmp_path / "project"
    for name, text in PAGES.items():
        page = project / "docs" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    (project / "mkdocs.yml").write_text(MKDOCS_YML, encoding="utf-8")

    where = run(python, "-I", "-c", "import sitemap_plugins; print(sitemap_plugins.__file__)", cwd=project)
    assert Path(where.strip()).resolve().is_relative_to((tmp_path / "venv").resolve())
    run(python, "-I", "-m", "mkdocs", "build", "--strict", cwd=project)

    site = project / "site"
    sitemap = (site / "sitemap.xml").read_bytes()
    assert validate(sitemap) == []
    assert [element.text for element in etree.fromstring(sitemap).iter("{*}loc")] == [
        "https://docs.example.org/",
        "https://docs.example.org/guide/first-steps/",
        "https://docs.example.org/install/",
    ]
    assert gzip.decompress((site / "sitemap.xml.gz").read_bytes()) == sitemap
    robots = b"User-agent: *\nAllow: /\n\nSitemap: https://docs.example.org/sitemap.xml\n"
    assert (site / "robots.txt").read_bytes() == robots
