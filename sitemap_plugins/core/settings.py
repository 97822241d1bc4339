"""The one declaration of every option: its type, default and description."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pathspec import GitIgnoreSpec
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from sitemap_plugins.core import limits
from sitemap_plugins.core.errors import ConfigError

Changefreq = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]
LastmodSource = Literal["meta", "plugins", "git"]

_CHANGEFREQ = "one of " + ", ".join(limits.CHANGEFREQS)
_PRIORITY = "a number from 0.0 to 1.0"
_BOOLEAN = "true or false"
_PATTERNS = "a pattern or a list of patterns, as in .gitignore"
_DATE = "a date such as 2026-11-30"
_SOURCES = "false, or one or several of meta, plugins, git"
_FOLDER = "a folder"

Spell = Callable[[tuple[str | int, ...]], str]


def _listed(value: object) -> object:
    """Let one text stand for a list of one."""
    return [value] if isinstance(value, str) else value


def _sources(value: object) -> object:
    """Read a lone false that is text, as from a command line; else let one text stand for a list of one."""
    if isinstance(value, str) and value.strip().lower() in _FALSE:
        return False
    return _listed(value)


def _patterns(values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        try:
            GitIgnoreSpec.from_lines([value])
        except (ValueError, re.error) as error:
            raise ValueError(f"{value!r} is no pattern as in .gitignore ({error})") from error
    return values


def _number(value: object) -> object:
    """Refuse a boolean, which pydantic would read as 0 or 1."""
    if isinstance(value, bool):
        raise ValueError("a boolean is no number")
    return value


def _date(value: object) -> object:
    """Refuse what pydantic would read as seconds since 1970."""
    if value is not None and not isinstance(value, date | str):
        raise ValueError("only a date or its text is one")
    return value


def _file_name(value: str) -> str:
    if "/" in value or "\\" in value:
        raise ValueError("by the protocol, a sitemap in a folder may list only the pages below it")
    if not value.endswith(".xml") or value.startswith(".") or any(sign in value for sign in ':*?"<>|'):
        raise ValueError("it must be good as a file name everywhere, and a URL")
    if not value.isprintable():
        raise ValueError("it holds a control character")
    return value


def _off(value: object) -> object:
    """Read false as none of what it turns off."""
    return None if value is False or (isinstance(value, str) and value.strip().lower() in _FALSE) else value


def _percent(value: object) -> object:
    """Read ``50%`` as the number that it is."""
    if isinstance(value, str) and value.strip().endswith("%"):
        return value.strip()[:-1]
    return _number(value)


def _keys_as_text(value: object) -> object:
    """Take the keys of a mapping as text: YAML reads the language ``no`` as false."""
    if not isinstance(value, Mapping):
        return value
    return {"no" if key is False else key if isinstance(key, str) else str(key): entry for key, entry in value.items()}


def _language(value: object) -> object:
    """Read a language that YAML took for false."""
    return "no" if value is False else value


def _key(value: object) -> object:
    """Take a number as text."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _languages(value: object) -> object:
    return [_language(entry) for entry in value] if isinstance(value, list | tuple) else _listed(value)


def _fallback_page(value: object) -> object:
    """Read a lone ``none`` or false, and an empty text, as no x-default at all."""
    if isinstance(value, str) and value.strip().lower() in {"", "none", "false"}:
        return False
    return value


def _report_name(value: str) -> str:
    if not value.endswith(".json") or not value.isprintable():
        raise ValueError("it holds JSON")
    return value


Patterns = Annotated[tuple[str, ...], BeforeValidator(_listed), AfterValidator(_patterns)]
Priority = Annotated[float, BeforeValidator(_number), Field(ge=0, le=1)]


class _Declared(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


def _option(default: Any, description: str, expected: str) -> Any:
    return Field(default=default, description=description, json_schema_extra={"expected": expected})


class Rule(_Declared):
    """Values for the pages that a pattern matches."""

    match: Patterns = Field(
        description="Pages the rule is for, by URL path or source path.",
        json_schema_extra={"expected": _PATTERNS},
        min_length=1,
    )
    exclude: bool | None = _option(None, "Leave the pages out, or list them although `exclude` matches.", _BOOLEAN)
    changefreq: Changefreq | None = _option(None, "How often the pages change.", _CHANGEFREQ)
    priority: Priority | None = _option(None, "Weight among the site's pages.", _PRIORITY)


class Language(_Declared):
    """Where the pages of one language lie, and what tells which pages there are if another build makes them."""

    url: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        description="The address that the language's pages lie below.",
        json_schema_extra={"expected": "an address such as https://docs.example.org/fr/"},
        min_length=1,
    )
    source: str | None = _option(None, "Folder with the sources of the other build, named like those here.", _FOLDER)
    output: str | None = _option(None, "Folder that the other build writes.", _FOLDER)
    sitemap: str | None = _option(None, "Sitemap file that the other build writes.", "the path of a file")

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: object) -> object:
        return {"url": value} if isinstance(value, str) else value


class Hreflang(_Declared):
    """How translations are told to search engines."""

    head: bool | None = _option(
        None,
        "Write the alternates into each page's head, too, in place of those that the theme writes; by default yes, "
        "but not with MkDocs' theme material.",
        _BOOLEAN,
    )
    headers: Literal["netlify", "apache", "nginx"] | None = _option(
        None,
        "Write a file of HTTP headers with the alternates of listed documents that are not HTML, such as PDFs.",
        "one of netlify, apache, nginx",
    )
    aliases: Annotated[dict[str, str], BeforeValidator(_keys_as_text)] = _option(
        {}, "Languages as the site writes them, and the tags they stand for.", "a mapping such as {cz: cs, gr: el}"
    )
    keep: Annotated[tuple[str, ...], BeforeValidator(_languages)] = _option(
        (),
        "Tags to keep that are valid in BCP 47 but not taken by Google, such as `es-419`.",
        "a tag or a list of tags such as es-419",
    )
    x_default: Annotated[str | Literal[False] | None, BeforeValidator(_fallback_page)] = _option(
        None,
        "What readers of all other languages get: the pages of a language, one URL, or `false` for none; by default "
        "the site's default language.",
        "a language, an absolute URL or false",
    )
    self: bool = _option(False, "Give a page without translations itself as its only alternate.", _BOOLEAN)
    fallback: Literal["omit", "list", "canonical"] = _option(
        "omit",
        "A page that shows another language's text for want of a translation: leave it out of the sitemap, list it "
        "without alternates, or leave it out and name the original as its canonical URL.",
        "one of omit, list, canonical",
    )
    translated: Annotated[float, BeforeValidator(_percent), Field(ge=0, le=100)] = _option(
        50, "Percentage of a page's messages that make it a translation (Sphinx with gettext).", "a percentage"
    )


class ExtraUrl(_Declared):
    """A URL of the same site that no page of the build stands for."""

    loc: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        description="The URL: absolute on the same host, or from the site's root.",
        json_schema_extra={"expected": "a URL"},
        min_length=1,
    )
    lastmod: Annotated[date | datetime | str | None, BeforeValidator(_date)] = _option(
        None, "When it last changed.", _DATE
    )
    changefreq: Changefreq | None = _option(None, "How often it changes.", _CHANGEFREQ)
    priority: Priority | None = _option(None, "Weight among the site's pages.", _PRIORITY)
    lang: Annotated[str, BeforeValidator(_language)] = _option("", "Its language.", "a language such as pt-BR")
    translation_key: Annotated[str, BeforeValidator(_key)] = _option(
        "", "What it shares with its translations.", "a text"
    )

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: object) -> object:
        return {"loc": value} if isinstance(value, str) else value


class Settings(_Declared):
    """The options of the plugin, the same in every framework."""

    filename: Annotated[str, AfterValidator(_file_name)] = _option(
        "sitemap.xml",
        "Name of the sitemap at the output root.",
        "a file name ending in .xml, without a folder",
    )
    gzip: bool = _option(True, "Write a `.gz` copy beside each sitemap file.", _BOOLEAN)
    exclude: Patterns = _option(
        (),
        "Pages to leave out: patterns as in `.gitignore`, matched against URL path and source path.",
        _PATTERNS,
    )
    include: Patterns = _option(
        (),
        "Static files to list, such as `*.pdf`: patterns matched against URL path and source path (Pelican).",
        _PATTERNS,
    )
    drafts: bool = _option(
        False, "List drafts and hidden pages, too, for a link checker on a preview (Pelican).", _BOOLEAN
    )
    pagination: bool = _option(False, "List the pages of an index beyond its first, too (Pelican).", _BOOLEAN)
    rules: tuple[Rule, ...] = _option(
        (),
        "Values for the pages that `match` names (`changefreq`, `priority`, `exclude`); of several rules for a "
        "page the last counts.",
        "a list of rules such as {match: 'api/**', priority: 0.8}",
    )
    urls: tuple[ExtraUrl, ...] = _option(
        (),
        "More URLs of the same site, each as text or with `loc`, `lastmod`, `changefreq`, `priority`.",
        "a list of URLs, each as text or as {loc: ..., changefreq: ...}",
    )
    lastmod: Annotated[tuple[LastmodSource, ...] | Literal[False], BeforeValidator(_sources)] = _option(
        ("meta", "plugins", "git"),
        "Where dates come from, in this order: the page's own metadata, other plugins, git history; `false` for none.",
        _SOURCES,
    )
    dependencies: bool = _option(
        True,
        "Let git date a page by the files it includes and documents, too, where the framework knows them (Sphinx).",
        _BOOLEAN,
    )
    changefreq: Changefreq | None = _option(None, "`changefreq` of every page that has none of its own.", _CHANGEFREQ)
    priority: Priority | None = _option(None, "`priority` of every page that has none of its own.", _PRIORITY)
    languages: Annotated[dict[str, Language], BeforeValidator(_keys_as_text)] = _option(
        {},
        "The languages of the site, where each has an address of its own: language to URL, or to `url` with "
        "`source`, `output` or `sitemap` of the build that makes it. The first is the default.",
        "a mapping such as {en: https://docs.example.org/en/, fr: https://docs.example.org/fr/}",
    )
    hreflang: Annotated[Hreflang | None, BeforeValidator(_off)] = _option(
        Hreflang(),
        "How translations are told: `head`, `headers`, `aliases`, `keep`, `x_default`, `self`, `fallback`, "
        "`translated`; `false` for no alternates.",
        "false, or options such as {x_default: en}",
    )
    max_urls: Annotated[int, BeforeValidator(_number), Field(ge=1, le=limits.MAX_URLS)] = _option(
        limits.MAX_URLS,
        "URLs in one file; more are split behind an index.",
        f"a whole number from 1 to {limits.MAX_URLS}",
    )
    max_bytes: Annotated[int, BeforeValidator(_number), Field(ge=1_000, le=limits.MAX_BYTES)] = _option(
        limits.MAX_BYTES,
        "Bytes in one file before compression; more are split behind an index.",
        f"a whole number from 1000 to {limits.MAX_BYTES}",
    )
    robots: bool = _option(
        True, "Write `robots.txt`, or add a missing `Sitemap:` line to the one you supply.", _BOOLEAN
    )
    report: Annotated[str, AfterValidator(_report_name)] | None = _option(
        None, "File for a report in JSON, from the configuration file's folder.", "a file name ending in .json"
    )
    templates: str | None = _option(
        None,
        "Folder with templates of yours that replace ours by name, from the configuration file's folder.",
        "a folder",
    )
    strict: bool = _option(False, "Fail the build on any warning of the plugin.", _BOOLEAN)

    @property
    def asks_for_git(self) -> bool:
        """Whether the user named git as a source of dates, so that a lack of it is theirs to act on."""
        return "lastmod" in self.model_fields_set and self.lastmod is not False and "git" in self.lastmod

    @classmethod
    def load(cls, options: Mapping[str, object], *, spell: Spell, root: Path) -> Self:
        """Read the user's options, or raise ConfigError with every fault at once, spelled by ``spell``.

        ``root`` is the folder that ``templates`` starts from.
        """
        errors: list[tuple[str, str]] = []
        settings = None
        try:
            # An option with nothing behind it is one not written, as a list whose entries are commented out.
            settings = cls.model_validate({str(name): value for name, value in options.items() if value is not None})
        except ValidationError as error:
            errors = [_fault(cls, detail, spell) for detail in error.errors(include_url=False)]
            # A union states each of its branches; what was written is the same.
            errors = list({option: (option, fault) for option, fault in errors}.values())
        folder = options.get("templates")
        if isinstance(folder, str) and not (root / folder).is_dir():
            errors.append((spell(("templates",)), f"expected a folder, got {folder!r}, which is not there"))
        if errors or settings is None:
            raise ConfigError(errors)
        return settings


# The options whose values hold options; those of a list or a mapping follow upon its number or key.
_MODELS: Mapping[str, type[_Declared]] = {
    "rules": Rule,
    "urls": ExtraUrl,
    "hreflang": Hreflang,
    "languages": Language,
}


def _fault(model: type[_Declared], detail: Any, spell: Spell) -> tuple[str, str]:
    """Turn one of pydantic's errors into (option as the user spells it, what is wrong and what to write)."""
    steps: tuple[str | int, ...] = detail["loc"]
    value = detail.get("input")
    where: type[_Declared] = model
    known: list[str | int] = []
    expected = ""
    for step in steps:
        if isinstance(step, int) or known == ["languages"]:
            known.append(step)
            where = _MODELS.get(str(known[0]), where)
            continue
        if known == ["hreflang"]:
            where = Hreflang
        declared = where.model_fields.get(step)
        if declared is None:
            if detail["type"] == "extra_forbidden":
                known.append(step)
                return spell(tuple(known)), f"unknown option{suggest(step, where.model_fields)}"
            break  # a step inside a union, which is pydantic's own
        known.append(step)
        extra = declared.json_schema_extra
        expected = str(extra["expected"]) if isinstance(extra, dict) else ""
    option = spell(tuple(known))
    if detail["type"] == "missing":
        return option, f"expected {expected}, but it is missing"
    reason = detail.get("ctx", {}).get("error")
    because = f" ({reason})" if isinstance(reason, ValueError) else ""
    return option, f"expected {expected}, got {_shown(value)}{because}"


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:
        return "a number of too many digits"
    return text if len(text) <= 80 else text[:77] + "..."


def suggest(name: object, known: Iterable[str]) -> str:
    """Return "; did you mean …?" for a misspelt name, or the list of what is known."""
    names = list(known)
    near = get_close_matches(str(name).lower(), names, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(names)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """What a page's own metadata says of its entry in the sitemap.

    ``listed`` is False to leave it out, True to list it although a pattern excludes it, else None; ``said`` is
    what it says of its entry, for messages. ``lastmod`` is as written, as are ``lang`` and the languages and URLs of
    ``alternates``.
    """

    listed: bool | None = None
    said: str = ""
    draft: bool = False
    noindex: str = ""
    changefreq: str = ""
    priority: float | None = None
    lastmod: object = None
    lang: str = ""
    translation_key: str = ""
    alternates: tuple[tuple[str, str], ...] = ()


NO_OPTIONS = PageOptions()
PAGE_KEYS = ("changefreq", "priority", "lastmod", "exclude")
_OURS = ("sitemap", "draft", "noindex", "robots", "lang", "translation_key", "alternates")
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


def page_options(meta: Mapping[str, object], forbids_index: Callable[[str], bool]) -> tuple[PageOptions, list[str]]:
    """Read a page's metadata: ``sitemap: false``, ``sitemap: {priority: 0.8}``, flat ``sitemap_priority: 0.8``.

    Also ``draft``, ``noindex`` and ``robots``, and of its translations ``lang``, ``translation_key`` and
    ``alternates: {fr: URL}``. Values may be text, as in frameworks whose metadata knows nothing
    else, and keys are taken in any letter case. ``forbids_index`` reads the value of ``robots``. Returns the
    options and, in words, each value that was not understood; such a value counts as not written.
    """
    faults: list[str] = []
    if not _speaks(tuple(meta)):
        return NO_OPTIONS, faults
    # The keys of a nested mapping and their flat spellings come to the same; the nested one wins.
    own: dict[str, tuple[str, object]] = {}
    listed: bool | None = None
    said = ""
    draft = False
    noindex = lang = translation_key = ""
    alternates: tuple[tuple[str, str], ...] = ()
    for written, value in meta.items():
        key = _normal(written)
        if key == "sitemap":
            nested = _mapping(value)
            if nested is not None:
                for part, inner in nested.items():
                    name = _normal(part)
                    if name in PAGE_KEYS:
                        own[name] = (f"sitemap.{part}", inner)
                    else:
                        faults.append(f"sitemap.{part}: unknown option{suggest(part, PAGE_KEYS)}")
            elif (flag := _flag(value)) is not None:
                listed, said = flag, f"sitemap: {str(flag).lower()}"
            elif value is not None and value != "":
                faults.append(f"sitemap: expected false, or options such as priority: 0.8, got {_shown(value)}")
        elif key.startswith("sitemap_"):
            name = key.removeprefix("sitemap_")
            if name in PAGE_KEYS:
                own.setdefault(name, (str(written), value))
            else:
                known = [f"sitemap_{own_key}" for own_key in PAGE_KEYS]
                faults.append(f"{written}: unknown option{suggest(key, known)}")
        elif key == "draft":
            draft = _flag(value) is True
        elif key == "noindex" and _flag(value) is True:
            noindex = noindex or f"{written}: true"
        elif key == "robots" and forbids_index(_joined(value)):
            noindex = f"{written}: {_joined(value)}"
        elif key == "lang":
            lang = _text(_language(value)).strip() if isinstance(value, str) or value is False else ""
        elif key == "translation_key":
            translation_key = _text(value).strip() if isinstance(value, str | int) else ""
            if not translation_key and value not in (None, ""):
                faults.append(f"{written}: expected a text that the translations share, got {_shown(value)}")
        elif key == "alternates":
            alternates = _alternates(str(written), value, faults)
    changefreq, priority = _own_values(own, faults)
    if "exclude" in own:
        option, value = own["exclude"]
        flag = _flag(value)
        if flag is None:
            faults.append(f"{option}: expected {_BOOLEAN}, got {_shown(value)}")
        elif listed is not False:
            listed, said = not flag, f"{option}: {str(flag).lower()}"
    elif own and listed is None:
        said = ", ".join(f"{option}: {_shown(value)}" for option, value in own.values())
    options = PageOptions(
        listed=listed,
        said=said,
        draft=draft,
        noindex=noindex,
        changefreq=changefreq,
        priority=priority,
        lastmod=own["lastmod"][1] if "lastmod" in own else None,
        lang=lang,
        translation_key=translation_key,
        alternates=alternates,
    )
    return options, faults


@lru_cache(maxsize=1_000)
def _speaks(keys: tuple[object, ...]) -> bool:
    """Tell whether any of a page's keys is one of ours; the pages of a site share their few sets of keys."""
    return any(_normal(written).startswith(_OURS) for written in keys)


@lru_cache(maxsize=1_000)
def _normal(key: object) -> str:
    return _text(key).lower().replace("-", "_")


def _text(value: object) -> str:
    """Return a value as text; an integer that is too long for Python to write is none."""
    try:
        return str(value)
    except ValueError:
        return ""


def _own_values(own: Mapping[str, tuple[str, object]], faults: list[str]) -> tuple[str, float | None]:
    changefreq, priority = "", None
    if "changefreq" in own:
        option, value = own["changefreq"]
        if _text(value).lower() in get_args(Changefreq):
            changefreq = _text(value).lower()
        else:
            faults.append(f"{option}: expected {_CHANGEFREQ}, got {_shown(value)}")
    if "priority" in own:
        option, value = own["priority"]
        try:
            priority = float(_text(value))
        except ValueError:
            priority = -1.0
        if isinstance(value, bool) or not 0 <= priority <= 1:
            faults.append(f"{option}: expected {_PRIORITY}, got {_shown(value)}")
            priority = None
    return changefreq, priority


def _alternates(written: str, value: object, faults: list[str]) -> tuple[tuple[str, str], ...]:
    """Read the translations that a page names itself: (language, URL) as written."""
    if value is None or value == "":
        return ()
    mapping = _mapping(value)
    if mapping is None:
        faults.append(f"{written}: expected languages with URLs such as {{fr: /fr/page/}}, got {_shown(value)}")
        return ()
    named: list[tuple[str, str]] = []
    for language, href in mapping.items():
        if isinstance(href, str) and href.strip():
            named.append((_text(_language(language)), href.strip()))
        else:
            faults.append(f"{written}.{_text(language)}: expected a URL, got {_shown(href)}")
    return tuple(named)


def _mapping(value: object) -> Mapping[object, object] | None:
    """Return a mapping as it is, or as read from the JSON text that MyST makes of one."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, Mapping) else None


def _flag(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    text = _text(value).strip().lower()
    if isinstance(value, str | int):
        return True if text in _TRUE else False if text in _FALSE else None
    return None


def _joined(value: object) -> str:
    return ",".join(map(_text, value)) if isinstance(value, list | tuple) else _text(value)
