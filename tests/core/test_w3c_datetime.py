"""Dates as https://www.w3.org/TR/NOTE-datetime and xsd:date or xsd:dateTime both have them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.core import lastmod
from tests.core.make import NOW

# What both the Note and the published schema take: seconds always, no fraction, an offset always.
FORM = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d[+-]\d\d:\d\d)?")
PLUS_TWO = timezone(timedelta(hours=2))


def zone(**offset: float) -> timezone:
    return timezone(timedelta(**offset))


# The Note's six forms, and what only xsd:dateTime takes. None: refused.
TABLE: list[tuple[object, str | None]] = [
    ("2026", None),
    ("2026-11", None),
    ("2026-11-30", "2026-11-30"),
    ("2026-11-30T12:00Z", "2026-11-30T12:00:00+00:00"),
    ("2026-11-30T12:00+01:00", "2026-11-30T12:00:00+01:00"),
    ("2026-11-30T12:00:00Z", "2026-11-30T12:00:00+00:00"),
    ("2026-11-30T12:00:00-05:00", "2026-11-30T12:00:00-05:00"),
    ("2026-11-30T12:00:00.123456+00:00", "2026-11-30T12:00:00+00:00"),
    ("2026-11-30T12:00:00.1234567890-03:30", "2026-11-30T12:00:00-03:30"),
    ("2026-11-30T12:00:00", "2026-11-30"),
    ("2026-11-30T12:00", "2026-11-30"),
    ("2026-11-30Z", None),
    ("2026-11-30T24:00:00Z", None),
    ("2026-11-30T12:00:00+0000", "2026-11-30T12:00:00+00:00"),
    ("2026-11-30 12:00:00+01:00", "2026-11-30T12:00:00+01:00"),
    ("2026-11-30 12:00:00 +0100", "2026-11-30T12:00:00+01:00"),
    ("2026-11-30 12:00:00 UTC", "2026-11-30T12:00:00+00:00"),
    ("2026-11-30 12:00", "2026-11-30"),
    ("20261130", None),
    ("2026-11-30t12:00:00z", "2026-11-30T12:00:00+00:00"),
    (" 2026-11-30\n", "2026-11-30"),
    ("2026-02-30", None),
    ("2026-13-01", None),
    ("2026-11-30T12:60:00Z", None),
    ("2026-11-30T12:00:00+24:00", None),
    ("2026-1-2", None),
    ("30.11.2026", None),
    ("30 November 2026", None),
    ("yesterday", None),
    ("", None),
    (date(2026, 11, 30), "2026-11-30"),
    (datetime(2026, 11, 30, 12, 0), "2026-11-30"),
    (datetime(2026, 11, 30, 12, 0, tzinfo=UTC), "2026-11-30T12:00:00+00:00"),
    (datetime(2026, 11, 30, 12, 0, 5, 999_999, tzinfo=PLUS_TWO), "2026-11-30T12:00:05+02:00"),
    # xsd:dateTime ends at 14 hours and the Note at whole minutes: the same moment in UTC.
    (datetime(2026, 11, 30, 12, 0, tzinfo=zone(hours=14)), "2026-11-30T12:00:00+14:00"),
    (datetime(2026, 11, 30, 12, 0, tzinfo=zone(hours=-14)), "2026-11-30T12:00:00-14:00"),
    (datetime(2026, 11, 30, 12, 0, tzinfo=zone(hours=15)), "2026-11-29T21:00:00+00:00"),
    ("2026-11-29T12:00:00-14:30", "2026-11-30T02:30:00+00:00"),
    (datetime(2026, 11, 30, 12, 0, tzinfo=zone(minutes=53, seconds=28)), "2026-11-30T11:06:32+00:00"),
    (20261130, None),
    (0, None),
    (1_700_000_000, None),
    (1.5, None),
    (True, None),
    (False, None),
    (None, None),
    ({}, None),
    ({"updated": "2026-11-30"}, None),
    (["2026-11-30"], None),
    (b"2026-11-30", None),
    (time(12), None),
]


@pytest.mark.parametrize(("value", "text"), TABLE, ids=[repr(value) for value, _ in TABLE])
def test_forms(value: object, text: str | None) -> None:
    if text is None:
        with pytest.raises(ValueError, match="expected a date such as 2026-11-30"):
            lastmod.to_w3c(value, now=NOW)
    else:
        assert lastmod.to_w3c(value, now=NOW) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime(2026, 11, 30, 12, 0), "2026-11-30T12:00:00+02:00"),
        ("2026-11-30 12:00", "2026-11-30T12:00:00+02:00"),
        ("2026-11-30T12:00:00-05:00", "2026-11-30T12:00:00-05:00"),
        (date(2026, 11, 30), "2026-11-30"),
        ("2026-11-30", "2026-11-30"),
    ],
)
def test_only_a_time_without_an_offset_gets_the_sites_zone(value: object, text: str) -> None:
    assert lastmod.to_w3c(value, now=NOW, timezone=PLUS_TWO) == text


def test_the_sites_zone_knows_summer_time() -> None:
    berlin = lastmod.zone("Europe/Berlin")
    if berlin is None:
        pytest.skip("this machine has no time zones")
    assert lastmod.to_w3c("2026-07-01 12:00", now=NOW, timezone=berlin) == "2026-07-01T12:00:00+02:00"
    assert lastmod.to_w3c("2026-01-01 12:00", now=NOW, timezone=berlin) == "2026-01-01T12:00:00+01:00"


@pytest.mark.parametrize("name", ["", "Mars/Phobos", "/etc/passwd", "../x", "a\0b", "é", "a" * 300])
def test_an_unknown_zone_is_none(name: str) -> None:
    assert lastmod.zone(name) is None


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        # It is 12:00 UTC on 1 December, so somewhere already the 2nd, and nowhere the 3rd.
        ("2026-12-03", "future"),
        (date(2026, 12, 3), "future"),
        ("2026-12-01T12:00:01Z", "future"),
        ("2026-12-01T12:00:00-00:01", "future"),
        (datetime(2027, 1, 1, tzinfo=UTC), "future"),
        ("9999-12-31", "future"),
        (datetime.max.replace(tzinfo=zone(hours=-12)), "future"),
        ("1970-01-01", "before the web"),
        ("1970-01-01T00:00:00Z", "before the web"),
        (date(1989, 12, 31), "before the web"),
        (date.min, "before the web"),
        (datetime.min, "before the web"),
        (datetime.min.replace(tzinfo=zone(hours=14)), "before the web"),
        ("0001-01-01", "before the web"),
        ("0000-00-00", "expected a date"),
    ],
    ids=repr,
)
def test_what_cannot_be_is_refused(value: object, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        lastmod.to_w3c(value, now=NOW)


@pytest.mark.parametrize("value", ["2026-12-01", "2026-12-02", "2026-12-01T12:00:00Z", "1990-01-01"])
def test_what_can_be_is_kept(value: str) -> None:
    assert lastmod.to_w3c(value, now=NOW)[:10] == value[:10]


@pytest.mark.parametrize(
    ("values", "latest"),
    [
        ([], ""),
        (["2026-01-01"], "2026-01-01"),
        (["2026-01-02", "2026-01-01"], "2026-01-02"),
        (["2026-01-01", ""], ""),
        (["", "2026-01-01"], ""),
        # 23:00 UTC on 31 December is before the day that begins at 00:00 UTC.
        (["2026-01-01", "2026-01-01T00:00:00+01:00"], "2026-01-01"),
        (["2026-01-01", "2026-01-01T00:00:01+00:00"], "2026-01-01T00:00:01+00:00"),
        (["2026-01-01T10:00:00+02:00", "2026-01-01T09:00:00+00:00"], "2026-01-01T09:00:00+00:00"),
    ],
)
def test_newest(values: list[str], latest: str) -> None:
    assert lastmod.newest(values) == latest
    assert lastmod.newest(reversed(values)) == latest


def test_newest_of_equal_moments_does_not_depend_on_the_order() -> None:
    equal = ["2026-01-01T10:00:00+02:00", "2026-01-01T08:00:00+00:00", "2026-01-01T03:00:00-05:00"]
    assert len({lastmod.newest(equal[n:] + equal[:n]) for n in range(3)}) == 1


def test_stated_gives_the_most_telling_date_first() -> None:
    meta: dict[str, Any] = {
        "date": {"created": date(2020, 1, 1), "updated": date(2021, 1, 1)},
        "title": "2022-01-01",
        "modified": "2023-01-01",
        "updated": "",
        "last_updated": None,
        "lastmod": "2025-01-01",
    }
    assert list(lastmod.stated(meta)) == [
        ("lastmod", "2025-01-01"),
        ("modified", "2023-01-01"),
        ("date.updated", date(2021, 1, 1)),
        ("date.created", date(2020, 1, 1)),
    ]
    assert list(lastmod.stated({})) == []


ZONES = st.none() | st.timezones() | st.integers(-86_399, 86_399).map(lambda n: timezone(timedelta(seconds=n)))
VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.dates()
    | st.datetimes(timezones=ZONES)
    | st.from_regex(r"\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d)?([.,]\d+)?\s?([Zz]|UTC|[+-]\d\d:?\d\d)?)?", fullmatch=True)
    | st.lists(st.integers())
    | st.dictionaries(st.text(), st.dates())
)


@given(VALUES, ZONES)
@example(datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-23))), None)
@example("٢٠٢٦-11-30", None)
@example(10**5000, None)
def test_whatever_goes_in_a_true_date_comes_out_or_a_refusal(value: object, site_zone: tzinfo | None) -> None:
    for now in (NOW, datetime.max.replace(tzinfo=UTC) - timedelta(days=2)):
        try:
            text = lastmod.to_w3c(value, now=now, timezone=site_zone)
        except ValueError:
            continue
        assert FORM.fullmatch(text)
        moment = datetime.fromisoformat(text)
        assert abs(moment.utcoffset() or timedelta()) <= timedelta(hours=14)
        assert lastmod.to_w3c(text, now=now) == text
        assert lastmod.newest([text]) == text
