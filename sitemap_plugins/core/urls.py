"""URL arithmetic: the site's base, percent-encoding, joining and comparing (RFC 3986)."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

import idna

# RFC 3986, 2.2 and 2.3: reserved and unreserved characters, and "%"; the brackets are for IP literals only.
_SAFE = "!$&'()*+,;=:@/?-._~%"
_SAFE_BYTES = (_SAFE + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789").encode()
_STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
_ESCAPE = re.compile("%[0-9A-Fa-f]{2}")
_INDEX = re.compile(r"(?<=/)index\.html?$", re.IGNORECASE)
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|(?:blob|data|file|javascript|mailto|tel):", re.IGNORECASE)
# Browsers read an encoded dot in a dot segment as a dot (https://url.spec.whatwg.org/#double-dot-path-segment).
_DOTS = re.compile(r"(?<=/)(?:\.|%2e){1,2}(?=/|$)", re.IGNORECASE)
# RFC 1123, 2.1; an underscore is no part of a host name, but some are in use.
_LABEL = re.compile("(?!-)[a-z0-9_-]{1,63}(?<!-)")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def parse_base(value: str) -> str:
    """Return the address of a site's output root in its normal form, ending in a slash.

    The host is in lower case and IDNA 2008 (RFC 5891), a default port is dropped, the path percent-encoded once.
    Raises ValueError, in plain words, for what cannot be the base of a site's URLs.
    """
    text = value.strip()
    if "://" not in text or not _ABSOLUTE.match(text):
        raise ValueError(
            f"expected an absolute address such as https://docs.example.org/, got {value!r}; "
            "write it with https:// in front"
        )
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"expected an address such as https://docs.example.org/, got {value!r} ({error})") from error
    if parts.scheme not in _DEFAULT_PORTS:
        raise ValueError(f"expected an address that starts with https:// or http://, got {value!r}")
    if not parts.hostname:
        raise ValueError(f"expected an address with a host, such as https://docs.example.org/, got {value!r}")
    if "@" in parts.netloc:
        raise ValueError(f"expected an address without a user name or password, got {value!r}; remove them")
    for sign, name in (("?", "query"), ("#", "fragment")):
        if sign in text:
            raise ValueError(f"expected an address without a {name}, got {value!r}; remove everything from {sign!r} on")
    path = encode(parts.path or "/")
    if not path.endswith("/"):
        path += "/"
    # Generators collapse empty segments in the pages' own links.
    path = re.sub("/{2,}", "/", path)
    return _without_dots(f"{parts.scheme}://{_authority(parts.hostname, parts.scheme, port)}{path}")


def _authority(host: str, scheme: str, port: int | None) -> str:
    if ":" in host:
        host = f"[{host}]"
    elif not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except idna.IDNAError as error:
            raise ValueError(f"expected a host name, got {host!r} ({error})") from error
    host = host.lower().removesuffix(".")
    if not host.startswith("[") and not all(_LABEL.fullmatch(label) for label in host.split(".")):
        raise ValueError(
            f"expected a host name, got {host!r}; only letters, digits and hyphens between dots are allowed"
        )
    return host if port is None or port == _DEFAULT_PORTS.get(scheme) else f"{host}:{port}"


def is_local(base: str) -> bool:
    """Tell whether a base address can only be reached from the machine itself (RFC 6761, 6.3; RFC 5735, 3)."""
    host = urlsplit(base).hostname or ""
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def encode(url: str) -> str:
    """Percent-encode what RFC 3986 does not allow in a URL, as UTF-8, leaving valid escapes alone.

    Idempotent: ``encode(encode(url)) == encode(url)``.
    """
    if url.isascii() and not url.encode().translate(None, _SAFE_BYTES):
        return _STRAY_PERCENT.sub("%25", url) if "%" in url else url
    return _STRAY_PERCENT.sub("%25", quote(url, safe=_SAFE, errors="surrogateescape"))


def encode_path(path: str) -> str:
    """Turn a file's path into a URL path: every character that could mean something else is percent-encoded."""
    return quote(path, safe="!$&'()*+,;=:@/-._~", errors="surrogateescape")


def resolve(base: str, url: str) -> str:
    """Return the absolute, percent-encoded form of ``url``, which may be relative to the site's base.

    A leading slash means the site's root, not the host's: generators write root-relative paths that way.
    Raises ValueError for a URL that cannot be read.
    """
    # A segment that only looks like a scheme is still a path here: "notes: today/" is no URL of its own.
    if url.startswith("//") or _ABSOLUTE.match(url):
        return absolute(base, url)
    return _without_dots(base + encode(url.lstrip("/")))


def absolute(page: str, href: str) -> str:
    """Return the absolute form of a link found in a page, percent-encoded, its host in normal form.

    Raises ValueError for a link that cannot be read, or that is not http or https.
    """
    try:
        parts = urlsplit(urljoin(page, href.strip()))
        port = parts.port
    except ValueError as error:
        raise ValueError(f"expected an http or https URL, got {href!r} ({error})") from error
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise ValueError(f"expected an http or https URL, got {href!r}")
    authority = _authority(parts.hostname, parts.scheme, port)
    query = f"?{encode(parts.query)}" if parts.query else ""
    return _without_dots(f"{parts.scheme}://{authority}{encode(parts.path or '/')}{query}")


def _without_dots(url: str) -> str:
    """Remove the dot segments from the path of an absolute URL (RFC 3986, 5.2.4)."""
    place, mark, query = url.partition("?")
    if "/." not in place and "/%2" not in place:
        return url
    parts = urlsplit(_DOTS.sub(lambda match: match[0].lower().replace("%2e", "."), place))
    return urlunsplit(parts._replace(path=urljoin("/", parts.path))) + mark + query


def path_below(base: str, url: str) -> str:
    """Return what a pattern is matched against: the readable path of ``url`` below the site's base.

    The home page counts as ``index.html``, since an empty path matches nothing.
    """
    path = unquote(url.removeprefix(base).partition("?")[0])
    return path or "index.html"


def in_other_form(canonical: str, own: str) -> bool:
    """Tell whether a canonical URL is that of the page ``own``, whose file a server gives for both of them.

    They may differ in ``index.html``, in the trailing slash of a folder, and in percent-encoding of characters that
    need none (RFC 3986, 6.2.2). Both are absolute with their hosts in normal form.
    """
    folder = own.removesuffix("index.html") if own.endswith("/index.html") else own
    forms = {folder, f"{folder}index.html", folder.removesuffix("/")} if folder.endswith("/") else {own}
    if not folder.endswith("/") and "." not in folder.rpartition("/")[2]:
        forms.add(f"{folder}/")
    return _plain(canonical) in map(_plain, forms)


def form_key(url: str) -> str:
    """Return a key that is equal for absolute URLs, their hosts in normal form, which differ in form only.

    Form is ``index.html``, the trailing slash, and percent-encoding of characters that need none or in lower case
    (RFC 3986, 6.2.2 and 6.2.3).
    """
    url = _plain(url)
    if url.endswith("/") and "?" not in url:
        return url.rstrip("/")
    path, mark, query = url.partition("?")
    if path.endswith((".html", ".htm", ".HTML", ".HTM")):
        path = _INDEX.sub("", path)
    return path.rstrip("/") + mark + query


def _plain(url: str) -> str:
    return _ESCAPE.sub(_normal_escape, url) if "%" in url else url


def _normal_escape(match: re.Match[str]) -> str:
    character = chr(int(match[0][1:], 16))
    return character if character in _UNRESERVED else match[0].upper()
