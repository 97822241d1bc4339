"""Hypothesis for the core's tests: the same examples in every run, and no clock that fails a slow machine."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "core", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("core")
