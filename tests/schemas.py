"""Validation of sitemaps and indexes against the schemas in the package."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lxml import etree

import sitemap_plugins

FOLDER = Path(sitemap_plugins.__file__).parent / "schemas"


def validate(document: bytes) -> list[str]:
    """Return what our schemas hold against a sitemap or an index; nothing if it is valid."""
    return errors(document, FOLDER / "sitemaps.xsd")


def errors(document: bytes, schema: Path) -> list[str]:
    """Return what a schema, or the XML parser before it, holds against a document."""
    compiled = _compile(schema)
    try:
        compiled.validate(etree.fromstring(document, _parser()))
    except etree.LxmlError as error:  # not well-formed, or with entities of its own
        return [str(error)]
    return [f"line {entry.line}: {entry.message}" for entry in compiled.error_log]


@cache
def _compile(schema: Path) -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(str(schema), _parser()))


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True)
