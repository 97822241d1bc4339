"""Lets a page name the URL that stands for it, in its front matter: ``canonical: https://…``."""

from __future__ import annotations

from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext


def on_page_context(context: TemplateContext, *, page: Page, nav: Navigation, **_: object) -> TemplateContext:
    """Hand the page's own choice to the theme, which writes it as the one canonical link."""
    page.canonical_url = page.meta.get("canonical", page.canonical_url)
    return context
