"""Working precisions of results, by NumPy's rules of promotion (NEP 50), and conversions of arrays."""

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

    The class of a lower precision is derived from that of the run's precision when it is first needed, and
    refers to it as ``widest``. A precision higher than the run's is replaced by the run's.
    """

    dtype: ClassVar[np.dtype[Any]]
    bits: ClassVar[int]
    lower: ClassVar[dict[int, Any]]
    """The classes of lower precisions, by the length of the significand."""

    inside: ClassVar[Any] = None
    """The class in which a NumPy function computes at present, whatever plain arrays it uses."""

    weak: bool = False
    """Whether it is a Python number."""

    @classmethod
    def of(cls, dtype: Any) -> type[Self]:
        """The class of the same arithmetic in the precision of a dtype, or of a complex dtype's parts."""
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
        """Whether another class belongs to the same arithmetic."""
        return (kind.widest or kind) is (cls.widest or cls)

    @classmethod
    def members_of(cls, bits: int) -> dict[str, Any]:
        """The attributes of a class of another precision."""
        raise NotImplementedError

    @classmethod
    def promoted(cls, operands: Any) -> type[Self]:
        """The class of NumPy's result for these operands, nested lists included."""
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
        """A context in which every result has this precision."""
        base = cls.widest or cls
        before, base.inside = base.inside, cls if cls.widest else None
        try:
            yield
        finally:
            base.inside = before

    @classmethod
    def collect(cls, value: Any) -> Self:
        """As `gather`, in the class of NumPy's promoted precision."""
        gathered: Self = cls.promoted(value).gather(value)  # type: ignore[attr-defined]
        return gathered

    def weakly(self) -> Self:
        """The same number, marked as a Python number."""
        self.weak = not self.ndim
        return self


def _dtypes(operands: Any) -> Iterator[Any]:
    """Operands for `numpy.result_type`: a dtype or a Python number for each."""
    for operand in operands if isinstance(operands, (list, tuple)) else (operands,):
        if isinstance(operand, (list, tuple)):
            # In an array that NumPy makes of a list, no number is weak.
            yield from (np.dtype(type(item)) if type(item) in WEAK else item for item in _dtypes(operand))
        elif isinstance(operand, Precise):
            yield 0.0 if operand.weak else operand.dtype
        elif type(operand) in WEAK:
            yield False if isinstance(operand, bool) else 0 if isinstance(operand, int) else 0.0
        elif isinstance(getattr(operand, "dtype", None), np.dtype):
            dtype = operand.dtype
            yield np.empty(0, dtype).real.dtype if dtype.kind == "c" else dtype


def is_weak(value: Any) -> bool:
    """Whether it is a Python number."""
    return value.weak if isinstance(value, Precise) else type(value) in WEAK


def with_class(kind: Any, value: Any) -> Any:
    """Nested arguments with the oracle's arrays converted to a precision."""
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
