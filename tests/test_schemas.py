"""Our schemas, verdict by verdict, and beside the published ones where those are at hand."""

from __future__ import annotations

import os
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.schemas import FOLDER, errors, validate

PUBLISHED = os.environ.get("SITEMAP_XSD_DIR", "")

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
LOC = "<loc>https://docs.example.org/</loc>"
LINK = '<xhtml:link rel="alternate" hreflang="en" href="https://docs.example.org/en/"/>'
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"


def root(name: str, content: str, namespace: str = NAMESPACE) -> str:
    return f'<{name} xmlns="{namespace}" xmlns:xhtml="http://www.w3.org/1999/xhtml">{content}</{name}>'


def urlset(content: str) -> str:
    return root("urlset", content)


def index(content: str) -> str:
    return root("sitemapindex", content)


def url(content: str) -> str:
    return urlset(f"<url>{content}</url>")


def loc(value: str) -> str:
    return url(f"<loc>{value}</loc>")


def lastmod(value: str) -> str:
    return url(f"{LOC}<lastmod>{value}</lastmod>")


def changefreq(value: str) -> str:
    return url(f"{LOC}<changefreq>{value}</changefreq>")


def priority(value: str) -> str:
    return url(f"{LOC}<priority>{value}</priority>")


def link(hreflang: str = "en", href: str = "https://docs.example.org/en/", more: str = "", content: str = "") -> str:
    return url(
        f'{LOC}<xhtml:link rel="alternate" hreflang="{hreflang}" href="{href}"{more}>{content}</xhtml:link>',
    )


def of_length(length: int) -> str:
    return loc("https://docs.example.org/".ljust(length, "a"))


class Case(NamedTuple):
    name: str
    document: str | bytes
    ours: bool
    published: bool


def valid(name: str, document: str | bytes) -> Case:
    return Case(name, document, ours=True, published=True)


def invalid(name: str, document: str | bytes) -> Case:
    return Case(name, document, ours=False, published=False)


def stricter(name: str, document: str | bytes) -> Case:
    """A document that the published schemas let pass, although a rule in writing forbids it."""
    return Case(name, document, ours=False, published=True)


# https://www.sitemaps.org/protocol.html
STRUCTURE = [
    valid("loc alone", url(LOC)),
    valid(
        "everything in its order",
        url(f"{LOC}<lastmod>2026-11-30</lastmod><changefreq>daily</changefreq><priority>0.8</priority>{LINK}{LINK}"),
    ),
    valid("two urls", urlset(f"<url>{LOC}</url>\n<url>{LOC}</url>\n")),
    valid(
        "an index", index(f"<sitemap>{LOC}<lastmod>2026-11-30T12:00:00Z</lastmod></sitemap><sitemap>{LOC}</sitemap>")
    ),
    valid("comments and processing instructions", f"<?a b?><!-- c -->{urlset(f'<!-- c --><url><?a b?>{LOC}</url>')}"),
    valid("byte order mark", b"\xef\xbb\xbf" + url(LOC).encode()),
    valid("UTF-8 in a comment", f'<?xml version="1.0" encoding="UTF-8"?><!-- Grüße, 你好 -->{url(LOC)}'),
    valid(
        "schemaLocation on the root",
        f'<urlset xmlns="{NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{NAMESPACE} {NAMESPACE}/sitemap.xsd"><url>{LOC}</url></urlset>',
    ),
    valid("50,000 urls", urlset(f"<url>{LOC}</url>" * 50_000)),
    stricter("50,001 urls", urlset(f"<url>{LOC}</url>" * 50_001)),
    stricter("50,001 sitemaps", index(f"<sitemap>{LOC}</sitemap>" * 50_001)),
    invalid("not well-formed", url(LOC) + "&"),
    invalid("no document", b""),
    invalid("entity of its own", f'<!DOCTYPE urlset [<!ENTITY e "e">]>{loc("https://docs.example.org/&e;")}'),
    invalid("empty urlset", urlset("")),
    invalid("empty index", index("")),
    invalid("url without loc", url("<lastmod>2026-11-30</lastmod>")),
    invalid("url with two locs", url(LOC + LOC)),
    invalid("lastmod before loc", url(f"<lastmod>2026-11-30</lastmod>{LOC}")),
    invalid("priority before changefreq", url(f"{LOC}<priority>0.5</priority><changefreq>daily</changefreq>")),
    invalid("lastmod twice", url(f"{LOC}<lastmod>2026-11-30</lastmod><lastmod>2026-11-30</lastmod>")),
    invalid("unknown element", url(f"{LOC}<title>Home</title>")),
    invalid("text in url", url(f"{LOC}Home")),
    invalid("text in urlset", urlset(f"<url>{LOC}</url>Home")),
    invalid("attribute on urlset", urlset(f"<url>{LOC}</url>").replace("<urlset", '<urlset version="1"')),
    invalid("attribute on url", urlset(f'<url id="home">{LOC}</url>')),
    invalid("attribute on loc", url('<loc lang="en">https://docs.example.org/</loc>')),
    invalid("namespace with https", root("urlset", f"<url>{LOC}</url>", NAMESPACE.replace("http:", "https:"))),
    invalid("no namespace", f"<urlset><url>{LOC}</url></urlset>"),
    invalid("child in no namespace", url(LOC.replace("<loc>", '<loc xmlns="">'))),
    invalid("url as the root", root("url", LOC)),
    invalid("sitemap in urlset", urlset(f"<sitemap>{LOC}</sitemap>")),
    invalid("index in urlset", urlset(index(f"<sitemap>{LOC}</sitemap>"))),
    invalid("url in an index", index(f"<url>{LOC}</url>")),
    invalid("changefreq in an index", index(f"<sitemap>{LOC}<changefreq>daily</changefreq></sitemap>")),
]

# "less than 2,048 characters"; https://www.sitemaps.org/protocol.html#escaping and RFC 3986
LOCS = [
    valid("loc with port, query and fragment", loc("https://docs.example.org:8443/a/b.html?c=d&amp;e='f'#g")),
    valid("loc with escapes", loc("https://docs.example.org/%C3%A9/%7Btag%7D")),
    valid("loc with every other sign", loc("https://docs.example.org/-._~:/?#@!$&amp;'()*+,;=")),
    valid("loc with an upper-case scheme", loc("HTTPS://docs.example.org/")),
    valid("loc with an IPv6 host", loc("http://[2001:db8::1]/")),
    valid("loc between line ends", loc("\n  https://docs.example.org/\n  ")),
    valid("loc of 12 characters", loc("http://a.com")),
    valid("loc of 2,047 characters", of_length(2_047)),
    stricter("loc of 2,048 characters", of_length(2_048)),
    invalid("loc of 2,049 characters", of_length(2_049)),
    invalid("loc of 11 characters", loc("http://a.co")),
    invalid("empty loc", loc("")),
    stricter("relative loc", loc("/guide/install/")),
    stricter("loc without a scheme", loc("//docs.example.org/")),
    stricter("loc with another scheme", loc("ftp://docs.example.org/")),
    stricter("loc without a host", loc("https:///guide/")),
    stricter("loc beyond ASCII", loc("https://docs.example.org/é/")),
    stricter("loc with a host beyond ASCII", loc("https://dócs.example.org/")),
    stricter("loc with a space", loc("https://docs.example.org/a b/")),
    *(
        stricter(f"loc with {sign}", loc(f"https://docs.example.org/{sign}/"))
        for sign in ("&lt;", "&gt;", "&quot;", "{", "}", "|", "\\", "^", "`")
    ),
    invalid("loc with a bracket in the path", loc("https://docs.example.org/[a]/")),
    invalid("loc with a stray percent sign", loc("https://docs.example.org/100%/")),
    stricter("relative loc in an index", index("<sitemap><loc>/sitemap-1.xml</loc></sitemap>")),
]

# https://www.w3.org/TR/NOTE-datetime and XML Schema: what both admit
LASTMODS = [
    valid("lastmod of a day", lastmod("2026-11-30")),
    valid("lastmod on a leap day", lastmod("2024-02-29")),
    valid("lastmod with Z", lastmod("2026-11-30T12:00:00Z")),
    valid("lastmod with an offset", lastmod("2026-11-30T12:00:00-05:00")),
    valid("lastmod with the widest offset", lastmod("2026-11-30T12:00:00+14:00")),
    valid("lastmod with a fraction", lastmod("2026-11-30T12:00:00.123456+00:00")),
    invalid("lastmod of a year", lastmod("2026")),
    invalid("lastmod of a month", lastmod("2026-11")),
    invalid("lastmod without seconds", lastmod("2026-11-30T12:00Z")),
    invalid("lastmod with +0000", lastmod("2026-11-30T12:00:00+0000")),
    invalid("lastmod with a space", lastmod("2026-11-30 12:00:00Z")),
    invalid("lastmod without hyphens", lastmod("20261130")),
    invalid("lastmod with z", lastmod("2026-11-30T12:00:00z")),
    invalid("lastmod on no day", lastmod("2026-02-29")),
    invalid("lastmod in the year 0", lastmod("0000-01-01")),
    invalid("lastmod with too wide an offset", lastmod("2026-11-30T12:00:00+14:01")),
    invalid("lastmod in a leap second", lastmod("2016-12-31T23:59:60Z")),
    invalid("empty lastmod", lastmod("")),
    stricter("lastmod without a zone", lastmod("2026-11-30T12:00:00")),
    stricter("lastmod of a day with Z", lastmod("2026-11-30Z")),
    stricter("lastmod of a day with an offset", lastmod("2026-11-30+01:00")),
    stricter("lastmod at 24:00", lastmod("2026-11-30T24:00:00Z")),
    stricter("lastmod with a year of five digits", lastmod("12026-11-30")),
    stricter("lastmod with a year below 0", lastmod("-2026-11-30")),
    stricter(
        "lastmod without a zone in an index", index(f"<sitemap>{LOC}<lastmod>2026-11-30T12:00:00</lastmod></sitemap>")
    ),
]

# https://www.sitemaps.org/protocol.html#xmlTagDefinitions
HINTS = [
    *(
        valid(f"changefreq {value}", changefreq(value))
        for value in ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
    ),
    invalid("changefreq in upper case", changefreq("DAILY")),
    invalid("changefreq of another word", changefreq("sometimes")),
    *(valid(f"priority {value}", priority(value)) for value in ("0.0", "0.55", "1.0", "0", "1")),
    *(invalid(f"priority {value!r}", priority(value)) for value in ("-0.1", "1.1", "1e0", "0,5", "NaN", "")),
]

# https://developers.google.com/search/docs/specialty/international/localized-versions
EXTENSIONS = [
    *(
        valid(f"hreflang {value}", link(value))
        for value in ("en", "en-GB", "EN-us", "zh-Hant", "zh-Hans-CN", "x-default")
    ),
    *(
        invalid(f"hreflang {value!r}", link(value))
        for value in ("es-419", "zh_CN", "de-DE-1996", "fil", "en-", "en-GB-Latn", "x-custom", "")
    ),
    invalid("link without hreflang", url(LOC + LINK.replace('hreflang="en"', ""))),
    invalid("link without href", url(LOC + LINK.replace('href="https://docs.example.org/en/"', ""))),
    invalid("link without rel", url(LOC + LINK.replace('rel="alternate"', ""))),
    invalid("link with another rel", url(LOC + LINK.replace("alternate", "canonical"))),
    invalid("link with media", link(more=' media="print"')),
    invalid("text in link", link(content="English")),
    stricter("link with a relative href", link(href="/en/")),
    stricter("link with an href beyond ASCII", link(href="https://docs.example.org/é/")),
    invalid("extension before lastmod", url(f"{LOC}{LINK}<lastmod>2026-11-30</lastmod>")),
    invalid("extension before loc", url(LINK + LOC)),
    stricter("extension before the first url", urlset(f"{LINK}<url>{LOC}</url>")),
    invalid("extension after the last url", urlset(f"<url>{LOC}</url>{LINK}")),
    stricter("extension in an index", index(f"<sitemap>{LOC}{LINK}</sitemap>")),
    invalid("unknown namespace", url(f'{LOC}<a:b xmlns:a="https://example.org/ns"/>')),
    invalid("another element of XHTML", url(f"{LOC}<xhtml:p/>")),
    # The project has no schema for images yet; sitemaps.xsd says where it would be imported.
    stricter("image", url(f'{LOC}<i:image xmlns:i="{IMAGE}"><i:loc>https://docs.example.org/a.png</i:loc></i:image>')),
]

CASES = [pytest.param(case, id=case.name) for case in (*STRUCTURE, *LOCS, *LASTMODS, *HINTS, *EXTENSIONS)]


def octets(case: Case) -> bytes:
    return case.document if isinstance(case.document, bytes) else case.document.encode()


@pytest.mark.parametrize("case", CASES)
def test_verdict(case: Case) -> None:
    found = validate(octets(case))
    assert (not found) == case.ours, found


@pytest.mark.skipif(
    not PUBLISHED, reason="SITEMAP_XSD_DIR is not set: name the folder of the published schemas to compare verdicts"
)
@pytest.mark.parametrize("case", CASES)
def test_published_verdict(case: Case) -> None:
    found = errors(octets(case), Path(PUBLISHED) / "all.xsd")
    assert (not found) == case.published, found
    if not validate(octets(case)):
        assert not found, "ours is laxer than the published schemas"


@pytest.mark.parametrize("name", ["urlset", "sitemapindex"])
def test_each_schema_stands_alone(name: str) -> None:
    child = {"urlset": "url", "sitemapindex": "sitemap"}[name]
    document = root(name, f"<{child}>{LOC}</{child}>").encode()
    assert not errors(document, FOLDER / f"{name}.xsd")


# Written apart from the schema: the offsets of XML Schema end at 14:00.
_ADMITTED = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00)))?"
)


def admitted(value: str) -> bool:
    if not _ADMITTED.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


_OFFSETS = st.timedeltas(timedelta(hours=-16), timedelta(hours=16)) | st.integers(-16, 16).map(
    lambda h: timedelta(hours=h)
)
_LASTMOD_LIKE = st.one_of(
    st.dates().map(str),
    st.datetimes(timezones=st.none() | st.builds(timezone, _OFFSETS)).map(lambda moment: moment.isoformat()),
    st.text("0123456789-:TZtz+. ", max_size=30).map(str.strip),
    st.text("0123456789-:TZtz+.", max_size=12).map("2026-11-30".__add__),
    # From parts, each of which may be wrong.
    st.tuples(
        st.sampled_from(["2026", "2024", "0001", "0000", "9999", "10000", "-2026", "26", "٢٠٢٦"]),
        st.sampled_from(["-11", "-02", "-13", "-00", "-1", "11", ""]),
        st.sampled_from(["-30", "-29", "-31", "-00", "-1", "30", ""]),
        st.sampled_from(["T", "t", " ", ""]),
        st.sampled_from(["12:00:00", "23:59:59", "24:00:00", "23:59:60", "12:60:00", "12:00", "12", "120000", ""]),
        st.sampled_from(["", ".5", ".123456789", ".", ",5"]),
        st.sampled_from(["Z", "z", "", "+00:00", "-00:00", "+14:00", "-14:01", "+05:75", "+0000", "+00", "+00:00:30"]),
    ).map("".join),
)


@given(_LASTMOD_LIKE)
@example("2026-11-30")
@example("2026-11-30T12:00:00Z")
@example("2026-11-30T12:00:00")
@example("2026-11-30Z")
@example("2026-11-30T24:00:00Z")
def test_lastmod_is_what_w3c_xml_schema_and_python_all_read(value: str) -> None:
    assert (not validate(lastmod(value).encode())) == admitted(value)
