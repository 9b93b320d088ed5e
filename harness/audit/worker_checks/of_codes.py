"""Checks of what a worker may announce: text, dates and missing numbers, inputs left out, many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.audit.worker_checks.bench import Bench, Check, words
from harness.audit.worker_checks.ends import NotOffered, wrong
from harness.audit.worker_checks.of_values import difference
from harness.errors import ImplementationError
from harness.model import Array

LOAD = "load"
BATCH = "call with batch"
MISSING = 0x7FF00000000007A2
"""R's missing number."""
NO_TEXT = 0x10FFFF
LEAST = np.iinfo(np.int64).min

Form = Mapping[str, Any]


def _codes(*texts: str | None) -> Array:
    width = max(1, *(len(text or "x") for text in texts))
    rows = [[NO_TEXT] if text is None else list(map(ord, text)) for text in texts]
    return np.array([row + [0] * (width - len(row)) for row in rows], dtype=np.int32)


def _with_missing(*numbers: float) -> Array:
    array = np.array([*numbers, 0.0])
    array.view(np.uint64)[-1] = MISSING
    return array


CODED: Mapping[str, tuple[Form, list[Array]]] = {
    "text": ({"kind": "text"}, [_codes("", "naïve", "∂x \U0001d6fc", None)]),
    "a date": ({"kind": "date"}, [np.array([0, -1, 20000, LEAST])]),
    "a time": ({"kind": "time"}, [np.array([0, -1000, 1_700_000_000_001_000, LEAST])]),
    "a category": ({"kind": "category"}, [_codes("b", "a", None, "b"), _codes("a", "b", "c")]),
    "missing numbers": ({"dtype": "float", "missing": True}, [_with_missing(1.5, -0.0, np.inf)]),
    "missing integers": ({"dtype": "int", "missing": True}, [_with_missing(1.0, -7.0)]),
    "values by name": (
        {"kind": "names", "parts": [{"name": "x.low"}, {"name": "x.high"}]},
        [np.arange(2.0), np.ones((2, 2))],
    ),
    "a list": (
        {"kind": "list", "parts": [{"name": "x.1"}, {"name": "x.2"}]}, [np.arange(2.0), np.ones((2, 2))],
    ),
}  # fmt: skip
"""By name, the form of a value that is no plain array, and its arrays on the wire."""


def _signed(bench: Bench, stage: str, takes: Sequence[Form], returns: Sequence[Form] | None) -> str:
    """Load a function with a signature; its handle."""
    if not bench.worker().signatures:
        raise NotOffered("its hello says no signatures")
    how: dict[str, Any] = {"takes": list(takes)} | ({"returns": list(returns)} if returns else {})
    loaded = bench.load(bench.source, {stage: len(takes)}, signatures={stage: how})
    if stage in loaded.problems:
        raise NotOffered(f"{stage} is refused with a signature: {loaded.problems[stage].message}")
    return loaded.handle


def coded(name: str) -> Check:
    """A value of another kind goes to a function and comes back."""
    form, arrays = CODED[name]

    def run(bench: Bench) -> str | None:
        handle = _signed(bench, "same", [{"name": "x", **form}], [{"name": "x", **form}])
        try:
            got = bench.call_of(handle, "same", arrays, len(arrays), names=_names(form, len(arrays)))
        except ImplementationError as error:
            if error.kind != "call" or "not followed" not in error.message:
                raise
            raise NotOffered(error.message) from error
        for sent, back in zip(arrays, got, strict=True):
            held = back
            if form.get("kind") in ("date", "time") and back.dtype == np.float64:
                held = _whole(back)
            if sent.dtype == np.int32 and back.ndim == 2 and back.shape[1] < sent.shape[1]:
                held = np.pad(back, ((0, 0), (0, sent.shape[1] - back.shape[1])))
            if problem := difference(sent, held, exact=sent.dtype == np.float64):
                wrong(f"{problem}: {words([back])}")
        return None

    return Check(f"the value code of {name}", LOAD, run)


def _names(form: Form, count: int) -> list[str]:
    parts = form.get("parts") or [{"name": "x"}] * count
    return [part["name"] for part in parts]


def _whole(days: Array) -> Array:
    """Dates as whole numbers of float64, those that are missing as NaN."""
    lost = np.isnan(days)
    whole = np.where(lost, 0, days).astype(np.int64)
    whole[lost] = LEAST
    return whole


def absent(bench: Bench) -> None:
    """An optional input that is left out: the function has its default."""
    bench.needs("defaulted")
    takes: list[Form] = [{"name": "x"}, {"name": "y", "optional": True}]
    handle = _signed(bench, "defaulted", takes, None)
    x = np.arange(3.0)
    (short,) = bench.call_of(handle, "defaulted", [x], absent=(1,))
    (long,) = bench.call_of(handle, "defaulted", [x, np.full(3, 5.0)])
    if short.tolist() != (2 * x).tolist() or long.tolist() != (5 * x).tolist():
        wrong(f"defaulted gave {words([short])} without y, which is 2, and {words([long])} with 5 for it")


def batch(bench: Bench) -> None:
    """Many inputs at once give what they give one by one; one that raises does not end the loop."""
    if not bench.worker().batches:
        raise NotOffered("its hello says no batches")
    bench.needs("two", "same")
    a, b = np.arange(24.0).reshape(4, 2, 3), np.arange(8.0).reshape(4, 2)
    (first, second), others = bench.calls("two", [a, b], ("b", "a"))
    if others or not (np.array_equal(first, b) and np.array_equal(second, a)):
        wrong(f"two gave {words([first, second])}, others {others}, of four inputs at once")
    bench.needs("picky")
    stack = np.arange(12.0).reshape(4, 3)
    stack[2] = -1
    (got,), others = bench.calls("picky", [stack], ("y",))
    if others != [2] or not np.array_equal(got[[0, 1, 3]], 2 * stack[[0, 1, 3]]):
        wrong(f"picky gave {words([got])} and others {others}, and the third input alone raises an error")
    _, others = bench.calls("picky", [-1 - stack], ("y",))
    if others != [0, 1, 3]:
        wrong(f"others are {others} where all but the third input raise an error")


CHECKS = (
    *(coded(name) for name in CODED),
    Check("an input that is left out", LOAD, absent),
    Check("many inputs at once", BATCH, batch),
)
