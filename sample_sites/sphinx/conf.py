"""Manual of Waggle, the hive scale that listens."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "code"))

project = "Waggle"
author = "The Waggle contributors"
copyright = "The Waggle contributors, CC BY 4.0"  # noqa: A001 - Sphinx's name
version = release = "2.0"
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_reredirects",
    "sitemap_plugins.sphinx",
]
exclude_patterns = ["README.md", "site"]

html_theme = "furo"
html_title = "Waggle"
html_baseurl = "https://docs.waggle.example/"

redirects = {
    "getting-started": "../install/",  # a name of old: there is no such page any more
    "install/setup": "../",  # this page is still there; the redirect takes its place
}

sitemap_exclude = ["/internal/"]
sitemap_rules = [
    {"match": "reference/**", "priority": 0.8},
    {"match": "releases/**", "changefreq": "yearly"},
]
sitemap_urls = [{"loc": "shop/", "changefreq": "daily"}]  # published on the same host by another tool
sitemap_lastmod = ["meta"]  # not git: the dates here must not depend on the history of this repository
