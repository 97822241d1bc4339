"""robots.txt read back by protego, as RFC 9309 (https://www.rfc-editor.org/rfc/rfc9309) has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from protego import Protego

from sitemap_plugins.core.robots import barrier
from tests.core.make import BASE, page, site, tree, written


def read_back(folder: Path) -> Protego:
    return Protego.parse(tree(folder)["robots.txt"].decode("utf-8-sig"))


def test_ours_allows_everything_and_names_the_sitemap(tmp_path: Path) -> None:
    written(tmp_path, [page("a/")])
    rules = read_back(tmp_path)
    assert list(rules.sitemaps) == [BASE + "sitemap.xml"]
    for agent in ("*", "Googlebot", "anything"):
        assert rules.can_fetch(BASE + "a/", agent)


@pytest.mark.parametrize(
    "owner",
    [
        b"User-agent: *\nDisallow: /private/\n",
        b"User-agent: *\r\nDisallow: /private/",
        b"\xef\xbb\xbfUser-agent: *\nDisallow: /private/\n# end",
        b"Sitemap: https://docs.example.org/other.xml\nUser-agent: *\nDisallow: /private/",
    ],
)
def test_the_line_we_add_is_read_and_changes_no_rule(tmp_path: Path, owner: bytes) -> None:
    written(tmp_path, [page("a/")], site(robots=owner))
    rules = read_back(tmp_path)
    assert list(rules.sitemaps)[-1] == BASE + "sitemap.xml"
    assert not rules.can_fetch(BASE + "private/x", "*")
    assert rules.can_fetch(BASE + "a/", "*")


@pytest.mark.parametrize(
    ("owner", "allowed", "barred"),
    [
        # 2.2.2: the longest match counts, and Allow on a tie
        (b"User-agent: *\nDisallow: /a/\nAllow: /a/b/\n", ["a/b/", "c/"], ["a/", "a/c/"]),
        (b"User-agent: *\nDisallow: /a/\nAllow: /a/\n", ["a/"], []),
        # 2.2.3: special characters
        (b"User-agent: *\nDisallow: /*.pdf$\n", ["a.pdf?x", "a/"], ["a.pdf", "x/a.pdf"]),
        # 2.2.1: groups of one token are one group
        (b"User-agent: *\nDisallow: /a/\n\nUser-agent: *\nDisallow: /b/\n", ["c/"], ["a/", "b/"]),
        (b"USER-AGENT: *\nDISALLOW: /a/ # so\n", ["b/"], ["a/"]),
        # 2.2.2: octets beyond ASCII are compared percent-encoded
        ("User-agent: *\nDisallow: /café/\n".encode(), ["cafe/"], ["caf%C3%A9/x"]),
        (b"User-agent: *\nDisallow: /caf%C3%A9/\n", ["cafe/"], ["caf%C3%A9/"]),
        (b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /a/\r\n", ["b/"], ["a/"]),
        (b"User-agent: *\nDisallow: /\n", [], ["", "a/"]),
        # an empty rule bars nothing, and a group of another crawler is not for all
        (b"User-agent: *\nDisallow:\n", ["a/"], []),
        (b"User-agent: GPTBot\nDisallow: /\n", ["a/"], []),
        (b"User-agent: *\nAllow: /\n", ["a/"], []),
        (b"Disallow: /a/\n", ["a/"], []),  # a rule without a group
    ],
)
def test_what_the_owner_bars(owner: bytes, allowed: list[str], barred: list[str]) -> None:
    test = barrier(owner, BASE)
    assert [url for url in allowed if test is not None and not test(BASE + url)] == []
    assert [url for url in barred if test is None or test(BASE + url)] == []


@pytest.mark.parametrize(
    ("owner", "base"),
    [
        (None, BASE),
        (b"", BASE),
        (b"User-agent: *\nDisallow: /\n", "https://example.org/docs/"),  # 2.3: only at the root of the host
    ],
)
def test_nothing_is_barred(owner: bytes | None, base: str) -> None:
    assert barrier(owner, base) is None


@pytest.mark.parametrize("owner", [b"\xff\xfe\x00disallow", b"disallow" * 1_000, b"User-agent\nDisallow\n:::\n"])
def test_broken_files_crash_nothing(owner: bytes) -> None:
    test = barrier(owner, BASE)
    assert test is None or test(BASE + "a/")
