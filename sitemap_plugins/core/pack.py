"""Rendered entries to files under both limits, counted in bytes as rendered."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sitemap_plugins.core.model import Url

_CHUNK = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of entries that goes into part number ``part`` (from 1): the URLs and their bytes."""

    part: int
    urls: Sequence[Url]
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class TooLarge:
    """An entry that no file can hold: alone it is over the limit of bytes."""

    url: Url
    size: int


def pack(
    urls: Sequence[Url],
    render: Callable[[Sequence[Url]], bytes],
    *,
    envelope: int,
    max_urls: int,
    max_bytes: int,
) -> Iterator[Piece | TooLarge]:
    """Cut the URLs into parts of at most ``max_urls`` entries and ``max_bytes`` bytes, in order.

    ``render`` turns a run of URLs into bytes and ``envelope`` is the size of what stands around the entries of a
    file. The pieces come in order and concatenate to the input; no more than one of them is held.
    (Limits: https://www.sitemaps.org/protocol.html#index)
    """
    part, count, size = 1, 0, envelope
    waiting = deque(urls[start : start + _CHUNK] for start in range(0, len(urls), _CHUNK))
    while waiting:
        run = waiting.popleft()
        room = max_urls - count
        if len(run) > room > 0:
            waiting.appendleft(run[room:])
            run = run[:room]
        content = render(run) if room else b""
        if room and size + len(content) <= max_bytes:
            yield Piece(part=part, urls=run, content=content)
            count += len(run)
            size += len(content)
        elif room and len(run) > 1:
            # Somewhere in this run the file is full: look in the first half.
            middle = len(run) // 2
            waiting.appendleft(run[middle:])
            waiting.appendleft(run[:middle])
        elif room and envelope + len(content) > max_bytes:
            yield TooLarge(url=run[0], size=envelope + len(content))
        else:
            waiting.appendleft(run)
            part, count, size = part + 1, 0, envelope
