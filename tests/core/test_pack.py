"""Entries to files under both limits (https://www.sitemaps.org/protocol.html#index)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugins.core import pack as module
from sitemap_plugins.core.model import Url
from sitemap_plugins.core.pack import Piece, TooLarge, pack

ENVELOPE = 10


def render(urls: Sequence[Url]) -> bytes:
    return b"".join(url.loc.encode() for url in urls)


def sized(sizes: Sequence[int]) -> list[Url]:
    """Return URLs whose entries have these sizes, each of its own letter."""
    return [Url(chr(97 + number % 26) * size) for number, size in enumerate(sizes)]


def parts(sizes: Sequence[int], max_urls: int, max_bytes: int) -> tuple[list[list[int]], list[int]]:
    """Pack, check the promises, and return the sizes of each part's entries and of the entries left out."""
    urls = sized(sizes)
    contents: dict[int, list[bytes]] = {}
    placed: dict[int, list[Url]] = {}
    refused: list[Url] = []
    order: list[Url] = []
    last = 1
    for piece in pack(urls, render, envelope=ENVELOPE, max_urls=max_urls, max_bytes=max_bytes):
        if isinstance(piece, TooLarge):
            assert piece.size == ENVELOPE + len(piece.url.loc) > max_bytes
            refused.append(piece.url)
            order.append(piece.url)
            continue
        assert isinstance(piece, Piece)
        assert piece.content == render(piece.urls)
        assert piece.urls
        assert piece.part in (last, last + 1)
        last = piece.part
        contents.setdefault(piece.part, []).append(piece.content)
        placed.setdefault(piece.part, []).extend(piece.urls)
        order.extend(piece.urls)
    assert order == urls
    assert list(placed) == list(range(1, len(placed) + 1))
    for number, found in placed.items():
        assert len(found) <= max_urls
        assert ENVELOPE + sum(map(len, contents[number])) <= max_bytes
    return [[len(url.loc) for url in found] for found in placed.values()], [len(url.loc) for url in refused]


def greedy(sizes: Sequence[int], max_urls: int, max_bytes: int) -> list[list[int]]:
    """Fill each part until the next entry does not fit."""
    filled: list[list[int]] = []
    for size in sizes:
        if not filled or len(filled[-1]) == max_urls or ENVELOPE + sum(filled[-1]) + size > max_bytes:
            filled.append([])
        filled[-1].append(size)
    return filled


@pytest.mark.parametrize(
    ("sizes", "max_urls", "max_bytes", "packed"),
    [
        ([], 2, 100, []),
        ([5], 1, 15, [[5]]),
        # one below, at and above the number of URLs
        ([1] * 3, 4, 100, [[1] * 3]),
        ([1] * 4, 4, 100, [[1] * 4]),
        ([1] * 5, 4, 100, [[1] * 4, [1]]),
        ([1] * 8, 4, 100, [[1] * 4, [1] * 4]),
        ([1] * 9, 4, 100, [[1] * 4, [1] * 4, [1]]),
        ([1] * 3, 1, 100, [[1], [1], [1]]),
        # one below, at and above the number of bytes, of which the frame has 10
        ([30, 29], 9, 70, [[30, 29]]),
        ([30, 30], 9, 70, [[30, 30]]),
        ([30, 31], 9, 70, [[30], [31]]),
        ([60, 1], 9, 70, [[60], [1]]),
        ([1, 60], 9, 70, [[1], [60]]),
    ],
)
def test_edges(sizes: list[int], max_urls: int, max_bytes: int, packed: list[list[int]]) -> None:
    assert parts(sizes, max_urls, max_bytes) == (packed, [])


@pytest.mark.parametrize(
    ("sizes", "packed", "refused"),
    [
        ([61], [], [61]),
        ([60], [[60]], []),
        ([61, 5], [[5]], [61]),
        ([5, 61], [[5]], [61]),
        ([61, 61], [], [61, 61]),
        ([5, 61, 5], [[5, 5]], [61]),
    ],
)
def test_an_entry_that_no_file_can_hold(sizes: list[int], packed: list[list[int]], refused: list[int]) -> None:
    assert parts(sizes, 9, 70) == (packed, refused)


def test_more_than_one_run_goes_into_a_file() -> None:
    sizes = [1] * (module._CHUNK * 2 + 1)
    assert parts(sizes, module._CHUNK * 2, 50_000) == ([[1] * (module._CHUNK * 2), [1]], [])


SIZES = st.lists(st.integers(1, 60), max_size=60)


@given(SIZES, st.integers(1, 12), st.integers(70, 300), st.sampled_from([1, 3, 7, 1_000]))
def test_as_few_parts_as_filling_each_to_the_brim_gives(
    sizes: list[int], max_urls: int, max_bytes: int, chunk: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", chunk)
        assert parts(sizes, max_urls, max_bytes) == (greedy(sizes, max_urls, max_bytes), [])


@settings(max_examples=200)
@given(SIZES, st.integers(1, 12), st.integers(11, 90))
def test_nothing_is_lost_where_some_are_too_large(sizes: list[int], max_urls: int, max_bytes: int) -> None:
    packed, refused = parts(sizes, max_urls, max_bytes)
    assert refused == [size for size in sizes if ENVELOPE + size > max_bytes]
    assert packed == greedy([size for size in sizes if ENVELOPE + size <= max_bytes], max_urls, max_bytes)
