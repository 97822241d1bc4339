"""Links put into the head of a page: where they come, and that every other byte stays."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.core import head, html
from sitemap_plugins.core.model import Alternate, HeadEdit

EN = Alternate("en", "https://docs.example.org/en/a/")
FR = Alternate("fr", "https://docs.example.org/fr/a/?x=1&y='2'")
BLOCK = (
    b'<link rel="alternate" hreflang="en" href="https://docs.example.org/en/a/"/>\n'
    b'<link rel="alternate" hreflang="fr" href="https://docs.example.org/fr/a/?x=1&amp;y=&#x27;2&#x27;"/>\n'
)
FEED = b'<link rel="alternate" type="application/rss+xml" href="/feed.xml">'


def edit(page: bytes, *links: Alternate, canonical: str = "") -> bytes | None:
    return head.edit(page, HeadEdit(output="", source="", alternates=links, canonical=canonical))


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (b"<html><head><title>A</title></head><body>", b"<html><head><title>A</title>#</head><body>"),
        (b"<title>A</title>\r\n</HEAD>\r\n<body>", b"<title>A</title>\r\n#</HEAD>\r\n<body>"),
        # Where the tags are left out, the body begins with what belongs into no head.
        (b"<!doctype html><title>A</title><p>text", b"<!doctype html><title>A</title>#<p>text"),
        (b"<!doctype html><title>A</title>text", b"<!doctype html><title>A</title>#text"),
        (b"<title>A</title><body class=x>", b"<title>A</title>#<body class=x>"),
        (b"<title>A</title>", b"<title>A</title>#"),
        # What only looks like the end.
        (b"<script>'</head>'</script></head>", b"<script>'</head>'</script>#</head>"),
        (b"<!-- </head> --><style>/* <body> */</style></head>", b"<!-- </head> --><style>/* <body> */</style>#</head>"),
        (b"<title>The <p> and </head> tags</title></head>", b"<title>The <p> and </head> tags</title>#</head>"),
        (b"<template><p></template></head>", b"<template><p></template>#</head>"),
        (b"<noscript><img src=x></noscript></head>", b"<noscript><img src=x></noscript>#</head>"),
        # Those that contradict go; the new ones come where the first of them was.
        (
            b"<head>\n  <link rel=alternate hreflang=de href=/de/>\n  <link rel=x>\n</head>",
            b"<head>\n  #  <link rel=x>\n</head>",
        ),
        (
            b"<link hreflang=de rel=alternate href=/><meta name=a><LINK REL='Alternate' HREFLANG='fr' HREF='/'></head>",
            b"#<meta name=a></head>",
        ),
        # A feed, and other links with a hreflang, are something else.
        (b"<head>" + FEED + b"</head>", b"<head>" + FEED + b"#</head>"),
        (
            b"<link rel=author hreflang=de href=/><link rel=canonical hreflang=en href=/a/></head>",
            b"<link rel=author hreflang=de href=/><link rel=canonical hreflang=en href=/a/>#</head>",
        ),
        (
            b"<!-- <link rel=alternate hreflang=de href=/> --></head>",
            b"<!-- <link rel=alternate hreflang=de href=/> -->#</head>",
        ),
        # In the body it means nothing, and may be text about it.
        (
            b"</head><body><link rel=alternate hreflang=de href=/>",
            b"#</head><body><link rel=alternate hreflang=de href=/>",
        ),
        # Bytes that are no UTF-8 stay what they are.
        (b"<title>\xe4\xff\x00</title></head>\xfe", b"<title>\xe4\xff\x00</title>#</head>\xfe"),
        (b"\xef\xbb\xbf<title>A</title></head>", b"\xef\xbb\xbf<title>A</title>#</head>"),
    ],
)  # fmt: skip
def test_edit(page: bytes, expected: bytes) -> None:
    assert edit(page, EN, FR) == expected.replace(b"#", BLOCK)


def test_taking_our_links_out_again_gives_the_page_as_it_was() -> None:
    page = b"<head>\n  <title>A</title>\n  </head><body>"
    changed = edit(page, EN, FR)
    assert changed is not None
    assert edit(changed, EN, FR) == changed
    assert edit(changed) == page


@pytest.mark.parametrize(
    "page",
    [
        b"<head><script>",  # all that follows is script
        b"<title>never closed </head><body>",
        "<html><head><title>A</title></head></html>".encode("utf-16"),
    ],
)
def test_a_page_that_a_browser_would_not_read_as_meant_is_left_alone(page: bytes) -> None:
    assert edit(page, EN) is None


def test_canonical() -> None:
    page = b"<head><link rel=canonical href=/fr/a/><title>A</title></head>"
    expected = b'<head><link rel="canonical" href="https://docs.example.org/en/a/"/>\n<title>A</title></head>'
    assert edit(page, canonical="https://docs.example.org/en/a/") == expected


def test_a_file_is_replaced_with_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"<head></head>")
    path.chmod(0o640)
    assert head.write(HeadEdit(output=str(path), source="a.md", alternates=(EN,)))
    assert path.read_bytes() == b"<head>" + BLOCK.partition(b"\n")[0] + b"\n</head>"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.html"]


PIECES = st.sampled_from(
    [b"<head>", b"</head>", b"<title>", b"</title>", b"<script>", b"</script>", b"<!--", b"-->", b"<body>", b"<p>",
     b"x", b" ", b"\n", b"<link rel=alternate hreflang=de href=/>", FEED, b"<noscript>", b"</noscript>", b"<template>",
     b"</template>", b"<meta name=robots content=noindex>", b"<base href=/x/>", b"<link rel=canonical href=/a/>", b"<",
     b"<svg>", b"</svg>", b"<style>", b"</style>", b"&lt;", b"\xff", b'"', b"'"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map(b"".join), st.sampled_from([(), (EN,), (EN, FR)]))
@example(b"<svg><title><link rel=alternate hreflang=de href=/></title></svg>", (EN,))
def test_whatever_the_page_it_says_what_is_wanted_or_stays(page: bytes, links: tuple[Alternate, ...]) -> None:
    changed = edit(page, *links)
    if changed is not None:
        before, after = html.inspect(page), html.inspect(changed)
        assert after.alternates == links
        assert (after.noindex, after.canonical, after.refresh, after.base) == (
            before.noindex,
            before.canonical,
            before.refresh,
            before.base,
        )
