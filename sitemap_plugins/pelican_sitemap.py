"""The options of pelican-sitemap in terms of ours, for the move from that plugin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sitemap_plugins.core import limits
from sitemap_plugins.core.settings import Spell

# What pelican-sitemap tells apart, and what makes its regular expressions look like no patterns of .gitignore.
_KINDS = ("articles", "pages", "indexes")
_SIGNS = ("^", "$", r"\.", ".*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Old:
    """What the options of pelican-sitemap say that ours say in another way."""

    exclude: tuple[re.Pattern[str], ...] = ()
    priorities: Mapping[str, float] = field(default_factory=dict)
    changefreqs: Mapping[str, str] = field(default_factory=dict)


def take_over(
    given: Mapping[str, Any], spell: Spell, errors: list[tuple[str, str]]
) -> tuple[dict[str, Any], Old, list[str]]:
    """Return our options, what pelican-sitemap's say, and a text for each of these; faults are added to ``errors``."""
    options, notes = dict(given), []
    theirs = [name for name in ("format", "priorities", "changefreqs") if name in options]
    shape = options.pop("format", "xml")
    if shape not in ("xml", "txt"):
        errors.append((spell(("format",)), f"expected xml or txt, got {shape!r}"))
    elif shape == "txt":
        notes.append(f"text sitemaps come later, and {spell(('format',))} 'txt' writes an XML one for now")
    elif theirs and theirs[0] == "format":
        notes.append(f"{spell(('format',))} is not needed, sitemaps are XML")
    values: dict[str, dict[str, Any]] = {}
    for option, (key, valid, expected) in zip(("priorities", "changefreqs"), PAGE_KEYS, strict=True):
        values[option] = {}
        if option not in options:
            continue
        table = options.pop(option)
        if not isinstance(table, Mapping):
            errors.append((spell((option,)), f"expected a dictionary of {', '.join(_KINDS)}, got {table!r}"))
            continue
        for kind, value in table.items():
            if kind not in _KINDS:
                errors.append((spell((option, kind)), f"unknown; known are {', '.join(_KINDS)}"))
            elif isinstance(value, bool) or not valid(value):
                errors.append((spell((option, kind)), f"expected {expected}, got {value!r}"))
            else:
                values[option][kind] = value.lower() if isinstance(value, str) else value
        notes.append(f"{spell((option,))} is honoured; rules with match and {key} replace it")
    expressions = _take_expressions(options, bool(theirs), spell, errors)
    if expressions:
        why = "another option of pelican-sitemap stands beside it" if theirs else "of what is written in it"
        notes.append(
            f"{spell(('exclude',))} is read as regular expressions, because {why}; patterns as in .gitignore replace "
            "them, such as /tag/ for ^tag/"
        )
    return options, Old(exclude=expressions, **values), notes


def _take_expressions(
    options: dict[str, Any], beside: bool, spell: Spell, errors: list[tuple[str, str]]
) -> tuple[re.Pattern[str], ...]:
    """Take the regular expressions out of ``exclude``: all, if one of them can be nothing else, or those after re:."""
    entries = options.get("exclude", ())
    entries = [entries] if isinstance(entries, str) else entries
    if not isinstance(entries, list | tuple) or not all(isinstance(entry, str) for entry in entries):
        return ()
    bare = [entry for entry in entries if not entry.startswith("re:")]
    whole = beside or (any(sign in entry for entry in bare for sign in _SIGNS) and all(map(_compiles, bare)))
    patterns, expressions = [], []
    for number, entry in enumerate(entries):
        if not whole and not entry.startswith("re:"):
            patterns.append(entry)
            continue
        try:
            expressions.append(re.compile(entry.removeprefix("re:")))
        except re.error as error:
            errors.append((spell(("exclude", number)), f"expected a regular expression, got {entry!r} ({error})"))
    options["exclude"] = patterns
    return tuple(expressions)


def _compiles(expression: str) -> bool:
    try:
        re.compile(expression)
    except re.error:
        return False
    return True


def _is_priority(value: object) -> bool:
    try:
        return 0 <= float(str(value)) <= 1
    except ValueError:
        return False


def _is_changefreq(value: object) -> bool:
    return str(value).lower() in limits.CHANGEFREQS


PAGE_KEYS = (
    ("priority", _is_priority, "a number from 0.0 to 1.0"),
    ("changefreq", _is_changefreq, f"one of {', '.join(limits.CHANGEFREQS)}"),
)
