"""Checks of every dtype: its bits cross both ways, and the functions see its numbers."""

from __future__ import annotations

import numpy as np

from harness.audit.worker_checks.bench import Bench, Check, words
from harness.audit.worker_checks.ends import NotOffered, wrong
from harness.audit.worker_checks.of_values import TRANSPORT, difficult, keeps
from harness.errors import ImplementationError, WorkerCrashed
from harness.model import Array
from harness.workers.protocol import BFLOAT16, DTYPES

_BYTES = (0x01, 0x82, 0x03, 0x84, 0x05)
"""Of an integer that float64 holds, in which it may come back. Twice it, one byte carries into the next."""


def told_apart(dtype: str) -> tuple[complex, ...]:
    """Numbers that are others with their bytes in another order, or with another sign or type."""
    kind = DTYPES[dtype]
    if dtype == "bool":
        return (True, False)
    if dtype == "bfloat16" or kind.kind == "f":
        return (-1.171875, 2.5)
    if kind.kind == "c":
        return (-1.171875 + 2.5j, 2.5 - 1.171875j)
    rising = int.from_bytes(_BYTES[: kind.itemsize], "big")
    return (rising, -2 if kind.kind == "i" else 1 << (8 * kind.itemsize - 1))


def single(array: Array) -> complex:
    """The one number of an array, whatever its dtype."""
    if array.dtype == BFLOAT16:
        array = (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    number: complex = array.item()
    return number


def is_seen(bench: Bench, dtype: str, handle: str) -> None:
    """A function that returns one element has the number that was sent.

    An echo does not show it: two mistakes, one in reading and one in writing, may cancel.
    """
    for number in told_apart(dtype):
        if dtype == "bfloat16":
            upper = np.array(number, np.float32).view(np.uint32) >> 16
            value = upper.astype(np.uint16).view(BFLOAT16)
        else:
            value = np.array(number, DTYPES[dtype])
        is_complex = isinstance(number, complex)
        # Where a language keeps the two parts side by side, the first element is the real part.
        sent = np.zeros((1, 1) if is_complex else (2, 3), value.dtype)
        sent[0, -1] = value
        (got,) = bench.call_of(handle, "corner", [sent])
        right = (number, number.real) if is_complex else (number,)
        is_bits = value.dtype.itemsize == 2 and dtype not in bench.worker().info.dtypes
        if is_bits and value.dtype.kind in "fV" and got.size == 1 and single(got) == value.view(np.uint16):
            raise NotOffered(f"{dtype} comes back, and a function sees its bits")
        if got.size != 1 or single(got) not in right:
            wrong(f"corner gave {words([got])}, and {number} of {dtype} stands there: its bytes are misread")


def is_computed_with(bench: Bench, dtype: str, handle: str) -> None:
    """A function that doubles what is not negative computes with the number that was sent.

    Where an element goes back in its own dtype, it is an echo too. A language may be unable to compute in it.
    """
    kind = DTYPES[dtype]
    if dtype == "bfloat16" or kind.kind in "bc" or bench.lacks("picky", np.zeros(1, kind)):
        return
    if kind.kind == "f":
        numbers: tuple[complex, ...] = (1.171875, -1.171875)
    else:
        numbers = told_apart(dtype)
    for number in numbers:
        try:
            (got,) = bench.call_of(handle, "picky", [np.array([number], kind)])
        except ImplementationError as error:
            if "negative" in error.message and number.real > 0:
                wrong(f"picky was sent {number} of {dtype}, and sees a negative one: it is misread")
            continue
        if number.real < 0:
            wrong(
                f"picky gave {words([got])} of {number} of {dtype}, and is to refuse it: its sign is misread"
            )
        is_within = kind.kind == "f" or 2 * number.real <= np.iinfo(kind).max
        if is_within and (got.size != 1 or single(got) != 2 * number):
            wrong(f"picky gave {words([got])} of {number} of {dtype}, and twice that is due: it is misread")


def handles(bench: Bench, dtype: str) -> list[str]:
    """The source file as it was loaded, and loaded to be called in a precision that is announced."""
    bench.needs("corner")
    if bench.declared is not None:
        return [bench.loaded(bench.precision_of(DTYPES[dtype])).handle]
    given = [bench.loaded().handle]
    if dtype != "float64" and dtype in bench.worker().info.dtypes:
        given.append(bench.load(bench.source, {"corner": 1, "picky": 1}, precision=dtype).handle)
    return given


def bits_of(dtype: str) -> Check:
    """Every bit of one dtype's values crosses both ways, and a function sees its numbers."""

    def run(bench: Bench) -> str | None:
        exact = dtype in bench.worker().info.dtypes
        try:
            came = keeps(bench, difficult(dtype), exact=exact)
        except (ImplementationError, WorkerCrashed) as error:
            kind = error.kind if isinstance(error, ImplementationError) else "call"
            if exact or kind != "call" or not bench.worker() or dtype == "float64":
                raise
            keeps(bench, np.arange(3.0), exact=True)
            raise NotOffered(f"no {dtype}: {error.message}") from error
        try:
            for handle in handles(bench, dtype):
                is_seen(bench, dtype, handle)
                is_computed_with(bench, dtype, handle)
        except ImplementationError as error:
            if exact or error.kind not in ("call", "value"):
                raise
            raise NotOffered(
                f"{dtype} comes back, and a function has no number of it: {error.message}"
            ) from error
        is_same = came == str(DTYPES[dtype]) or (dtype == "bfloat16" and came == str(BFLOAT16))
        remark = None if is_same else f"it comes back as {came}, each number kept"
        if dtype == "bool" and came not in ("bool", "float64"):
            wrong(f"{came} came back for bool: where a case expects bool, that fails")
        if DTYPES[dtype].kind in "iu":
            ends = np.iinfo(DTYPES[dtype])
            try:
                keeps(bench, np.array([ends.min, ends.max], dtype=DTYPES[dtype]), exact=False)
            except ImplementationError as error:
                if error.kind != "call":
                    raise
                return f"{remark or ''}; of the ends it says: {error.message}".removeprefix("; ")
        if DTYPES[dtype].kind in "biu" and came == "float64":
            raise NotOffered(f"{remark}; where a case expects an output of {dtype}, that fails")
        return remark

    return Check(f"bits of {dtype}", TRANSPORT, run)


CHECKS = tuple(bits_of(dtype) for dtype in DTYPES)
