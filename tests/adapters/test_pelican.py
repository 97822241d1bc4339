"""The Pelican adapter: the contract, what only Pelican has, and the bugs of pelican-sitemap."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.adapters.contract import BASE, ROBOTS, AdapterContract, Built, Message, SiteSource, commit

ROOT = Path(__file__).resolve().parents[2]
# The log as one line of JSON for each record, because Pelican's own handler wraps lines into columns.
LOG = """\
import json, logging, sys
from pelican import Pelican, main
from pelican.settings import read_settings

class Handler(logging.Handler):
    def emit(self, record):
        print("LOG", json.dumps([record.levelname, logging.Formatter().format(record)]), flush=True)

logging.basicConfig(level=logging.INFO, handlers=[Handler()])
"""
MAIN = LOG + "main(sys.argv[1:])\n"
HEAD = "<!doctype html><html><head><title>T</title>{{ %s.head_elements }}</head><body>{{ %s.content }}</body></html>"
SETTINGS: dict[str, Any] = {
    "SITENAME": "Example",
    "SITEURL": BASE.rstrip("/"),
    "PATH": "content",
    "TIMEZONE": "UTC",
    "DEFAULT_LANG": "en",
    "THEME": "simple",
    "THEME_TEMPLATES_OVERRIDES": ["theme"],
    "PLUGINS": ["sitemap_plugins.pelican"],
    "DIRECT_TEMPLATES": ["index"],
    "AUTHOR": "Ann",
    "AUTHOR_SAVE_AS": "",
    "CATEGORY_SAVE_AS": "category/{slug}.html",
    "STATIC_PATHS": ["extra"],
    **dict.fromkeys(
        ("FEED_ALL_ATOM", "CATEGORY_FEED_ATOM", "AUTHOR_FEED_ATOM", "AUTHOR_FEED_RSS", "TRANSLATION_FEED_ATOM")
    ),
}


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def run(
    folder: Path,
    *arguments: str,
    script: str = MAIN,
    environment: Mapping[str, str] | None = None,
    output: str = "output",
    python: str | Path = sys.executable,
) -> Built:
    """Run Pelican, or another script after the log is set up, in a folder, and read the log."""
    done = subprocess.run(
        [python, "-c", script, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "200", **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    lines, messages = [], []
    for line in done.stdout.splitlines():
        if line.startswith("LOG "):
            messages.append(Message(*json.loads(line.removeprefix("LOG "))))
            line = messages[-1].text
        lines.append(line)
    return Built(folder=folder / output, messages=tuple(messages), output="\n".join(lines), ok=done.returncode == 0)


def make(folder: Path, files: Mapping[str, str | bytes], /, **settings: Any) -> None:
    """Write a site: ``files`` below content/ by name, and its settings; None leaves a setting out."""
    given = {**SETTINGS, **settings}
    conf = "".join(f"{name} = {value!r}\n" for name, value in given.items())
    theme = {f"theme/{kind}.html": HEAD % (kind, kind) for kind in ("article", "page")}
    write(folder, {"pelicanconf.py": conf, **theme, **{f"content/{name}": text for name, text in files.items()}})


def build(folder: Path, *arguments: str, **options: Any) -> Built:
    """Build a site, which must succeed."""
    built = run(folder, *arguments, **options)
    assert built.ok, built.output
    return built


def strictly(folder: Path, files: Mapping[str, str | bytes], /, **settings: Any) -> Built:
    """Make and build a site that must give no warning."""
    make(folder, files, **settings)
    return build(folder, "--fatal", "warnings")


def below(built: Built, name: str = "sitemap.xml", base: str = BASE) -> list[str]:
    """Return what is listed, without the base."""
    locs = built.locs(name)
    assert all(loc.startswith(base) for loc in locs)
    return [loc.removeprefix(base) for loc in locs]


def article(title: str, day: str = "2026-01-02", /, **meta: str) -> str:
    fields = {"Title": title, "Date": day, **meta}
    return "".join(f"{name}: {value}\n" for name, value in fields.items()) + "\nSome text.\n"


def page(title: str, /, **meta: str) -> str:
    return "".join(f"{name}: {value}\n" for name, value in {"Title": title, **meta}.items()) + "\nSome text.\n"


def text_of(value: Any) -> str:
    return json.dumps(value) if isinstance(value, dict) else str(value)


class TestPelican(AdapterContract):
    base_option = "SITEURL"
    base_missing = "INFO"

    def write(self, folder: Path, site: SiteSource) -> None:
        files: dict[str, str | bytes] = {}
        for source in site.pages:
            meta = {name: text_of(value) for name, value in source.meta.items()}
            if source.head:
                meta["Head_elements"] = "".join(source.head)
            if source.draft:
                meta["Status"] = "draft"
            files[f"{source.path}.md"] = page(source.title, **meta) + source.body + "\n"
        files |= {f"extra/{name}": content for name, content in site.files.items()}
        names = dict.fromkeys(("PAGE_URL", "PAGE_SAVE_AS", "DRAFT_PAGE_URL", "DRAFT_PAGE_SAVE_AS"), "{name}.html")
        make(
            folder,
            files,
            SITEURL=(site.base or "").rstrip("/"),
            SITEMAP=dict(site.options),
            PATH_METADATA=r"(?P<name>.*)\.md",
            PAGE_PATHS=[""],
            PAGE_TRANSLATION_ID=None,
            ARTICLE_PATHS=["posts"],
            DIRECT_TEMPLATES=[],
            EXTRA_PATH_METADATA={f"extra/{name}": {"path": name} for name in site.files},
            **names,
        )
        write(folder, site.beside)

    def run(self, folder: Path, *, strict: bool = False, environment: Mapping[str, str] | None = None) -> Built:
        return run(folder, *(["--fatal", "warnings"] if strict else []), environment=environment)

    def url_of(self, path: str) -> str:
        return "" if path == "index" else quote(path, safe="/&") + ".html"

    def source_of(self, path: str) -> str:
        return f"content/{path}.md"

    def spell(self, *steps: str | int) -> str:
        return "SITEMAP" + "".join(f"[{step!r}]" for step in steps)


ONE: dict[str, str | bytes] = {"a.md": article("A")}


# The bugs of pelican-sitemap 1.2.2, each as it was seen


def test_pelican_sitemap_bug_01_unusable_alternates(tmp_path: Path) -> None:
    files = {"a.md": article("A", Slug="a"), "a-fr.md": article("Ah", Slug="a", Lang="fr")}
    built = strictly(tmp_path, files)
    assert below(built) == ["", "a-fr.html", "a.html", "category/misc.html"]
    assert re.search(rb"(?<!h)ref=", built.read("sitemap.xml") or b"") is None


def test_pelican_sitemap_bug_02_ampersand(tmp_path: Path) -> None:
    built = strictly(tmp_path, {"a.md": article("A", Url="a&b.html?x=1&y=2", Save_as="a&b.html")})
    assert below(built) == ["", "a&b.html?x=1&y=2", "category/misc.html"]
    assert b"a&amp;b.html?x=1&amp;y=2" in (built.read("sitemap.xml") or b"")


def test_pelican_sitemap_bug_03_unescaped_characters(tmp_path: Path) -> None:
    files = {"a.md": article("A", Slug="köln-straße", Category="Grüße"), "b.md": article("B", Slug="with space")}
    built = strictly(tmp_path, files, SLUGIFY_USE_UNICODE=True)
    assert below(built) == [
        "",
        "category/gr%C3%BC%C3%9Fe.html",
        "category/misc.html",
        "k%C3%B6ln-stra%C3%9Fe.html",
        "with%20space.html",
    ]


SUBSITES = {"PLUGINS": ["i18n_subsites", "sitemap_plugins.pelican"], "I18N_SUBSITES": {"fr": {}, "de": {}}}
LANGUAGES: dict[str, str | bytes] = {
    "a.md": article("A", Slug="a", Lang="en"),
    "a-fr.md": article("A", "2026-01-03", Slug="a", Lang="fr"),
    "a-de.md": article("A", "2026-01-04", Slug="a", Lang="de"),
    "only.md": article("Only", Slug="only", Lang="en"),
    "nur.md": article("Nur", Slug="nur", Lang="de"),
}


def test_pelican_sitemap_bug_04_subsites(tmp_path: Path) -> None:
    built = strictly(tmp_path, LANGUAGES, **SUBSITES)
    assert below(built) == [
        *("", "a.html", "category/misc.html", "de/", "de/a.html", "de/category/misc.html", "de/nur.html"),
        *("fr/", "fr/a.html", "fr/category/misc.html", "only.html"),
    ]
    assert {url: day[:10] for url, day in built.dates().items() if "a.html" in url} == {
        "a.html": "2026-01-02",
        "de/a.html": "2026-01-04",
        "fr/a.html": "2026-01-03",
    }
    assert not list(tmp_path.glob("output/*/sitemap.xml"))
    assert not list(tmp_path.glob("output/*/robots.txt"))


def test_pelican_sitemap_bug_05_save_as_without_url(tmp_path: Path) -> None:
    built = strictly(tmp_path, {"pages/home.md": page("Home", Save_as="index.html")}, DIRECT_TEMPLATES=[])
    assert below(built) == [""]


def test_pelican_sitemap_bug_06_overriding_pages_once(tmp_path: Path) -> None:
    files = {
        "a.md": article("A", Tags="oh"),
        "pages/home.md": page("Home", Save_as="index.html", Url="", Priority="0.9"),
        "pages/oh.md": page("Oh", Save_as="tag/oh.html", Url="tag/oh.html", Priority="0.8"),
    }
    built = strictly(tmp_path, files)
    entries = {loc.removeprefix(BASE): entry.get("priority") for loc, entry in built.entries().items()}
    assert entries == {"": "0.9", "a.html": None, "category/misc.html": None, "tag/oh.html": "0.8"}


def test_pelican_sitemap_bug_07_urls_of_indexes(tmp_path: Path) -> None:
    folders = {"TAG": "tag/{slug}", "CATEGORY": "topic/{slug}", "AUTHOR": "by/{slug}"}
    settings: dict[str, Any] = {f"{name}_URL": f"{url}/" for name, url in folders.items()}
    settings |= {f"{name}_SAVE_AS": f"{url}/index.html" for name, url in folders.items()}
    settings |= {"ARCHIVES_URL": "all/", "ARCHIVES_SAVE_AS": "all/index.html"}
    settings |= {"YEAR_ARCHIVE_URL": "{date:%Y}/", "YEAR_ARCHIVE_SAVE_AS": "{date:%Y}/index.html"}
    settings |= {"MONTH_ARCHIVE_SAVE_AS": "{date:%Y}/{date:%m}.html"}
    settings |= {"TAGS_SAVE_AS": "tags/index.html", "CATEGORIES_SAVE_AS": "topics.html", "CATEGORIES_URL": "topics"}
    templates = ["index", "archives", "tags", "categories"]
    built = strictly(tmp_path, {"a.md": article("A", Tags="oh")}, DIRECT_TEMPLATES=templates, **settings)
    indexes = ["2026/", "2026/01.html", "a.html", "all/", "by/ann/", "tag/oh/", "tags/", "topic/misc/", "topics"]
    assert below(built) == ["", *indexes]


def test_pelican_sitemap_bug_08_absolute_urls_and_leading_slashes(tmp_path: Path) -> None:
    files = {"a.md": article("A"), "b.md": article("B", Url="https://elsewhere.example/b")}
    built = strictly(tmp_path, files, ARTICLE_URL="/{slug}/", ARTICLE_SAVE_AS="{slug}/index.html")
    assert below(built) == ["", "a/", "category/misc.html"]
    assert "1 page left out (1 canonical elsewhere)" in built.summary


def test_pelican_sitemap_bug_09_no_siteurl(tmp_path: Path) -> None:
    built = strictly(tmp_path, {**ONE, "extra/robots.txt": b"User-agent: *\n"}, SITEURL="", RELATIVE_URLS=True)
    assert built.files() == {}
    assert built.read("robots.txt") is None
    (_,) = (text for text in built.infos if "SITEURL is empty" in text)
    relative = strictly(tmp_path / "2", ONE, RELATIVE_URLS=True)
    assert below(relative) == ["", "a.html", "category/misc.html"]


def test_pelican_sitemap_bug_10_the_time_of_the_build(tmp_path: Path) -> None:
    files = {
        "a.md": article("A", "2026-01-02 10:00", Modified="2026-02-03 11:00", Category="One"),
        "b.md": article("B", "2026-01-05 12:00", Category="Two", Timezone="Asia/Tokyo"),
        "pages/p.md": page("P"),
    }
    make(tmp_path, files, TIMEZONE="America/New_York")
    built = build(tmp_path, "--fatal", "warnings", environment={"TZ": "Pacific/Kiritimati"})
    assert built.dates() == {
        "": "2026-02-03T11:00:00-05:00",
        "a.html": "2026-02-03T11:00:00-05:00",
        "b.html": "2026-01-05T12:00:00+09:00",
        "category/one.html": "2026-02-03T11:00:00-05:00",
        "category/two.html": "2026-01-05T12:00:00+09:00",
    }


def test_pelican_sitemap_bug_11_future_dates(tmp_path: Path) -> None:
    make(tmp_path, {**ONE, "b.md": article("B", "2199-01-01")})
    built = build(tmp_path)
    assert built.dates() == dict.fromkeys(["", "a.html", "category/misc.html"], "2026-01-02T00:00:00+00:00")
    assert "b.html" in below(built)
    (warning,) = built.warnings
    assert "b.md" in warning
    assert "future" in warning


def test_pelican_sitemap_bug_12_what_is_no_page(tmp_path: Path) -> None:
    files = {f"{name}.md": article(name, f"2026-01-0{number}") for number, name in enumerate(("b", "c", "d"), 1)}
    files |= {"humans.txt": "We\n", "map.tpl": "<title>Map</title>\n"}
    templates = {"humans.txt": "humans.txt", "map.tpl": "map/index.html"}
    theme = {"theme/404.html": "<title>Gone</title>", "theme/site.xml.html": "<urlset/>"}
    settings: dict[str, Any] = {"TEMPLATE_PAGES": templates, "DEFAULT_PAGINATION": 2}
    make(tmp_path, files, DIRECT_TEMPLATES=["index", "404"], **settings)
    write(tmp_path, theme)
    built = build(tmp_path, "--fatal", "warnings")
    assert below(built) == ["", "b.html", "c.html", "category/misc.html", "d.html", "map/"]
    assert "4 pages left out (1 error page, 2 generated, 1 not HTML)" in built.summary
    make(tmp_path, files, SITEMAP={"pagination": True}, **settings)
    built = build(tmp_path, "--fatal", "warnings")
    assert [url for url in below(built) if "2" in url] == ["category/misc2.html", "index2.html"]
    days = {url: day[:10] for url, day in built.dates().items()}
    assert (days[""], days["index2.html"]) == ("2026-01-03", "2026-01-01")


@pytest.mark.parametrize("pattern", ["^/tag/", "/tag/", "^tag/", r"tag/.*\.html$"])
def test_pelican_sitemap_bug_13_excluding_as_its_readme_says(pattern: str, tmp_path: Path) -> None:
    options = {"exclude": [pattern, "/category/"], "format": "xml"}
    built = strictly(tmp_path, {"a.md": article("A", Tags="oh")}, SITEMAP=options)
    assert below(built) == ["", "a.html"]
    assert "2 pages left out (2 excluded)" in built.summary


def test_pelican_sitemap_bug_14_private_in_any_case(tmp_path: Path) -> None:
    files = dict(ONE)
    for number, value in enumerate(("true", "True", "TRUE")):
        no = value.replace("true", "false").replace("True", "False").replace("TRUE", "FALSE")
        for key, line in {"p": f"Private: {value}", "n": f"noindex: {value}", "s": f"SITEMAP: {no}"}.items():
            name = f"{key}{number}"
            files[f"{name}.md"] = f"{line}\n" + article(name)
            files[f"{name}r.rst"] = f"{name}r\n####\n\n:date: 2026-01-02\n:{line}\n\nText.\n"
    built = strictly(tmp_path, files)
    assert below(built) == ["", "a.html", "category/misc.html"]
    assert "18 pages left out (12 metadata, 6 noindex)" in built.summary


WRONG: list[tuple[Any, list[str]]] = [
    (["exclude"], ["SITEMAP: expected a dictionary"]),
    ("xml", ["SITEMAP: expected a dictionary"]),
    ({"priorities": {"articles": "high", "posts": 1}}, ["['priorities']['articles']: ", "['priorities']['posts']: "]),
    ({"changefreqs": "daily", "format": "json"}, ["SITEMAP['changefreqs']: ", "SITEMAP['format']: "]),
    ({"exclude": ["^ok$", "re:("], "gzip": "perhaps"}, ["SITEMAP['exclude'][1]: ", "SITEMAP['gzip']: "]),
    ({3: 4, "exclude": 5}, ["SITEMAP", "SITEMAP['exclude']: "]),
]


@pytest.mark.parametrize(("options", "faults"), WRONG)
def test_pelican_sitemap_bug_15_wrong_settings(options: Any, faults: list[str], tmp_path: Path) -> None:
    make(tmp_path, ONE, SITEMAP=options)
    built = run(tmp_path)
    assert not built.ok
    for fault in faults:
        assert fault in built.output
    assert "Traceback" not in built.output
    assert not built.folder.exists()


def test_pelican_sitemap_bug_15_a_whole_number_is_a_priority(tmp_path: Path) -> None:
    built = strictly(tmp_path, {**ONE, "b.md": article("B", Priority="high")}, SITEMAP={"priorities": {"articles": 1}})
    assert built.entries()[BASE + "a.html"]["priority"] == "1.0"
    assert built.entries()[BASE + "b.html"]["priority"] == "1.0"
    (_,) = (text for text in built.infos if "b.md: priority: 'high'" in text)


RELOAD = (
    LOG
    + """
from pathlib import Path
import pelican.writers

def again(settings=None):
    try:
        (settings or site).run()
    except Exception as error:
        print("failed", error)

site = Pelican(read_settings("pelicanconf.py"))
again()
first = Path("output/sitemap.xml").read_bytes()
Path("content/b.md").write_text("Title: B\\nLang: en\\nDate: 2026-01-05\\nTags: new\\n\\nText.\\n")
write_file = pelican.writers.Writer.write_file
def fail(self, name, *arguments, **options):
    write_file(self, name, *arguments, **options)
    if "b.html" in name:
        raise RuntimeError("no more")
pelican.writers.Writer.write_file = fail
again()
pelican.writers.Writer.write_file = write_file
assert Path("output/sitemap.xml").read_bytes() == first
again()
Path("second.xml").write_bytes(Path("output/sitemap.xml").read_bytes())
Path("content/a.md").unlink()
again()
pelican.writers.Writer.write_file = fail
again()
pelican.writers.Writer.write_file = write_file
settings = Path("pelicanconf.py").read_text()
Path("pelicanconf.py").write_text(settings + "SITEMAP = {'gzip': 'perhaps'}")
try:
    Pelican(read_settings("pelicanconf.py"))
except RuntimeError as error:
    print("refused", error)
again()
Path("pelicanconf.py").write_text(settings + "SITEMAP = {'priority': 0.5}")
site = Pelican(read_settings("pelicanconf.py"))
again()
"""
)


@pytest.mark.parametrize("subsites", [False, True])
def test_pelican_sitemap_bug_16_reloading_after_a_failure(subsites: bool, tmp_path: Path) -> None:
    files = {"a.md": article("A", Lang="en"), "c.md": article("C", Lang="fr")}
    make(tmp_path, files, **(SUBSITES if subsites else {}))
    built = run(tmp_path, script=RELOAD)
    assert built.ok, built.output
    assert built.output.count("failed no more") == 2
    assert "refused sitemap: SITEMAP['gzip']: " in built.output
    assert {entry.get("priority") for entry in built.entries().values()} == {"0.5"}
    fresh = build(tmp_path, "-d")
    assert built.files() == fresh.files()
    french = ["fr/", "fr/c.html", "fr/category/misc.html"] if subsites else ["c-fr.html"]
    assert set(below(fresh)) == {
        "",
        "b.html",
        "category/misc.html",
        "tag/new.html",
        *french,
        *(["de/"] if subsites else []),
    }
    second = re.findall("<loc>(.*)</loc>", (tmp_path / "second.xml").read_text())
    assert sorted(second) == sorted({*fresh.locs(), BASE + "a.html"})


# Pages of all kinds


def test_statuses_and_the_option_drafts(tmp_path: Path) -> None:
    files = {f"{status}.md": article(status.title(), Status=status) for status in ("draft", "hidden", "skip")}
    files |= {f"pages/{status}-page.md": page(f"{status} page", Status=status) for status in ("draft", "hidden")}
    gone = {"pages/404.md": page("Gone", Status="hidden", Save_as="404.html")}
    built = strictly(tmp_path, {**ONE, **files, **gone})
    assert below(built) == ["", "a.html", "category/misc.html"]
    assert "5 pages left out (2 draft, 3 metadata)" in built.summary
    built = strictly(tmp_path / "2", {**ONE, **files, **gone}, SITEMAP={"drafts": True})
    drafts = ["drafts/draft.html", "drafts/pages/draft-page.html", "hidden.html", "pages/hidden-page.html"]
    assert below(built) == ["", "a.html", "category/misc.html", *drafts]


def test_no_file_for_an_empty_save_as(tmp_path: Path) -> None:
    empty = {"TAG_SAVE_AS": "", "CATEGORY_SAVE_AS": False, "AUTHOR_SAVE_AS": None, "ARCHIVES_SAVE_AS": ""}
    files = {"a.md": article("A", Tags="x"), "pages/p.md": page("P")}
    templates = {"DIRECT_TEMPLATES": ["index", "archives"], "TEMPLATE_PAGES": None}
    make(tmp_path, files, PAGE_SAVE_AS="", **templates, **empty)
    built = build(tmp_path)
    assert below(built) == ["", "a.html"]


def test_pagination_patterns(tmp_path: Path) -> None:
    files = {f"{name}.md": article(name, Tags="x") for name in ("b", "c", "d")}
    patterns = [
        (1, "{base_name}/", "{base_name}/index.html"),
        (2, "{base_name}/p{number}/", "{base_name}/p{number}/index.html"),
    ]
    settings: dict[str, Any] = {"TAG_URL": "t/{slug}/", "TAG_SAVE_AS": "t/{slug}/index.html", "CATEGORY_SAVE_AS": ""}
    settings |= {"DEFAULT_PAGINATION": 2, "PAGINATION_PATTERNS": patterns, "SITEMAP": {"pagination": True}}
    built = strictly(tmp_path, files, **settings)
    assert below(built) == ["", "b.html", "c.html", "d.html", "p2/", "t/x/", "t/x/p2/"]


def test_restructuredtext_and_markdown_metadata(tmp_path: Path) -> None:
    fields = ["date: 2026-01-02 08:00", "modified: 2026-03-04 09:00", "sitemap_priority: 0.7", "changefreq: Weekly"]
    rst = "R\n#\n\n" + "".join(f":{field}\n" for field in fields) + "\nText.\n"
    markdown = "Title: M\n" + "".join(f"{field.title()}\n" for field in fields) + "\nText.\n"
    built = strictly(tmp_path, {"r.rst": rst, "m.md": markdown})
    entry = {"lastmod": "2026-03-04T09:00:00+00:00", "changefreq": "weekly", "priority": "0.7"}
    assert [built.entries()[BASE + name] for name in ("r.html", "m.html")] == [entry, entry]


def test_static_files_on_demand(tmp_path: Path) -> None:
    static = {f"extra/{name}": b"x" for name in ("report 1.pdf", "data.csv", "old/report-2.pdf")}
    make(tmp_path, {**ONE, **static}, SITEMAP={"include": ["*.pdf", "!old/"]})
    commit(tmp_path, "2025-05-05T05:05:05+02:00")
    built = build(tmp_path, "--fatal", "warnings")
    assert [url for url in below(built) if "extra" in url] == ["extra/report%201.pdf"]
    assert built.dates()["extra/report%201.pdf"] == "2025-05-05T05:05:05+02:00"


def test_dates_of_indexes_from_git_where_metadata_is_not_asked(tmp_path: Path) -> None:
    make(tmp_path, {"a.md": article("A", Category="x"), "b.md": article("B", Category="y")}, SITEMAP={"lastmod": "git"})
    commit(tmp_path, "2025-05-05T05:05:05+02:00", "content/a.md")
    commit(tmp_path, "2025-06-06T06:06:06+02:00", "content/b.md")
    first, second = "2025-05-05T05:05:05+02:00", "2025-06-06T06:06:06+02:00"
    expected = {"": second, "a.html": first, "b.html": second, "category/x.html": first, "category/y.html": second}
    assert build(tmp_path, "--fatal", "warnings").dates() == expected


def test_the_time_of_a_file_is_no_date(tmp_path: Path) -> None:
    make(tmp_path, {"a.md": page("A"), "b.md": article("B")}, DEFAULT_DATE="fs")
    commit(tmp_path, "2025-05-05T05:05:05+02:00")
    assert build(tmp_path, "--fatal", "warnings").dates() == {
        "": "2026-01-02T00:00:00+00:00",
        "a.html": "2025-05-05T05:05:05+02:00",
        "b.html": "2026-01-02T00:00:00+00:00",
        "category/misc.html": "2026-01-02T00:00:00+00:00",
    }


def test_a_stub_of_pelican_redirect(tmp_path: Path) -> None:
    files = {"a.md": article("A", Original_url="old/a.html"), "b.md": article("B", Original_url="b-old")}
    built = strictly(tmp_path, files, PLUGINS=["pelican_redirect", "sitemap_plugins.pelican"])
    assert (built.folder / "old" / "a.html").is_file()
    assert below(built) == ["", "a.html", "b.html", "category/misc.html"]
    assert "2 pages left out (2 redirect)" in built.summary


def test_paths_start_from_the_settings_file(tmp_path: Path) -> None:
    make(tmp_path / "blog", ONE, SITEMAP={"report": "out/report.json"})
    write(tmp_path / "blog", {"publishconf.py": "from pelicanconf import *\nSITENAME = 'Other'\n"})
    environment = {"PYTHONPATH": str(tmp_path / "blog")}
    arguments = ("-s", "blog/publishconf.py", "-e", 'THEME_TEMPLATES_OVERRIDES=["blog/theme"]')
    build(tmp_path, *arguments, environment=environment)
    assert (tmp_path / "blog" / "out" / "report.json").is_file()


# The owner's files

OTHER_PLUGIN = b"""\
from pathlib import Path
from pelican import signals

def write(generators):
    Path("output").mkdir(exist_ok=True)
    Path("output/robots.txt").write_text('''{}''')

def register():
    signals.all_generators_finalized.connect(write)
"""
OWNERS: dict[str, tuple[dict[str, str | bytes], dict[str, Any]]] = {
    "static": ({"robots.txt": b"{}"}, {"STATIC_PATHS": ["robots.txt"]}),
    "extra": ({"extra/robots.txt": b"{}"}, {"EXTRA_PATH_METADATA": {"extra/robots.txt": {"path": "robots.txt"}}}),
    "direct template": (
        {"../theme/robots.html": b"{}"},
        {"DIRECT_TEMPLATES": ["index", "robots"], "ROBOTS_SAVE_AS": "robots.txt"},
    ),
    "template page": ({"my.txt": b"{}"}, {"TEMPLATE_PAGES": {"my.txt": "robots.txt"}}),
    "page": ({"../theme/bare.html": b"{}", "pages/r.md": page("R", Save_as="robots.txt", Template="bare")}, {}),
    "plugin": (
        {"../other.py": OTHER_PLUGIN},
        {"PLUGIN_PATHS": ["."], "PLUGINS": ["other", "sitemap_plugins.pelican"]},
    ),
}


@pytest.mark.parametrize("way", OWNERS)
def test_the_owners_robots_txt(way: str, tmp_path: Path) -> None:
    files, settings = OWNERS[way]
    rules = b"User-agent: *\nDisallow: /category/\n" if way == "plugin" else b"User-agent: *\nDisallow: /category/"
    filled = {name: text.replace(b"{}", rules) if isinstance(text, bytes) else text for name, text in files.items()}
    make(tmp_path, {**ONE, **filled}, **settings)
    for _ in range(2):
        built = build(tmp_path, "--fatal", "warnings")
        expected = rules.rstrip() + b"\nSitemap: https://docs.example.org/sitemap.xml\n"
        assert built.read("robots.txt") == expected
        assert below(built) == ["", "a.html"]


def test_a_robots_txt_that_was_ours_is_not_the_owners(tmp_path: Path) -> None:
    make(tmp_path, ONE)
    build(tmp_path)
    make(tmp_path, ONE, SITEURL="https://new.example.org")
    assert build(tmp_path).read("robots.txt") == ROBOTS.replace(b"docs.example.org", b"new.example.org")


@pytest.mark.parametrize("checked", [False, True])
def test_never_writes_through_a_link_to_the_source(checked: bool, tmp_path: Path) -> None:
    rules = b"User-agent: *\nDisallow:\n"
    metadata = {"extra/robots.txt": {"path": "robots.txt"}}
    settings = {"STATIC_CREATE_LINKS": True, "STATIC_CHECK_IF_MODIFIED": checked, "EXTRA_PATH_METADATA": metadata}
    make(tmp_path, {**ONE, "extra/robots.txt": rules}, **settings)
    for _ in range(2):
        built = build(tmp_path, "--fatal", "warnings")
        assert built.read("robots.txt") == rules + b"Sitemap: https://docs.example.org/sitemap.xml\n"
        assert (tmp_path / "content" / "extra" / "robots.txt").read_bytes() == rules


def test_the_owners_sitemap_template(tmp_path: Path) -> None:
    make(tmp_path, ONE, DIRECT_TEMPLATES=["index", "sitemap"], SITEMAP_SAVE_AS="sitemap.xml")
    write(tmp_path, {"theme/sitemap.html": "<urlset/>"})
    built = build(tmp_path)
    assert built.files() == {"sitemap.xml": b"<urlset/>"}
    (warning,) = built.warnings
    assert "sitemap.xml is supplied by the site itself" in warning


# Subsites


def subsites(**overrides: Any) -> dict[str, Any]:
    return {**SUBSITES, "I18N_SUBSITES": overrides}


def test_subsites_on_other_domains(tmp_path: Path) -> None:
    options = {"report": "report.json", "urls": ["/status/"], "priority": 0.5}
    settings = subsites(de={"SITEURL": "https://de.example.org"}, fr={"OUTPUT_PATH": "elsewhere/fr"})
    make(tmp_path, LANGUAGES, SITEMAP=options, **settings)
    for _ in range(2):
        built = build(tmp_path, "--fatal", "warnings")
        french = ["fr/", "fr/a.html", "fr/category/misc.html"]
        assert below(built) == ["", "a.html", "category/misc.html", *french, "only.html", "status/"]
        assert built.read("robots.txt") == ROBOTS
        german = Built(folder=built.folder / "de", messages=(), output="", ok=True)
        base = "https://de.example.org/"
        assert below(german, base=base) == ["", "a.html", "category/misc.html", "nur.html"]
        assert german.read("robots.txt") == ROBOTS.replace(BASE.encode(), base.encode())
        assert not (tmp_path / "elsewhere" / "fr" / "sitemap.xml").exists()
        assert len([text for text in built.infos if " listed, " in text]) == 2
        reports = {path.name: json.loads(path.read_bytes())["site"] for path in tmp_path.glob("report*.json")}
        assert reports == {"report.json": BASE, "report-de.example.org.json": base}


def test_a_subsite_with_options_of_its_own(tmp_path: Path) -> None:
    own = {"SITEURL": "https://de.example.org", "SITEMAP": {"filename": "karte.xml", "gzip": False}}
    built = strictly(tmp_path, LANGUAGES, **subsites(de=own, fr={}))
    assert set(built.files()) == {"sitemap.xml", "sitemap.xml.gz"}
    assert {path.name for path in (built.folder / "de").glob("*.xml*")} == {"karte.xml"}
    own["SITEMAP"] = {"gzip": "perhaps"}
    make(tmp_path, LANGUAGES, **subsites(de={**own, "SITEURL": "de.example.org"}, fr={}))
    built = run(tmp_path)
    assert not built.ok
    assert "I18N_SUBSITES['de']['SITEMAP']['gzip']: " in built.output
    assert "I18N_SUBSITES['de']['SITEURL']: " in built.output
    assert "Traceback" not in built.output


@pytest.mark.parametrize(("policy", "extra"), [("hide", []), ("remove", []), ("keep", ["fr/only-en.html"])])
def test_untranslated_content(policy: str, extra: list[str], tmp_path: Path) -> None:
    files = {**LANGUAGES, "pages/p.md": page("P", Slug="p", Lang="en")}
    del files["nur.md"]
    settings = {"I18N_UNTRANSLATED_ARTICLES": policy, "I18N_UNTRANSLATED_PAGES": policy, **subsites(fr={}, de={})}
    make(tmp_path, files, **settings)
    built = build(tmp_path)
    assert not [text for text in built.warnings if "sitemap" in text]
    listed = below(built)
    assert [url for url in listed if url.startswith("fr/") and "only" in url] == extra
    assert not [url for url in listed if ".." in url]
    assert len(listed) == (13 if policy == "keep" else 9) + 2


def test_subsites_while_developing(tmp_path: Path) -> None:
    built = strictly(tmp_path, LANGUAGES, SITEURL="", **SUBSITES)
    assert not list(built.folder.rglob("sitemap.xml"))
    assert len([text for text in built.infos if "SITEURL is empty" in text]) == 1


# Moving from pelican-sitemap, and beside it


def test_the_options_of_pelican_sitemap(tmp_path: Path) -> None:
    options = {
        "format": "txt",
        "exclude": ["^drafts?-", "re:never"],
        "priorities": {"articles": 0.8, "indexes": 0.3},
        "changefreqs": {"articles": "weekly", "pages": "Yearly"},
        "rules": [{"match": "c.html", "priority": 0.1}],
    }
    files = {
        "a.md": article("A"),
        "b.md": article("B", Priority="0.9", ChangeFreq="Daily"),
        "c.md": article("C"),
        "d.md": article("draft 1"),
        "pages/p.md": page("P"),
    }
    built = strictly(tmp_path, files, SITEMAP=options)
    assert {loc.removeprefix(BASE): entry for loc, entry in built.entries().items() if entry.pop("lastmod", 1)} == {
        "": {"priority": "0.3"},
        "a.html": {"priority": "0.8", "changefreq": "weekly"},
        "b.html": {"priority": "0.9", "changefreq": "daily"},
        "c.html": {"priority": "0.1", "changefreq": "weekly"},
        "category/misc.html": {"priority": "0.3"},
        "pages/p.html": {"changefreq": "yearly"},
    }
    assert built.read("sitemap.txt") is None
    (told,) = (text for text in built.infos if "move from pelican-sitemap" in text)
    for name in ("format", "exclude", "priorities", "changefreqs"):
        assert f"SITEMAP['{name}']" in told


@pytest.mark.parametrize(
    ("exclude", "left_out", "told"),
    [
        ("/tag/", ["tag/oh.html"], False),
        (["tag/oh.*"], ["tag/oh.html"], True),
        ([r"oh\.html"], ["tag/oh.html"], True),
        (["^$"], [""], True),
        (["re:a|oh"], ["a.html", "category/misc.html", "tag/oh.html"], True),
        (["re:^a", "/category/"], ["a.html", "category/misc.html"], True),
        (["/**/oh.*", "*.pdf"], ["tag/oh.html"], False),
    ],
)
def test_reading_a_lone_exclude(exclude: Any, left_out: list[str], told: bool, tmp_path: Path) -> None:
    built = strictly(tmp_path, {"a.md": article("A", Tags="oh")}, SITEMAP={"exclude": exclude})
    assert below(built) == [url for url in ["", "a.html", "category/misc.html", "tag/oh.html"] if url not in left_out]
    assert any("read as regular expressions" in text for text in built.infos) is told


@pytest.mark.parametrize("order", [1, -1])
def test_beside_pelican_sitemap(order: int, tmp_path: Path) -> None:
    plugins = ["pelican.plugins.sitemap", "sitemap_plugins.pelican"][::order]
    make(tmp_path, ONE, PLUGINS=plugins)
    (warning,) = build(tmp_path).warnings
    assert "remove 'pelican.plugins.sitemap' from PLUGINS" in warning
    assert not run(tmp_path, "--fatal", "warnings").ok


# Runs


@pytest.mark.parametrize("layer", ["reader", "generator"])
def test_the_content_cache(layer: str, tmp_path: Path) -> None:
    settings = {"CACHE_CONTENT": True, "LOAD_CONTENT_CACHE": True, "CONTENT_CACHING_LAYER": layer}
    make(tmp_path, {**ONE, "b.md": article("B", Noindex="true")}, **settings)
    first = build(tmp_path, "--fatal", "warnings")
    assert "1 page left out (1 noindex)" in first.summary
    files = first.files()
    assert list((tmp_path / "cache").iterdir())
    assert build(tmp_path, "--fatal", "warnings").files() == files
    write(tmp_path, {"content/c.md": article("C")})
    assert below(build(tmp_path)) == ["", "a.html", "c.html", "category/misc.html"]
    # Without the plugin, what the cache holds can still be read.
    make(tmp_path, {}, **settings, PLUGINS=[])
    assert not build(tmp_path, "--fatal", "warnings", environment={"PYTHONPATH": ""}).warnings


@pytest.mark.parametrize(("fatal", "ok"), [("warnings", False), ("errors", True)])
def test_the_command_counts_warnings_and_tells_all_of_them(fatal: str, ok: bool, tmp_path: Path) -> None:
    make(tmp_path, {**ONE, **{f"{name}.md": article(name, "2199-01-01") for name in ("one", "two")}})
    done = subprocess.run(
        [sys.executable, "-m", "pelican", "--fatal", fatal],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode == 0) is ok, done.stdout
    assert "one.md" in done.stdout
    assert "two.md" in done.stdout


def test_the_command_ends_with_the_faults_and_no_traceback(tmp_path: Path) -> None:
    make(tmp_path, ONE, SITEMAP={"filname": "a.xml"})
    done = subprocess.run(
        [sys.executable, "-m", "pelican"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 1
    assert "SITEMAP['filname']" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_deleting_the_output_first_changes_nothing(tmp_path: Path) -> None:
    make(tmp_path, ONE)
    first = build(tmp_path)
    files = {**first.files(), "robots.txt": first.read("robots.txt")}
    second = build(tmp_path, "-d")
    assert {**second.files(), "robots.txt": second.read("robots.txt")} == files


# The sample sites


def sample(folder: Path, name: str) -> tuple[Built, list[list[str]], str]:
    """Build a copy of a sample with a report; return it, the URLs of each block of its README, and the README."""
    source = ROOT / "sample_sites" / name
    shutil.copytree(source, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("site", "__pycache__", "cache"))
    conf = folder / "pelicanconf.py"
    write(folder, {"pelicanconf.py": conf.read_text("utf-8") + 'SITEMAP["report"] = "report.json"\n'})
    built = build(folder, "--fatal", "warnings", output="site")
    readme = (source / "README.md").read_text("utf-8")
    blocks = re.findall(r"^```text\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    return built, [block.split("\n")[:-1] for block in blocks], readme


def test_the_sample_site(tmp_path: Path) -> None:
    built, (expected,), readme = sample(tmp_path, "pelican")
    assert built.locs() == expected
    report = json.loads((tmp_path / "report.json").read_bytes())
    assert report["problems"] == []
    told = dict(re.findall(r"^\| `([^`]+\.(?:md|rst))` \|.*\bleft out: ([a-z ]+) \|$", readme, re.MULTILINE))
    omitted = {page["source"]: page["reason"] for page in report["omitted"]}
    indexes = {"humans.txt": "not HTML", "index2.html": "generated", "tag/salt/index.html": "excluded"}
    assert omitted == {**told, **indexes}
    assert len(told) == 7
    entries = {loc.removeprefix("https://blog.slowloaf.example/"): entry for loc, entry in built.entries().items()}
    assert set(re.findall(r"lastmod (\S+) \|", readme)) <= {entry.get("lastmod") for entry in entries.values()}
    weekly = {url for url, entry in entries.items() if entry.get("changefreq") == "weekly"}
    assert weekly == {url for url in entries if url.startswith(("category/", "tag/"))}
    assert {url: entry["priority"] for url, entry in entries.items() if "priority" in entry} == {
        "2024/a-starter-from-scratch/": "0.9",
        "2024/baking-in-a-pot/": "0.7",
    }
    undated = {url for url, entry in entries.items() if "lastmod" not in entry}
    assert undated == {"about-slow-loaf/", "files/starter-card.pdf"}
    assert entries[""]["lastmod"] == "2025-06-02T08:00:00+01:00"
    assert entries["archive/"]["lastmod"] == "2026-03-01T08:15:00+00:00"
    robots = (tmp_path / "content" / "extra" / "robots.txt").read_bytes()
    assert built.read("robots.txt") == robots + b"Sitemap: https://blog.slowloaf.example/sitemap.xml\n"
    assert robots == (ROOT / "sample_sites" / "pelican" / "content" / "extra" / "robots.txt").read_bytes()


def test_the_sample_site_with_subsites(tmp_path: Path) -> None:
    built, (french, main), _ = sample(tmp_path, "pelican_subsites")
    assert built.locs() == main
    assert built.locs("fr/sitemap.xml") == french
    assert sorted(path.relative_to(built.folder).as_posix() for path in built.folder.rglob("robots.txt")) == [
        "fr/robots.txt",
        "robots.txt",
    ]
    assert (built.read("fr/robots.txt") or b"").endswith(b"\nSitemap: https://salledelecture.example/sitemap.xml\n")


def test_the_lowest_version(tmp_path: Path) -> None:
    def pip(*arguments: str | Path) -> None:
        done = subprocess.run(
            [tmp_path / "venv" / "bin" / "python", "-m", "pip", "install", "-q", *arguments],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    pip(ROOT, "pelican[markdown]==4.10.*", "pelican-i18n-subsites")
    make(tmp_path, LANGUAGES, **SUBSITES)
    here, lowest = build(tmp_path), build(tmp_path, "-d", python=tmp_path / "venv" / "bin" / "python")
    version = f"{LOG}import importlib.metadata\nprint(importlib.metadata.version('pelican'))"
    assert run(tmp_path, script=version, python=tmp_path / "venv" / "bin" / "python").output.startswith("4.10.")
    assert lowest.files() == here.files()
    assert len(below(lowest)) == 11
