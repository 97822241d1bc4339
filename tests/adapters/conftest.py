"""The contract's assertions are shown in full, as those of a test file are."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.adapters.contract")
