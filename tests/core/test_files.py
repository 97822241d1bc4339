"""Files that are replaced as a whole or not at all (P6), and what of an earlier build goes."""

from __future__ import annotations

import gzip
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugins.core import report
from sitemap_plugins.core.errors import SitemapError, StrictError
from sitemap_plugins.core.files import Part, Stage, is_copy, parts_of
from sitemap_plugins.core.model import Page
from sitemap_plugins.core.render import Renderer
from tests.core.make import page, site, tree, written

PAGES = [page("a/"), page("b/"), page("c/")]
OTHERS = [page("d/"), page("e/"), page("f/")]
SPLIT: dict[str, Any] = {"max_urls": 1}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a folder with the files of an earlier build in three parts."""
    written(tmp_path, PAGES, **SPLIT)
    return tmp_path


def test_names_of_parts(old: Path) -> None:
    names = ["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"]
    assert set(tree(old)) == {*names, *(f"{name}.gz" for name in names), "robots.txt"}


# ---- failures ----


def fail_at(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, turn: int, error: Exception) -> None:
    """Let a method fail when it is called for the ``turn``-th time."""
    original = getattr(owner, name)
    calls = iter(range(1, 1_000))

    def method(*arguments: Any, **named: Any) -> Any:
        if next(calls) == turn:
            raise error
        return original(*arguments, **named)

    monkeypatch.setattr(owner, name, method)


@pytest.mark.parametrize(
    ("owner", "name", "turn"),
    [
        (Renderer, "urlset", 1),
        (Renderer, "urls", 1),
        (Renderer, "urls", 3),
        (Renderer, "index", 1),
        (Renderer, "robots", 1),
        (Part, "write", 4),
        (Part, "close", 2),
        (report, "render", 1),
        (Stage, "commit", 1),
    ],
)
def test_a_failure_in_the_middle_leaves_the_old_files(
    old: Path, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, turn: int
) -> None:
    before = tree(old)
    for error in (SitemapError("broken"), OSError("no space left on device"), KeyboardInterrupt()):
        with monkeypatch.context() as patch:
            fail_at(patch, owner, name, turn, error)  # type: ignore[arg-type] # KeyboardInterrupt is none of its kind
            with pytest.raises(type(error)):
                written(old, OTHERS, site(root=str(old)), report="report.json", **SPLIT)
        assert tree(old) == before


@pytest.mark.parametrize("turn", range(1, 6))
def test_a_failure_while_files_are_put_in_place_puts_the_old_ones_back(
    old: Path, monkeypatch: pytest.MonkeyPatch, turn: int
) -> None:
    before = tree(old)
    with monkeypatch.context() as patch:
        fail_at(patch, Path, "replace", turn, OSError("denied"))
        with pytest.raises(OSError, match="denied"):
            written(old, OTHERS, **SPLIT)
    assert tree(old) == before


def test_strict_writes_nothing(old: Path) -> None:
    before = tree(old)
    with pytest.raises(StrictError, match=r"^1 warning of the sitemap plugin") as error:
        written(old, [*OTHERS, page("a/", meta={"date": "1970-01-01"})], strict=True, report="report.json", **SPLIT)
    assert [problem.kind for problem in error.value.problems] == ["lastmod-invalid"]
    assert tree(old) == before


def test_strict_minds_no_information(tmp_path: Path) -> None:
    assert written(tmp_path, PAGES, site("https://example.org/docs/"), strict=True).listed == 3


def test_a_report_that_is_a_folder_leaves_the_old_files(old: Path) -> None:
    (old / "report").mkdir()
    before = tree(old)
    with pytest.raises((OSError, SitemapError)):
        written(old, OTHERS, site(root=str(old)), report="report", **SPLIT)
    assert tree(old) == before


# ---- what of an earlier build goes ----


def test_parts_of_a_larger_build_go_and_other_files_stay(old: Path) -> None:
    (old / "sitemap-9.xml").write_bytes(b"the owner's")
    (old / "sitemap-x.xml").write_bytes(b"the owner's")
    written(old, PAGES)
    assert set(tree(old)) == {"sitemap.xml", "sitemap.xml.gz", "robots.txt", "sitemap-9.xml", "sitemap-x.xml"}


def test_a_smaller_split_removes_the_last_parts(old: Path) -> None:
    written(old, PAGES, max_urls=2)
    assert {name for name in tree(old) if name.endswith(".xml")} == {"sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"}


def test_parts_that_no_index_names_are_not_ours(tmp_path: Path) -> None:
    (tmp_path / "sitemap-1.xml").write_bytes(b"the owner's")
    written(tmp_path, PAGES)
    assert tree(tmp_path)["sitemap-1.xml"] == b"the owner's"


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (
            b"<sitemapindex><sitemap><loc>https://e.org/x/sitemap-1.xml</loc></sitemap></sitemapindex>",
            ["sitemap-1.xml"],
        ),
        (b"<sitemapindex><loc>\n https://e.org/sitemap-12.xml \n</loc></sitemapindex>", ["sitemap-12.xml"]),
        (b"<sitemapindex><loc>https://e.org/sitemap-1.xml.gz</loc></sitemapindex>", []),
        (b"<sitemapindex><loc>https://e.org/sitemap-en.xml</loc><loc>https://e.org/a-1.xml</loc></sitemapindex>", []),
        (b"<sitemapindex><loc>https://e.org/..%2Fsitemap-1.xml</loc></sitemapindex>", []),
        (b"<urlset><url><loc>https://e.org/sitemap-1.xml</loc></url></urlset>", []),
        (b"<sitemapindex><loc>\xff</loc>", []),
        (b"", []),
        (None, []),
    ],
)
def test_parts_of_an_index(tmp_path: Path, content: bytes | None, parts: list[str]) -> None:
    if content is not None:
        (tmp_path / "sitemap.xml").write_bytes(content)
    assert parts_of(tmp_path / "sitemap.xml") == parts


@pytest.mark.parametrize("name", ["my map.xml", "karte-ä.xml", "a&b.xml", "a+(1).xml"])
def test_parts_are_known_again_whatever_their_name(tmp_path: Path, name: str) -> None:
    written(tmp_path, PAGES, filename=name, **SPLIT)
    written(tmp_path, PAGES, filename=name)
    assert set(tree(tmp_path)) == {name, f"{name}.gz", "robots.txt"}


def test_the_owners_sitemap_is_kept(tmp_path: Path) -> None:
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        (tmp_path / name).write_bytes(b"the owner's")
    outcome = written(tmp_path, PAGES, site(owned=frozenset({"sitemap.xml"})))
    assert tree(tmp_path)["sitemap.xml"] == tree(tmp_path)["sitemap.xml.gz"] == b"the owner's"
    assert [problem.kind for problem in outcome.problems] == ["owned-file"]
    assert outcome.listed == 0


def test_the_owners_part_is_kept_and_passed_over(tmp_path: Path) -> None:
    owned = frozenset({"sitemap-1.xml", "sitemap-3.xml.gz"})
    for name in owned:
        (tmp_path / name).write_bytes(b"the owner's")
    for _ in range(2):
        written(tmp_path, PAGES, site(owned=owned), **SPLIT)
        files = tree(tmp_path)
        assert {name for name in files if name.endswith(".xml")} == {
            "sitemap.xml",
            *(f"sitemap-{number}.xml" for number in (1, 2, 3, 4)),
        }
        assert files["sitemap-1.xml"] == files["sitemap-3.xml.gz"] == b"the owner's"
        assert b"sitemap-1.xml" not in files["sitemap.xml"]
        assert files["sitemap.xml"].count(b"<loc>") == 3
    written(tmp_path, PAGES, site(owned=owned))
    assert set(tree(tmp_path)) == {*owned, "sitemap.xml", "sitemap.xml.gz", "robots.txt"}


# ---- gzip ----


def test_gzip_holds_the_same_and_neither_time_nor_name(old: Path) -> None:
    files = tree(old)
    zipped = {name: content for name, content in files.items() if name.endswith(".gz")}
    assert len(zipped) == 4
    for name, content in zipped.items():
        assert gzip.decompress(content) == files[name.removesuffix(".gz")]
        # RFC 1952, 2.3: magic and method; no flags, so no name; MTIME 0
        assert content[:8] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00"


def test_without_gzip_there_is_none(tmp_path: Path) -> None:
    assert [file.path for file in written(tmp_path, PAGES, gzip=False).files] == ["sitemap.xml", "robots.txt"]
    assert set(tree(tmp_path)) == {"sitemap.xml", "robots.txt"}


def test_a_copy_of_ours_goes_when_gzip_is_turned_off(old: Path) -> None:
    written(old, OTHERS, gzip=False, **SPLIT)
    assert not [name for name in tree(old) if name.endswith(".gz")]


def test_another_gz_stays_when_gzip_is_off(tmp_path: Path) -> None:
    written(tmp_path, PAGES, gzip=False)
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(b"<urlset/>"))
    before = tree(tmp_path)["sitemap.xml.gz"]
    written(tmp_path, PAGES, gzip=False)
    assert tree(tmp_path)["sitemap.xml.gz"] == before


@pytest.mark.parametrize(
    ("zipped", "copy"),
    [
        (gzip.compress(b"abc"), True),
        (gzip.compress(b"ab") + gzip.compress(b"c"), True),
        (gzip.compress(b"ab"), False),
        (gzip.compress(b"abcd"), False),
        (gzip.compress(b"abc")[:-4], False),
        (b"abc", False),
        (b"", False),
        (None, False),
    ],
    ids=["same", "members", "shorter", "longer", "cut", "plain", "empty", "none"],
)
def test_is_copy(tmp_path: Path, zipped: bytes | None, *, copy: bool) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    if zipped is not None:
        (tmp_path / "a.gz").write_bytes(zipped)
    assert is_copy(tmp_path / "a.gz", tmp_path / "a") is copy
    assert not is_copy(tmp_path / "a.gz", tmp_path / "none")


@pytest.mark.parametrize("size", [1 << 20, (1 << 20) + 1, 3 << 20])
def test_is_copy_of_a_large_file(tmp_path: Path, size: int) -> None:
    (tmp_path / "a").write_bytes(b"x" * size)
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"x" * size, 1))
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"x" * (size - 1) + b"y", 1))
    assert is_copy(tmp_path / "a.gz", tmp_path / "a")
    assert not is_copy(tmp_path / "b.gz", tmp_path / "a")


# ---- the file system ----


@pytest.fixture
def umask() -> Iterator[int]:
    before = os.umask(0o027)
    yield 0o027
    os.umask(before)


@pytest.mark.skipif(os.name != "posix", reason="modes and links are those of POSIX")
def test_files_have_the_mode_that_the_umask_gives(tmp_path: Path, umask: int) -> None:
    written(tmp_path, PAGES, site(root=str(tmp_path)), report="report.json")
    modes = {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in tree(tmp_path)}
    assert modes == dict.fromkeys(modes, 0o666 & ~umask)
    assert len(modes) == 4


@pytest.mark.skipif(os.name != "posix", reason="modes and links are those of POSIX")
@pytest.mark.parametrize("name", ["robots.txt", "sitemap.xml", "sitemap.xml.gz"])
def test_a_link_is_replaced_and_never_written_through(tmp_path: Path, name: str) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"the owner's")
    out = tmp_path / "out"
    out.mkdir()
    (out / name).symlink_to(source)
    written(out, PAGES)
    assert source.read_bytes() == b"the owner's"
    assert not (out / name).is_symlink()


def test_the_folder_is_made(tmp_path: Path) -> None:
    written(tmp_path / "a" / "b", PAGES)
    assert (tmp_path / "a" / "b" / "sitemap.xml").is_file()


def test_nothing_else_in_the_folder_is_touched(tmp_path: Path) -> None:
    others = {"index.html": b"x", "a/sitemap.xml": b"y", "sitemap.xml.bak": b"z", "sitemap-plugins-x.tmp": b""}
    for name, content in others.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    written(tmp_path, PAGES, **SPLIT)
    written(tmp_path, list[Page]())
    files = tree(tmp_path)
    assert {name: files[name] for name in others} == others
