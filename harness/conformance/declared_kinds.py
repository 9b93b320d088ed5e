"""Texts, dates and missing elements as numbers that can be compared, and what differs in words."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from harness.conformance.coded import readable
from harness.conformance.judgement import Judgement
from harness.model import Array, Value, Verdict
from harness.numerics.missing import is_missing, without_missing

KINDS: Mapping[str, str] = {"text": "U", "date": "i", "time": "i"}


def is_plain(value: Value) -> bool:
    """Whether a value is compared as the numbers that it is."""
    return value.dtype not in KINDS and not value.missing


def misplaced(ours: Array, theirs: Array, value: Value) -> str:
    """Say where elements are missing on one side only, or may not be; empty where they may."""
    left, right = is_missing(ours), is_missing(theirs)
    if not value.missing:
        if value.dtype not in KINDS or not left.any():
            return ""
        return f"missing (NA) in {_places(left)} where the case expects none"
    differ = left != right
    if not differ.any():
        return ""
    index = tuple(int(at) for at in np.argwhere(differ)[0])
    return f"missing (NA) in {_places(differ)} on one side only, first at {_index(index)}: " + _where(
        value, ours, theirs, index
    )


def as_numbers(ours: Array, theirs: Array) -> tuple[Array, Array]:
    """Both with equal numbers for equal texts, and with zeros where both are missing."""
    if ours.dtype.kind != "U":
        return without_missing(ours), without_missing(theirs)
    both = np.concatenate([ours.ravel(), theirs.ravel()])
    numbers = np.unique(both, return_inverse=True)[1].astype(np.int64).reshape(-1)
    return numbers[: ours.size].reshape(ours.shape), numbers[ours.size :].reshape(theirs.shape)


def with_words(judged: Judgement, ours: Array, theirs: Array, value: Value) -> Judgement:
    """The judgement with the first element that differs, in words; of texts no distance is kept."""
    stats = judged.stats
    if stats is not None and value.dtype == "text":
        stats = msgspec.structs.replace(
            stats, max_abs=0.0, max_rel=0.0, max_ulp=0.0, mean_abs=0.0, rms=0.0, ulp_histogram=()
        )
    if judged.verdict is not Verdict.FAIL or stats is None or stats.first_beyond is None:
        return msgspec.structs.replace(judged, stats=stats)
    words = _where(value, ours, theirs, stats.first_beyond)
    return msgspec.structs.replace(judged, stats=stats, reason=f"{judged.reason}: {words}")


def _where(value: Value, ours: Array, theirs: Array, index: tuple[int, ...]) -> str:
    return f"{_element(value, ours, index)} where {_element(value, theirs, index)} is expected"


def _element(value: Value, array: Array, index: tuple[int, ...]) -> str:
    if is_missing(array)[index]:
        return "NA"
    if array.dtype.kind == "U":
        text = str(array[index])
        return repr(text if len(text) <= 60 else f"{text[:60]}...")
    text = str(readable(value, array)[index])
    return {"nan": "NaN", "inf": "infinity", "-inf": "-infinity"}.get(text, text)


def _places(mask: Array) -> str:
    count = int(mask.sum())
    return f"{count} place{'' if count == 1 else 's'}"


def _index(index: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, index))}]"
