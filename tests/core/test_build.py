"""From pages to files: the limits, the index, the report, the summary, and the same bytes every time."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import etree

import sitemap_plugins
from sitemap_plugins.core.errors import SitemapError
from sitemap_plugins.core.model import Page, Reason
from tests.core.make import BASE, NAMESPACE, page, planned, site, tree, written
from tests.schemas import validate

LOC = f"{{{NAMESPACE}}}loc"
LASTMOD = f"{{{NAMESPACE}}}lastmod"
# https://www.sitemaps.org/protocol.html#index
MAX_URLS = 50_000
MAX_BYTES = 52_428_800


def locs(content: bytes) -> list[str]:
    return [str(element.text) for element in etree.fromstring(content, etree.XMLParser(huge_tree=True)).iter(LOC)]


def check_split(folder: Path, expected: list[str]) -> list[tuple[int, int]]:
    """Check an index and its parts against the protocol, and return each part's number of URLs and size."""
    files = tree(folder)
    index = files["sitemap.xml"]
    assert etree.fromstring(index).tag == f"{{{NAMESPACE}}}sitemapindex"
    names = locs(index)
    assert all(name.startswith(BASE) for name in names)
    assert {name.removeprefix(BASE) for name in names} == set(files) - {"sitemap.xml", "robots.txt"}
    assert validate(index) == []
    parts: list[tuple[int, int]] = []
    found: list[str] = []
    for part in (files[name.removeprefix(BASE)] for name in names):
        assert validate(part) == []
        assert b"<urlset" in part[:200]
        assert b"sitemapindex" not in part
        listed = locs(part)
        assert len(part) <= MAX_BYTES
        assert 1 <= len(listed) <= MAX_URLS
        found += listed
        parts.append((len(listed), len(part)))
    assert found == expected
    return parts


def test_sixty_thousand_and_one_pages(tmp_path: Path) -> None:
    outcome = written(tmp_path, [Page(url=f"page-{n:05}/") for n in range(60_001)], gzip=False)
    parts = check_split(tmp_path, [f"{BASE}page-{n:05}/" for n in range(60_001)])
    assert [count for count, _ in parts] == [50_000, 10_001]
    assert outcome.listed == 60_001
    assert [(file.path, file.urls) for file in outcome.files] == [
        ("sitemap.xml", 0),
        ("sitemap-1.xml", 50_000),
        ("sitemap-2.xml", 10_001),
        ("robots.txt", 0),
    ]
    for file in outcome.files:
        assert file.size == (tmp_path / file.path).stat().st_size


def test_more_than_fifty_megabytes(tmp_path: Path) -> None:
    count, length = 25_700, 2_040
    urls = [f"{n:05}-".ljust(length - len(BASE), "x") for n in range(count)]
    written(tmp_path, [Page(url=url) for url in urls], gzip=False)
    parts = check_split(tmp_path, [BASE + url for url in urls])
    assert len(parts) == 2
    assert sum(size for _, size in parts) > MAX_BYTES
    # The first part is full: the next entry would not have fitted.
    assert parts[0][1] + length + len("<url>\n<loc></loc>\n</url>\n") > MAX_BYTES


@pytest.mark.parametrize(("count", "split"), [(9, False), (10, False), (11, True)])
def test_one_file_while_one_is_enough(tmp_path: Path, count: int, split: bool) -> None:
    written(tmp_path, [page(f"{n:02}/") for n in range(count)], max_urls=10)
    assert (b"<sitemapindex" in tree(tmp_path)["sitemap.xml"]) is split
    assert ("sitemap-1.xml" in tree(tmp_path)) is split


def test_bytes_are_counted_as_rendered(tmp_path: Path) -> None:
    pages = [page(f"{n:03}-&&&&&&/") for n in range(100)]
    written(tmp_path / "one", pages)
    size = (tmp_path / "one" / "sitemap.xml").stat().st_size
    written(tmp_path / "exact", pages, max_bytes=size)
    assert tree(tmp_path / "exact") == tree(tmp_path / "one")
    written(tmp_path / "less", pages, max_bytes=size - 1)
    assert {"sitemap-1.xml", "sitemap-2.xml"} <= tree(tmp_path / "less").keys()
    assert "sitemap-3.xml" not in tree(tmp_path / "less")


def test_a_part_is_dated_only_if_all_its_urls_are(tmp_path: Path) -> None:
    dates = ["2026-01-01", "2026-01-03", "2026-01-02", "", "2026-01-02T10:00:00+02:00", "2026-01-02T09:00:00Z"]
    pages = [page(f"{n}/", meta={"date": value}) for n, value in enumerate(dates)]
    written(tmp_path, pages, max_urls=2)
    index = etree.fromstring(tree(tmp_path)["sitemap.xml"])
    assert [entry.findtext(LASTMOD) for entry in index] == ["2026-01-03", None, "2026-01-02T09:00:00+00:00"]


def test_an_entry_that_no_file_can_hold_is_left_out(tmp_path: Path) -> None:
    outcome = written(tmp_path, [page("a/"), page("b" * 1_500), page("c/")], max_bytes=1_000)
    assert locs(tree(tmp_path)["sitemap.xml"]) == [BASE + "a/", BASE + "c/"]
    assert [omitted.reason for omitted in outcome.omitted] == [Reason.TOO_LARGE]
    assert [problem.kind for problem in outcome.problems] == ["too-large"]
    assert outcome.listed == 2


def test_schema_order_and_validity_of_all_values(tmp_path: Path) -> None:
    meta = {"sitemap": {"lastmod": "2026-01-01 12:00+0100", "changefreq": "Daily", "priority": "1"}}
    written(tmp_path, [page("&'\"<>é日 %/", meta=meta), page("")], gzip=False)
    content = tree(tmp_path)["sitemap.xml"]
    assert validate(content) == []
    assert content.decode("ascii") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<url>\n<loc>https://docs.example.org/</loc>\n</url>\n"
        "<url>\n"
        "<loc>https://docs.example.org/&amp;&apos;%22%3C%3E%C3%A9%E6%97%A5%20%25/</loc>\n"
        "<lastmod>2026-01-01T12:00:00+01:00</lastmod>\n"
        "<changefreq>daily</changefreq>\n"
        "<priority>1.0</priority>\n"
        "</url>\n"
        "</urlset>\n"
    )


def test_an_index_over_the_limit_is_an_error_and_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(SitemapError, match=r"the index would have \d+ bytes, over the setting max_bytes"):
        written(tmp_path, [page(f"{n}/") for n in range(50)], max_urls=1, max_bytes=1_000)
    assert tree(tmp_path) == {}


# ---- what is said ----


def test_summary(tmp_path: Path) -> None:
    pages = [page("a/"), page("b/"), page("404.html"), *(page(f"{n}/", meta={"draft": True}) for n in range(2))]
    assert written(tmp_path, pages).summary == (
        "2 URLs listed, 3 pages left out (2 draft, 1 error page); wrote sitemap.xml, sitemap.xml.gz, robots.txt"
    )
    assert written(tmp_path, [page("a/")], robots=False, gzip=False).summary == (
        "1 URL listed, 0 pages left out; wrote sitemap.xml"
    )
    assert written(tmp_path, [page("404.html")], robots=False).summary == (
        "0 URLs listed, 1 page left out (1 error page); wrote nothing"
    )


def test_summary_of_a_split(tmp_path: Path) -> None:
    assert written(tmp_path, [page("a/"), page("b/")], max_urls=1, gzip=False).summary == (
        "2 URLs listed, 0 pages left out; wrote sitemap.xml, sitemap-1.xml, sitemap-2.xml, robots.txt"
    )


def test_report(tmp_path: Path) -> None:
    pages = [
        page("a/", meta={"date": "2026-01-01", "sitemap_priority": "0.8"}),
        page("é/", source="é\udce9.md", meta={"date": "1970-01-01"}),
        page("b/", meta={"sitemap": False}),
    ]
    outcome = written(tmp_path / "out", pages, site(root=str(tmp_path)), report="reports/sitemap.json", gzip=False)
    text = (tmp_path / "reports" / "sitemap.json").read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert "é" in text
    message = (
        "é\udce9.md: date: 1970-01-01 is before the web and cannot be when the page changed; write the real date. "
        "The date is passed over"
    )
    assert json.loads(text) == {
        "site": BASE,
        "files": [
            {"path": "sitemap.xml", "size": (tmp_path / "out/sitemap.xml").stat().st_size, "urls": 2},
            {"path": "robots.txt", "size": (tmp_path / "out/robots.txt").stat().st_size, "urls": 0},
        ],
        "listed": [
            {
                "loc": BASE + "%C3%A9/",
                "source": "é\udce9.md",
            },
            {
                "loc": BASE + "a/",
                "source": "a.md",
                "lastmod": "2026-01-01",
                "lastmod_from": "date",
                "priority": "0.8",
            },
        ],
        "omitted": [{"url": BASE + "b/", "source": "b.md", "reason": "metadata", "detail": "sitemap: false"}],
        "problems": [{"level": "warning", "kind": "lastmod-invalid", "message": message, "source": "é\udce9.md"}],
    }
    assert "sitemap.json" not in outcome.summary


def test_the_report_lists_what_the_sitemap_lists(tmp_path: Path) -> None:
    where = site(root=str(tmp_path))
    written(tmp_path, [page("a/"), page("b" * 1_500)], where, report="r.json", max_bytes=1_000, robots=False)
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert [entry["loc"] for entry in report["listed"]] == [BASE + "a/"]
    assert [entry["reason"] for entry in report["omitted"]] == ["too large"]


def test_an_empty_report_is_json(tmp_path: Path) -> None:
    written(tmp_path, [], site(root=str(tmp_path)), report="r.json", robots=False)
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert (report["files"], report["listed"], report["omitted"]) == ([], [], [])
    assert [problem["kind"] for problem in report["problems"]] == ["no-urls"]


def test_a_preview_writes_no_report(tmp_path: Path) -> None:
    written(tmp_path / "out", [page()], site(root=str(tmp_path), serving=True), report="r.json")
    assert not (tmp_path / "r.json").exists()


def test_no_pages(tmp_path: Path) -> None:
    outcome = written(tmp_path, [])
    assert [(problem.level, problem.kind) for problem in outcome.problems] == [("warning", "no-urls")]
    assert tree(tmp_path).keys() == {"robots.txt"}


def test_no_pages_any_more_leaves_no_false_sitemap(tmp_path: Path) -> None:
    written(tmp_path, [page("a/")])
    written(tmp_path, [page("a/", meta={"draft": True})])
    assert tree(tmp_path).keys() == {"robots.txt"}


def test_a_base_with_a_path(tmp_path: Path) -> None:
    outcome = written(tmp_path, [page(""), page("a/"), page("b/")], site("https://example.org/docs/"), max_urls=2)
    files = tree(tmp_path)
    assert locs(files["sitemap.xml"]) == [f"https://example.org/docs/sitemap-{n}.xml" for n in (1, 2)]
    assert locs(files["sitemap-1.xml"]) == ["https://example.org/docs/", "https://example.org/docs/a/"]
    assert [(problem.level, problem.kind) for problem in outcome.problems] == [("info", "robots-not-at-root")]


@pytest.mark.parametrize("base", ["http://localhost:8000/", "http://127.0.0.1/", "http://[::1]/"])
def test_a_local_host_is_warned_of_unless_serving(base: str) -> None:
    outcome = planned([page()], site(base))
    assert outcome.kinds == [("warning", "local-host")]
    assert "site_url" in outcome.messages
    assert planned([page()], site(base, serving=True)).kinds == []


# ---- the same bytes ----

SCRIPT = """
import hashlib, sys
from datetime import datetime, timezone
from pathlib import Path
from sitemap_plugins.core.build import build, write
from sitemap_plugins.core.model import Page, Site
from sitemap_plugins.core.settings import Settings
pages = [
    Page(url=f"{n % 40}-é {n}/", source=f"{n}.md", meta={"date": f"2026-01-{n % 28 + 1:02} 12:00", "draft": n % 7 == 0})
    for n in range(60)
]
pages += [Page(url="x/", source=str(n), meta={"date": "1970-01-01"}) for n in range(3)]
folder = Path(sys.argv[1])
site = Site(
    base="https://docs.example.org/",
    option="site_url",
    now=datetime(2026, 12, 1, tzinfo=timezone.utc),
    root=str(folder),
    owned=frozenset({"sitemap-2.xml", "sitemap-3.xml", "x"}),
)
write(build(pages, site, Settings(max_urls=9, report="r.json", exclude=("1-*", "2-*"))), folder)
for path in sorted(folder.iterdir()):
    print(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
"""


def test_the_same_bytes_in_any_environment(tmp_path: Path) -> None:
    root = str(Path(sitemap_plugins.__file__).parent.parent)
    seen = set()
    for number, varied in enumerate(
        [
            {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"},
            {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
            {"PYTHONHASHSEED": "2", "TZ": "America/Los_Angeles", "LC_ALL": "tr_TR.UTF-8"},
        ]
    ):
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path / str(number))],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **varied},
            capture_output=True,
            text=True,
            check=True,
        )
        seen.add(done.stdout)
    assert len(seen) == 1
    assert seen.pop().count("\n") > 10


def test_the_same_bytes_twice_over_the_old_files(tmp_path: Path) -> None:
    pages = [page(f"{n}/", meta={"date": "2026-01-01"}) for n in range(30)]
    results = []
    for turn in (1, -1):
        written(tmp_path, pages[::turn], site(root=str(tmp_path)), max_urls=7, report="r.json")
        results.append(tree(tmp_path))
    for one, other in pairwise(results):
        assert one == other
    assert gzip.decompress(results[0]["sitemap.xml.gz"]) == results[0]["sitemap.xml"]


# ---- what the user's templates may not do ----


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("url.xml.j2", "{% for url in urls %}<url><loc>&{{ url.loc }}</loc></url>{% endfor %}", "not well-formed"),
        ("urlset.xml.j2", "hello {{ entries }} world", "not well-formed"),
        ("url.xml.j2", "", "0 url elements for 2 URLs"),
        ("sitemapindex.xml.j2", "<sitemapindex>", "not well-formed"),
    ],
)
def test_templates_that_break_the_file_stop_the_build(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / name).write_text(text, encoding="utf-8")
    split = {"max_urls": 1} if "index" in name else {}
    with pytest.raises(SitemapError, match=words):
        written(
            tmp_path / "out",
            [page("a/"), page("b/")],
            site(root=str(tmp_path)),
            templates=str(tmp_path / "own"),
            **split,
        )
    assert not (tmp_path / "out" / "sitemap.xml").exists()


def test_a_robots_template_bars_pages_and_gets_its_sitemap_line(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "robots.txt.j2").write_text("User-agent: *\nDisallow: /b/\n", encoding="utf-8")
    outcome = written(
        tmp_path / "out", [page("a/"), page("b/")], site(root=str(tmp_path)), templates=str(tmp_path / "own")
    )
    assert [str(omitted.reason) for omitted in outcome.omitted] == ["barred by robots.txt"]
    assert tree(tmp_path / "out")["robots.txt"] == (
        b"User-agent: *\nDisallow: /b/\nSitemap: https://docs.example.org/sitemap.xml\n"
    )
