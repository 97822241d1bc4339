"""Links put into the head of a written page; every other byte of it stays as it is (P3)."""

from __future__ import annotations

import codecs
import shutil
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from uuid import uuid4

from sitemap_plugins.core import html
from sitemap_plugins.core.model import HeadEdit

# The elements of a head; what else there is begins the body (https://html.spec.whatwg.org/#the-head-element).
_OF_HEAD = frozenset({"html", "head", "title", "meta", "link", "base", "style", "script", "noscript", "template"})
_INERT = frozenset({"noscript", "template"})


def edit(page: bytes, wanted: HeadEdit) -> bytes | None:
    """Return the page with just the wanted alternates, and canonical link if there is one, in its head.

    Links that are there already are taken out; the new ones come where the first of them was, or else at the end of the
    head. Returns None where the page cannot be changed so that a browser would read it as meant, as in UTF-16.
    """
    if page.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return None
    # Each byte is one character, so that positions are those of the bytes.
    text = page.decode("latin-1")
    reader = _HeadReader(text, canonical=bool(wanted.canonical))
    links = [f'<link rel="canonical" href="{escape(wanted.canonical)}"/>\n'] if wanted.canonical else []
    links += [
        f'<link rel="alternate" hreflang="{escape(tag)}" href="{escape(href)}"/>\n' for tag, href in wanted.alternates
    ]
    place = reader.links[0][0] if reader.links else reader.end
    pieces, position = [text[:place], "".join(links)], place
    for start, end in reader.links:
        pieces.append(text[position:start])
        position = end
    changed = "".join([*pieces, text[position:]]).encode("latin-1")
    before, after = html.inspect(page), html.inspect(changed)
    canonical = wanted.canonical or before.canonical
    meant = replace(before, alternates=wanted.alternates, canonical=canonical)
    return changed if after == meant else None


def write(wanted: HeadEdit) -> bool:
    """Put the wanted links into a file, which is replaced as a whole; tell whether that could be done."""
    path = Path(wanted.output)
    page = path.read_bytes()
    changed = edit(page, wanted)
    if changed is None:
        return False
    if changed != page:
        temporary = path.with_name(f"sitemap-plugins-{uuid4().hex}.tmp")
        try:
            temporary.write_bytes(changed)
            shutil.copymode(path, temporary)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    return True


class _HeadEndError(Exception):
    """The head has ended, and there is no need to read on."""


class _HeadReader(HTMLParser):
    """Finds where the links to replace stand, each from start to end, and where the head ends."""

    def __init__(self, text: str, *, canonical: bool) -> None:
        super().__init__()
        self.links: list[tuple[int, int]] = []
        self.end = len(text)
        self._text = text
        self._canonical = canonical
        self._inside = ""  # the element whose content is not looked at
        try:
            self.feed(text)
            self.close()
        except _HeadEndError:
            pass

    def _position(self) -> int:
        line, column = self.getpos()
        return len(self._text) - len(self._text.split("\n", line - 1)[-1]) + column

    def _stop(self) -> None:
        self.end = self._position()
        raise _HeadEndError

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._inside:
            return
        if tag not in _OF_HEAD:
            self._stop()
        if tag == "title" or tag in _INERT:
            self._inside = tag
        if tag == "link" and self._is_ours({name: value or "" for name, value in reversed(attrs)}):
            start = self._position()
            end = start + len(self.get_starttag_text() or "")
            # With its line's end, as ours are written, so that taking ours out gives the page as it was before.
            rest = self._text[end : end + 2]
            self.links.append((start, end + (2 if rest == "\r\n" else rest.startswith("\n"))))

    def _is_ours(self, attributes: dict[str, str]) -> bool:
        relations = attributes.get("rel", "").lower().split()
        if "alternate" in relations and "hreflang" in attributes and "canonical" not in relations:
            return True
        return self._canonical and "canonical" in relations

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # A slash means nothing in HTML: <title/> is not closed.
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._inside = ""
        elif not self._inside and tag in {"head", "body", "html"}:
            self._stop()

    def handle_data(self, data: str) -> None:
        if not self._inside and self.cdata_elem is None and data.strip(" \t\r\n\f\ufeff\xef\xbb\xbf"):
            self._stop()
