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
            found: type[Self] = base
            return found
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
        found = list(_dtypes(operands))
        if not any(
            isinstance(one, np.dtype) and BITS.get(one, 64) < (cls.widest or cls).bits for one in found
        ):
            return cls.of(np.float64)
        return cls.of(np.result_type(*found))

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
    for one in operands if isinstance(operands, (list, tuple)) else (operands,):
        if isinstance(one, (list, tuple)):
            # In an array of NumPy's own, no number is weak.
            yield from (np.dtype(type(item)) if type(item) in WEAK else item for item in _dtypes(one))
        elif isinstance(one, Precise):
            yield 0.0 if one.weak else one.dtype
        elif type(one) in WEAK:
            yield False if isinstance(one, bool) else 0 if isinstance(one, int) else 0.0
        elif isinstance(getattr(one, "dtype", None), np.dtype):
            dtype = one.dtype
            yield np.empty(0, dtype).real.dtype if dtype.kind == "c" else dtype


def is_weak(one: Any) -> bool:
    """Whether it is a number of Python's own."""
    return one.weak if isinstance(one, Precise) else type(one) in WEAK


def with_class(kind: Any, one: Any) -> Any:
    """Nested arguments, the oracle's arrays among them taken to a precision."""
    if isinstance(one, Precise):
        return kind.gather(one)
    if isinstance(one, (list, tuple)) and not hasattr(one, "_fields"):
        return type(one)(with_class(kind, item) for item in one)
    return one


def classes(one: Any) -> Iterator[type]:
    """The classes of the oracle's arrays in nested arguments."""
    if isinstance(one, Precise):
        yield type(one)
    elif isinstance(one, (list, tuple)):
        for item in one:
            yield from classes(item)
    elif isinstance(one, dict):
        yield from classes(list(one.values()))
