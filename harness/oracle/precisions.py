"""Which working precision a result has, by NumPy's rules of promotion (NEP 50), and arrays taken to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self, cast

import numpy as np

from harness.oracle.known import Known

BITS = {np.dtype(np.float16): 11, np.dtype(np.float32): 24, np.dtype(np.float64): 53}
"""The length of the significand of NumPy's formats."""

WEAK = (bool, int, float, complex)
"""Python's own numbers: they take the precision of what they are computed with."""


class Precise(Known):
    """An array whose class is that of its working precision.

    The class of a lower precision is made of that of the run's own, when it is first asked for, and has its
    name, ``widest``. A higher precision than the run's is the run's.
    """

    dtype: ClassVar[np.dtype[Any]]
    bits: ClassVar[int]
    lower: ClassVar[dict[int, Any]]
    """The classes of lower precisions, by the length of the significand."""

    inside: ClassVar[Any] = None
    """The class in which a function of NumPy's computes, whatever plain arrays it uses."""

    weak: bool = False
    """Whether it is a number of Python's own."""

    @classmethod
    def of(cls, dtype: Any) -> type[Self]:
        """The same arithmetic in the precision of a dtype, of complex numbers that of their parts."""
        base = cls.widest or cls
        asked = np.dtype(dtype)
        bits = BITS.get(np.empty(0, asked).real.dtype if asked.kind == "c" else asked, base.bits)
        if bits >= base.bits:
            same: type[Self] = base
            return same
        if "lower" not in vars(base):
            base.lower = {}
        if bits not in base.lower:
            members = {"widest": base, "bits": bits, **base.members_of(bits)}
            base.lower[bits] = type(base.__name__, (base,), members)
        return cast(type[Self], base.lower[bits])

    @classmethod
    def of_one_run(cls, kind: Any) -> bool:
        """Whether another class is one of the same arithmetic."""
        return (kind.widest or kind) is (cls.widest or cls)

    @classmethod
    def members_of(cls, bits: int) -> dict[str, Any]:
        """What a class of another precision has of its own."""
        raise NotImplementedError

    @classmethod
    def promoted(cls, operands: Any) -> type[Self]:
        """The class of what NumPy makes of operands, nested lists of them included."""
        inside = (cls.widest or cls).inside
        if inside is not None:
            return cast(type[Self], inside)
        dtypes = list(_dtypes(operands))
        if not any(
            isinstance(dtype, np.dtype) and BITS.get(dtype, 64) < (cls.widest or cls).bits for dtype in dtypes
        ):
            return cls.of(np.float64)
        return cls.of(np.result_type(*dtypes))

    @classmethod
    @contextmanager
    def computing(cls) -> Iterator[None]:
        """All that is computed has this precision."""
        base = cls.widest or cls
        before, base.inside = base.inside, cls if cls.widest else None
        try:
            yield
        finally:
            base.inside = before

    @classmethod
    def collect(cls, value: Any) -> Self:
        """As `gather`, in the precision that NumPy gives it."""
        gathered: Self = cls.promoted(value).gather(value)  # type: ignore[attr-defined]
        return gathered

    def weakly(self) -> Self:
        """The same number, as one of Python's own."""
        self.weak = not self.ndim
        return self


def _dtypes(operands: Any) -> Iterator[Any]:
    """What `numpy.result_type` takes for each: a dtype, or a number of Python's."""
    for operand in operands if isinstance(operands, (list, tuple)) else (operands,):
        if isinstance(operand, (list, tuple)):
            # In an array of NumPy's own, no number is weak.
            yield from (np.dtype(type(item)) if type(item) in WEAK else item for item in _dtypes(operand))
        elif isinstance(operand, Precise):
            yield 0.0 if operand.weak else operand.dtype
        elif type(operand) in WEAK:
            yield False if isinstance(operand, bool) else 0 if isinstance(operand, int) else 0.0
        elif isinstance(getattr(operand, "dtype", None), np.dtype):
            dtype = operand.dtype
            yield np.empty(0, dtype).real.dtype if dtype.kind == "c" else dtype


def is_weak(value: Any) -> bool:
    """Whether it is a number of Python's own."""
    return value.weak if isinstance(value, Precise) else type(value) in WEAK


def with_class(kind: Any, value: Any) -> Any:
    """Nested arguments, the oracle's arrays among them taken to a precision."""
    if isinstance(value, Precise):
        return kind.gather(value)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(with_class(kind, item) for item in value)
    return value


def classes(value: Any) -> Iterator[type]:
    """The classes of the oracle's arrays in nested arguments."""
    if isinstance(value, Precise):
        yield type(value)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from classes(item)
    elif isinstance(value, dict):
        yield from classes(list(value.values()))
