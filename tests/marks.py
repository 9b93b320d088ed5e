"""Marks that tests of several folders share."""

from __future__ import annotations

from typing import Any

import pytest


def in_slow(*values: object) -> Any:
    """A parameter that is tried among the slow tests alone, where each one starts programs for seconds."""
    return pytest.param(*values, marks=pytest.mark.slow)
