"""The numbers of the specifications, each with where it is written."""

from __future__ import annotations

from typing import Final

MAX_URLS: Final = 50_000
"""URLs in one sitemap, and sitemaps in one index (https://www.sitemaps.org/protocol.html#index)."""

MAX_BYTES: Final = 52_428_800
"""Bytes of one sitemap or index before compression (https://www.sitemaps.org/protocol.html#index)."""

MAX_LOC: Final = 2_047
"""Characters of a ``loc``: "less than 2,048" (https://www.sitemaps.org/protocol.html#xmlTagDefinitions)."""

MIN_LOC: Final = 12
"""Characters of a ``loc``: the published schema's ``minLength`` (sitemap.xsd, ``tLoc``)."""

CHANGEFREQS: Final = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
"""The values of ``changefreq`` (https://www.sitemaps.org/protocol.html#xmlTagDefinitions)."""

SITEMAP_NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
"""The namespace of urlset and sitemapindex: http, never https (https://www.sitemaps.org/protocol.html)."""
