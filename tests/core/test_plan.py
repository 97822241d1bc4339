"""From pages to URLs: duplicates, values, extra URLs and where dates come from (P4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any

import pytest

from sitemap_plugins.core import history
from sitemap_plugins.core.model import DateClaim, Head, Page, Url
from tests.core.make import BASE, Outcome, page, planned, site

Git = Callable[..., list[list[str]]]


@pytest.fixture
def git(monkeypatch: pytest.MonkeyPatch) -> Git:
    """Return a function that sets what git knows, and gives back the files that it is asked about."""

    def know(dates: dict[str, str] | None = None, beyond: Iterable[str] = (), failures: Iterable[str] = ()) -> Any:
        asked: list[list[str]] = []

        def read_history(files: Iterable[str]) -> SimpleNamespace:
            asked.append(list(files))
            return SimpleNamespace(dates=dates or {}, beyond=frozenset(beyond), failures=tuple(failures))

        monkeypatch.setattr(history, "read_history", read_history)
        return asked

    return know


def urls(outcome: Outcome) -> tuple[Url, ...]:
    return outcome.built.plan.urls


def dated(given: Page, **options: Any) -> tuple[str, str]:
    (url,) = urls(planned([given], **options))
    return url.lastmod, url.lastmod_from


def test_urls_are_sorted_and_omitted_pages_too() -> None:
    outcome = planned([page(url) for url in ("b/", "", "a/", "404.html", "403.html")])
    assert outcome.locs == [BASE, BASE + "a/", BASE + "b/"]
    assert [omitted.url for omitted in outcome.omitted] == [BASE + "403.html", BASE + "404.html"]


def test_the_order_of_the_pages_changes_nothing() -> None:
    pages = [page("b/", meta={"date": "2026-01-01"}), page(""), page("a/", meta={"draft": True}), page("404/")]
    assert planned(pages).built.plan == planned(pages[::-1]).built.plan


# ---- duplicates ----


def test_of_two_pages_the_later_is_kept_because_its_file_stands() -> None:
    outcome = planned([page("a/", source="one.md"), page("a/", source="two.md")])
    assert [(url.loc, url.source) for url in urls(outcome)] == [(BASE + "a/", "two.md")]
    assert outcome.reasons == {"one.md": ("duplicate", "two.md")}
    assert outcome.kinds == [("warning", "duplicate-url")]
    for words in ("one.md", "two.md", BASE + "a/"):
        assert words in outcome.messages


@pytest.mark.parametrize("turn", [1, -1])
def test_the_page_that_owns_a_url_is_kept_before_one_that_borrows_it(turn: int) -> None:
    own = page("a/", source="own.md")
    borrower = page("a/index.html", source="borrower.md", html=f'<link rel=canonical href="{BASE}a/">')
    outcome = planned([own, borrower][::turn])
    assert [url.source for url in urls(outcome)] == ["own.md"]
    assert outcome.reasons == {"borrower.md": ("duplicate", "own.md")}


def test_forms_of_one_url_are_one_url() -> None:
    outcome = planned([page("a/", source="1"), page("a/index.html", source="2"), page("a", source="3")])
    assert len(outcome.locs) == 1
    assert len(outcome.omitted) == 2


def test_a_page_that_is_left_out_takes_no_place() -> None:
    outcome = planned([page("a/", source="one.md"), page("a/", source="two.md", meta={"draft": True})])
    assert [url.source for url in urls(outcome)] == ["one.md"]
    assert outcome.problems == []


# ---- changefreq and priority ----


@pytest.mark.parametrize(
    ("meta", "options", "changefreq", "priority"),
    [
        ({}, {}, "", ""),
        ({}, {"changefreq": "daily", "priority": 0.5}, "daily", "0.5"),
        ({}, {"priority": 1, "rules": [{"match": "a/", "priority": 0}]}, "", "0.0"),
        ({}, {"rules": [{"match": "a/", "priority": 0.1}, {"match": "*", "changefreq": "daily"}]}, "daily", "0.1"),
        ({}, {"rules": [{"match": "a/", "priority": 0.1}, {"match": "*", "priority": 0.2}]}, "", "0.2"),
        ({}, {"rules": [{"match": "*", "priority": 0.2}, {"match": "b/", "priority": 0.1}]}, "", "0.2"),
        ({"sitemap": {"priority": 0}}, {"priority": 1}, "", "0.0"),
        (
            {"sitemap": {"changefreq": "never"}},
            {"rules": [{"match": "a/", "changefreq": "daily", "priority": 0.75}]},
            "never",
            "0.75",
        ),
        ({"sitemap_priority": "1"}, {}, "", "1.0"),
        ({"sitemap_priority": "1e-9"}, {}, "", "0.0"),
        ({"sitemap_priority": "0.33333"}, {}, "", "0.3333"),
        ({"sitemap_priority": "-0"}, {}, "", "0.0"),
    ],
)
def test_values(meta: dict[str, Any], options: dict[str, Any], changefreq: str, priority: str) -> None:
    (url,) = urls(planned([page(meta=meta)], **options))
    assert (url.changefreq, url.priority) == (changefreq, priority)


def test_a_value_that_is_not_understood_is_a_warning_and_the_settings_hold() -> None:
    outcome = planned([page(meta={"sitemap": {"priority": 7}})], priority=0.5)
    assert urls(outcome)[0].priority == "0.5"
    assert outcome.kinds == [("warning", "page-option")]
    assert outcome.messages.startswith("a.md: sitemap.priority: expected a number from 0.0 to 1.0, got 7")


# ---- the setting urls ----


def test_extra_urls() -> None:
    outcome = planned(
        [page("a/")],
        urls=["z.pdf", {"loc": "/api/", "lastmod": date(2026, 1, 1), "changefreq": "daily", "priority": 0.3}, BASE],
        priority=0.7,
    )
    assert urls(outcome) == (
        Url(BASE, "", "", "0.7", (), "urls[2]", ""),
        Url(BASE + "a/", "", "", "0.7", (), "a.md", ""),
        Url(BASE + "api/", "2026-01-01", "daily", "0.3", (), "urls[1]", "lastmod"),
        Url(BASE + "z.pdf", "", "", "0.7", (), "urls[0]", ""),
    )
    assert outcome.problems == []


def test_an_extra_url_that_is_a_page() -> None:
    outcome = planned([page("a/")], urls=["a"])
    assert [url.source for url in urls(outcome)] == ["a.md"]
    assert outcome.kinds == [("warning", "duplicate-url")]
    outcome = planned([page("a/", meta={"draft": True})], urls=["a/"])
    assert outcome.locs == []
    assert outcome.kinds == [("warning", "disagreement")]
    for words in (BASE + "a/", "a.md", "draft"):
        assert words in outcome.messages
    outcome = planned([], urls=["a/", "a/index.html"])
    assert outcome.locs == [BASE + "a/"]


def test_an_extra_url_with_an_impossible_date() -> None:
    outcome = planned([], urls=[{"loc": "a/", "lastmod": "1970-01-01"}])
    assert urls(outcome)[0].lastmod == ""
    assert outcome.kinds == [("warning", "lastmod-invalid")]
    assert "urls[0]" in outcome.messages


# ---- dates ----

CLAIM = DateClaim(origin="other-plugin", value=date(2026, 2, 2))


def everything(**values: Any) -> Page:
    meta = {"date": "2026-01-05", "sitemap": {"lastmod": "2026-01-01"}}
    return page("a/", **{"path": "/src/a.md", "meta": meta, "dates": (CLAIM,), **values})


def test_the_order_of_the_sources(git: Git) -> None:
    git({"/src/a.md": "2026-03-03T00:00:00+00:00"})
    assert dated(everything()) == ("2026-01-01", "sitemap.lastmod")
    assert dated(everything(meta={"date": "2026-01-05", "updated": "2026-01-06"})) == ("2026-01-06", "updated")
    assert dated(everything(meta={"date": "2026-01-05"})) == ("2026-01-05", "date")
    assert dated(everything(meta={})) == ("2026-02-02", "other-plugin")
    assert dated(everything(meta={}, dates=())) == ("2026-03-03T00:00:00+00:00", "git")
    assert dated(everything(meta={}, dates=(), path="")) == ("", "")


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (["plugins", "meta"], ("2026-02-02", "other-plugin")),
        (["meta"], ("2026-01-01", "sitemap.lastmod")),
        ("plugins", ("2026-02-02", "other-plugin")),
        ("git", ("2026-03-03T00:00:00+00:00", "git")),
        (False, ("", "")),
    ],
)
def test_the_setting_lastmod(git: Git, sources: Any, expected: tuple[str, str]) -> None:
    git({"/src/a.md": "2026-03-03T00:00:00+00:00"})
    assert dated(everything(), lastmod=sources) == expected


def test_git_is_asked_once_and_only_for_pages_without_a_date(git: Git) -> None:
    asked = git({"/src/b.md": "2026-03-03T00:00:00+00:00"})
    pages = [
        page("a/", path="/src/a.md", meta={"date": "2026-01-01"}),
        page("b/", path="/src/b.md"),
        page("c/", path="/src/c.md"),
        page("d/"),
        page("e/", path="/src/e.md", meta={"draft": True}),
    ]
    assert [url.lastmod for url in urls(planned(pages))] == ["2026-01-01", "2026-03-03T00:00:00+00:00", "", ""]
    assert [sorted(files) for files in asked] == [["/src/b.md", "/src/c.md"]]


@pytest.mark.parametrize(
    ("where", "options"), [(site(serving=True), {}), (site(), {"lastmod": False}), (site(), {"lastmod": ["meta"]})]
)
def test_git_is_not_asked(git: Git, where: Any, options: dict[str, Any]) -> None:
    asked = git()
    planned([page("a/", path="/src/a.md")], where, **options)
    assert asked == []


def test_the_page_that_is_kept_is_dated(git: Git) -> None:
    git({"/src/1.md": "2026-01-01T00:00:00+00:00", "/src/2.md": "2026-02-02T00:00:00+00:00"})
    (url,) = urls(planned([page("a/", path="/src/1.md", source="1"), page("a/", path="/src/2.md", source="2")]))
    assert (url.source, url.lastmod) == ("2", "2026-02-02T00:00:00+00:00")
    (url,) = urls(planned([page("a/", path="/src/1.md", source="1"), page("a/", source="2")]))
    assert (url.source, url.lastmod) == ("2", "")


@pytest.mark.parametrize(
    ("options", "level"), [({}, "info"), ({"lastmod": ["meta", "git"]}, "warning"), ({"lastmod": "git"}, "warning")]
)
def test_a_shallow_clone(git: Git, options: dict[str, Any], level: str) -> None:
    git({"/src/b.md": "2026-03-03T00:00:00+00:00"}, beyond=["/src/a.md"])
    outcome = planned([page("a/", path="/src/a.md"), page("b/", path="/src/b.md")], **options)
    assert [url.lastmod for url in urls(outcome)] == ["", "2026-03-03T00:00:00+00:00"]
    assert outcome.kinds == [(level, "shallow-clone")]
    for words in ("git fetch --unshallow", "fetch-depth: 0", "GIT_DEPTH: 0"):
        assert words in outcome.messages


@pytest.mark.parametrize(("options", "level"), [({}, "info"), ({"lastmod": "git"}, "warning")])
def test_git_that_fails(git: Git, options: dict[str, Any], level: str) -> None:
    git(failures=["there is no git here"])
    outcome = planned([page("a/", path="/src/a.md")], **options)
    assert outcome.kinds == [(level, "git")]
    assert "there is no git here" in outcome.messages


def test_a_commit_of_the_future_is_no_date(git: Git) -> None:
    git({"/src/a.md": "2030-01-01T00:00:00+00:00"})
    outcome = planned([page("a/", path="/src/a.md")])
    assert (urls(outcome)[0].lastmod, urls(outcome)[0].lastmod_from) == ("", "")
    assert outcome.kinds == [("warning", "lastmod-invalid")]


def test_an_impossible_date_is_said_and_the_next_one_taken() -> None:
    outcome = planned([page(meta={"updated": "1970-01-01", "date": "2026-01-05"}, dates=(CLAIM,))])
    assert (urls(outcome)[0].lastmod, urls(outcome)[0].lastmod_from) == ("2026-01-05", "date")
    assert outcome.kinds == [("warning", "lastmod-invalid")]
    assert outcome.messages.startswith("a.md: updated: 1970-01-01 is before the web")


def test_the_same_wrong_date_is_said_for_each_page() -> None:
    outcome = planned([page(url, meta={"date": "1970-01-01"}) for url in ("a/", "b/")])
    assert [problem.source for problem in outcome.problems] == ["a.md", "b.md"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (datetime(2026, 1, 1, 12, 0), "2026-01-01T12:00:00+02:00"),
        ("2026-01-01 12:00", "2026-01-01T12:00:00+02:00"),
        ("2026-01-01", "2026-01-01"),
        (datetime(2026, 1, 1, 12, 0, tzinfo=UTC), "2026-01-01T12:00:00+00:00"),
    ],
)
def test_the_sites_zone(value: object, expected: str) -> None:
    where = site(timezone=timezone(timedelta(hours=2)))
    (url,) = urls(planned([page(meta={"date": value})], where))
    assert url.lastmod == expected


def test_a_plugins_own_zone_goes_before_the_sites() -> None:
    claim = DateClaim(origin="p", value="2026-01-01 12:00", timezone="UTC")
    where = site(timezone=timezone(timedelta(hours=2)))
    pages = [page("a/", dates=(claim,)), page("b/", dates=(DateClaim(origin="p", value="2026-01-01 12:00"),))]
    assert [url.lastmod for url in urls(planned(pages, where))] == [
        "2026-01-01T12:00:00+00:00",
        "2026-01-01T12:00:00+02:00",
    ]


def test_never_the_time_of_the_build() -> None:
    outcome = planned([page("a/", head=Head()), page("b/", meta={"title": "x"})])
    assert [url.lastmod for url in urls(outcome)] == ["", ""]
