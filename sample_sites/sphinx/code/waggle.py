"""Readings of a hive, as Waggle's logger keeps them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """What one hive said in one minute: its weight in grams and its hum in hertz."""

    weight: int
    hum: float


def gain(readings: Iterable[Reading]) -> int:
    """Return by how many grams the hive has grown between the first and the last reading."""
    weights = [reading.weight for reading in readings]
    return weights[-1] - weights[0] if weights else 0


def is_swarming(readings: Iterable[Reading], *, threshold: float = 400.0) -> bool:
    """Tell whether the hum of every reading lies above the threshold, as it does shortly before a swarm leaves."""
    hums = [reading.hum for reading in readings]
    return bool(hums) and min(hums) > threshold
