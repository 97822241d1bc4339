"""Jinja2 templates to bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import jinja2
from jinja2.compiler import CodeGenerator

from sitemap_plugins.core import limits
from sitemap_plugins.core.errors import SitemapError
from sitemap_plugins.core.headers import Document
from sitemap_plugins.core.model import Alternate, Url

_PACKAGE = Path(__file__).parent.parent
_MARK = "sitemap-plugins-entries"
# The ampersand first, for it begins the others.
_ENTITIES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&apos;"))


def template_folder() -> Path:
    """Return the folder of our own templates: in an installed package, or at the top of a checkout."""
    installed = _PACKAGE / "templates"
    return installed if installed.is_dir() else _PACKAGE.parent / "templates"


def escape(value: object) -> str:
    """Escape a value for XML with the five entities of the protocol, unless it is marked as safe.

    https://www.sitemaps.org/protocol.html#escaping
    """
    if type(value) is not str:
        if hasattr(value, "__html__"):
            return str(value.__html__())
        value = str(value)
    # Several times faster than translate, or one search for any of the five, on what nearly always has none of them.
    for character, entity in _ENTITIES:
        if character in value:
            value = value.replace(character, entity)
    return value


class _Rendered:
    """What a template has written, which is escaped already."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __html__(self) -> str:
        return self._text


class _XmlCodeGenerator(CodeGenerator):
    """Autoescape with the protocol's entities; Jinja2's own are HTML's (``&#39;`` for an apostrophe)."""

    def _output_child_pre(self, node: Any, frame: Any, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None:
            self.write("environment.escape(")
        else:
            super()._output_child_pre(node, frame, finalize)


class _XmlEnvironment(jinja2.Environment):
    code_generator_class = _XmlCodeGenerator
    escape = staticmethod(escape)


class Renderer:
    """The templates, ours or the user's of the same name in ``folder``.

    Every method raises SitemapError, naming the template, where one of them fails.
    """

    def __init__(self, folder: str = "") -> None:
        folders = [folder] if folder else []
        self._environment = _XmlEnvironment(
            loader=jinja2.FileSystemLoader([*folders, template_folder()]),
            autoescape=lambda name: name is None or not name.endswith(".txt.j2"),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self._groups: dict[int, tuple[tuple[Alternate, ...], _Rendered]] = {}

    def urls(self, urls: Sequence[Url]) -> bytes:
        """Render a run of entries of a urlset."""
        return self._render("url.xml.j2", urls=urls, links=self._links)

    def _links(self, alternates: tuple[Alternate, ...]) -> _Rendered:
        """Render the alternates of a translation group, once for all of its pages."""
        # By identity, since the pages of a group have one tuple, and hashing it takes as long as rendering it.
        known = self._groups.get(id(alternates))
        if known is None:
            text = self._environment.get_template("alternates.xml.j2").render(alternates=alternates)
            known = self._groups[id(alternates)] = (alternates, _Rendered(text))
        return known[1]

    def urlset(self, *, alternates: bool) -> tuple[bytes, bytes]:
        """Render what stands before and after the entries of a urlset; ``alternates`` says whether any has some."""
        document = self._render(
            "urlset.xml.j2", entries=_MARK, namespace=limits.SITEMAP_NAMESPACE, alternates=alternates
        )
        head, _, tail = document.partition(_MARK.encode())
        if document.count(_MARK.encode()) != 1:
            raise SitemapError("template urlset.xml.j2: it must write {{ entries }} once, where the URLs belong")
        return head, tail

    def index(self, sitemaps: Iterable[tuple[str, str]]) -> bytes:
        """Render a sitemap index of (loc, lastmod or empty)."""
        return self._render(
            "sitemapindex.xml.j2",
            namespace=limits.SITEMAP_NAMESPACE,
            sitemaps=[{"loc": loc, "lastmod": lastmod} for loc, lastmod in sitemaps],
        )

    def robots(self, sitemap: str) -> bytes:
        """Render a robots.txt that allows everything and names the sitemap (empty: none)."""
        return self._render("robots.txt.j2", sitemap=sitemap)

    def headers(self, server: str, documents: Iterable[Document]) -> bytes:
        """Render the configuration that gives documents their Link headers; empty where there are none."""
        return self._render(f"headers.{server}.txt.j2", documents=list(documents))

    def _render(self, name: str, **context: object) -> bytes:
        try:
            return self._environment.get_template(name).render(**context).encode()
        except jinja2.TemplateSyntaxError as error:
            raise SitemapError(f"template {name}, line {error.lineno}: {error.message}") from error
        except (
            jinja2.TemplateError,
            ArithmeticError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
        ) as error:
            raise SitemapError(
                f"template {name}: {error}; mend it in the folder that the setting templates names"
            ) from error
