"""HTTP headers with the alternates of documents that have no head to put them into, such as PDFs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

from sitemap_plugins.core.model import Url

# What each server reads; nginx reads none by itself, so it is to be included in its configuration.
FILES: Mapping[str, str] = MappingProxyType(
    {"netlify": "_headers", "apache": ".htaccess", "nginx": "hreflang-headers.conf"}
)
_HTML = frozenset({"", ".htm", ".html", ".xhtml", ".shtml", ".php"})
_BEGIN, _END = b"# sitemap-plugins: alternates\n", b"# sitemap-plugins: end of alternates\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document and its Link header: the path as a URL has it, the same decoded, and the header's value.

    (https://developers.google.com/search/docs/specialty/international/localized-versions#http)
    """

    path: str
    name: str
    link: str


def documents(urls: Iterable[Url]) -> Iterator[Document]:
    """Yield the listed documents that are not HTML and have translations."""
    for url in urls:
        path = urlsplit(url.loc).path
        if url.alternates and posixpath.splitext(path)[1].lower() not in _HTML:
            links = (f'<{href}>; rel="alternate"; hreflang="{tag}"' for tag, href in url.alternates)
            yield Document(path=path, name=unquote(path), link=", ".join(links))


def with_block(content: bytes, block: bytes) -> bytes:
    """Return the content of a file with our block, in the place of an earlier one or at the end; without if empty."""
    before, begin, rest = content.partition(_BEGIN)
    after = rest.partition(_END)[2] if begin else b""
    if not block:
        return before + after
    if before and not before.endswith(b"\n"):
        before += b"\n"
    return before + _BEGIN + block + _END + after
