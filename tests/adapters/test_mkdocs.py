"""The MkDocs adapter: the contract, what only MkDocs has, and the plugins it stands beside."""

from __future__ import annotations

import gzip
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import yaml

from tests.adapters.contract import BASE, ROBOTS, AdapterContract, Built, Message, SiteSource, commit, git

# Material and the plugins beside it print advertisements for their own future on every run.
QUIET = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true", "PYTHONIOENCODING": "utf-8"}
LINE = re.compile(r"(DEBUG|INFO|WARNING|ERROR|CRITICAL) +-  (.*)")
BARE_THEME = """\
<!doctype html>
<html><head><title>{{ page.title }}</title>
{% for element in page.meta.head_elements %}{{ element }}
{% endfor %}</head><body>{{ page.content }}</body></html>
"""
NOINDEX = '---\nhead_elements: [\'<meta name="robots" content="noindex">\']\n---\n'


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def run(folder: Path, *command: str, environment: Mapping[str, str] | None = None, output: str = "site") -> Built:
    """Run Python in a folder and read MkDocs' log."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, **QUIET, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    messages = tuple(Message(*match.groups()) for line in done.stdout.splitlines() if (match := LINE.match(line)))
    return Built(folder=folder / output, messages=messages, output=done.stdout, ok=done.returncode == 0)


def make(folder: Path, files: Mapping[str, str | bytes], /, **config: Any) -> None:
    """Write a site: ``files`` by name, with a theme that is next to nothing, and its configuration."""
    config = {
        "site_name": "Example",
        "site_url": BASE,
        "theme": {"name": None, "custom_dir": "theme"},
        "plugins": ["sitemap"],
        **config,
    }
    given = {name: value for name, value in config.items() if value is not None}
    write(folder, {"mkdocs.yml": yaml.safe_dump(given, sort_keys=False), "theme/main.html": BARE_THEME, **files})


def build(folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> Built:
    """Build a site, which must succeed."""
    built = run(folder, "-m", "mkdocs", "build", *arguments, environment=environment)
    assert built.ok, built.output
    return built


def below(built: Built, base: str = BASE) -> list[str]:
    """Return what is listed, without the base."""
    locs = built.locs()
    assert all(loc.startswith(base) for loc in locs)
    return [loc.removeprefix(base) for loc in locs]


class TestMkDocs(AdapterContract):
    base_option = "site_url"

    def write(self, folder: Path, site: SiteSource) -> None:
        files: dict[str, str | bytes] = dict(site.beside)
        for page in site.pages:
            meta = {**page.meta, **({"head_elements": list(page.head)} if page.head else {})}
            front = f"---\n{yaml.safe_dump(meta)}---\n" if meta else ""
            files[self.source_of(page.path)] = f"{front}# {page.title}\n\n{page.body}\n"
        files |= {f"docs/{name}": content for name, content in site.files.items()}
        make(
            folder,
            files,
            site_url=site.base,
            plugins=[{"sitemap": dict(site.options)}],
            draft_docs="\n".join(f"/{page.path}.md" for page in site.pages if page.draft),
        )

    def run(self, folder: Path, *, strict: bool = False, environment: Mapping[str, str] | None = None) -> Built:
        return run(folder, "-m", "mkdocs", "build", *(["--strict"] if strict else []), environment=environment)

    def url_of(self, path: str) -> str:
        return "" if path == "index" else quote(path.removesuffix("/index")) + "/"

    def source_of(self, path: str) -> str:
        return f"docs/{path}.md"

    def spell(self, *steps: str | int) -> str:
        return "plugins.sitemap" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)


PAGES: dict[str, str | bytes] = {"docs/index.md": "# Home\n", "docs/a.md": "# A\n"}
MATERIAL = {"name": "material", "font": False}


# URLs and themes


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material", None])
@pytest.mark.parametrize("directories", [True, False])
def test_every_theme(directories: bool, theme: str | None, tmp_path: Path) -> None:
    files = {**PAGES, "docs/404.md": "# Gone\n", "docs/über uns/index.md": "# Us\n", "docs/über uns/b.md": "# B\n"}
    settings: Any = {"name": theme, "custom_dir": "theme"} if theme is None else {"name": theme}
    make(tmp_path, {**PAGES, **files}, theme=settings, use_directory_urls=directories)
    if theme is not None:
        (tmp_path / "theme" / "main.html").unlink()
    built = build(tmp_path, "--strict")
    about = "%C3%BCber%20uns/"
    if directories:
        assert below(built) == ["", about, f"{about}b/", "a/"]
    else:
        assert below(built) == [f"{about}b.html", f"{about}index.html", "a.html", "index.html"]
    assert "1 page left out (1 error page)" in built.summary
    content = built.read("sitemap.xml")
    assert content is not None
    assert gzip.decompress(built.read("sitemap.xml.gz") or b"") == content
    assert b"lastmod" not in content  # the built-in one would date each page


def test_inclusion_levels(tmp_path: Path) -> None:
    files = {**PAGES, **{f"docs/{name}.md": "# Page\n" for name in ("loose", "drafts/new", "internal/plan")}}
    levels = {"not_in_nav": "/loose.md", "draft_docs": "/drafts/", "exclude_docs": "/internal/"}
    make(tmp_path, files, nav=[{"Home": "index.md"}, {"A": "a.md"}], **levels)
    built = build(tmp_path, "--strict")
    assert below(built) == ["", "a/", "loose/"]
    assert "1 page left out (1 draft)" in built.summary


def test_two_sources_of_one_url(tmp_path: Path) -> None:
    make(tmp_path, {**PAGES, "docs/foo.md": "# One\n", "docs/foo/index.md": "# Two\n"})
    built = build(tmp_path)
    assert below(built) == ["", "a/", "foo/"]
    (warning,) = built.warnings
    assert "foo.md" in warning
    assert "foo/index.md" in warning
    assert "1 page left out (1 duplicate)" in built.summary


def test_a_page_in_the_place_of_a_file(tmp_path: Path) -> None:
    make(tmp_path, {**PAGES, "docs/foo.md": "# Foo\n", "docs/foo/index.html": "<title>Copied first</title>"})
    built = build(tmp_path)
    assert b"Copied first" not in (built.read("foo/index.html") or b"Copied first")
    assert below(built) == ["", "a/", "foo/"]


def test_patterns_match_below_the_site_and_sources_below_docs(tmp_path: Path) -> None:
    files = {**PAGES, **{f"docs/{name}.md": "# Page\n" for name in ("manual/a", "x/manual/a", "b", "c c")}}
    options = {"exclude": ["/manual/", "b.md", "/c c/"]}
    make(tmp_path, files, site_url="https://example.org/manual", plugins=[{"sitemap": options}])
    built = build(tmp_path, "--strict")
    assert below(built, "https://example.org/manual/") == ["", "a/", "x/manual/a/"]


def test_is_switched_off_as_any_plugin(tmp_path: Path) -> None:
    make(tmp_path, PAGES, plugins=[{"sitemap": {"enabled": False, "gzip": False}}])
    built = build(tmp_path, "--strict")
    assert built.read("robots.txt") is None
    assert set(built.files()) == {"sitemap.xml", "sitemap.xml.gz"}  # the built-in ones
    assert "sitemap_plugins" not in built.output


def test_an_inherited_configuration(tmp_path: Path) -> None:
    make(tmp_path, {**PAGES, "docs/b.md": "# B\n"}, plugins={"sitemap": {"exclude": "/a/", "gzip": False}})
    (tmp_path / "mkdocs.yml").rename(tmp_path / "base.yml")
    write(tmp_path, {"mkdocs.yml": "INHERIT: base.yml\nplugins: {sitemap: {priority: 0.5}}\n"})
    built = build(tmp_path, "--strict")
    assert built.entries() == {BASE: {"priority": "0.5"}, BASE + "b/": {"priority": "0.5"}}
    assert set(built.files()) == {"sitemap.xml"}


def test_paths_start_from_the_configuration_file(tmp_path: Path) -> None:
    make(tmp_path / "manual", PAGES, plugins=[{"sitemap": {"report": "out/report.json"}}])
    built = run(tmp_path, "-m", "mkdocs", "build", "--strict", "-f", "manual/mkdocs.yml")
    assert built.ok, built.output
    assert (tmp_path / "manual" / "out" / "report.json").is_file()


# Hooks


def test_hooks_have_their_way_first(tmp_path: Path) -> None:
    hook = """\
    def on_config(config):
        config.site_url = "https://hooked.example.org/docs"
    def on_page_markdown(markdown, page, **_):
        if page.file.src_uri == "meta.md":
            page.meta["sitemap"] = False
    def on_post_page(output, page, **_):
        if page.file.src_uri == "hidden.md":
            return output.replace("</head>", "<META NAME=Robots CONTENT=noindex></head>")
        if page.file.src_uri == "emptied.md":
            return ""
        return output
    """
    names = ("meta", "hidden", "emptied")
    files = {**PAGES, "hook.py": re.sub("(?m)^    ", "", hook), **{f"docs/{name}.md": "# P\n" for name in names}}
    make(tmp_path, files, hooks=["hook.py"])
    built = build(tmp_path, "--strict")
    assert below(built, "https://hooked.example.org/docs/") == ["", "a/"]
    assert "3 pages left out (1 metadata, 1 noindex, 1 not written)" in built.summary


# Previews and partial builds

SERVE = """\
import shutil, sys
from pathlib import Path
from mkdocs.__main__ import cli
from mkdocs.livereload import LiveReloadServer

def serve(server, **_):
    shutil.copytree(server.root, "served-1")
    Path("docs/new.md").write_text("# New")
    Path("docs/a.md").unlink()
    server.builder()
    shutil.copytree(server.root, "served-2")

LiveReloadServer.serve = serve
cli(["serve", *sys.argv[1:]])
"""


@pytest.mark.parametrize("mode", [[], ["--clean"], ["--dirty"]])
def test_a_preview(mode: list[str], tmp_path: Path) -> None:
    files = {**PAGES, "docs/draft.md": "# Draft\n"}
    options = {"report": "report.json", "lastmod": ["git"]}
    make(tmp_path, files, site_url=BASE + "manual/", draft_docs="draft.md", plugins=[{"sitemap": options}])
    commit(tmp_path, "2026-01-01T00:00:00+00:00")
    before = {path.name for path in tmp_path.iterdir()}
    first = run(tmp_path, "-c", SERVE, *mode, output="served-1")
    assert first.ok, first.output
    second = Built(folder=tmp_path / "served-2", messages=first.messages, output=first.output, ok=True)
    local = "http://127.0.0.1:8000/manual/"
    assert below(first, local) == ["", "a/"]
    assert below(second, local) == ["", "new/"]
    assert (first.folder / "draft" / "index.html").exists() is (mode != ["--clean"])
    for built in (first, second):
        assert gzip.decompress(built.read("sitemap.xml.gz") or b"") == built.read("sitemap.xml")
        assert built.read("robots.txt") == ROBOTS.replace(BASE.encode(), local.encode())
    assert {path.name for path in tmp_path.iterdir()} == before | {"served-1", "served-2"}
    assert [text for text in first.warnings if "'dirty' build" not in text] == []
    assert len([text for text in first.infos if " listed, " in text]) == 2


def test_a_dirty_build(tmp_path: Path) -> None:
    files = {
        **PAGES,
        "docs/dated.md": "---\nlastmod: 2026-03-14\nsitemap: {priority: 0.7}\n---\n# Dated\n",
        "docs/false.md": "---\nsitemap: false\n---\n# False\n",
        "docs/hidden.md": NOINDEX + "# Hidden\n",
        "docs/removed.md": "# Removed\n",
    }
    make(tmp_path, files, nav=["index.md"], not_in_nav="*")
    first = build(tmp_path, "--strict")
    assert below(first) == ["", "a/", "dated/", "removed/"]
    (tmp_path / "docs" / "removed.md").unlink()
    write(tmp_path, {"docs/index.md": "# Home, changed\n"})
    config = (tmp_path / "mkdocs.yml").read_text("utf-8")
    write(tmp_path, {"mkdocs.yml": config.replace("docs.example.org", "new.example.org")})
    built = build(tmp_path, "--dirty")
    base = "https://new.example.org/"
    assert (built.folder / "removed" / "index.html").exists()
    assert built.entries() == {
        base: {},
        base + "a/": {},
        base + "dated/": {"lastmod": "2026-03-14", "priority": "0.7"},
    }
    assert "2 pages left out (1 metadata, 1 noindex)" in built.summary
    assert built.read("robots.txt") == ROBOTS.replace(BASE.encode(), base.encode())
    assert [text for text in built.warnings if "'dirty' build" not in text] == []


# What the owner supplies

OWN = (
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{}</loc></url></urlset>'
)


@pytest.mark.parametrize(
    ("name", "config", "zipped"),
    [
        ("docs/sitemap.xml", {}, False),
        ("docs/sitemap.xml", {"extra_templates": ["sitemap.xml"]}, False),
        ("theme/sitemap.xml", {}, True),
    ],
)
def test_the_owners_sitemap(name: str, config: dict[str, Any], zipped: bool, tmp_path: Path) -> None:
    rendered = name.startswith("theme") or "extra_templates" in config
    make(tmp_path, {**PAGES, name: OWN.format("{{ config.site_url }}" if rendered else BASE)}, **config)
    built = build(tmp_path)
    content = OWN.format(BASE).encode()
    assert built.read("sitemap.xml") == content
    # MkDocs itself makes one of a theme's template; a built-in one beside the owner's file would be false.
    zip_copy = built.read("sitemap.xml.gz")
    assert (zip_copy and gzip.decompress(zip_copy)) == (content if zipped else None)
    assert built.read("robots.txt") == ROBOTS
    (warning,) = built.warnings
    assert "sitemap.xml is supplied by the site itself" in warning


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("theme/robots.txt", {}),
        ("theme/robots.txt", {"theme": {"name": None, "custom_dir": "theme", "static_templates": ["robots.txt"]}}),
        ("docs/robots.txt", {"extra_templates": ["robots.txt"]}),
        ("hook.py", {"hooks": ["hook.py"]}),
    ],
)
@pytest.mark.parametrize("dirty", [False, True])
def test_the_owners_robots_txt(dirty: bool, name: str, config: dict[str, Any], tmp_path: Path) -> None:
    rules = "User-agent: *\nDisallow: /a/\n"
    hook = f"""\
from pathlib import Path
def on_post_build(config):
    Path(config.site_dir, "robots.txt").write_text({rules!r})
"""
    make(tmp_path, {**PAGES, name: hook if name == "hook.py" else rules}, **config)
    built = build(tmp_path, "--strict")
    if dirty:
        built = build(tmp_path, "--dirty")
    assert built.read("robots.txt") == rules.encode() + b"Sitemap: https://docs.example.org/sitemap.xml\n"
    assert below(built) == [""]
    assert "1 page left out (1 barred by robots.txt)" in built.summary


# Beside other plugins


def test_material_with_blog_and_tags(tmp_path: Path) -> None:
    posts = {
        "first": "date: 2026-01-02\ncategories: [News]\ntags: [tide]",
        "second": "date: {created: 2026-01-03, updated: 2026-02-04}\ncategories: [News]",
        "coming": "date: 2026-01-05\ndraft: true",
    }
    files = {f"docs/blog/posts/{name}.md": f"---\n{meta}\n---\n# {name}\n\nText.\n" for name, meta in posts.items()}
    tags = {"docs/tags.md": "# Tags\n\n<!-- material/tags -->\n", "docs/blog/index.md": "# Blog\n"}
    make(tmp_path, {**PAGES, **tags, **files}, theme=MATERIAL, plugins=["blog", "tags", "sitemap"])
    (tmp_path / "theme" / "main.html").unlink()
    built = build(tmp_path, "--strict")
    views = ["blog/", "blog/archive/2026/", "blog/category/news/"]
    assert below(built) == [
        "",
        "a/",
        *views[:1],
        "blog/2026/01/02/first/",
        "blog/2026/01/03/second/",
        *views[1:],
        "tags/",
    ]
    # Material makes a day in a mapping the beginning of that day; a day was what was written.
    dates = {"blog/2026/01/02/first/": "2026-01-02", "blog/2026/01/03/second/": "2026-02-04"}
    assert built.dates() == dates
    assert "1 page left out (1 draft)" in built.summary


def test_materials_meta_files(tmp_path: Path) -> None:
    files = {"docs/inside/.meta.yml": "sitemap: false\n", "docs/inside/b.md": "# B\n"}
    for number, plugins in enumerate((["material/meta", "sitemap"], ["sitemap", "material/meta"])):
        make(tmp_path / str(number), {**PAGES, **files}, plugins=plugins)
        built = build(tmp_path / str(number), "--strict")
        assert below(built) == ["", "a/"]
        assert "1 page left out (1 metadata)" in built.summary


def test_redirects(tmp_path: Path) -> None:
    maps = {"old.md": "a.md", "gone.md": "a.md", "away.md": "https://elsewhere.example.org/"}
    files = {**PAGES, "docs/old.md": "# Still there\n", "docs/away.md": "# Still there\n"}
    for number, plugins in enumerate((["redirects", "sitemap"], ["sitemap", "redirects"])):
        listed = [{"redirects": {"redirect_maps": maps}} if name == "redirects" else name for name in plugins]
        make(tmp_path / str(number), files, plugins=listed)
        built = build(tmp_path / str(number))
        assert (built.folder / "gone" / "index.html").is_file()
        assert below(built) == ["", "a/"]
        assert "2 pages left out (2 redirect)" in built.summary
        assert [text for text in built.warnings if "sitemap_plugins" in text] == []


def test_gen_files(tmp_path: Path) -> None:
    script = "import mkdocs_gen_files\nwith mkdocs_gen_files.open('api/made.md', 'w') as f:\n    f.write('# Made')\n"
    make(tmp_path, {**PAGES, "make.py": script}, plugins=[{"gen-files": {"scripts": ["make.py"]}}, "sitemap"])
    commit(tmp_path, "2025-05-05T05:05:05+02:00")
    built = build(tmp_path, "--strict")
    assert below(built) == ["", "a/", "api/made/"]
    assert built.dates() == dict.fromkeys(["", "a/"], "2025-05-05T05:05:05+02:00")


def test_awesome_nav(tmp_path: Path) -> None:
    files = {**PAGES, "docs/more/b.md": "# B\n", "docs/more/c.md": "# C\n", "docs/.nav.yml": "nav: [index.md]\n"}
    make(tmp_path, files, plugins=["awesome-nav", "sitemap"])
    assert below(build(tmp_path, "--strict")) == ["", "a/", "more/b/", "more/c/"]


def test_section_index(tmp_path: Path) -> None:
    files = {**PAGES, "docs/more/index.md": "---\nsitemap: {priority: 0.9}\n---\n# More\n", "docs/more/b.md": "# B\n"}
    make(tmp_path, files, theme=MATERIAL, plugins=["section-index", "sitemap"])
    built = build(tmp_path, "--strict")
    assert below(built) == ["", "a/", "more/", "more/b/"]
    assert built.entries()[BASE + "more/"] == {"priority": "0.9"}


def test_minify(tmp_path: Path) -> None:
    elements = ['<meta name="robots" content="noindex">', f'<link rel="canonical" href="{BASE}a/">']
    pages = {f"docs/p{n}.md": f"---\nhead_elements: ['{element}']\n---\n# P\n" for n, element in enumerate(elements)}
    for number, order in enumerate(([0, 1], [1, 0])):
        plugins = [
            {"minify": {"minify_html": True, "htmlmin_opts": {"remove_optional_attribute_quotes": True}}},
            "sitemap",
        ]
        make(tmp_path / str(number), {**PAGES, **pages}, plugins=[plugins[place] for place in order])
        built = build(tmp_path / str(number), "--strict")
        assert b"content=noindex" in (built.read("p0/index.html") or b"")
        assert below(built) == ["", "a/"]
        assert "2 pages left out (1 canonical elsewhere, 1 noindex)" in built.summary


def test_monorepo(tmp_path: Path) -> None:
    part = {"part/mkdocs.yml": "site_name: part\nnav: [{Part: index.md}]\n", "part/docs/index.md": "# Part\n"}
    nav = [{"Home": "index.md"}, {"Part": "!include ./part/mkdocs.yml"}]
    make(tmp_path, {"docs/index.md": "# Home\n", **part}, nav=nav, plugins=["monorepo", "sitemap"])
    commit(tmp_path, "2025-05-05T05:05:05+02:00")
    write(tmp_path, {"part/docs/index.md": "# Part, changed\n"})
    commit(tmp_path, "2025-06-06T06:06:06+02:00")
    built = build(tmp_path, "--strict")
    assert built.dates() == {"": "2025-05-05T05:05:05+02:00", "part/": "2025-06-06T06:06:06+02:00"}


def test_git_revision_date_localized(tmp_path: Path) -> None:
    plugin = {"git-revision-date-localized": {"timezone": "Asia/Kolkata", "type": "datetime"}}
    make(tmp_path, PAGES, plugins=[plugin, {"sitemap": {"lastmod": ["meta", "plugins"]}}])
    commit(tmp_path, "2026-01-01T00:00:00+00:00", "docs/index.md", "mkdocs.yml")
    built = build(tmp_path)
    # That plugin gives a page without a commit the time of the build.
    assert built.dates() == {"": "2026-01-01T05:30:00+05:30"}
    (warning,) = built.warnings
    assert "sitemap_plugins" not in warning


def test_document_dates(tmp_path: Path) -> None:
    make(tmp_path, PAGES, theme=MATERIAL, plugins=["document-dates", {"sitemap": {"lastmod": ["meta", "plugins"]}}])
    (tmp_path / "theme" / "main.html").unlink()
    commit(tmp_path, "2025-05-05T05:05:05+02:00", "docs/index.md", "mkdocs.yml")
    built = build(tmp_path, "--strict")
    # That plugin gives a page without a commit the time of its file.
    assert built.dates() == {"": "2025-05-05T03:05:05+00:00"}


@pytest.mark.parametrize(
    "plugin", [{"git-revision-date-localized": {"fallback_to_build_date": True}}, "document-dates"]
)
def test_a_plugins_date_from_the_boundary_of_a_shallow_clone(plugin: Any, tmp_path: Path) -> None:
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    make(origin, PAGES, theme={"name": "mkdocs"}, plugins=[plugin, "sitemap"])
    (origin / "theme" / "main.html").unlink()
    commit(origin, "2025-05-05T05:05:05+02:00")
    write(origin, {"docs/a.md": "# A, changed\n"})
    commit(origin, "2025-06-06T06:06:06+02:00")
    git(tmp_path, "clone", "--quiet", "--depth=1", origin.as_uri(), str(clone))
    # The home page is as it was in May, which is not known here; the date of the last commit is not its date.
    assert build(clone).dates() == {}


@pytest.mark.parametrize("canonical", [None, "latest"])
def test_mike(canonical: str | None, tmp_path: Path) -> None:
    mike = {"version_selector": False, **({"canonical_version": canonical} if canonical else {})}
    make(tmp_path, PAGES, plugins=[{"mike": mike}, "sitemap"])
    commit(tmp_path, "2025-05-05T05:05:05+02:00")
    who = {f"GIT_{role}_{part}": "me" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    # It runs ProperDocs, where that is installed, or MkDocs as a command.
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    deploy = "import mike.driver; mike.driver.main()"
    built = run(tmp_path, "-c", deploy, "deploy", "1.0", environment={**who, "PATH": path}, output="pages/1.0")
    assert built.ok, built.output
    git(tmp_path, "worktree", "add", "--quiet", "pages", "gh-pages")
    base = f"{BASE}{canonical or '1.0'}/"
    assert below(built, base) == ["", "a/"]
    assert built.read("robots.txt") == ROBOTS.replace(BASE.encode(), base.encode())


@pytest.mark.skipif(importlib.util.find_spec("mkdocs_static_i18n") is None, reason="mkdocs-static-i18n isn't installed")
def test_static_i18n(tmp_path: Path) -> None:
    files = {
        "docs/index.md": "# Home\n",
        "docs/index.de.md": "# Start\n",
        "docs/a.md": "# A\n",
        "docs/a.fr.md": "# A\n",
    }
    languages = [{"locale": "en", "name": "English", "default": True, "build": True}]
    languages += [{"locale": locale, "name": locale, "build": True} for locale in ("de", "fr")]
    plugins = [{"i18n": {"languages": languages, "fallback_to_default": False}}, "sitemap"]
    make(tmp_path, files, theme={"name": "mkdocs"}, plugins=plugins)
    (tmp_path / "theme" / "main.html").unlink()
    built = build(tmp_path)
    assert below(built) == ["", "a/", "de/", "fr/a/"]
    assert "4 URLs listed, 0 pages left out" in built.summary
    assert gzip.decompress(built.read("sitemap.xml.gz") or b"") == built.read("sitemap.xml")
    assert [text for text in built.warnings if "sitemap_plugins" in text] == []


def test_properdocs(tmp_path: Path) -> None:
    hook = "import mkdocs\ndef on_config(config):\n    assert mkdocs.__name__ == 'properdocs', mkdocs\n"
    make(tmp_path, {**PAGES, "hook.py": hook, "docs/hidden.md": NOINDEX + "# H\n"}, hooks=["hook.py"])
    built = run(tmp_path, "-m", "properdocs", "build", "--strict", "-f", "mkdocs.yml")
    assert built.ok, built.output
    assert below(built) == ["", "a/"]
    assert "1 page left out (1 noindex)" in built.summary
    assert gzip.decompress(built.read("sitemap.xml.gz") or b"") == built.read("sitemap.xml")
    assert built.read("robots.txt") == ROBOTS
    write(tmp_path, {"docs/a.md": "---\nlastmod: 2999-01-01\n---\n# A\n"})
    assert not run(tmp_path, "-m", "properdocs", "build", "--strict", "-f", "mkdocs.yml").ok


def test_strict_stops_a_build_without_site_url(tmp_path: Path) -> None:
    make(tmp_path, PAGES, site_url="", plugins=[{"sitemap": {"strict": True}}])
    built = run(tmp_path, "-m", "mkdocs", "build")
    assert not built.ok
    assert "site_url is not set" in built.output


def test_a_sitemap_that_a_hook_writes_is_the_owners(tmp_path: Path) -> None:
    hook = """
from pathlib import Path

def on_post_build(config):
    Path(config.site_dir, "sitemap.xml").write_text("mine")
"""
    make(tmp_path, {**PAGES, "hook.py": hook}, hooks=["hook.py"])
    for _ in range(2):
        built = build(tmp_path)
        assert built.read("sitemap.xml") == b"mine"
        assert [text for text in built.warnings if "supplied by the site itself" in text]
