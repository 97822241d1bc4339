"""Options: defaults, faults in the user's spelling, and what a page's metadata may hold."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from sitemap_plugins.core import html
from sitemap_plugins.core.configure import configure
from sitemap_plugins.core.errors import ConfigError
from sitemap_plugins.core.settings import (
    NO_OPTIONS,
    ExtraUrl,
    Hreflang,
    Language,
    PageOptions,
    Rule,
    Settings,
    page_options,
)
from tests.core.make import BASE, planned, settings, spell
from tests.core.make import page as make_page

DEFAULTS: dict[str, object] = {
    "filename": "sitemap.xml",
    "gzip": True,
    "exclude": (),
    "include": (),
    "drafts": False,
    "pagination": False,
    "rules": (),
    "urls": (),
    "lastmod": ("meta", "plugins", "git"),
    "dependencies": True,
    "changefreq": None,
    "priority": None,
    "languages": {},
    "hreflang": Hreflang(),
    "max_urls": 50_000,  # https://www.sitemaps.org/protocol.html#index
    "max_bytes": 52_428_800,
    "robots": True,
    "report": None,
    "templates": None,
    "strict": False,
}


def faults(**options: Any) -> dict[str, str]:
    with pytest.raises(ConfigError) as error:
        Settings.load(options, spell=spell, root=Path())
    assert str(error.value) == "\n".join(f"{option}: {fault}" for option, fault in error.value.errors)
    return {option.removeprefix("plugins.sitemap."): fault for option, fault in error.value.errors}


def test_defaults() -> None:
    assert {name: getattr(settings(), name) for name in Settings.model_fields} == DEFAULTS


def test_every_option_is_described() -> None:
    for model in (Settings, Rule, ExtraUrl, Hreflang, Language):
        for name, declared in model.model_fields.items():
            assert declared.description, name
            assert isinstance(declared.json_schema_extra, dict), name
            assert declared.json_schema_extra["expected"], name


@pytest.mark.parametrize(
    ("options", "name", "value"),
    [
        ({"exclude": "a/"}, "exclude", ("a/",)),
        ({"exclude": ["a/", "!a/b"]}, "exclude", ("a/", "!a/b")),
        ({"lastmod": False}, "lastmod", False),
        ({"lastmod": "False"}, "lastmod", False),
        ({"lastmod": "git"}, "lastmod", ("git",)),
        ({"lastmod": ["plugins", "meta"]}, "lastmod", ("plugins", "meta")),
        ({"priority": 1}, "priority", 1.0),
        ({"priority": 0}, "priority", 0.0),
        ({"max_urls": 1}, "max_urls", 1),
        ({"max_bytes": 10_000_000}, "max_bytes", 10_000_000),
        ({"filename": "map.xml"}, "filename", "map.xml"),
        ({"changefreq": "never"}, "changefreq", "never"),
    ],
)
def test_values(options: dict[str, Any], name: str, value: object) -> None:
    assert getattr(settings(**options), name) == value


@pytest.mark.parametrize(
    ("options", "asked"),
    [({}, False), ({"lastmod": "git"}, True), ({"lastmod": ["meta"]}, False), ({"lastmod": False}, False)],
)
def test_asks_for_git(options: dict[str, Any], *, asked: bool) -> None:
    assert settings(**options).asks_for_git is asked


@pytest.mark.parametrize(
    ("option", "values", "expected"),
    [
        (
            "filename",
            [3, "maps/sitemap.xml", "sitemap.txt", ".xml", "", "a\\b.xml", "a\0.xml", "a\n.xml"],
            "a file name ending in .xml",
        ),
        ("gzip", ["perhaps", [], 2, {}], "true or false"),
        ("exclude", [3, {"a": 1}, [3], [None]], "a pattern or a list of patterns"),
        ("rules", ["a/", 3, {"match": "a/"}], "a list of rules"),
        ("urls", [3, "a/", {"loc": "a/"}], "a list of URLs"),
        ("lastmod", ["file", True, 3, {}, ["git", "ctime"]], "false, or one or several of meta, plugins, git"),
        ("changefreq", ["dayly", 3, [], True], "one of always, hourly, daily, weekly, monthly, yearly, never"),
        ("priority", [1.1, -0.1, True, "high", [], float("nan"), float("inf")], "a number from 0.0 to 1.0"),
        ("max_urls", [0, -1, 50_001, "many", 1.5, True], "a whole number from 1 to 50000"),
        ("max_bytes", [999, 52_428_801, "50 MB", True], "a whole number from 1000 to 52428800"),
        ("robots", ["perhaps", []], "true or false"),
        ("report", [3, [], True], "a file name"),
        ("templates", [3, [], True], "a folder"),
        ("strict", ["perhaps", []], "true or false"),
    ],
)
def test_wrong_values(option: str, values: list[object], expected: str) -> None:
    for value in values:
        found = faults(**{option: value})
        assert all(key == option or key.startswith(f"{option}[") for key in found), (value, found)
        for fault in found.values():
            assert f"expected {expected}" in fault, (value, fault)
            assert "got " in fault


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"rules": [{}]}, {"rules[0].match": "missing"}),
        ({"rules": [{"match": []}]}, {"rules[0].match": "expected a pattern"}),
        ({"rules": [{"match": "a"}, {"match": "b", "priority": 2}]}, {"rules[1].priority": "got 2"}),
        ({"rules": [{"match": "a", "changefreq": "x"}]}, {"rules[0].changefreq": "got 'x'"}),
        ({"rules": [{"match": "a", "exclude": "x"}]}, {"rules[0].exclude": "true or false"}),
        ({"rules": [{"match": "a", "prioriy": 1}]}, {"rules[0].prioriy": "did you mean 'priority'?"}),
        ({"rules": [3]}, {"rules[0]": "got 3"}),
        ({"urls": [{}]}, {"urls[0].loc": "missing"}),
        ({"urls": ["a/", {"loc": "b/", "url": "c"}]}, {"urls[1].url": "unknown option"}),
        ({"urls": [{"loc": 3}]}, {"urls[0].loc": "expected a URL, got 3"}),
        ({"urls": [{"loc": "a", "priority": "x"}]}, {"urls[0].priority": "got 'x'"}),
        ({"urls": [3]}, {"urls[0]": "got 3"}),
        # As in a page's metadata, a number is no date: nobody means seconds since 1970.
        ({"urls": [{"loc": "a", "lastmod": 2026}]}, {"urls[0].lastmod": "got 2026"}),
        ({"urls": [{"loc": "a", "lastmod": 1_700_000_000}]}, {"urls[0].lastmod": "got 1700000000"}),
        ({"urls": [{"loc": "a", "lastmod": True}]}, {"urls[0].lastmod": "got True"}),
        ({"exclude": ["a", 3]}, {"exclude[1]": "got 3"}),
    ],
)
def test_faults_within_lists(options: dict[str, Any], expected: dict[str, str]) -> None:
    found = faults(**options)
    assert found.keys() == expected.keys()
    for option, words in expected.items():
        assert words in found[option]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("filenme", "filename"),
        ("excludes", "exclude"),
        ("Gzip", "gzip"),
        ("last_mod", "lastmod"),
        ("change_freq", "changefreq"),
        ("maxurls", "max_urls"),
        ("template", "templates"),
    ],
)
def test_a_misspelt_option_is_answered_with_the_nearest(written: str, meant: str) -> None:
    assert faults(**{written: 1}) == {written: f"unknown option; did you mean {meant!r}?"}


def test_an_option_like_none_is_answered_with_all() -> None:
    (fault,) = faults(zzz=1).values()
    assert fault == "unknown option; known are " + ", ".join(DEFAULTS)


def test_every_fault_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        configure(
            {
                "filenme": "x.xml",
                "gzip": "perhaps",
                "rules": [{"match": "a/", "priority": 7}, {"prority": 1}],
                "templates": "nowhere",
                "lastmod": "ctime",
                "urls": [{"loc": "a", "changefreq": 1}],
            },
            spell=spell,
            root=tmp_path,
            base="docs.example.org",
            option="site_url",
        )
    assert [option.removeprefix("plugins.sitemap.") for option, _ in error.value.errors if option != "site_url"] == [
        "gzip",
        "rules[0].priority",
        "rules[1].match",
        "rules[1].prority",
        "urls[0].changefreq",
        "lastmod",
        "filenme",
        "templates",
    ]
    assert "nowhere" in str(error.value)
    assert "site_url: expected an absolute address" in str(error.value)


@pytest.mark.parametrize(
    ("loc", "fault"),
    [
        ("https://other.example/a", "below https://docs.example.org/ (site_url)"),
        ("http://docs.example.org/a", "below https://docs.example.org/ (site_url)"),
        ("https://exa mple.org/", "host name"),
        ("a" * 2_048, "at most 2047 characters"),
    ],
)
def test_urls_that_this_site_cannot_list(tmp_path: Path, loc: str, fault: str) -> None:
    for entry in (loc, {"loc": loc}):
        with pytest.raises(ConfigError) as error:
            configure({"urls": ["a/", entry]}, spell=spell, root=tmp_path, base=BASE, option="site_url")
        ((option, text),) = error.value.errors
        assert option == "plugins.sitemap.urls[1]"
        assert fault in text


def test_urls_stay_below_the_base(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="urls"):
        configure(
            {"urls": ["https://docs.example.org/docs/../private"]},
            spell=spell,
            root=tmp_path,
            base="https://docs.example.org/docs/",
            option="site_url",
        )


def test_configure_gives_the_base_in_normal_form(tmp_path: Path) -> None:
    loaded, base = configure({}, spell=spell, root=tmp_path, base=" HTTPS://Docs.example.org ", option="site_url")
    assert (loaded, base) == (Settings(), BASE)
    assert configure({}, spell=spell, root=tmp_path, base="", option="site_url") == (Settings(), "")


# ---- a page's own metadata ----


def options_of(meta: dict[Any, Any]) -> tuple[PageOptions, list[str]]:
    return page_options(meta, html.forbids_index)


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({}, {}),
        ({"title": "x"}, {}),
        ({"sitemap": None}, {}),
        ({"sitemap": ""}, {}),
        ({"sitemap": {}}, {}),
        ({"sitemap": False}, {"listed": False}),
        ({"sitemap": "False"}, {"listed": False}),
        ({"Sitemap": " no "}, {"listed": False}),
        ({"sitemap": 0}, {"listed": False}),
        ({"sitemap": True}, {"listed": True}),
        ({"sitemap": "yes"}, {"listed": True}),
        ({"sitemap": {"exclude": True}}, {"listed": False}),
        ({"sitemap": {"exclude": False}}, {"listed": True}),
        ({"sitemap": {"Exclude": "TRUE"}}, {"listed": False}),
        ({"sitemap_exclude": "true"}, {"listed": False}),
        ({"sitemap-exclude": "false"}, {"listed": True}),
        ({"sitemap": False, "sitemap_exclude": "false"}, {"listed": False}),
        ({"sitemap": {"priority": 0.8}}, {"priority": 0.8}),
        ({"sitemap_priority": "0.8"}, {"priority": 0.8}),
        ({"Sitemap_Priority": " 1 "}, {"priority": 1.0}),
        ({"sitemap": {"priority": 0}}, {"priority": 0.0}),
        ({"sitemap": {"priority": Decimal("0.3")}}, {"priority": 0.3}),
        ({"sitemap": {"changefreq": "Weekly"}}, {"changefreq": "weekly"}),
        ({"sitemap_changefreq": "never"}, {"changefreq": "never"}),
        ({"sitemap": {"lastmod": date(2026, 1, 1)}}, {"lastmod": date(2026, 1, 1)}),
        ({"sitemap_lastmod": "2026-01-01"}, {"lastmod": "2026-01-01"}),
        # The nested one wins, whichever comes first.
        ({"sitemap": {"priority": 0.1}, "sitemap_priority": "0.9"}, {"priority": 0.1}),
        ({"sitemap_priority": "0.9", "sitemap": {"priority": 0.1}}, {"priority": 0.1}),
        # MyST makes JSON text of a nested value.
        ({"sitemap": '{"priority": 0.8, "changefreq": "daily"}'}, {"priority": 0.8, "changefreq": "daily"}),
        ({"sitemap": '{"exclude": true}'}, {"listed": False}),
        ({"draft": True}, {"draft": True}),
        ({"Draft": "yes"}, {"draft": True}),
        ({"draft": False}, {}),
        ({"draft": "soon"}, {}),
        ({"noindex": True}, {"noindex": "noindex: true"}),
        ({"noindex": "false"}, {}),
        ({"robots": "noindex, nofollow"}, {"noindex": "robots: noindex, nofollow"}),
        ({"robots": ["noindex", "nofollow"]}, {"noindex": "robots: noindex,nofollow"}),
        ({"robots": "max-image-preview:none"}, {}),
        ({"robots": "index"}, {}),
    ],
)
def test_page_options(meta: dict[str, Any], expected: dict[str, Any]) -> None:
    options, found = options_of(meta)
    assert found == []
    for name in ("listed", "draft", "noindex", "changefreq", "priority", "lastmod"):
        assert getattr(options, name) == expected.get(name, getattr(NO_OPTIONS, name)), name


@pytest.mark.parametrize(
    ("meta", "fault"),
    [
        ({"sitemap": "perhaps"}, "sitemap: expected false, or options such as priority: 0.8, got 'perhaps'"),
        ({"sitemap": ["a"]}, "sitemap: expected false"),
        ({"sitemap": 7}, "sitemap: expected false"),
        ({"sitemap": "{broken"}, "sitemap: expected false"),
        ({"sitemap": {"prioriti": 1}}, "sitemap.prioriti: unknown option; did you mean 'priority'?"),
        ({"sitemap": {3: 1}}, "sitemap.3: unknown option; known are changefreq, priority, lastmod, exclude"),
        ({"sitemap_change_freq": "daily"}, "sitemap_change_freq: unknown option; did you mean 'sitemap_changefreq'?"),
        ({"sitemap": {"priority": 2}}, "sitemap.priority: expected a number from 0.0 to 1.0, got 2"),
        ({"sitemap": {"priority": True}}, "sitemap.priority: expected a number"),
        ({"sitemap": {"priority": None}}, "sitemap.priority: expected a number"),
        ({"sitemap": {"priority": "high"}}, "got 'high'"),
        ({"sitemap": {"priority": float("nan")}}, "got nan"),
        ({"sitemap_changefreq": "dayly"}, "sitemap_changefreq: expected one of always"),
        ({"sitemap": {"changefreq": ["daily"]}}, "sitemap.changefreq: expected one of always"),
        ({"sitemap": {"exclude": "perhaps"}}, "sitemap.exclude: expected true or false, got 'perhaps'"),
    ],
)
def test_page_options_that_are_not_understood(meta: dict[str, Any], fault: str) -> None:
    options, found = options_of(meta)
    assert len(found) == 1
    assert found[0].startswith(fault) or fault in found[0]
    assert (options.listed, options.changefreq, options.priority) == (None, "", None)


@pytest.mark.parametrize("key", [3, None, True, 1.5, (1, 2), date(2026, 1, 1), "", "é", "\ud800", "sitemap.x"])
def test_odd_keys_are_passed_over(key: object) -> None:
    assert options_of({key: 1, "sitemap": False})[0].listed is False


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["False", "0.8", "noindex", "daily", '{"priority": 1}', "{", "2026-01-01", "[]", "\ud800"])
    | st.dates()
    | st.datetimes()
    | st.binary(max_size=5)
)
KEYS = (
    st.sampled_from(
        ["sitemap", "Sitemap_Priority", "sitemap-exclude", "sitemap_", "draft", "noindex", "robots", "date"]
    )
    | st.sampled_from(["lastmod", "updated", "priority", "changefreq", "exclude"])
    | st.text(max_size=5)
    | st.none()
    | st.integers()
    | st.booleans()
    | st.floats()
    | st.dates()
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4) | st.tuples(inner),
    max_leaves=5,
)


HUGE = 16**5_000  # YAML's 0x notation can write it, and Python refuses to make text of it


@pytest.mark.parametrize(
    "meta",
    [
        {"sitemap": '{"a":' * 100_000},
        {"sitemap": HUGE},
        {"sitemap": {"priority": HUGE}},
        {"sitemap": {"lastmod": HUGE}},
        {"robots": HUGE, "noindex": HUGE, "draft": HUGE},
        {"date": HUGE},
    ],
    ids=["deep", "sitemap", "priority", "lastmod", "robots", "date"],
)
def test_what_is_too_large_for_python_crashes_nothing(meta: dict[Any, Any]) -> None:
    assert planned([make_page("a/", meta=meta)]).locs == [BASE + "a/"]


@hypothesis_settings(max_examples=1_000)
@given(st.dictionaries(KEYS, VALUES, max_size=6))
@example({"sitemap": {"priority": datetime.max, "lastmod": datetime.min}})
def test_whatever_metadata_holds_crashes_nothing(meta: dict[Any, Any]) -> None:
    options, found = options_of(meta)
    assert options.priority is None or 0 <= options.priority <= 1
    assert all(isinstance(fault, str) for fault in found)
    outcome = planned([make_page("a/", meta=meta)])
    assert len(outcome.locs) + len(outcome.omitted) == 1


@hypothesis_settings(max_examples=300)
@given(st.dictionaries(st.sampled_from([*DEFAULTS, "x"]) | KEYS, VALUES, max_size=4))
def test_whatever_the_settings_hold_is_loaded_or_refused(options: dict[Any, Any]) -> None:
    with suppress(ConfigError):
        configure(options, spell=spell, root=Path(), base=BASE, option="site_url")


@pytest.mark.parametrize("pattern", ["[z-a]", "!", "a/[b-a]c"])
def test_a_pattern_that_git_would_not_read(pattern: str) -> None:
    assert "no pattern as in .gitignore" in faults(exclude=[pattern])["exclude"]
    assert "no pattern as in .gitignore" in faults(rules=[{"match": pattern}])["rules[0].match"]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("a/#top", "without a fragment"),
        ("404.html", "that of an error"),
        ({"loc": "a/", "lastmod": "yesterday"}, "expected a date"),
        ({"loc": "a/", "lastmod": "2026-02-30"}, "expected a date"),
    ],
)
def test_urls_that_would_be_false(tmp_path: Path, entry: object, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        configure({"urls": [entry]}, spell=spell, root=tmp_path, base=BASE, option="site_url")


def test_blanks_around_a_url_are_no_part_of_it() -> None:
    assert settings(urls=["  a b/ "]).urls[0].loc == "a b/"


def test_the_report_takes_no_file_of_the_owners(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    for name in ("mkdocs.yml", "package.json", ""):
        with pytest.raises(ConfigError, match="report"):
            configure({"report": name}, spell=spell, root=tmp_path, base=BASE, option="site_url")
    (tmp_path / "package.json").write_bytes(b'{\n"site": "https://docs.example.org/"\n}\n')
    configure({"report": "package.json"}, spell=spell, root=tmp_path, base=BASE, option="site_url")
