"""Settings that all files of a process share: each file has those that it made, and no other file's."""

from __future__ import annotations

import decimal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np


class Settings(NamedTuple):
    """How NumPy handles errors, the context of decimal, and the filters of warnings."""

    errors: Any
    called: Any
    decimals: decimal.Context
    filters: list[Any]

    @classmethod
    def now(cls) -> Settings:
        """The settings as they are."""
        return cls(np.geterr(), np.geterrcall(), decimal.getcontext().copy(), list(warnings.filters))

    def set(self) -> None:
        """Make the settings these."""
        np.seterr(**self.errors)
        np.seterrcall(self.called)
        decimal.setcontext(self.decimals.copy())
        if warnings.filters != self.filters:
            # It also forgets which warnings were shown under the others.
            warnings.resetwarnings()
            warnings.filters[:] = self.filters  # type: ignore[index]


class OwnSettings:
    """The settings of one file, which hold while it is evaluated and called."""

    def __init__(self) -> None:
        self._own = Settings.now()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Let the file's settings hold, and keep what the block makes of them."""
        before = Settings.now()
        self._own.set()
        try:
            yield
        finally:
            self._own = Settings.now()
            before.set()
