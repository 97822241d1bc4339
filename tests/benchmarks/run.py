"""The benchmark, run by hand in an environment that holds the checkout, its tools and the peers.

``python tests/benchmarks/run.py [--quick] [pipeline] [memory] [git] [heads] [mkdocs]``; without a name all but
mkdocs, which takes minutes. The peers are lxml, Django and xml-sitemap-writer; one that is not installed is passed
over.

Times are ratios to plain strings, measured in one run: every figure comes from a process of its own, which imports,
makes its rows and warms up before the clock starts; the contenders take turns, and the best of the rounds counts.
They are of the processor, so that other work on the machine disturbs them less. The garbage collector works as
Python has it. Rows come in the order in which a generator walks its folders.
"""

from __future__ import annotations

import argparse
import functools
import gc
import gzip
import importlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

BASE = "https://docs.example.org/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
PER_FILE = 50_000
WARM_UP = 2_000
PATIENCE = 15  # seconds; a contender that needs more has one round only
COMMANDS = ("pipeline", "memory", "git", "heads", "mkdocs")

Rows = Sequence[Any]


class Row(NamedTuple):
    """What every contender gets for one URL: its path below the base and its day."""

    path: str
    day: date


class Contender(NamedTuple):
    """A way to make sitemaps: its title, rows as it wants them, and the work, which may return its stages' seconds."""

    title: str
    prepare: Callable[[Iterator[Row]], Rows]
    run: Callable[[Rows, Path], dict[str, float] | None]
    modules: tuple[str, ...] = ()


# Rows


def rows(count: int) -> Iterator[Row]:
    """Yield rows whose URLs have about 75 characters; every tenth has an ampersand."""
    start = date(2015, 1, 1)
    for number in range(count):
        tail = "/?lang=en&v=2" if number % 10 == 0 else "-in-details/"
        path = f"guide/chapter-{number // 500:04}/configure-item-{number:07}{tail}"
        yield Row(path, start + timedelta(days=number * 7 % 4_000))


def texts(source: Iterator[Row]) -> Rows:
    """Make (loc, lastmod) pairs of text."""
    return [(BASE + row.path, row.day.isoformat()) for row in source]


def paths(source: Iterator[Row]) -> Rows:
    """Keep the rows, as a framework does that joins base and path itself."""
    return list(source)


def bare_pages(source: Iterator[Row]) -> Rows:
    """Make page records that are dated by another plugin."""
    from sitemap_plugins.core.model import DateClaim, Page

    return [
        Page(
            url=row.path,
            source=f"{row.path.partition('?')[0][:-1]}.md",
            dates=(DateClaim(origin="benchmark", value=row.day.isoformat()),),
        )
        for row in source
    ]


def full_pages(source: Iterator[Row]) -> Rows:
    """Make page records as an adapter does: with path, front matter and what the rendered head says."""
    from sitemap_plugins.core.model import Head, Page

    return [
        Page(
            url=row.path,
            source=(name := f"{row.path.partition('?')[0][:-1]}.md"),
            path=f"/srv/docs/{name}",
            meta={"title": f"Item of {row.day}", "date": row.day},
            head=Head(canonical=BASE + row.path),
        )
        for row in source
    ]


# Contenders


def _chunks(items: Rows, size: int) -> Iterator[Rows]:
    return (items[start : start + size] for start in range(0, len(items), size))


def plain(items: Rows, folder: Path) -> None:
    """Join f-strings per 1,000 and write them: the baseline."""
    from xml.sax.saxutils import escape

    for number, part in enumerate(_chunks(items, PER_FILE), 1):
        with (folder / f"sitemap-{number}.xml").open("w", encoding="utf-8") as file:
            file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}">\n')
            for chunk in _chunks(part, 1_000):
                file.write(
                    "".join(
                        [
                            f"<url>\n<loc>{escape(loc)}</loc>\n<lastmod>{escape(day)}</lastmod>\n</url>\n"
                            for loc, day in chunk
                        ]
                    )
                )
            file.write("</urlset>\n")


def ours(items: Rows, folder: Path, *, zipped: bool) -> dict[str, float]:
    """Plan and write with this package."""
    from sitemap_plugins.core.build import build, write

    started = time.process_time()
    built = build(items, *_site(zipped=zipped))
    planned = time.process_time()
    write(built, folder)
    return {"plan": planned - started, "write": time.process_time() - planned}


def _site(*, zipped: bool) -> tuple[Any, Any]:
    from sitemap_plugins.core.model import Site
    from sitemap_plugins.core.settings import Settings

    return Site(base=BASE, option="site_url", now=datetime.now(UTC)), Settings(gzip=zipped)


def element_tree(items: Rows, folder: Path) -> None:
    """Build a tree per file with the standard library."""
    from xml.etree import ElementTree

    for number, part in enumerate(_chunks(items, PER_FILE), 1):
        root = ElementTree.Element("urlset", xmlns=NAMESPACE)
        for loc, day in part:
            url = ElementTree.SubElement(root, "url")
            ElementTree.SubElement(url, "loc").text = loc
            ElementTree.SubElement(url, "lastmod").text = day
        ElementTree.ElementTree(root).write(folder / f"sitemap-{number}.xml", encoding="utf-8", xml_declaration=True)


def lxml_xmlfile(items: Rows, folder: Path) -> None:
    """Write element by element with lxml's incremental writer."""
    from lxml import etree

    for number, part in enumerate(_chunks(items, PER_FILE), 1):
        with etree.xmlfile(str(folder / f"sitemap-{number}.xml"), encoding="utf-8") as file:
            file.write_declaration()
            with file.element("urlset", nsmap={None: NAMESPACE}):
                for loc, day in part:
                    url = etree.Element("url")
                    etree.SubElement(url, "loc").text = loc
                    etree.SubElement(url, "lastmod").text = day
                    file.write(url)


def django_sitemaps(items: Rows, folder: Path) -> None:
    """Let Django's own views render every page of a Sitemap class, and the index."""
    views, factory = _django()
    sitemaps_module = importlib.import_module("django.contrib.sitemaps")

    class Pages(sitemaps_module.Sitemap):  # type: ignore[misc, name-defined]
        limit = PER_FILE
        protocol = "https"

        def items(self) -> Rows:
            return items

        def location(self, item: Row) -> str:
            return f"/{item.path}"

        def lastmod(self, item: Row) -> date:
            return item.day

    sitemaps = {"pages": Pages()}
    for number in range(1, sitemaps["pages"].paginator.num_pages + 1):
        response = views.sitemap(factory.get("/sitemap.xml", {"p": number}), sitemaps, section="pages")
        (folder / f"sitemap-{number}.xml").write_bytes(response.render().content)
    response = views.index(factory.get("/sitemap.xml"), sitemaps)
    (folder / "sitemap.xml").write_bytes(response.render().content)


@functools.cache
def _django() -> tuple[Any, Any]:
    import django
    from django.conf import settings
    from django.test import RequestFactory
    from django.urls import path

    settings.configure(
        ALLOWED_HOSTS=["*"],
        INSTALLED_APPS=["django.contrib.sitemaps"],
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    )
    django.setup()
    views = importlib.import_module("django.contrib.sitemaps.views")
    settings.ROOT_URLCONF = (
        path("sitemap-<section>.xml", views.sitemap, name="django.contrib.sitemaps.views.sitemap"),
    )
    return views, RequestFactory(SERVER_NAME="docs.example.org")


def sitemap_writer(items: Rows, folder: Path, *, zipped: bool) -> None:
    """Write with xml-sitemap-writer, as shipped or with its gzip replaced by plain files."""
    module: Any = importlib.import_module("xml_sitemap_writer")
    if not zipped:
        module.gzip = SimpleNamespace(open=lambda path, mode, compresslevel: Path(path).open(mode))  # noqa: SIM115
    with module.XMLSitemap(str(folder), BASE) as sitemap:
        for path, day in items:
            sitemap.add_url(path, lastmod=day)


def text_paths(source: Iterator[Row]) -> Rows:
    """Make (path, lastmod) pairs of text."""
    return [(row.path, row.day.isoformat()) for row in source]


CONTENDERS: dict[str, Contender] = {
    "plain": Contender("plain strings", texts, plain, ("xml.sax.saxutils",)),
    "ours": Contender(
        "ours, no gzip", bare_pages, functools.partial(ours, zipped=False), ("sitemap_plugins.core.build",)
    ),
    "ours-full": Contender(
        "ours, no gzip, heads and front matter",
        full_pages,
        functools.partial(ours, zipped=False),
        ("sitemap_plugins.core.build",),
    ),
    "ours-gzip": Contender(
        "ours, with gzip copies", bare_pages, functools.partial(ours, zipped=True), ("sitemap_plugins.core.build",)
    ),
    "writer": Contender(
        "xml-sitemap-writer, gzip removed",
        text_paths,
        functools.partial(sitemap_writer, zipped=False),
        ("xml_sitemap_writer",),
    ),
    "writer-gzip": Contender(
        "xml-sitemap-writer as shipped",
        text_paths,
        functools.partial(sitemap_writer, zipped=True),
        ("xml_sitemap_writer",),
    ),
    "elementtree": Contender("ElementTree", texts, element_tree, ("xml.etree.ElementTree",)),
    "lxml": Contender("lxml xmlfile", texts, lxml_xmlfile, ("lxml.etree",)),
    "django": Contender("django.contrib.sitemaps", paths, django_sitemaps, ("django.contrib.sitemaps",)),
}


def check(folder: Path, count: int) -> None:
    """Stop unless the files list as many URLs as they should."""
    found: dict[str, int] = {}
    for path in folder.iterdir():
        content = path.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        if b"<sitemapindex" not in content[:1_000]:
            found[path.name.removesuffix(".gz")] = content.count(b"<loc>")
    if sum(found.values()) != count:
        raise SystemExit(f"expected {count} URLs in the output, found {sum(found.values())}")


# Processes of their own


def resident(*, peak: bool = False) -> int | None:
    """Return the resident memory of this process in bytes, or its peak since the last reset; None without /proc."""
    name = "VmHWM:" if peak else "VmRSS:"
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(name)), None)


def reset_peak() -> bool:
    """Set the peak of resident memory back to what is resident now; False where the system does not let us."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return False
    return True


def work(name: str, count: int) -> dict[str, float | None]:
    """Run one contender once in this process and return seconds, and bytes beyond its rows at the peak."""
    contender = CONTENDERS[name]
    for module in contender.modules:
        importlib.import_module(module)
    with tempfile.TemporaryDirectory() as warm:
        contender.run(contender.prepare(rows(WARM_UP)), Path(warm))
    items = contender.prepare(rows(count))
    gc.collect()
    before = resident() if reset_peak() else None
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        stages = contender.run(items, Path(folder)) or {}
        seconds = time.process_time() - started
        after = resident(peak=True)
        check(Path(folder), count)
    peak = None if before is None or after is None else after - before
    return {"seconds": seconds, "peak": peak, **stages}


def work_stages(name: str, count: int) -> dict[str, float | None]:
    """Plan and write in this process; return bytes from before the records to the plan, and in writing beyond it."""
    from sitemap_plugins.core.build import build, write

    contender = CONTENDERS[name]
    with tempfile.TemporaryDirectory() as warm:
        contender.run(contender.prepare(rows(WARM_UP)), Path(warm))
    gc.collect()
    empty = resident()
    items = contender.prepare(rows(count))
    built = build(items, *_site(zipped=False))
    planned = resident() if reset_peak() else None
    with tempfile.TemporaryDirectory() as folder:
        write(built, Path(folder))
        peak = resident(peak=True)
        check(Path(folder), count)
    if empty is None or planned is None or peak is None:
        return {"plan": None, "write": None}
    return {"plan": planned - empty, "write": peak - planned}


def apart(*arguments: object) -> dict[str, Any]:
    """Run a worker of this script in a new process and return what it prints."""
    command = [sys.executable, __file__, "--worker", *map(str, arguments)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr.strip().splitlines()[-1]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def installed() -> dict[str, Contender]:
    """Return the contenders that can be run here, naming the others."""
    found = {}
    for name, contender in CONTENDERS.items():
        if all(importlib.util.find_spec(module.partition(".")[0]) for module in contender.modules):
            found[name] = contender
        else:
            print(f"({contender.title}: not installed)")
    return found


# Tables


def table(title: str, head: Sequence[str], body: Sequence[Sequence[str]]) -> None:
    """Print rows of text under a title, the first column to the left and the others to the right."""
    widths = [max(len(row[column]) for row in (head, *body)) for column in range(len(head))]
    print(f"\n{title}")
    for row in (head, ["-" * width for width in widths], *body):
        cells = (
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join(cells).rstrip())
    sys.stdout.flush()


def mebibytes(size: float | None) -> str:
    """Write a size, or say that there is none."""
    return "not available" if size is None else f"{size / 2**20:.1f}"


def pipeline(*, quick: bool) -> None:
    """Time every contender, from rows to files."""
    contenders = installed()
    for count, rounds in ((50_000, 2),) if quick else ((50_000, 7), (500_000, 3)):
        results: dict[str, list[dict[str, Any]]] = {name: [] for name in contenders}
        for _ in range(rounds):
            for name in contenders:
                if not results[name] or results[name][-1]["seconds"] < PATIENCE:
                    results[name].append(apart("pipeline", name, count))
        best = {name: min(runs, key=lambda run: run["seconds"]) for name, runs in results.items()}
        unit = best["plain"]["seconds"]
        body = []
        for name, run in best.items():
            stages = (f"{run[stage] / unit:.1f}" if stage in run else "" for stage in ("plan", "write"))
            seconds = run["seconds"]
            body.append(
                (
                    contenders[name].title,
                    f"{seconds * 1_000:.0f}",
                    f"{count / seconds / 1_000:,.0f}k",
                    f"{seconds / unit:.1f}",
                    *stages,
                )
            )
        table(
            f"{count:,} URLs, pages in, files out; best of {rounds}; 1.0 = plain strings",
            ("contender", "ms", "URLs/s", "ratio", "of it plan", "write"),
            body,
        )


def memory(*, quick: bool) -> None:
    """Show the peak of memory of every contender, and of our two stages."""
    contenders = installed()
    counts = (50_000,) if quick else (50_000, 500_000)
    peaks = {name: [apart("pipeline", name, count)["peak"] for count in counts] for name in contenders}
    table(
        "Peak memory beyond the rows, MiB",
        ("contender", *(f"{count:,}" for count in counts)),
        [(contenders[name].title, *map(mebibytes, sizes)) for name, sizes in peaks.items()],
    )
    body = []
    for name in ("ours", "ours-full"):
        runs = [apart("memory", name, count) for count in counts]
        each = (
            "not available" if run["plan"] is None else f"{run['plan'] / count:.0f}"
            for run, count in zip(runs, counts, strict=True)
        )
        sizes = [run["write"] for run in runs]
        ratio = f"{sizes[-1] / sizes[0]:.2f}" if all(sizes) else "not available"
        body.append((contenders[name].title, *each, *map(mebibytes, sizes), ratio))
    table(
        "Ours by stage: bytes a page from record to plan (goal: under 1,024); peak of writing beyond the plan, MiB, "
        "and its ratio (goal: at most 1.3)",
        (
            "pages",
            *(f"bytes a page, {count:,}" for count in counts),
            *(f"write, {count:,}" for count in counts),
            "ratio",
        ),
        body,
    )


# Git


def repository(folder: Path, files: int, commits: int) -> list[str]:
    """Make a repository with one change of one file in each commit, and return the files' paths."""
    names = [f"docs/chapter-{number // 50:03}/page-{number:04}.md" for number in range(files)]
    lines = ["reset refs/heads/main"]
    for number in range(commits):
        text = f"revision {number}"
        lines += [
            "commit refs/heads/main",
            f"committer Writer <writer@example.org> {1_600_000_000 + number * 3_600} +0000",
            f"data {len(text)}",
            text,
            f"M 100644 inline {names[number % files]}",
            f"data {len(text)}",
            text,
        ]
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    stream = ("\n".join(lines) + "\n").encode()
    subprocess.run(["git", "-C", folder, "fast-import", "--quiet"], check=True, input=stream)
    subprocess.run(["git", "-C", folder, "reset", "-q", "--hard", "main"], check=True)
    return [str(folder / name) for name in names]


def git(*, quick: bool) -> None:
    """Time the dates of 2,000 files from one reading of the history against one process for each file."""
    from sitemap_plugins.core import history

    files, commits, sample, rounds = 2_000, 3_000, 50 if quick else 200, 3
    with tempfile.TemporaryDirectory() as temporary:
        names = repository(Path(temporary).resolve(), files, commits)
        once, single = [], []
        for _ in range(rounds):
            started = time.perf_counter()
            known = history.read_history(set(names))
            once.append(time.perf_counter() - started)
            if len(known.dates) != files:
                raise SystemExit(f"expected dates of {files} files from read_history, got {len(known.dates)}")
            started = time.perf_counter()
            for name in names[:: files // sample]:
                command = ["git", "log", "-1", "--format=%cI", "--", name]
                subprocess.run(command, check=True, capture_output=True, cwd=temporary)
            single.append((time.perf_counter() - started) * files / sample)
    table(
        f"Dates of {files:,} files from {commits:,} commits; best of {rounds}",
        ("way", "seconds", "ratio"),
        [
            ("one reading of the history", f"{min(once):.2f}", "1.0"),
            (
                f"one process a file ({sample} measured, scaled)",
                f"{min(single):.1f}",
                f"{min(single) / min(once):.0f}",
            ),
        ],
    )


# Heads


def html_page(number: int) -> bytes:
    """Make a page of 26 KB whose head, as MkDocs with Material writes it, has 6 KB of it."""
    url = f"{BASE}guide/page-{number:05}/"
    links = "".join(f'<link rel="stylesheet" href="../../assets/stylesheets/part-{part}.min.css">' for part in range(8))
    style = "".join(f":root{{--md-color-{part}:#{part:06x};--md-font-{part}:Roboto}}" for part in range(70))
    script = "".join(f'__md_set("k{part}",localStorage.getItem("/guide/k{part}")||"default");' for part in range(16))
    entries = "".join(
        f'<li class="md-nav__item"><a href="../page-{part:05}/" class="md-nav__link">'
        f'<span class="md-ellipsis">Page number {part}</span></a></li>'
        for part in range(90)
    )
    text = "".join(
        f"<p>Paragraph {part} of page {number} says <em>something</em> about <code>option_{part}</code>.</p>"
        for part in range(85)
    )
    return (
        '<!doctype html><html lang="en" class="no-js"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta name="description" content="About page {number}"><meta name="author" content="A writer">'
        f'<link rel="canonical" href="{url}"><link rel="prev" href="../a/"><link rel="next" href="../b/">'
        '<link rel="icon" href="../../assets/images/favicon.png"><meta name="generator" content="mkdocs-1.6.1">'
        f"<title>Page {number} - Guide</title>{links}<style>{style}</style><script>{script}</script>"
        f'<meta property="og:title" content="Page {number}"><meta property="og:url" content="{url}"></head>'
        f'<body dir="ltr"><nav class="md-nav"><ul>{entries}</ul></nav><main>{text}</main></body></html>'
    ).encode()


class HeadParser(HTMLParser):
    """The same values by way of the standard library."""

    def __init__(self) -> None:
        super().__init__()
        self.canonical = self.robots = self.refresh = self.base = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what the tags say that matter."""
        values = dict(attrs)
        if tag == "link" and values.get("rel") == "canonical":
            self.canonical = values.get("href") or ""
        elif tag == "base":
            self.base = values.get("href") or ""
        elif tag == "meta" and values.get("name") == "robots":
            self.robots = values.get("content") or ""
        elif tag == "meta" and values.get("http-equiv") == "refresh":
            self.refresh = values.get("content") or ""


def parse_whole(page: bytes) -> str:
    """Run html.parser over a whole page."""
    parser = HeadParser()
    parser.feed(page.decode())
    return parser.canonical


def parse_slice(page: bytes) -> str:
    """Run html.parser over what stands before the end of the head."""
    return parse_whole(page.partition(b"</head>")[0])


def heads(*, quick: bool) -> None:
    """Time the reading of rendered heads, in pages a second."""
    from sitemap_plugins.core import html

    rounds = 3 if quick else 5
    pages = [html_page(number) for number in range(1_000)]
    with tempfile.TemporaryDirectory() as temporary:
        files = [Path(temporary) / f"{number}.html" for number in range(len(pages))]
        for file, page in zip(files, pages, strict=True):
            file.write_bytes(page)
        ways: dict[str, tuple[Callable[[Any], Any], Sequence[Any]]] = {
            "ours, html.inspect": (html.inspect, pages),
            "ours, html.read from files": (html.read, files),
            "html.parser, head slice": (parse_slice, pages),
            "html.parser, whole page": (parse_whole, pages[:200]),
        }
        best: dict[str, float] = {}
        for _ in range(rounds):
            for name, (way, items) in ways.items():
                started = time.perf_counter()
                found = [way(item) for item in items]
                rate = len(items) / (time.perf_counter() - started)
                if not all(getattr(head, "canonical", head) for head in found):
                    raise SystemExit(f"{name}: a canonical link was not found")
                best[name] = max(rate, best.get(name, 0.0))
    unit = best["ours, html.inspect"]
    end = pages[0].find(b"</head>")
    table(
        f"Heads of pages of {len(pages[0]) / 1_000:.0f} KB, {end / 1_000:.1f} KB of it head; best of {rounds}; "
        "goal: 10,000 a second",
        ("way", "pages/s", "time ratio"),
        [(name, f"{rate:,.0f}", f"{unit / rate:.1f}") for name, rate in best.items()],
    )


# MkDocs


def material_site(folder: Path, pages: int) -> dict[str, Path]:
    """Write a site of 1,000 pages, and its configuration without and with the plugin."""
    text = "".join(
        f"## Heading {part}\n\nSome *words* about `option_{part}`, and [a link](page-000.md).\n\n"
        f"```python\nvalue = {part}\n```\n\n"
        for part in range(6)
    )
    for number in range(pages):
        file = folder / "docs" / f"chapter-{number // 50:02}" / f"page-{number % 50:03}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\ntitle: Page {number}\n---\n\n# Page {number}\n\n{text}", encoding="utf-8")
    (folder / "docs" / "index.md").write_text("# Home\n", encoding="utf-8")
    commit = ["-c", "user.name=Writer", "-c", "user.email=writer@example.org", "commit", "-q", "-m", "All pages"]
    for command in (["init", "-q"], ["add", "docs"], commit):
        subprocess.run(["git", "-C", folder, *command], check=True)
    common = (
        f"site_name: Benchmark\nsite_url: {BASE}\nsite_dir: SITE\n"
        "theme:\n  name: material\n  font: false\n  features: [navigation.prune]\n"
        "markdown_extensions: [admonition, pymdownx.highlight, pymdownx.superfences]\n"
    )
    configurations = {}
    for name, plugins in (("without", "[search]"), ("with", "[search, sitemap]")):
        configurations[name] = folder / f"{name}.yml"
        content = common.replace("SITE", f"site-{name}") + f"plugins: {plugins}\n"
        configurations[name].write_text(content, encoding="utf-8")
    return configurations


def work_mkdocs(configuration: str) -> dict[str, float]:
    """Build a site in this process and return the seconds of the build, of our handlers and of our import."""
    started = time.perf_counter()
    from mkdocs.commands import build
    from mkdocs.config import load_config

    spent = imported = 0.0
    if Path(configuration).stem == "with":
        importing = time.perf_counter()
        plugin = importlib.import_module("sitemap_plugins.mkdocs").SitemapPlugin
        imported = time.perf_counter() - importing

        def timed(method: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(method)
            def call(*arguments: Any, **named: Any) -> Any:
                nonlocal spent
                entered = time.perf_counter()
                try:
                    return method(*arguments, **named)
                finally:
                    spent += time.perf_counter() - entered

            return call

        for name, method in list(vars(plugin).items()):
            if name.startswith("on_") or name == "load_config":
                setattr(plugin, name, timed(method))
    config = load_config(configuration)
    config.plugins.on_startup(command="build", dirty=False)
    build.build(config)
    config.plugins.on_shutdown()
    return {"seconds": time.perf_counter() - started, "handlers": spent, "import": imported}


def mkdocs(*, quick: bool) -> None:
    """Time a build of a 1,000-page Material site without and with the plugin, and the plugin's share inside one."""
    rounds, pages = 2 if quick else 5, 1_000
    with tempfile.TemporaryDirectory() as temporary:
        configurations = material_site(Path(temporary), pages)
        apart("mkdocs", configurations["with"])  # warms the disk
        runs: dict[str, list[dict[str, float]]] = {name: [] for name in configurations}
        for _ in range(rounds):
            for name, configuration in configurations.items():
                runs[name].append(apart("mkdocs", configuration))
    without, with_ours = (min(run["seconds"] for run in runs[name]) for name in ("without", "with"))
    body = [
        (f"build without the plugin, best of {rounds}", f"{without:.2f}", ""),
        (f"build with the plugin, best of {rounds}", f"{with_ours:.2f}", f"{(with_ours / without - 1) * 100:+.1f} %"),
    ]
    for title, keys in (
        ("inside one build: our handlers", ("handlers",)),
        ("inside one build: our handlers and imports", ("handlers", "import")),
    ):
        shares = sorted((seconds := sum(run[key] for key in keys)) / (run["seconds"] - seconds) for run in runs["with"])
        spent = min(sum(run[key] for key in keys) for run in runs["with"])
        body.append((f"{title}, median share", f"{spent:.2f}", f"{shares[len(shares) // 2] * 100:+.1f} %"))
    table(
        f"MkDocs with Material, {pages:,} pages; goal: under 2 %", ("measured", "seconds", "added to the build"), body
    )


def main() -> None:
    """Run what was asked for."""
    if sys.argv[1:2] == ["--worker"]:
        kind, *arguments = sys.argv[2:]
        if kind == "mkdocs":
            print(json.dumps(work_mkdocs(arguments[0])))
        else:
            print(json.dumps((work if kind == "pipeline" else work_stages)(arguments[0], int(arguments[1]))))
        return
    parser = argparse.ArgumentParser(description="Measure the sitemap plugins against their peers, as ratios.")
    parser.add_argument("commands", nargs="*", metavar="|".join(COMMANDS), help="default: all but mkdocs")
    parser.add_argument("--quick", action="store_true", help="50,000 URLs only, fewer rounds")
    options = parser.parse_args()
    if unknown := set(options.commands) - set(COMMANDS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors{load}")
    for command in options.commands or COMMANDS[:-1]:
        if command == "git" and shutil.which("git") is None:
            print("\n(git is not installed: no figures)")
            continue
        {"pipeline": pipeline, "memory": memory, "git": git, "heads": heads, "mkdocs": mkdocs}[command](
            quick=options.quick
        )


if __name__ == "__main__":
    main()
