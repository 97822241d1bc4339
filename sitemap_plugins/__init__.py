"""True sitemaps, hreflang alternates and robots.txt for MkDocs, Pelican and Sphinx sites."""

__version__ = "0.1.0"
