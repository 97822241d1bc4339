"""URLs as RFC 3986 (https://www.rfc-editor.org/rfc/rfc3986) has them, hosts as RFC 5890 and RFC 5891."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sitemap_plugins.core import urls

# RFC 3986, appendix A: unreserved, reserved without the brackets of IP literals, and escapes.
CHARACTERS = re.compile(r"(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*")
BASE = "https://docs.example.org/docs/"


@pytest.mark.parametrize(
    ("written", "encoded"),
    [
        ("", ""),
        ("a/b-c._~", "a/b-c._~"),  # 2.3 unreserved
        ("a b", "a%20b"),
        ("naïve/", "na%C3%AFve/"),  # 2.5: UTF-8, then percent-encoded
        ("日本語", "%E6%97%A5%E6%9C%AC%E8%AA%9E"),
        ("\U0001f600", "%F0%9F%98%80"),
        ("%7Euser", "%7Euser"),  # 2.4: not encoded again
        ("caf%c3%a9", "caf%c3%a9"),
        ("a%2Fb", "a%2Fb"),
        ("100%", "100%25"),  # 2.4: a percent sign that opens no escape
        ("100%zz", "100%25zz"),
        ("%", "%25"),
        ("%%41", "%25%41"),
        ("50%é", "50%25%C3%A9"),
        ("%4é", "%254%C3%A9"),
        ("!$&'()*+,;=:@/?", "!$&'()*+,;=:@/?"),  # 2.2 reserved
        ("[a]", "%5Ba%5D"),  # 3.2.2: brackets stand for IP literals only
        ('"<>\\^`{|}', "%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("a\tb\nc", "a%09b%0Ac"),
        ("\x7f\x00", "%7F%00"),
        ("caf\udce9", "caf%E9"),  # a file name that is not UTF-8, as os.fsdecode gives it
    ],
)
def test_encode(written: str, encoded: str) -> None:
    assert urls.encode(written) == encoded
    assert urls.encode(encoded) == encoded


@pytest.mark.parametrize(
    ("path", "encoded"),
    [
        ("a/b.html", "a/b.html"),
        ("what?.html", "what%3F.html"),
        ("c#.html", "c%23.html"),
        ("100%41.html", "100%2541.html"),
        ("a b/ü.html", "a%20b/%C3%BC.html"),
        ("[1].html", "%5B1%5D.html"),
        ("caf\udce9.html", "caf%E9.html"),
        ("it's (a) b+c,d;e=f@g:h!$&*~", "it's (a) b+c,d;e=f@g:h!$&*~".replace(" ", "%20")),
    ],
)
def test_encode_path_reads_back_as_the_same_file(path: str, encoded: str) -> None:
    assert urls.encode_path(path) == encoded
    assert unquote(encoded, errors="surrogateescape") == path


@pytest.mark.parametrize(
    ("written", "base"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org/", "https://example.org/"),
        ("  https://example.org/\n", "https://example.org/"),
        ("https://example.org/docs", "https://example.org/docs/"),
        ("HTTPS://Docs.Example.ORG/Docs/", "https://docs.example.org/Docs/"),  # 6.2.2.1 case
        ("https://example.org:443/", "https://example.org/"),  # 6.2.3 default port
        ("http://example.org:80", "http://example.org/"),
        ("https://example.org:/", "https://example.org/"),  # 3.2.3 empty port
        ("http://example.org:443/", "http://example.org:443/"),
        ("https://example.org:8443/x", "https://example.org:8443/x/"),
        ("https://example.org/a b/ü", "https://example.org/a%20b/%C3%BC/"),
        ("https://example.org/%7Ealice/", "https://example.org/%7Ealice/"),
        ("https://example.org/100%/", "https://example.org/100%25/"),
        ("https://example.org/a/./b/../c", "https://example.org/a/c/"),  # 5.2.4 dot segments
        ("https://example.org/docs/..", "https://example.org/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),  # RFC 5891, 4.4
        ("https://BÜCHER.example/", "https://xn--bcher-kva.example/"),
        ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
        ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/"),  # 3.2.2 IP literals
        ("http://192.0.2.7", "http://192.0.2.7/"),
        ("http://localhost:8000/", "http://localhost:8000/"),
    ],
)
def test_parse_base(written: str, base: str) -> None:
    assert urls.parse_base(written) == base
    assert urls.parse_base(base) == base


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("", "https://"),
        ("docs.example.org", "https:// in front"),
        ("docs.example.org:8000/", "https:// in front"),
        ("//docs.example.org/", "https:// in front"),
        ("/docs/", "https:// in front"),
        ("mailto:a@example.org", "https:// in front"),
        ("ftp://example.org/", "starts with https:// or http://"),
        ("file:///srv/site/", "starts with https:// or http://"),
        ("https://", "with a host"),
        ("https:///docs/", "with a host"),
        ("https://:8000/", "with a host"),
        ("https://user@example.org/", "without a user name"),
        ("https://user:word@example.org/", "without a user name"),
        ("https://example.org/?v=1", "without a query"),
        ("https://example.org/?", "without a query"),
        ("https://example.org/#top", "without a fragment"),
        ("https://example.org/#", "without a fragment"),
        ("https://example.org:port/", "port"),
        ("https://example.org:99999/", "ort"),
        ("https://exa mple.org/", "host name"),
        ("https://example.org\\docs", "host name"),
        ("https://exa*mple.org/", "host name"),
        ("https://bü cher.example/", "host name"),
        ("https://[::1/", "such as https://"),
    ],
)
def test_parse_base_says_what_is_wrong(written: str, fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)) as error:
        urls.parse_base(written)
    assert repr(written) in str(error.value) or "host name" in str(error.value)


@pytest.mark.parametrize(
    ("url", "resolved"),
    [
        ("", BASE),
        ("a/", BASE + "a/"),
        ("/a/", BASE + "a/"),  # root-relative is from the site's root
        ("./a", BASE + "a"),  # 5.2.4
        ("a/../b", BASE + "b"),
        ("a/./b/", BASE + "a/b/"),
        ("a/.hidden/b", BASE + "a/.hidden/b"),
        ("é/", BASE + "%C3%A9/"),
        ("search?q=a b", BASE + "search?q=a%20b"),
        (".well-known/x?q=1", BASE + ".well-known/x?q=1"),  # a dot segment is "." or "..", no other name
        ("a/../b?q=1", BASE + "b?q=1"),  # 5.2.4 is about the path: the query stays
        ("search?next=/../x", BASE + "search?next=/../x"),
        ("https://docs.example.org/docs/a", BASE + "a"),
        ("HTTPS://DOCS.example.org:443/docs/é", BASE + "%C3%A9"),
        ("https://other.example/", "https://other.example/"),
    ],
)
def test_resolve(url: str, resolved: str) -> None:
    assert urls.resolve(BASE, url) == resolved


def test_a_relative_path_may_look_like_a_scheme() -> None:
    # As the comment in resolve says; MkDocs and Sphinx make such a path from "notes: today.md".
    assert urls.resolve("https://example.org/", "notes: today/") == "https://example.org/notes:%20today/"


@pytest.mark.parametrize("url", ["../x", "../../x", "a/../../x", "./../x", "/../x", "%2e%2e/x", "../..//x", ".."])
def test_dot_segments_never_leave_the_host(url: str) -> None:
    for base in ("https://example.org/", "https://example.org/docs/"):
        parts = urlsplit(urls.resolve(base, url))
        assert (parts.scheme, parts.netloc) == ("https", "example.org")
        assert ".." not in parts.path.split("/")


@pytest.mark.parametrize("url", ["http://[::1", "http://", "https://exa mple.org/"])
def test_resolve_refuses_what_is_no_url(url: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        urls.resolve(BASE, url)


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("../c/", "https://example.org/a/c/"),  # 5.4.1
        ("/c", "https://example.org/c"),
        ("c?x=1", "https://example.org/a/b/c?x=1"),
        ("?x=1", "https://example.org/a/b/?x=1"),
        ("#top", "https://example.org/a/b/"),
        ("", "https://example.org/a/b/"),
        ("../../../../c", "https://example.org/c"),  # 5.4.2
        ("//cdn.example.org/x", "https://cdn.example.org/x"),
        (" https://example.org/x#y ", "https://example.org/x"),
        ("HTTPS://EXAMPLE.ORG:443/Ä", "https://example.org/%C3%84"),
        ("https://example.org", "https://example.org/"),
        ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://example.org/a/../c", "https://example.org/c"),  # 5.2.2: also with an authority
    ],
)
def test_absolute(href: str, url: str) -> None:
    assert urls.absolute("https://example.org/a/b/", href) == url


@pytest.mark.parametrize("href", ["javascript:void(0)", "mailto:a@example.org", "http://[::1", "https://a:b/"])
def test_absolute_refuses(href: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        urls.absolute("https://example.org/", href)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://e.org/", "https://e.org"),
        ("https://e.org/", "https://e.org/index.html"),
        ("https://e.org/a/", "https://e.org/a"),
        ("https://e.org/a/", "https://e.org/a/index.html"),
        ("https://e.org/a/", "https://e.org/a/index.htm"),
        ("https://e.org/a/", "https://e.org/a/INDEX.HTML"),
        ("https://e.org/a/?q", "https://e.org/a/index.html?q"),
        ("https://e.org/%c3%a9", "https://e.org/%C3%A9"),  # 6.2.2.1
        ("https://e.org/%7ea", "https://e.org/~a"),  # 6.2.2.2
        ("https://e.org/%61", "https://e.org/a"),
    ],
)
def test_form_key_joins(one: str, other: str) -> None:
    assert urls.form_key(one) == urls.form_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://e.org/a", "https://e.org/A"),
        ("https://e.org/a", "http://e.org/a"),
        ("https://e.org/a", "https://f.org/a"),
        ("https://e.org/a", "https://e.org/a.html"),
        ("https://e.org/a", "https://e.org/a?q"),
        ("https://e.org/a?q", "https://e.org/a?q/"),
        ("https://e.org/a/b", "https://e.org/a%2Fb"),
        ("https://e.org/reindex.html", "https://e.org/re"),
        ("https://e.org/index.html/x", "https://e.org/x"),
        ("https://e.org/%C3%A9", "https://e.org/e"),
    ],
)
def test_form_key_tells_apart(one: str, other: str) -> None:
    assert urls.form_key(one) != urls.form_key(other)


@pytest.mark.parametrize(
    ("base", "local"),
    [
        ("http://localhost/", True),
        ("http://localhost:8000/docs/", True),
        ("http://app.localhost/", True),  # RFC 6761, 6.3
        ("http://127.0.0.1:8000/", True),
        ("http://127.8.9.1/", True),  # RFC 5735, 3: the whole block
        ("http://[::1]:8000/", True),
        ("http://0.0.0.0:8000/", True),
        ("https://localhost.example.org/", False),
        ("https://mylocalhost/", False),
        ("https://127.example.org/", False),
        ("http://10.0.0.1/", False),
        ("https://docs.example.org/", False),
    ],
)
def test_is_local(base: str, *, local: bool) -> None:
    assert urls.is_local(base) is local


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (BASE, "index.html"),
        (BASE + "a/b/", "a/b/"),
        (BASE + "caf%C3%A9/", "café/"),
        (BASE + "a?q=1", "a"),
        (BASE + "?q=1", "index.html"),
    ],
)
def test_path_below(url: str, path: str) -> None:
    assert urls.path_below(BASE, url) == path


ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
URLISH = st.lists(
    st.sampled_from(["a", "Z", "é", "日", "%", "%41", "%zz", "/", "..", ".", "?", "#", "[", " ", ":", "//", "\\", "@"])
).map("".join)


@given(ANY | URLISH)
def test_encode_is_idempotent_ascii_and_made_of_the_rfc_characters(text: str) -> None:
    encoded = urls.encode(text)
    assert urls.encode(encoded) == encoded
    assert CHARACTERS.fullmatch(encoded)


@given(ANY | URLISH)
def test_encode_path_loses_nothing(text: str) -> None:
    assert unquote(urls.encode_path(text)) == text
    assert CHARACTERS.fullmatch(urls.encode_path(text))


@given(ANY | URLISH)
@example("a\ud800")
def test_whatever_is_resolved_is_a_url_or_refused(text: str) -> None:
    try:
        url = urls.resolve(BASE, text)
    except ValueError:
        return
    assert CHARACTERS.fullmatch(re.sub(r"^(https?://)\[[0-9a-f:.]+\]", r"\1host", url))
    assert urlsplit(url).scheme in {"http", "https"}
    assert urls.form_key(urls.form_key(url)) == urls.form_key(url)


@given(ANY | URLISH)
@example("https://e.org//../")
@example("https://e.org/\ud800")
def test_whatever_is_a_base_is_kept_or_refused(text: str) -> None:
    for written in (text, f"https://e.org/{text}", f"https://{text}/"):
        try:
            base = urls.parse_base(written)
        except ValueError:
            continue
        assert urls.parse_base(base) == base
        assert base.endswith("/")


@given(st.lists(st.text("abZ09.-_~é%41 ", min_size=1, max_size=6), max_size=4))
def test_form_key_knows_no_form(segments: list[str]) -> None:
    url = urls.encode("https://e.org/" + "/".join(segments)).rstrip("/")
    assume("index.htm" not in unquote(url).lower())
    key = urls.form_key(url)
    assert urls.form_key(url + "/") == key
    assert urls.form_key(url + "/index.html") == key
    assert urls.form_key(re.sub("%..", lambda match: match[0].lower(), url)) == key
    assert urls.form_key(re.sub("%..", lambda match: match[0].upper(), url)) == key
    assert urls.form_key(re.sub("[ab]", lambda match: f"%{ord(match[0]):02x}", url.partition("e.org")[2])) == (
        urls.form_key(url.partition("e.org")[2])
    )


@pytest.mark.parametrize(
    ("own", "canonical", "same"),
    [
        ("https://e.org/b/", "https://e.org/b/", True),
        ("https://e.org/b/", "https://e.org/b", True),
        ("https://e.org/b/", "https://e.org/b/index.html", True),
        ("https://e.org/b/index.html", "https://e.org/b/", True),
        ("https://e.org/b/index.html", "https://e.org/b", True),
        ("https://e.org/%7Eb/", "https://e.org/~b/", True),
        ("https://e.org/%c3%bc/", "https://e.org/%C3%BC/", True),
        ("https://e.org/b", "https://e.org/b/", True),
        # No file of the build is served under these.
        ("https://e.org/b/", "https://e.org/b/index.htm", False),
        ("https://e.org/b.html", "https://e.org/b.html/", False),
        ("https://e.org/b/", "https://e.org/b//", False),
        ("https://e.org/b.html", "https://e.org/b", False),
        ("https://e.org/b/", "https://e.org/B/", False),
        ("https://e.org/b/", "https://e.org/b/?x", False),
    ],
)
def test_other_forms_of_a_page(own: str, canonical: str, *, same: bool) -> None:
    assert urls.in_other_form(canonical, own) is same


@pytest.mark.parametrize("host", ["ex..com", "-bad.com", "bad-.com", "x" * 64 + ".com", ".com"])
def test_parse_base_refuses_hosts_that_cannot_be(host: str) -> None:
    # RFC 1123, 2.1, and RFC 1035, 2.3.4
    with pytest.raises(ValueError, match="host"):
        urls.parse_base(f"https://{host}/")


def test_parse_base_collapses_empty_segments() -> None:
    assert urls.parse_base("https://example.org//docs///v1//") == "https://example.org/docs/v1/"
