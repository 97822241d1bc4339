"""The sample site for MkDocs: what is listed and left out is what its own README says."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.adapters.contract import Built
from tests.adapters.test_mkdocs import run

SAMPLE = Path(__file__).resolve().parents[2] / "sample_sites" / "mkdocs"
BASE = "https://docs.tidewater.example/"
README = (SAMPLE / "README.md").read_text("utf-8")


def expected_urls() -> list[str]:
    """Return the URLs of the README's last fenced block."""
    return re.findall(r"^```text\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)[-1].split("\n")[:-1]


def expected_reasons() -> dict[str, str]:
    """Return for each page that the README's table calls left out, by its source, the reason."""
    return dict(re.findall(r"^\| `([^`]+\.md)` \|.*\bleft out: ([a-z ]+) \|$", README, re.MULTILINE))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the sample and ask for a report of it."""
    folder = tmp_path_factory.mktemp("sample")
    shutil.copytree(SAMPLE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("site", ".cache"))
    config = (folder / "mkdocs.yml").read_text("utf-8")
    asked = config.replace("  - sitemap:\n", "  - sitemap:\n      report: report.json\n")
    assert asked != config
    (folder / "mkdocs.yml").write_text(asked, "utf-8")
    return folder


@pytest.fixture(scope="module")
def built(sample: Path) -> Built:
    done = run(sample, "-m", "mkdocs", "build", "--strict", environment={"TZ": "UTC", "PYTHONHASHSEED": "0"})
    assert done.ok, done.output
    return done


@pytest.fixture(scope="module")
def report(built: Built) -> Any:
    return json.loads((built.folder.parent / "report.json").read_bytes())


def test_lists_what_the_readme_says(built: Built) -> None:
    assert len(expected_urls()) >= 30
    assert built.locs() == expected_urls()
    assert built.warnings == []


def test_every_url_is_a_file_of_the_build_but_the_one_from_the_settings(built: Built) -> None:
    missing = [
        loc for loc in built.locs() if not (built.folder / unquote(loc.removeprefix(BASE)) / "index.html").is_file()
    ]
    assert missing == [BASE + "status/"]


def test_leaves_out_what_the_readme_says_for_the_reasons_it_says(report: Any) -> None:
    reasons = expected_reasons()
    assert len(reasons) >= 6
    assert {page["source"]: page["reason"] for page in report["omitted"]} == reasons
    assert report["problems"] == []


def test_dates_and_values_are_those_of_the_readme(built: Built) -> None:
    entries = {loc.removeprefix(BASE): entry for loc, entry in built.entries().items()}
    readme = set(re.findall(r"lastmod (\d{4}-\d\d-\d\d)", README))
    assert {entry["lastmod"] for entry in entries.values() if "lastmod" in entry} == readme
    assert len(readme) == 3
    assert {url: entry for url, entry in entries.items() if entry.keys() - {"lastmod"}} == {
        "api/": {"priority": "0.8"},
        "api/experimental/": {"priority": "0.3"},
        "api/observations/": {"priority": "0.8"},
        "api/stream/": {"priority": "0.8"},
        "install/quickstart/": {"priority": "0.9", "changefreq": "weekly"},
        "releases/": {"changefreq": "yearly"},
        "releases/2.0/": {"changefreq": "yearly"},
        "releases/2.1/": {"changefreq": "yearly"},
        "status/": {"changefreq": "hourly"},
    }


def test_robots_txt_allows_all_and_names_the_sitemap(built: Built) -> None:
    assert built.read("robots.txt") == f"User-agent: *\nAllow: /\n\nSitemap: {BASE}sitemap.xml\n".encode()


def test_gives_the_same_bytes_under_another_zone_locale_and_hash_seed(built: Built, tmp_path: Path) -> None:
    root = built.folder.parent
    environment = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONHASHSEED": "4711"}
    before = (root / "report.json").read_bytes()
    again = run(root, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path / "site"), environment=environment)
    assert again.ok, again.output
    other = Built(folder=tmp_path / "site", messages=again.messages, output=again.output, ok=True)
    assert other.files() == built.files()
    assert set(other.files()) == {"sitemap.xml", "sitemap.xml.gz"}
    assert other.read("robots.txt") == built.read("robots.txt")
    assert (root / "report.json").read_bytes() == before
