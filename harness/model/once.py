"""What is computed of a record once, however often it is asked for."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import TypeVar

from harness.model.record import Record

T = TypeVar("T")


def once(function: Callable[[Record], T]) -> Callable[[Record], T]:
    """Make a function of a record remember its result as long as that record is there.

    Records do not change, and neither may the results. Another record of equal lines is another one.
    """
    known: dict[int, tuple[weakref.ref[Record], T]] = {}

    @functools.wraps(function)
    def remembered(record: Record) -> T:
        key = id(record)
        kept = known.get(key)
        if kept is not None and kept[0]() is record:
            return kept[1]
        result = function(record)
        known[key] = weakref.ref(record, lambda _: known.pop(key, None)), result
        return result

    return remembered
