"""Dates: what a page, a plugin or git says, as W3C Datetime or with the reason why it cannot be (P4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

# The web is younger: a date before this is a default that some tool left behind (0, the Unix epoch, year 1).
_EARLIEST = date(1990, 1, 1)
# Somewhere on Earth it is already this much later than UTC, so a bare day may be ahead of the clock by it.
_AHEAD = timedelta(hours=14)
_FORM = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:[Tt ]\s*(?P<time>\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?\s*(?P<zone>[Zz]|UTC|GMT|[+-]\d\d:?\d\d)?)?"
)
_EXPECTED = "expected a date such as 2026-11-30 or 2026-11-30T12:00:00+01:00"

_DAY = len("2026-11-30")

# The names under which authors write when a page last changed, best first.
MODIFIED_KEYS = ("lastmod", "last_modified", "last_updated", "updated", "modified", "date")


class NotADateError(ValueError):
    """What was to be a date does not look like one at all."""


def to_w3c(value: object, *, now: datetime, timezone: tzinfo | None = None) -> str:
    """Return a date as W3C Datetime, in the form that the published schema takes too.

    That is ``YYYY-MM-DD`` or ``YYYY-MM-DDThh:mm:ss±hh:mm`` (https://www.w3.org/TR/NOTE-datetime and xsd:dateTime).
    A time without an offset gets ``timezone``, or only its day is kept. Raises NotADateError for what is no date, and
    ValueError, in plain words, for a day that does not exist, one to come, and one before the web.
    """
    moment = _read(value)
    if isinstance(moment, datetime):
        if moment.tzinfo is None and timezone is not None:
            moment = moment.replace(tzinfo=timezone)
        if moment.tzinfo is None:
            moment = moment.date()
    day = moment.date() if isinstance(moment, datetime) else moment
    if day < _EARLIEST:
        raise ValueError(f"{value} is before the web and cannot be when the page changed; write the real date")
    try:
        ahead = moment > now if isinstance(moment, datetime) else day > (now + _AHEAD).date()
        text = _iso(moment)
    except OverflowError as error:
        raise ValueError(f"{_EXPECTED}, got {value!r}") from error
    if ahead:
        raise ValueError(f"{value} is in the future and cannot be when the page changed; write the real date")
    return text


def _iso(moment: date) -> str:
    if not isinstance(moment, datetime):
        return moment.isoformat()
    offset = moment.utcoffset() or timedelta()
    # W3C offsets are whole minutes, and xsd:dateTime ends at 14 hours.
    if offset % timedelta(minutes=1) or abs(offset) > _AHEAD:
        moment = moment.astimezone(UTC)
    return moment.isoformat(timespec="seconds")


def _read(value: object) -> date:
    if isinstance(value, date):
        return value
    if isinstance(value, str):
        match = _FORM.fullmatch(value.strip())
        if match:
            zone = (match["zone"] or "").upper().replace("UTC", "Z").replace("GMT", "Z")
            try:
                if match["time"] is None:
                    return date.fromisoformat(match["day"])
                return datetime.fromisoformat(f"{match['day']}T{match['time']}{zone}")
            except ValueError as error:
                raise ValueError(f"{_EXPECTED}, got {value!r} ({error})") from error
    try:
        shown = repr(value)
    except ValueError:
        shown = "a number of too many digits"
    raise NotADateError(f"{_EXPECTED}, got {shown}")


def zone(name: str) -> tzinfo | None:
    """Return the time zone of an IANA name, or None where this machine does not know it."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None


def stated(meta: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield each date in a page's own metadata as (key, value), the most telling first.

    A ``date`` may be a mapping with ``updated`` and ``created``. Material's blog makes times of the days that it finds
    there; a time of midnight sharp is taken back to the day that was written.
    """
    for key in MODIFIED_KEYS:
        value = meta.get(key)
        if value is None or value == "":
            continue
        if isinstance(value, Mapping):
            for part in ("updated", "created"):
                moment = value.get(part)
                if isinstance(moment, datetime) and moment.time() == time():
                    moment = moment.date()
                if moment is not None:
                    yield f"{key}.{part}", moment
        else:
            yield key, value


def newest(values: Iterable[str]) -> str:
    """Return the latest of W3C Datetimes, or an empty text where one of them is missing.

    A day without a time counts as its beginning in UTC. A file's date is known only if all its dates are.
    """
    dates = list(values)
    if not dates or "" in dates:
        return ""
    if all(len(value) == _DAY for value in dates):
        return max(dates)
    # On a tie the text decides, so that the order of the values does not.
    return max(dates, key=lambda value: (_instant(value), value))


def _instant(value: str) -> datetime:
    moment = datetime.fromisoformat(value)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
