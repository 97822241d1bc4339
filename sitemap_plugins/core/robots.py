"""robots.txt: our lines, or a missing Sitemap line at the end of the owner's file (P7)."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from protego import Protego

from sitemap_plugins.core.model import Problem, Site


def with_sitemap(owner: bytes, sitemap: str) -> bytes:
    """Return the owner's robots.txt, byte for byte, with a Sitemap line at its end where it has none for this URL.

    The line follows the file's own kind of line end; a file that is not UTF-8 is left as it is. (https://www.sitemaps.org/protocol.html#submit_robots)
    """
    if _is_utf16(owner):
        return owner
    for line in owner.decode("utf-8-sig", errors="replace").splitlines():
        field, _, value = line.partition("#")[0].partition(":")
        if field.strip().lower() == "sitemap" and value.strip() == sitemap:
            return owner
    # A lone \r ends a line too (RFC 9309, 2.2), but a file that uses it everywhere is older than the web.
    end = b"\r\n" if b"\r\n" in owner else b"\n"
    gap = b"" if not owner or owner.endswith((b"\n", b"\r")) else end
    return owner + gap + f"Sitemap: {sitemap}".encode() + end


def _is_utf16(owner: bytes) -> bool:
    return owner.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in owner


def barrier(owner: bytes | None, base: str) -> Callable[[str], bool] | None:
    """Return a function that tells whether a URL may be fetched by any crawler, or None where nothing is barred.

    Only a robots.txt at the root of its host counts (RFC 9309, 2.3).
    """
    if not owner or urlsplit(base).path != "/":
        return None
    text = owner.decode("utf-8-sig", errors="replace")
    if "disallow" not in text.lower():
        return None
    rules = Protego.parse(text)
    return lambda url: bool(rules.can_fetch(url, "*"))


def remarks(site: Site) -> list[Problem]:
    """Return what is to be said of a robots.txt at the site's base."""
    parts = urlsplit(site.base)
    found = []
    if site.robots is not None and _is_utf16(site.robots):
        found.append(
            Problem(
                kind="robots-invalid",
                message="your robots.txt is UTF-16, which crawlers do not read (RFC 9309, 2.3), so nothing is added to "
                "it; save it as UTF-8",
            )
        )
    if parts.path != "/" and not site.serving:
        found.append(_below_the_root(site, parts.scheme, parts.netloc))
    return found


def _below_the_root(site: Site, scheme: str, host: str) -> Problem:
    return Problem(
        kind="robots-not-at-root",
        level="info",
        message=f"crawlers read robots.txt only at {scheme}://{host}/robots.txt, and this site lies below, at "
        f"{site.base}. Put its Sitemap line into the robots.txt of the host, or submit the sitemap to the search "
        "engines by hand",
    )
