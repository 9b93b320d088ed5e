"""Settings that all files of a process share: each file has those that it made, and no other file's."""

from __future__ import annotations

import decimal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np


class Settings(NamedTuple):
    """How NumPy handles errors, the context of decimal, filters of warnings, and PyTorch's default dtype."""

    errors: Any
    called: Any
    decimals: decimal.Context
    filters: list[Any]
    dtype: Any

    @classmethod
    def now(cls) -> Settings:
        """The settings as they are."""
        torch = sys.modules.get("torch")
        return cls(
            errors=np.geterr(),
            called=np.geterrcall(),
            decimals=decimal.getcontext().copy(),
            filters=list(warnings.filters),
            dtype=torch.get_default_dtype() if torch is not None else None,
        )

    def set(self) -> None:
        """Make the settings these."""
        np.seterr(**self.errors)
        np.seterrcall(self.called)
        decimal.setcontext(self.decimals.copy())
        if warnings.filters != self.filters:
            # It also forgets which warnings were shown under the others.
            warnings.resetwarnings()
            warnings.filters[:] = self.filters  # type: ignore[index]
        if self.dtype is not None:
            sys.modules["torch"].set_default_dtype(self.dtype)


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
