"""robots.txt: ours to the byte, the owner's kept byte for byte (P7)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.core.robots import with_sitemap
from tests.core.make import BASE, page, planned, site, tree, written

SITEMAP = BASE + "sitemap.xml"
LINE = f"Sitemap: {SITEMAP}".encode()


def test_ours(tmp_path: Path) -> None:
    written(tmp_path, [page()])
    assert tree(tmp_path)["robots.txt"] == (
        b"User-agent: *\nAllow: /\n\nSitemap: https://docs.example.org/sitemap.xml\n"
    )


def test_ours_without_a_sitemap(tmp_path: Path) -> None:
    written(tmp_path, [])
    assert tree(tmp_path) == {"robots.txt": b"User-agent: *\nAllow: /\n"}


def test_ours_names_the_sitemap_by_its_own_name(tmp_path: Path) -> None:
    written(tmp_path, [page()], site("https://example.org/docs/"), filename="my map&1.xml")
    assert tree(tmp_path)["robots.txt"].endswith(b"\nSitemap: https://example.org/docs/my%20map&1.xml\n")


def test_robots_false_writes_none(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"the owner's")
    written(tmp_path, [page()], site(robots=b"the owner's"), robots=False)
    assert tree(tmp_path)["robots.txt"] == b"the owner's"


@pytest.mark.parametrize(
    ("owner", "added"),
    [
        (b"User-agent: *\nDisallow:\n", LINE + b"\n"),
        (b"User-agent: *\nDisallow:", b"\n" + LINE + b"\n"),  # no final newline
        (b"User-agent: *\r\nDisallow:\r\n", LINE + b"\r\n"),  # CRLF
        (b"User-agent: *\r\nDisallow:", b"\r\n" + LINE + b"\r\n"),
        (b"User-agent: *\rDisallow:\r", LINE + b"\n"),
        (b"", LINE + b"\n"),
        (b"\n\n", LINE + b"\n"),
        (b"\xef\xbb\xbfUser-agent: *\nDisallow:\n", LINE + b"\n"),  # BOM
        (b"# only a comment", b"\n" + LINE + b"\n"),
        (b"# " + LINE + b"\n", LINE + b"\n"),
        (b"User-agent: * # " + LINE + b"\n", LINE + b"\n"),
        (b"Sitemap: https://docs.example.org/other.xml\n", LINE + b"\n"),
        (b"Sitemap: https://docs.example.org/sitemap.xml.gz\n", LINE + b"\n"),
        (b"Sitemap: http://docs.example.org/sitemap.xml\n", LINE + b"\n"),
        (b"Sitemap: /sitemap.xml\n", LINE + b"\n"),  # the protocol wants a complete URL
        (b"Sitemap: https://docs.example.org/Sitemap.xml\n", LINE + b"\n"),
        (b"Disallow: /caf\xe9/\n", LINE + b"\n"),  # not UTF-8
        (LINE + b"\n", b""),
        (LINE, b""),
        (b"\xef\xbb\xbf" + LINE + b"\r\n", b""),
        (b"SITEMAP : https://docs.example.org/sitemap.xml\n", b""),
        (b"  sitemap:https://docs.example.org/sitemap.xml  # ours\n", b""),
        (b"a: b\r" + LINE + b"\rc: d", b""),
        (b"User-agent: *\n" + LINE + b"\nDisallow: /x/\n", b""),
    ],
)
def test_the_owners_is_kept_byte_for_byte(tmp_path: Path, owner: bytes, added: bytes) -> None:
    assert with_sitemap(owner, SITEMAP) == owner + added
    assert with_sitemap(owner + added, SITEMAP) == owner + added
    written(tmp_path, [page()], site(robots=owner))
    assert tree(tmp_path)["robots.txt"] == owner + added


def test_the_owners_is_kept_where_there_is_no_sitemap(tmp_path: Path) -> None:
    written(tmp_path, [], site(robots=b"User-agent: *"))
    assert tree(tmp_path) == {"robots.txt": b"User-agent: *"}


def test_the_owners_sitemap_is_named_too(tmp_path: Path) -> None:
    written(tmp_path, [page()], site(owned=frozenset({"sitemap.xml"})))
    assert tree(tmp_path)["robots.txt"].endswith(b"\n" + LINE + b"\n")


@pytest.mark.parametrize(
    ("base", "kinds"),
    [(BASE, []), ("https://example.github.io/docs/", [("info", "robots-not-at-root")])],
)
def test_crawlers_read_it_only_at_the_hosts_root(base: str, kinds: list[tuple[str, str]]) -> None:
    outcome = planned([page()], site(base))
    assert outcome.kinds == kinds
    if kinds:
        assert "https://example.github.io/robots.txt" in outcome.messages
    assert planned([page()], site(base), robots=False).kinds == []
    assert planned([page()], site(base, serving=True)).kinds == []


@given(st.binary(max_size=80) | st.text("aS:# \r\nitemp", max_size=40).map(str.encode))
def test_whatever_the_owner_wrote_is_kept(owner: bytes) -> None:
    content = with_sitemap(owner, SITEMAP)
    assert content.startswith(owner)
    assert content.count(LINE) >= 1
    assert with_sitemap(content, SITEMAP) == content


@pytest.mark.parametrize("owner", ["User-agent: *\n".encode("utf-16"), "User-agent: *\n".encode("utf-16-le")])
def test_utf16_is_left_alone_and_said(tmp_path: Path, owner: bytes) -> None:
    # RFC 9309, 2.3: the file is UTF-8; an ASCII line at its end would belong to neither.
    outcome = written(tmp_path, [page()], site(robots=owner))
    assert (tmp_path / "robots.txt").read_bytes() == owner
    assert [(problem.level, problem.kind) for problem in outcome.problems] == [("warning", "robots-invalid")]
