"""robots.txt: our lines, or a missing Sitemap line at the end of the owner's file (P7)."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from protego import Protego

from sitemap_plugins.core.model import Problem, Site


def with_sitemap(owner: bytes, sitemap: str) -> bytes:
    """Return the owner's robots.txt, byte for byte, with a Sitemap line at its end where it has none for this URL.

    The line follows the file's own kind of line end. (https://www.sitemaps.org/protocol.html#submit_robots)
    """
    for line in owner.decode("utf-8-sig", errors="replace").splitlines():
        field, _, value = line.partition("#")[0].partition(":")
        if field.strip().lower() == "sitemap" and value.strip() == sitemap:
            return owner
    # A lone \r ends a line too (RFC 9309, 2.2), but a file that uses it everywhere is older than the web.
    end = b"\r\n" if b"\r\n" in owner else b"\n"
    gap = b"" if not owner or owner.endswith((b"\n", b"\r")) else end
    return owner + gap + f"Sitemap: {sitemap}".encode() + end


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
    if parts.path == "/" or site.serving:
        return []
    return [
        Problem(
            kind="robots-not-at-root",
            level="info",
            message=f"crawlers read robots.txt only at {parts.scheme}://{parts.netloc}/robots.txt, and this site lies "
            f"below, at {site.base}. Put its Sitemap line into the robots.txt of the host, or submit the sitemap "
            "to the search engines by hand",
        )
    ]
