"""The Sphinx adapter: the contract, what only Sphinx has, and the extensions and themes it stands beside."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import pytest
import yaml
from sphinx import version_info as sphinx_version

from sitemap_plugins.core import html
from tests.adapters import forked, test_mkdocs
from tests.adapters.contract import (
    BASE,
    LEFT_OUT,
    LISTED,
    ROBOTS,
    AdapterContract,
    Built,
    Message,
    SiteSource,
    Source,
    commit,
)
from tests.test_packaging import NOT_SOURCE, ROOT, run

LINE = re.compile(r"(?:.*?: )?(WARNING|ERROR|CRITICAL): (.*)")
# What a page has in its head beside what Sphinx puts there.
HEADS_PY = """\
def add_to_head(app, pagename, templatename, context, doctree):
    for element in HEADS.get(pagename, ()):
        if element.startswith('<link rel="canonical" href="'):
            context["pageurl"] = element.split('"')[3]
        else:
            context["metatags"] = context.get("metatags", "") + element

def no_search_page(app):
    app.builder.search = False

def setup(app):
    app.connect("html-page-context", add_to_head)
    app.connect("builder-inited", no_search_page)
"""


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def sphinx(
    folder: Path,
    *arguments: str,
    builder: str = "dirhtml",
    output: str = "site",
    doctrees: str = ".doctrees",
    only: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Built:
    """Run sphinx-build in a folder that holds conf.py, with the sources in docs, and read what it says."""
    command = ["--no-color", "-b", builder, *arguments, "-c", ".", "-d", doctrees, "docs", output, *only]
    if environment or not forked.POSSIBLE:
        done = subprocess.run(
            [sys.executable, "-m", "sphinx", *command],
            cwd=folder,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        status, printed = done.returncode, done.stdout
    else:
        status, printed = forked.sphinx_build(command, folder)
    # Sphinx puts this above every error, the user's too.
    printed = printed.replace("\nTraceback\n=========\n", "\n")
    lines = printed.splitlines()
    messages = tuple(
        Message(*match.groups()) if (match := LINE.match(line)) else Message("INFO", line) for line in lines
    )
    return Built(folder=folder / output, messages=messages, output=printed, ok=status == 0)


def make(folder: Path, files: Mapping[str, str | bytes], /, *, code: str = "", **config: Any) -> None:
    """Write a site: ``files`` by name, and conf.py with ``config`` and ``code``."""
    config = {"extensions": [], "html_baseurl": BASE, "html_theme": "basic", "exclude_patterns": [], **config}
    config["extensions"] = ["sitemap_plugins.sphinx", *config["extensions"]]
    given = {name: value for name, value in config.items() if value is not None}
    lines = [f"{name} = {value!r}" for name, value in given.items()]
    write(folder, {"conf.py": "\n".join([*lines, code, ""]), **files})


def below(built: Built, base: str = BASE) -> list[str]:
    """Return what is listed, without the base."""
    locs = built.locs()
    assert all(loc.startswith(base) for loc in locs)
    return [loc.removeprefix(base) for loc in locs]


def rst(title: str, body: str = "Some text.", **fields: object) -> str:
    """Return a page with a field list, which Sphinx takes for the page's metadata."""
    meta = "".join(f":{name}: {value}\n" for name, value in fields.items())
    return f"{meta}\n{title}\n{'=' * 2 * len(title)}\n\n{body}\n"


TREE = ".. toctree::\n   :glob:\n   :hidden:\n\n   **\n"


class TestSphinx(AdapterContract):
    """With reStructuredText, whose metadata is flat."""

    base_option = "html_baseurl"
    gaps: ClassVar[Mapping[str, str]] = {
        "test_leaves_out_the_frameworks_own_drafts": "Sphinx has no drafts: what it does not build is no page"
    }

    def page(self, page: Source) -> str:
        nested = page.meta.get("sitemap")
        flat = {f"sitemap_{key}": value for key, value in nested.items()} if isinstance(nested, dict) else {}
        fields = {key: value for key, value in page.meta.items() if key != "sitemap" or not flat}
        return rst(page.title, page.body + ("\n\n" + TREE if page.path == "index" else ""), **fields, **flat)

    def write(self, folder: Path, site: SiteSource) -> None:
        files: dict[str, str | bytes] = {self.source_of(page.path): self.page(page) for page in site.pages}
        files |= {f"extra/{name}": content for name, content in site.files.items()}
        make(
            folder,
            {**site.beside, **files},
            html_baseurl=site.base,
            html_extra_path=["extra"] if site.files else [],
            html_use_index=False,  # generated pages are counted too
            HEADS={page.path: page.head for page in site.pages if page.head},
            code=HEADS_PY,
            **{f"sitemap_{name}": value for name, value in site.options.items()},
        )

    def run(self, folder: Path, *, strict: bool = False, environment: Mapping[str, str] | None = None) -> Built:
        built = sphinx(folder, *(["-W"] if strict else []), environment=environment)
        if built.folder.is_dir() and not any(built.folder.iterdir()):
            built.folder.rmdir()  # Sphinx makes it before any extension is asked
        return built

    def url_of(self, path: str) -> str:
        return "" if path == "index" else quote(path.removesuffix("/index")) + "/"

    def source_of(self, path: str) -> str:
        return f"docs/{path}.rst"

    def spell(self, *steps: str | int) -> str:
        return f"sitemap_{steps[0]}" + "".join(f"[{step!r}]" for step in steps[1:])


class _WithMyst(TestSphinx):
    """With Markdown, whose metadata may be nested."""

    def page(self, page: Source) -> str:
        front = f"---\n{yaml.safe_dump(dict(page.meta))}---\n" if page.meta else ""
        tree = "\n```{toctree}\n:glob:\n:hidden:\n\n**\n```\n" if page.path == "index" else ""
        return f"{front}# {page.title}\n\n{page.body}\n{tree}"

    def source_of(self, path: str) -> str:
        return f"docs/{path}.md"


PAGES: dict[str, str | bytes] = {"docs/index.rst": rst("Home", TREE), "docs/a.rst": rst("A")}
NOINDEX = ".. meta::\n   :robots: noindex\n\n"
AT_8_1 = sphinx_version >= (8, 1)


def build(folder: Path, *arguments: str, **settings: Any) -> Built:
    """Build a site, which must succeed."""
    built = sphinx(folder, *arguments, **settings)
    assert built.ok, built.output
    return built


def left(folder: Path, built: Built) -> dict[str, bytes | None]:
    """Return what a build has left beside the pages, the report too."""
    return {
        **built.files(),
        "robots.txt": built.read("robots.txt"),
        "report.json": (folder / "report.json").read_bytes(),
    }


def omitted(folder: Path) -> dict[str, str]:
    """Return from the report each page left out, without the base, and the reason."""
    pages = json.loads((folder / "report.json").read_bytes())["omitted"]
    return {page["url"].removeprefix(BASE): page["reason"] for page in pages}


# Builders and URLs


def test_html(tmp_path: Path) -> None:
    names = ("über uns/b c", "100%", "what?", "no#1", "q&a")
    make(tmp_path, {**PAGES, **{f"docs/{name}.rst": rst(name) for name in names}})
    built = build(tmp_path, "-W", builder="html")
    assert below(built) == sorted(["index.html", "a.html", *(quote(f"{name}.html") for name in names)])
    assert "2 pages left out (2 generated)" in built.summary


def test_dirhtml(tmp_path: Path) -> None:
    names = ("über uns/b c", "100%", "what?", "no#1", "q&a", "sub/index")
    make(tmp_path, {**PAGES, **{f"docs/{name}.rst": rst(name) for name in names}})
    built = build(tmp_path, "-W")
    assert below(built) == sorted(["", "a/", "sub/", *(quote(f"{name}/") for name in names[:-1])])


SUBCLASS = """\
from sphinx.builders.dirhtml import DirectoryHTMLBuilder

class Derived(DirectoryHTMLBuilder):
    name = "derived"

def setup(app):
    app.add_builder(Derived)
    return {"parallel_read_safe": True}
"""


def test_a_builder_derived_from_dirhtml(tmp_path: Path) -> None:
    make(tmp_path, {**PAGES, "derived.py": SUBCLASS}, extensions=["derived"], code="import sys\nsys.path.append('.')")
    assert below(build(tmp_path, "-W", builder="derived")) == ["", "a/"]


def test_singlehtml(tmp_path: Path) -> None:
    make(tmp_path, {**PAGES, "docs/shown.txt": "Shown", "docs/b.rst": rst("B", ".. literalinclude:: shown.txt")})
    commit(tmp_path, "2025-01-01T00:00:00+00:00")
    write(tmp_path, {"docs/shown.txt": "Other"})
    commit(tmp_path, "2025-02-02T00:00:00+00:00")
    built = build(tmp_path, "-W", builder="singlehtml")
    assert built.entries() == {BASE + "index.html": {"lastmod": "2025-02-02T00:00:00+00:00"}}


OTHERS = ["latex", "text", "man", "epub", "json", "pickle", "gettext", "linkcheck", "htmlhelp", "xml", "dummy"]


@pytest.mark.parametrize(("builder", "base"), [*((name, None) for name in OTHERS), ("latex", "odd"), ("json", BASE)])
def test_leaves_other_builders_alone(builder: str, base: str | None, tmp_path: Path) -> None:
    book = {"version": "1", "release": "1", "copyright": "Ada"}
    make(tmp_path, PAGES, html_baseurl=base, sitemap_priority=7, sitemap_indent=2, **book)
    built = build(tmp_path, "-W", builder=builder)
    assert built.files("**/sitemap*") == {}
    assert built.read("robots.txt") is None
    assert "sitemap" not in built.output


FILES = ["a.html", "index.html", "sub/%C3%BC.html"]
FOLDERS = ["", "a/", "sub/%C3%BC/"]


@pytest.mark.parametrize(
    ("builder", "base", "config", "expected"),
    [
        ("html", BASE, {}, FILES),
        ("html", BASE.rstrip("/"), {}, FILES),
        ("html", BASE + "de/v1", {}, FILES),
        ("html", BASE + "de/v1/", {}, FILES),
        ("html", BASE, {"html_file_suffix": ".htm"}, [name.removesuffix("l") for name in FILES]),
        ("html", BASE, {"html_link_suffix": ""}, [name.removesuffix(".html") for name in FILES]),
        ("html", BASE, {"html_file_suffix": ".xhtml", "html_link_suffix": "/"}, ["a/", "index/", "sub/%C3%BC/"]),
        ("dirhtml", BASE.rstrip("/"), {}, FOLDERS),
        ("dirhtml", BASE + "de/v1", {}, FOLDERS),
        ("dirhtml", BASE + "de/v1/", {}, FOLDERS),
    ],
)
def test_lists_what_the_pages_name_as_canonical(
    builder: str, base: str, config: dict[str, Any], expected: list[str], tmp_path: Path
) -> None:
    make(tmp_path, {**PAGES, "docs/sub/ü.rst": rst("Ü")}, html_baseurl=base, **config)
    built = build(tmp_path, "-W", builder=builder)
    assert below(built, base.rstrip("/") + "/") == expected
    pages = [path for path in built.folder.rglob("*htm*") if path.parent.name != "_static"]
    canonicals = {html.inspect(path.read_bytes()).canonical for path in pages}
    if AT_8_1:
        assert set(built.locs()) <= {quote(canonical, safe=":/%") for canonical in canonicals}
    elif builder == "dirhtml":
        # sphinx-doc/sphinx#9730: before 8.1, each page names a file that is not there.
        assert not set(built.locs()) & canonicals


# Pages that are no documents

MODULE = '"""A module."""\n\n\ndef tidy() -> None:\n    """Tidy up."""\n'
CODE = "import sys\nsys.path.insert(0, 'code')\n"
WITH_CODE: dict[str, Any] = {"extensions": ["sphinx.ext.autodoc", "sphinx.ext.viewcode"], "code": CODE}
API = rst("API", ".. automodule:: tidying\n   :members:\n")


def test_generated_pages(tmp_path: Path) -> None:
    files = {"code/tidying.py": MODULE, "docs/api.rst": API, "shapes/landing.html": "<title>Welcome</title>"}
    additional = {"landing": "landing.html", "404": "landing.html"}
    settings: dict[str, Any] = {
        "templates_path": ["shapes"],
        "html_additional_pages": additional,
        "html_use_opensearch": BASE,
        "sitemap_report": "report.json",
        **WITH_CODE,
    }
    make(tmp_path, {**PAGES, **files}, **settings)
    built = build(tmp_path, "-W")
    assert below(built) == ["", "a/", "api/", "landing/"]
    generated = ["genindex/", "py-modindex/", "search/", "_modules/", "_modules/tidying/"]
    assert omitted(tmp_path) == {**dict.fromkeys(generated, "generated"), "404/": "error page"}
    assert "6 pages left out (1 error page, 5 generated)" in built.summary
    # A rule takes them in; what they say of themselves still counts.
    rules = [{"match": ["genindex*", "/_modules/"], "exclude": False}]
    make(tmp_path, {}, sitemap_rules=rules, **settings)
    built = build(tmp_path, "-W")
    assert below(built) == ["", "_modules/", "_modules/tidying/", "a/", "api/", "genindex/", "landing/"]
    make(tmp_path, {}, sitemap_rules=[{"match": "search/", "exclude": False}], **settings)
    built = build(tmp_path)
    # Newer versions say in the search page that it is not to be indexed.
    assert [text for text in built.warnings if "noindex" not in text] == []
    assert (
        ("search/" in below(built))
        is (not built.warnings)
        is (b"noindex" not in (built.read("search/index.html") or b""))
    )


def test_a_document_that_a_page_of_its_own_replaces(tmp_path: Path) -> None:
    files = {"shapes/landing.html": "<title>Welcome</title>"}
    make(tmp_path, {**PAGES, **files}, templates_path=["shapes"], html_additional_pages={"index": "landing.html"})
    built = build(tmp_path, "-W")
    assert below(built) == ["", "a/"]
    assert "2 pages left out (2 generated)" in built.summary


# Metadata


def test_the_contracts_site_in_markdown(tmp_path: Path) -> None:
    contract = _WithMyst()
    contract.write(tmp_path, contract.large_site())
    conf = (tmp_path / "conf.py").read_text("utf-8")
    write(tmp_path, {"conf.py": conf.replace("extensions = [", "extensions = ['myst_parser', ")})
    built = build(tmp_path, "-W")
    assert set(built.locs()) == {contract.loc(path) for path in LISTED}
    assert omitted(tmp_path) == {contract.url_of(path): reason for path, reason in LEFT_OUT.items()}
    assert built.entries()[BASE + "nested-values/"] == {"priority": "0.8", "changefreq": "weekly"}
    assert built.dates() == {
        "dated-day/": "2026-03-14",
        "dated-text/": "2026-03-15T10:20:30+05:30",
        "dated-own/": "2026-03-16",
    }


def test_metadata(tmp_path: Path) -> None:
    pages = {
        "orphan": rst("P", orphan=""),
        "no-search": rst("P", nosearch=""),
        "false": rst("P", sitemap="false"),
        "noindex": rst("P", noindex="true"),
        "meta": rst("P", NOINDEX),
        "meta-google": rst("P", NOINDEX.replace("robots", "googlebot")),
        "values": rst("P", sitemap_priority="0.8", sitemap_changefreq="Weekly", date="2026-02-03"),
        "free-text": rst("P", date="last summer", author="Ada", version="2"),
        "json": rst("P", sitemap='{"priority": 0.3}'),
    }
    make(tmp_path, {**PAGES, **{f"docs/{name}.rst": page for name, page in pages.items()}}, smartquotes=False)
    built = build(tmp_path, "-W")
    entries = {loc.removeprefix(BASE): entry for loc, entry in built.entries().items() if entry}
    assert entries == {
        "values/": {"lastmod": "2026-02-03", "changefreq": "weekly", "priority": "0.8"},
        "json/": {"priority": "0.3"},
    }
    assert below(built) == ["", "a/", "free-text/", "json/", "no-search/", "orphan/", "values/"]
    assert "6 pages left out (2 generated, 1 metadata, 3 noindex)" in built.summary


# Complete on every build


def site_with_code(folder: Path, **config: Any) -> None:
    pages = {
        **PAGES,
        "docs/b.rst": rst("B", sitemap_priority="0.5"),
        "docs/guide/c.rst": rst("C", ".. include:: /shared.txt\n"),
        "docs/shared.txt": "Text of several pages.\n",
        "docs/hidden.rst": rst("Hidden", NOINDEX),
        "docs/api.rst": API,
        "code/tidying.py": MODULE,
        "extra/robots.txt": "User-agent: *\nDisallow: /nothing/\n",
    }
    settings = {"html_extra_path": ["extra"], "sitemap_report": "report.json", **WITH_CODE, **config}
    make(folder, pages, **settings)


def touch(folder: Path) -> None:
    os.utime(folder / "docs/a.rst", (2_000_000_000, 2_000_000_000))


def edit(folder: Path) -> None:
    write(folder, {"docs/a.rst": rst("A", sitemap_priority="0.1"), "docs/hidden.rst": rst("No longer hidden")})


def hide(folder: Path) -> None:
    write(folder, {"docs/a.rst": rst("A", NOINDEX), "docs/b.rst": rst("B", sitemap="false")})


def add(folder: Path) -> None:
    write(folder, {"docs/guide/new.rst": rst("New", lastmod="2026-01-01")})


def remove(folder: Path) -> None:
    (folder / "docs/b.rst").unlink()


def rename(folder: Path) -> None:
    (folder / "docs/b.rst").rename(folder / "docs/guide/d.rst")


def rearrange(folder: Path) -> None:
    write(folder, {"docs/index.rst": rst("Home", TREE.replace("**", "a\n   guide/c"))})


def include(folder: Path) -> None:
    write(folder, {"docs/shared.txt": "Other text.\n"})


def undocument(folder: Path) -> None:
    write(folder, {"docs/api.rst": rst("API")})


def recode(folder: Path) -> None:
    write(folder, {"code/tidying.py": MODULE + "\n\ndef untidy() -> None:\n    '''Untidy.'''\n"})


def bar(folder: Path) -> None:
    write(folder, {"extra/robots.txt": "User-agent: *\nDisallow: /guide/\n"})


def reset(folder: Path) -> None:
    site_with_code(folder, sitemap_exclude=["b*"], sitemap_max_urls=2)


def move(folder: Path) -> None:
    site_with_code(folder, html_baseurl="https://new.example.org/manual")


CHANGES = [touch, edit, hide, add, remove, rename, rearrange, include, undocument, recode, bar, reset, move]


def fresh(folder: Path, builder: str = "dirhtml") -> dict[str, bytes | None]:
    """Return what a build leaves that knows nothing of an earlier one."""
    for name in ("fresh", ".fresh"):
        shutil.rmtree(folder / name, ignore_errors=True)
    return left(folder, build(folder, builder=builder, output="fresh", doctrees=".fresh"))


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_an_incremental_build_is_complete(change: Callable[[Path], None], tmp_path: Path) -> None:
    site_with_code(tmp_path)
    before = left(tmp_path, build(tmp_path))
    change(tmp_path)
    after = left(tmp_path, build(tmp_path))
    assert after == fresh(tmp_path)
    assert (after == before) is (change in {touch, rearrange, include, recode})


@pytest.mark.parametrize("mode", [(), ("-j2",), ("-E",), ("-a",), ("-j2", "-E"), ("docs/a.rst",)], ids=" ".join)
def test_every_way_to_build_again_gives_the_same(mode: tuple[str, ...], tmp_path: Path) -> None:
    site_with_code(tmp_path)
    build(tmp_path)
    write(tmp_path, {"docs/a.rst": rst("A", sitemap_changefreq="daily"), "docs/guide/new.rst": rst("New")})
    files = [tmp_path / name for name in mode if not name.startswith("-")]
    built = sphinx(tmp_path, *(name for name in mode if name.startswith("-")), only=[str(file) for file in files])
    assert built.ok, built.output
    if files:  # one page of two; the other is not written
        assert "guide/new/" not in below(built)
        assert len(below(built)) == 5
    else:
        assert left(tmp_path, built) == fresh(tmp_path)


def test_a_first_parallel_build_gives_the_same(tmp_path: Path) -> None:
    site_with_code(tmp_path)
    assert left(tmp_path, build(tmp_path, "-j2")) == fresh(tmp_path)
    assert left(tmp_path, build(tmp_path, "-j4", builder="html", output="html", doctrees=".html")) == fresh(
        tmp_path, "html"
    )


def test_builders_that_share_what_was_read(tmp_path: Path) -> None:
    site_with_code(tmp_path)
    build(tmp_path, builder="html", output="html")
    build(tmp_path)
    edit(tmp_path)
    for builder, output in (("html", "html"), ("dirhtml", "site")):
        assert left(tmp_path, build(tmp_path, builder=builder, output=output)) == fresh(tmp_path, builder)


def test_a_removed_documents_page_stays_but_is_not_listed(tmp_path: Path) -> None:
    site_with_code(tmp_path)
    build(tmp_path)
    remove(tmp_path)
    built = build(tmp_path)
    assert (built.folder / "b" / "index.html").exists()
    assert "b/" not in {*below(built), *omitted(tmp_path)}


def test_leaves_the_sources_as_they_are(tmp_path: Path) -> None:
    make(tmp_path / "project", PAGES)
    before = sorted(path for path in tmp_path.rglob("*"))
    for path in (tmp_path / "project", tmp_path / "project" / "docs"):
        path.chmod(0o555)
    try:
        built = build(tmp_path / "project", "-W", output="../site", doctrees="../doctrees")
    finally:
        for path in (tmp_path / "project", tmp_path / "project" / "docs"):
            path.chmod(0o755)
    assert below(built) == ["", "a/"]
    assert sorted(path for path in tmp_path.rglob("*") if path.relative_to(tmp_path).parts[0] == "project") == before


def test_a_failed_build_leaves_the_old_files(tmp_path: Path) -> None:
    site_with_code(tmp_path)
    before = left(tmp_path, build(tmp_path))
    hook = (
        "def fail(app, *_):\n    raise ValueError('no')\ndef setup(app):\n    app.connect('html-collect-pages', fail)\n"
    )
    site_with_code(tmp_path, code=CODE + hook)
    add(tmp_path)
    built = sphinx(tmp_path)
    assert not built.ok
    after = left(tmp_path, built)
    # Sphinx itself has copied the owner's file again.
    assert {name: after[name] for name in after if name != "robots.txt"} == {
        name: before[name] for name in before if name != "robots.txt"
    }


# Dates


def dated(folder: Path) -> None:
    """Make a site whose pages are made of other files too, each changed on a day of its own."""
    pages = {
        "docs/plain.rst": rst("Plain"),
        "docs/including.rst": rst("Including", ".. include:: part.txt\n"),
        "docs/showing.rst": rst("Showing", ".. literalinclude:: ../code/tidying.py\n"),
        "docs/api.rst": API,
        "docs/stated.rst": rst("Stated", ".. include:: part.txt\n", lastmod="2024-04-04"),
    }
    make(folder, {**PAGES, **pages, "docs/part.txt": "Part.\n", "code/tidying.py": MODULE}, **WITH_CODE)
    write(folder, {"code/.gitignore": "__pycache__\n"})
    commit(folder, "2025-01-01T00:00:00+00:00")
    write(folder, {"docs/part.txt": "Part, changed.\n"})
    commit(folder, "2025-02-02T00:00:00+00:00", "docs/part.txt")
    write(folder, {"code/tidying.py": MODULE + "\n\n# Changed.\n"})
    commit(folder, "2025-03-03T00:00:00+00:00", "code/tidying.py")


def test_dates_of_what_pages_are_made_of(tmp_path: Path) -> None:
    dated(tmp_path)
    own = dict.fromkeys(["", "a/", "plain/"], "2025-01-01T00:00:00+00:00")
    made = {"including/": "2025-02-02T00:00:00+00:00"}
    made |= dict.fromkeys(["api/", "showing/"], "2025-03-03T00:00:00+00:00")
    assert build(tmp_path, "-W").dates() == {**own, **made, "stated/": "2024-04-04"}
    built = build(tmp_path, "-W", "-D", "sitemap_dependencies=0")
    assert built.dates() == {**own, **dict.fromkeys(made, own[""]), "stated/": "2024-04-04"}


def test_dates_of_last_updated_by_git(tmp_path: Path) -> None:
    dated(tmp_path)
    extensions = [*WITH_CODE["extensions"], "sphinx_last_updated_by_git"]
    make(tmp_path, {}, **{**WITH_CODE, "extensions": extensions}, git_exclude_patterns=["**part.txt"])
    built = build(tmp_path, "-W")
    # It leaves out what its own option names, and ours is not asked for what it dates.
    assert built.dates() == {
        **dict.fromkeys(["", "a/", "plain/", "including/"], "2025-01-01T00:00:00+00:00"),
        **dict.fromkeys(["api/", "showing/"], "2025-03-03T00:00:00+00:00"),
        "stated/": "2024-04-04",
    }


# What the owner supplies


@pytest.mark.parametrize("entry", ["extra", "extra/robots.txt"])
@pytest.mark.parametrize("again", [False, True])
def test_the_owners_robots_txt(again: bool, entry: str, tmp_path: Path) -> None:
    owner = b"# ours\r\nUser-agent: *\r\nDisallow: /a/"
    make(tmp_path, {**PAGES, "extra/robots.txt": owner}, html_extra_path=[entry])
    built = build(tmp_path, "-W")
    if again:
        built = build(tmp_path, "-W")
    assert built.read("robots.txt") == owner + b"\r\nSitemap: https://docs.example.org/sitemap.xml\r\n"
    assert below(built) == [""]


@pytest.mark.parametrize("entry", ["extra", "extra/sitemap.xml"])
def test_the_owners_sitemap(entry: str, tmp_path: Path) -> None:
    make(tmp_path, {**PAGES, "extra/sitemap.xml": b"<urlset/>"}, html_extra_path=[entry])
    for _ in range(2):
        built = build(tmp_path)
        assert built.files() == {"sitemap.xml": b"<urlset/>"}
        (warning,) = built.warnings
        assert "sitemap.xml is supplied by the site itself" in warning


def test_an_extra_file_that_is_not_copied_is_not_the_owners(tmp_path: Path) -> None:
    make(tmp_path, {**PAGES, "extra/robots.txt": b"#"}, html_extra_path=["extra"], exclude_patterns=["**/*.txt"])
    assert build(tmp_path, "-W").read("robots.txt") == ROBOTS


@pytest.mark.parametrize("name", ["robots.txt", "sitemap.xml"])
def test_what_a_hook_writes_is_the_owners(name: str, tmp_path: Path) -> None:
    text = "User-agent: *\nDisallow: /a/\n"
    hook = f"from pathlib import Path\ndef write(app, error):\n    Path(app.outdir, {name!r}).write_text({text!r})\n"
    make(tmp_path, PAGES, code=hook + "def setup(app):\n    app.connect('build-finished', write)\n")
    for _ in range(2):
        built = build(tmp_path)
        if name == "robots.txt":
            assert built.read(name) == f"{text}Sitemap: https://docs.example.org/sitemap.xml\n".encode()
            assert below(built) == [""]
        else:
            assert built.files() == {name: text.encode()}
            assert len(built.warnings) == 1
    make(tmp_path, PAGES)
    built = build(tmp_path, "-W")
    assert built.read("robots.txt") == ROBOTS
    assert below(built) == ["", "a/"]


# Options


def test_options_from_the_command_line(tmp_path: Path) -> None:
    make(tmp_path, PAGES)
    commit(tmp_path, "2025-01-01T00:00:00+00:00")
    values = {"gzip": "0", "exclude": "/a/,/b/", "urls": "c/,d/", "priority": "0.5", "max_urls": "10", "lastmod": "0"}
    built = build(tmp_path, "-W", *(part for key, value in values.items() for part in ("-D", f"sitemap_{key}={value}")))
    assert built.entries() == {BASE + name: {"priority": "0.5"} for name in ("", "c/", "d/")}
    assert set(built.files()) == {"sitemap.xml"}
    assert build(tmp_path, "-W", "-D", "sitemap_lastmod=git,meta").dates() == dict.fromkeys(
        ["", "a/"], "2025-01-01T00:00:00+00:00"
    )
    assert build(tmp_path, "-W", "-D", "sitemap_lastmod=meta").dates() == {}


def test_names_every_fault_of_conf_py(tmp_path: Path) -> None:
    wrong = {
        "sitemap_exclud": ["a"],
        "sitemap_gzip": "maybe",
        "sitemap_rules": [{"match": "a", "priority": 3}],
        "sitemap_url_scheme": "{lang}{branch}{link}",
        "sitemap_excludes": "search.html",
        "html_baseurl": "docs.example.org",
    }
    make(tmp_path, PAGES, **wrong)
    built = sphinx(tmp_path)
    assert not built.ok
    for name in (*(set(wrong) - {"sitemap_rules"}), "sitemap_rules[0]['priority']"):
        assert f"{name}: " in built.output
    assert "did you mean 'exclude'?" in built.output
    assert list(built.folder.iterdir()) == []
    assert not (tmp_path / ".doctrees" / "environment.pickle").exists()


def test_names_of_the_authors_own_in_conf_py(tmp_path: Path) -> None:
    make(tmp_path, PAGES, sitemap_of_the_company="https://example.org/", code="def sitemap_filenam():\n    pass\n")
    assert below(build(tmp_path, "-W")) == ["", "a/"]


# Beside themes and other extensions


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
@pytest.mark.parametrize("theme", ["alabaster", "furo", "sphinx_rtd_theme", "pydata_sphinx_theme"])
def test_every_theme(theme: str, builder: str, tmp_path: Path) -> None:
    files = {"docs/hidden.rst": rst("Hidden", NOINDEX), "docs/über uns/b.rst": rst("B")}
    base = BASE.rstrip("/") if theme == "furo" else BASE  # furo and pydata put nothing between the two
    make(tmp_path, {**PAGES, **files}, html_theme=theme, html_baseurl=base, project="Example")
    built = build(tmp_path, "-W", builder=builder)
    names = ["index", "%C3%BCber%20uns/b", "a"]
    assert below(built) == (
        ["", "%C3%BCber%20uns/b/", "a/"] if builder == "dirhtml" else sorted(f"{name}.html" for name in names)
    )
    assert "3 pages left out (2 generated, 1 noindex)" in built.summary


def test_notfound_page(tmp_path: Path) -> None:
    for number, extensions in enumerate((["notfound.extension"], ["notfound.extension", "sphinx_design"])):
        for builder in ("html", "dirhtml"):
            folder = tmp_path / f"{builder}-{number}"
            make(folder, PAGES, extensions=extensions, sitemap_report="report.json")
            built = build(folder, "-W", builder=builder)
            assert len(below(built)) == 2
            assert "generated" in {omitted(folder).get("404.html"), omitted(folder).get("404/")}
    make(
        folder,
        {"docs/404.rst": rst("Gone", orphan="")},
        extensions=["notfound.extension"],
        sitemap_report="report.json",
    )
    assert below(build(folder, "-W")) == ["", "a/"]
    assert omitted(folder)["404/"] == "error page"


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_redirects_of_reredirects(builder: str, tmp_path: Path) -> None:
    files = {"docs/old.rst": rst("Still there")}
    redirects = {"gone": "a.html", "old": "a.html", "away/*": "https://elsewhere.example.org/"}
    make(
        tmp_path,
        {**PAGES, **files},
        extensions=["sphinx_reredirects"],
        redirects=redirects,
        sitemap_report="report.json",
    )
    for arguments in ((), (), ("-E",)):
        built = build(tmp_path, *arguments, builder=builder)
        stub = built.folder / ("gone/index.html" if builder == "dirhtml" else "gone.html")
        assert stub.is_file()
        assert below(built) == (["", "a/"] if builder == "dirhtml" else ["a.html", "index.html"])
        assert "3 pages left out (2 generated, 1 redirect)" in built.summary


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_redirects_of_rediraffe(builder: str, tmp_path: Path) -> None:
    make(
        tmp_path,
        PAGES,
        extensions=["sphinxext.rediraffe"],
        rediraffe_redirects={"gone.rst": "a.rst", "sub/x.rst": "a.rst"},
    )
    built = build(tmp_path, "-W", builder=builder)
    assert (built.folder / ("gone/index.html" if builder == "dirhtml" else "gone.html")).is_file()
    assert below(built) == (["", "a/"] if builder == "dirhtml" else ["a.html", "index.html"])
    assert "2 pages left out (2 generated)" in built.summary


def test_design(tmp_path: Path) -> None:
    grid = ".. grid:: 2\n\n   .. grid-item-card:: A\n      :link: a\n      :link-type: doc\n\n      Text.\n"
    make(tmp_path, {**PAGES, "docs/cards.rst": rst("Cards", grid)}, extensions=["sphinx_design"])
    assert below(build(tmp_path, "-W")) == ["", "a/", "cards/"]


PO = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"

msgid "A"
msgstr "{}"
"""


def test_a_translation(tmp_path: Path) -> None:
    catalogue = "docs/locales/de/LC_MESSAGES/a.po"
    make(
        tmp_path,
        {**PAGES, catalogue: PO.format("Ein A"), ".gitignore": "*.mo\n"},
        language="de",
        html_baseurl=BASE + "de/",
    )
    commit(tmp_path, "2025-01-01T00:00:00+00:00")
    write(tmp_path, {catalogue: PO.format("Das A")})
    commit(tmp_path, "2025-02-02T00:00:00+00:00", catalogue)
    built = build(tmp_path, "-W")
    assert "<h1>Das A" in (built.read("a/index.html") or b"").decode()
    assert built.entries() == {
        BASE + "de/": {"lastmod": "2025-01-01T00:00:00+00:00"},
        BASE + "de/a/": {"lastmod": "2025-02-02T00:00:00+00:00"},
    }


def test_two_versions_in_two_folders(tmp_path: Path) -> None:
    """As sphinx-multiversion builds them: one source tree each, with options from the command line."""
    make(tmp_path, PAGES)
    for version in ("v1", "main"):
        if version == "main":
            write(tmp_path, {"docs/b.rst": rst("B")})
        base = f"{BASE}{version}/"
        settings = {"html_baseurl": base, "version": version, "release": version}
        given = [part for name, value in settings.items() for part in ("-D", f"{name}={value}")]
        built = build(tmp_path, "-W", *given, output=f"site/{version}", doctrees=f".doctrees/{version}")
        assert below(built, base) == (["", "a/"] if version == "v1" else ["", "a/", "b/"])
        assert built.read("robots.txt") == ROBOTS.replace(BASE.encode(), base.encode())
        (_,) = (text for text in built.infos if BASE + "robots.txt" in text)


def test_read_the_docs(tmp_path: Path) -> None:
    base = "https://example.readthedocs.io/en/latest/"
    environment = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": base, "READTHEDOCS_VERSION_TYPE": "branch"}
    make(tmp_path, PAGES, html_baseurl=None)
    built = build(tmp_path, "-W", environment=environment)
    assert below(built, base) == ["", "a/"]
    (_,) = (text for text in built.infos if "READTHEDOCS_CANONICAL_URL is taken: " in text)
    make(tmp_path, PAGES)  # what conf.py says goes before
    assert below(build(tmp_path, "-W", environment=environment)) == ["", "a/"]
    make(tmp_path, PAGES, html_baseurl=None)
    built = sphinx(tmp_path, environment={"READTHEDOCS_CANONICAL_URL": "nowhere"})
    assert not built.ok
    assert "READTHEDOCS_CANONICAL_URL: expected an absolute address" in built.output


# From sphinx-sitemap


def moved(folder: Path, **config: Any) -> None:
    """Make a site with a conf.py for sphinx-sitemap 2.9, the extension's name exchanged."""
    old = {
        "html_baseurl": "https://my-site.example/docs",  # without a slash, which sphinx-sitemap does not put there
        "language": "de",
        "version": "1.0",
        "locale_dirs": ["locale/"],
        "sitemap_locales": [None],
        "sitemap_filename": "map.xml",
        "sitemap_excludes": ["search.html", "b.html", "b/", "sub/*", "ü*"],
        "sitemap_show_lastmod": True,
        "sitemap_indent": 2,
    }
    pages = {f"docs/{name}.rst": rst(name) for name in ("b", "sub/c", "übrig", "con tenido/é")}
    make(folder, {**PAGES, **pages}, **{**old, **config})


SCHEME = "{lang}{version}{link}"


@pytest.mark.parametrize(
    ("builder", "config", "expected"),
    [
        (
            "html",
            {"sitemap_url_scheme": SCHEME},
            ["de/1.0/a.html", "de/1.0/con%20tenido/%C3%A9.html", "de/1.0/index.html"],
        ),
        ("dirhtml", {"sitemap_url_scheme": SCHEME}, ["de/1.0/", "de/1.0/a/", "de/1.0/con%20tenido/%C3%A9/"]),
        ("dirhtml", {"sitemap_url_scheme": "{link}"}, ["", "a/", "con%20tenido/%C3%A9/"]),
        (
            "dirhtml",
            {"sitemap_url_scheme": "{version}x/{link}", "version": ""},
            ["x/", "x/a/", "x/con%20tenido/%C3%A9/"],
        ),
        (
            "html",
            {"sitemap_url_scheme": "{link}", "html_link_suffix": "", "sitemap_excludes": ["*b", "s*/*", "ü*"]},
            ["a", "con%20tenido/%C3%A9", "index"],
        ),
        # Without the option ours is the pages' own address.
        ("dirhtml", {}, ["", "a/", "con%20tenido/%C3%A9/"]),
        (
            "dirhtml",
            {"html_baseurl": "", "site_url": "https://my-site.example/docs/"},
            ["", "a/", "con%20tenido/%C3%A9/"],
        ),
    ],
)
def test_moving(builder: str, config: dict[str, Any], expected: list[str], tmp_path: Path) -> None:
    moved(tmp_path, **config)
    built = build(tmp_path, "-W", builder=builder)
    assert built.locs("map.xml") == [f"https://my-site.example/docs/{name}" for name in expected]
    assert re.search("[34] excluded, [12] generated", built.summary)  # the search page is of both kinds
    (message,) = (text for text in built.infos if "options of sphinx-sitemap" in text)
    names = {*re.findall(r"\bsitemap_(?:url_scheme|locales|excludes|show_lastmod|indent)\b|\bsite_url\b", message)}
    assert names == {name for name in (tmp_path / "conf.py").read_text("utf-8").split() if name in names}
    assert {"sitemap_locales", "sitemap_excludes", "sitemap_show_lastmod", "sitemap_indent"} <= names


@pytest.mark.parametrize(("asked", "config"), [(False, False), (True, True), (True, None)])
def test_moving_with_dates(asked: bool, config: bool | None, tmp_path: Path) -> None:
    make(tmp_path, PAGES, sitemap_show_lastmod=config)
    commit(tmp_path, "2025-01-01T00:00:00+00:00")
    assert bool(build(tmp_path, "-W").dates()) is asked


@pytest.mark.parametrize(
    "extensions", [["sphinx_sitemap", "sitemap_plugins.sphinx"], ["sitemap_plugins.sphinx", "sphinx_sitemap"]]
)
def test_moving_halfway(extensions: list[str], tmp_path: Path) -> None:
    other = "def setup(app):\n    app.add_config_value('sitemap_filename', 'sitemap.xml', '')\n"
    code = f"import sys\nsys.path.append('.')\nextensions = {extensions}\n"
    make(tmp_path, {**PAGES, "sphinx_sitemap.py": other}, code=code)
    built = sphinx(tmp_path)
    assert not built.ok
    assert "remove sphinx_sitemap from extensions" in built.output


# Beside MkDocs


def test_the_same_content_gives_the_same_bytes_as_mkdocs(tmp_path: Path) -> None:
    pages: dict[str, dict[str, Any]] = {
        "index": {},
        "install/index": {},
        "install/first steps": {"sitemap_priority": 0.8, "sitemap_changefreq": "weekly"},
        "häfen/são-sebastião": {"updated": "2026-05-02"},
        "notes/q&a": {"lastmod": "2026-03-14T10:20:30+05:30"},
        "reference/api.v2": {"sitemap_exclude": False},
        "internal/plan": {},
        "hidden": {"sitemap": False},
        "secret": {"robots": "noindex"},
    }
    options = {"exclude": "/internal/", "rules": [{"match": "reference/**", "priority": 0.4}], "lastmod": ["meta"]}
    markdown = {
        f"docs/{name}.md": (f"---\n{yaml.safe_dump(meta)}---\n" if meta else "") + f"# {name}\n"
        for name, meta in pages.items()
    }
    test_mkdocs.make(tmp_path / "mkdocs", markdown, theme={"name": "mkdocs"}, plugins=["search", {"sitemap": options}])
    (tmp_path / "mkdocs/theme/main.html").unlink()
    by_mkdocs = test_mkdocs.build(tmp_path / "mkdocs", "--strict")
    texts = {
        f"docs/{name}.rst": rst(name, TREE if name == "index" else "Text.", **meta) for name, meta in pages.items()
    }
    make(tmp_path / "sphinx", texts, **{f"sitemap_{name}": value for name, value in options.items()})
    by_sphinx = build(tmp_path / "sphinx", "-W")
    assert len(by_sphinx.locs()) == 6
    for name in ("sitemap.xml", "sitemap.xml.gz", "robots.txt"):
        assert by_sphinx.read(name) == by_mkdocs.read(name), name


# The sample site

SAMPLE = ROOT / "sample_sites" / "sphinx"
README = (SAMPLE / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build a copy of the sample as its README says, with a report."""
    folder = tmp_path_factory.mktemp("sample") / "sphinx"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("site", "__pycache__"))
    status, printed = forked.sphinx_build(
        ["--no-color", "-W", "-b", "dirhtml", "-D", "sitemap_report=report.json", ".", "site"], folder
    )
    assert status == 0, printed
    return Built(folder=folder / "site", messages=(), output=printed, ok=True)


def test_the_sample_lists_what_its_readme_says(sample: Built) -> None:
    expected = re.findall(r"^```text\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)[-1].split()
    assert len(expected) == 30
    assert sample.locs() == expected
    assert sample.read("robots.txt") == ROBOTS.replace(b"docs.example.org", b"docs.waggle.example")


def test_the_sample_leaves_out_what_its_readme_says(sample: Built) -> None:
    report = json.loads((sample.folder.parent / "report.json").read_bytes())
    reasons = {page["source"]: page["reason"] for page in report["omitted"] if page["reason"] != "generated"}
    assert reasons == dict(re.findall(r"^\| `([^`]+)` \|.*\bleft out: ([a-z ]+) \|$", README, re.MULTILINE)) | {
        "install/setup.rst": "redirect"
    }
    generated = {page["source"] for page in report["omitted"] if page["reason"] == "generated"}
    assert generated == {"genindex", "py-modindex", "search", "_modules/index", "_modules/waggle"}
    assert report["problems"] == []


def test_the_sample_has_the_values_that_its_readme_says(sample: Built) -> None:
    found = {
        loc.removeprefix("https://docs.waggle.example/"): entry for loc, entry in sample.entries().items() if entry
    }
    rules = {"reference/": {"priority": "0.8"}, "releases/": {"changefreq": "yearly"}}
    below_them = ["reference/api/", "reference/commands/", "reference/file-format/", "releases/1.4/", "releases/2.0/"]
    assert found == {
        **rules,
        **{name: rules[name[: name.index("/") + 1]] for name in below_them},
        "reference/settings/": {"priority": "0.3"},
        "guide/first-season/": {"priority": "0.9", "changefreq": "weekly"},
        "guide/winter/": {"lastmod": "2026-01-20"},
        "install/upgrading/": {"lastmod": "2026-05-02"},
        "shop/": {"changefreq": "daily"},
    }


# The lowest version

LOWEST = "sphinx==7.2.*"


@pytest.fixture(scope="session")
def lowest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the checkout with the lowest version of Sphinx into an environment of its own; return its Python."""
    folder = tmp_path_factory.mktemp("lowest")
    shutil.copytree(ROOT, folder / "source", ignore=NOT_SOURCE)
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = (python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, LOWEST, f"sitemap-plugins[sphinx] @ {(folder / 'source').as_uri()}", cwd=folder)
    return python


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_the_lowest_version(builder: str, lowest: Path, tmp_path: Path) -> None:
    files = {"docs/hidden.rst": rst("Hidden", NOINDEX), "docs/über uns/b.rst": rst("B", sitemap_priority="0.5")}
    make(tmp_path, {**PAGES, **files}, html_theme="alabaster")
    command = ["-I", "-m", "sphinx", "-W", "-j2", "-b", builder, "-c", ".", "-d", ".doctrees", "docs", "site"]
    said = run(lowest, *command, cwd=tmp_path)
    assert "Running Sphinx v7.2" in said
    built = Built(folder=tmp_path / "site", messages=(), output=said, ok=True)
    names = ["", "%C3%BCber%20uns/b/", "a/"]
    if builder == "html":
        names = ["%C3%BCber%20uns/b.html", "a.html", "index.html"]
    assert below(built) == names
    assert built.read("robots.txt") == ROBOTS
