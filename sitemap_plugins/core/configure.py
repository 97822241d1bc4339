"""The user's settings and the site's address, checked together before anything is built (P10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from sitemap_plugins.core import lastmod, limits, report, selection, urls
from sitemap_plugins.core.errors import ConfigError
from sitemap_plugins.core.language import to_hreflang
from sitemap_plugins.core.settings import Hreflang, Settings, Spell
from sitemap_plugins.core.translations import tag_of

# So late that no date is in the future: whether one is, is said when the site is built.
_SOME_DAY = datetime(9998, 12, 31, tzinfo=UTC)


def configure(
    options: Mapping[str, object], *, spell: Spell, root: Path, base: str, option: str
) -> tuple[Settings, str]:
    """Return the settings and the site's base in its normal form, or raise ConfigError with every fault at once.

    ``spell`` writes an option the way the user does, ``root`` is the folder that paths in the settings start from,
    and ``option`` the framework's name of the setting that ``base`` is the value of. An empty base stays empty.
    """
    errors: list[tuple[str, str]] = []
    settings = Settings()
    try:
        settings = Settings.load(options, spell=spell, root=root)
    except ConfigError as error:
        errors.extend(error.errors)
    written = options.get("report")
    if isinstance(written, str) and (root / written).exists() and not report.is_report(root / written):
        fault = f"expected the name of a new file or of an earlier report, got {written!r}, which is a file of yours"
        errors.append((spell(("report",)), fault))
    base = base.strip()
    if base:
        try:
            base = urls.parse_base(base)
        except ValueError as error:
            errors.append((option, str(error)))
        else:
            errors.extend(
                (spell(("urls", number)), fault) for number, fault in _unlistable(options.get("urls"), base, option)
            )
    if settings.hreflang:
        errors.extend((spell(steps), fault) for steps, fault in _wrong_languages(settings, settings.hreflang, root))
    if errors:
        raise ConfigError(errors)
    return settings, base


def _wrong_languages(settings: Settings, hreflang: Hreflang, root: Path) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the settings that name a language or its address, and are none."""
    named: list[tuple[tuple[str | int, ...], str]] = [
        (("languages", written), written) for written in settings.languages
    ]
    named.extend((("hreflang", "aliases", habit), tag) for habit, tag in hreflang.aliases.items())
    named.extend((("urls", number, "lang"), extra.lang) for number, extra in enumerate(settings.urls) if extra.lang)
    if hreflang.x_default and "://" not in hreflang.x_default:
        named.append((("hreflang", "x_default"), hreflang.x_default))
    for steps, written in named:
        tag = tag_of(written, hreflang)
        if not tag.kept:
            keep = ", or list it in hreflang.keep" if tag.bcp47 else ""
            yield steps, f"{tag.problem}{keep}"
    for number, written in enumerate(hreflang.keep):
        tag = to_hreflang(written)
        if not tag.kept and not tag.bcp47:
            yield ("hreflang", "keep", number), tag.problem
    if hreflang.x_default and "://" in hreflang.x_default:
        try:
            urls.parse_base(hreflang.x_default.partition("?")[0])
        except ValueError as error:
            yield ("hreflang", "x_default"), str(error)
    seen: dict[str, str] = {}
    for written, language in settings.languages.items():
        try:
            url = urls.parse_base(language.url)
        except ValueError as error:
            yield ("languages", written, "url"), str(error)
            continue
        if url in seen:
            yield ("languages", written, "url"), f"expected an address of its own, got that of {seen[url]}: {url}"
        seen.setdefault(url, written)
        if language.source is not None and not (root / language.source).is_dir():
            fault = f"expected the folder of the other build's sources, got {language.source!r}, which is not there"
            yield ("languages", written, "source"), fault


def _unlistable(extra: object, base: str, option: str) -> Iterator[tuple[int, str]]:
    """Yield number and fault of each of the user's ``urls`` that the sitemap of this site cannot list."""
    for number, entry in enumerate(extra if isinstance(extra, list | tuple) else ()):
        written = entry.get("loc") if isinstance(entry, Mapping) else entry
        if not isinstance(written, str):
            continue  # a fault of another kind, and told already
        try:
            loc = urls.resolve(base, written.strip())
            if isinstance(entry, Mapping) and isinstance(entry.get("lastmod"), str):
                lastmod.to_w3c(entry["lastmod"], now=_SOME_DAY)
        except ValueError as error:
            yield number, str(error)
            continue
        if "#" in written:
            yield number, f"expected a URL without a fragment, got {written!r}; remove everything from '#' on"
        elif selection.is_error_page(loc.removeprefix(base)):
            yield number, f"expected a page to be found, got {written!r}, which is that of an error; remove it"
        elif not loc.startswith(base):
            yield number, f"expected a URL below {base} ({option}), got {written!r}; a sitemap lists its own site only"
        elif not limits.MIN_LOC <= len(loc) <= limits.MAX_LOC:
            yield number, f"expected a URL of at most {limits.MAX_LOC} characters, got one of {len(loc)}"
