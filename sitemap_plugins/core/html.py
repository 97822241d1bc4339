"""What a rendered page says of itself: its ``<head>``, read with selectolax."""

from __future__ import annotations

import re
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemap_plugins.core.model import Alternate, Head

_END = re.compile(rb"</head|<body", re.IGNORECASE)
_SENTINEL = b"</head><body><i id=sitemap-plugins-end></i>"
_CHUNK = 32_768
# No more than may matter; what each holds is looked at below.
_TOLD = (
    "meta[name*=robots i], meta[name*=googlebot i], meta[http-equiv*=refresh i], link[rel~=canonical i], base[href], "
    "link[rel~=alternate i][hreflang]"
)
_WORDS = (b"robots", b"googlebot", b"refresh", b"canonical", b"<base", b"hreflang")
_REFRESH = re.compile(
    r"\s*(?:\d+|(?=\.))[\d.]*(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?P<quote>['\"]?)(?P<url>.*)",
    re.IGNORECASE | re.DOTALL,
)
# Both forbid indexing: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
_NOINDEX = frozenset({"noindex", "none"})
_CRAWLERS = frozenset({"robots", "googlebot"})


def read(path: Path) -> Head | None:
    """Inspect the page in a file, reading no more of it than its head; None where there is no such file."""
    try:
        with path.open("rb") as file:
            content = file.read(_CHUNK)
            if len(content) < _CHUNK and _is_silent(content):
                return Head()
            while (tree := _head_of(content)) is None and (more := file.read(_CHUNK * 8)):
                content += more
    except (FileNotFoundError, NotADirectoryError):
        return None
    return _inspect(tree, content)


def _is_silent(page: bytes) -> bool:
    """Tell whether a page holds none of the words that say something here, which is found out without parsing it."""
    # A letter may be written as a numeric reference, too.
    return b"&#" not in page and not any(map(page.lower().__contains__, _WORDS))


def inspect(page: bytes) -> Head:
    """Return what a page's head says: robots and googlebot meta, canonical link, meta refresh, base, hreflang links.

    Broken HTML is read as a browser reads it; what cannot be made out is as if it were not there.
    """
    return _inspect(_head_of(page), page)


def _head_of(page: bytes) -> LexborHTMLParser | None:
    """Parse a page up to the end of its head, or return None where the end is not in sight.

    The text ``</head`` inside a script or a comment is not the end: only where an element put behind it comes
    out as an element has the head really ended.
    """
    for match in _END.finditer(page):
        tree = LexborHTMLParser(page[: match.start()] + _SENTINEL)
        # Where it is nearly always; searching takes as long as all the rest.
        last = tree.body.last_child if tree.body is not None else None
        if last is not None and last.id == "sitemap-plugins-end":
            return tree
        if tree.css_first("i#sitemap-plugins-end") is not None:
            return tree
    return None


def _inspect(tree: LexborHTMLParser | None, page: bytes) -> Head:
    # Where the tags of the head are left out, the parser knows what belongs into it.
    found = tree.css(_TOLD) if tree is not None else LexborHTMLParser(page).css(f"head :is({_TOLD})")
    noindex = canonical = refresh = base = aside = ""
    alternates: list[Alternate] = []
    for node in found:
        if _is_inert(node):
            if node.tag == "meta" and "http-equiv" in node.attributes:
                aside = aside or _refresh_target(node.attributes.get("content") or "")
            continue
        attributes = node.attributes
        if node.tag == "meta":
            content = attributes.get("content") or ""
            name = (attributes.get("name") or "").strip().lower()
            if name in _CRAWLERS:
                if not noindex and forbids_index(content):
                    noindex = f'<meta name="{name}" content="{content}">'
            elif (attributes.get("http-equiv") or "").strip().lower() == "refresh":
                refresh = refresh or _refresh_target(content)
        elif node.tag == "base":
            base = base or (attributes.get("href") or "").strip()
        elif "hreflang" in attributes and "alternate" in (attributes.get("rel") or "").lower().split():
            alternates.append(
                Alternate((attributes.get("hreflang") or "").strip(), (attributes.get("href") or "").strip())
            )
        else:
            canonical = canonical or (attributes.get("href") or "").strip()
    if aside and not refresh and _is_followed_by_script(aside, tree or LexborHTMLParser(page)):
        refresh = aside
    return Head(noindex=noindex, canonical=canonical, refresh=refresh, base=base, alternates=tuple(alternates))


def forbids_index(content: str) -> bool:
    """Tell whether the content of a robots meta holds ``noindex`` or ``none`` as a token.

    A rule with a value, such as ``max-image-preview:none``, is another rule.
    """
    return any(token in _NOINDEX for rule in content.lower().split(",") if ":" not in rule for token in rule.split())


def _is_inert(node: LexborNode) -> bool:
    """Tell whether a crawler that runs scripts passes over an element: it stands in a noscript or a template."""
    parent = node.parent
    while parent is not None:
        if parent.tag in {"noscript", "template"}:
            return True
        parent = parent.parent
    return False


def _is_followed_by_script(url: str, tree: LexborHTMLParser) -> bool:
    """Tell whether a script goes where a refresh in a noscript does, as in the stubs of sphinx-reredirects.

    Such a page redirects with scripts and without; a page that only sends those without scripts away does not.
    """
    return any("location" in (text := script.text()) and url in text for script in tree.css("script"))


def _refresh_target(content: str) -> str:
    """Return the URL of a meta refresh, or an empty text where the page only reloads itself.

    https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
    """
    match = _REFRESH.fullmatch(content)
    if match is None:
        return ""
    url = match["url"]
    return (url.partition(match["quote"])[0] if match["quote"] else url).strip()
