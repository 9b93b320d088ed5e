"""One stage called for each of many inputs that came in one frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from harness.workers.protocol import Array

Results = tuple[list[Array], list[int]]
"""Arrays with one more dimension, the first, and the places of inputs whose result is not in them."""


def each(
    arguments: Iterable[Sequence[Any]], call: Callable[[Sequence[Any]], Sequence[Array]], outputs: int
) -> Results:
    """Call a function for each input, and stack what it returned.

    Parameters
    ----------
    arguments : iterable of sequence
        Those of each call.
    call : callable
        Calls the function, and returns its ``outputs`` arrays; or raises.
    outputs : int
        How many arrays there are.

    Returns
    -------
    arrays : list of ndarray
        One for each output, with all results along the first dimension; zeros at the other places. Where no
        call gave a result, they are empty.
    others : list of int
        The places of the calls that raised, or whose results have another shape or dtype than most: what they
        give is for a call of one input to tell.
    """
    results: list[Sequence[Array] | None] = []
    for given in arguments:
        try:
            results.append(call(given))
        except (Exception, SystemExit):
            results.append(None)
    forms = [None if result is None else tuple((a.shape, a.dtype) for a in result) for result in results]
    counts = Counter(form for form in forms if form is not None)
    if not counts:
        return [np.empty(0) for _ in range(outputs)], list(range(len(results)))
    usual = counts.most_common(1)[0][0]
    stacks = [np.zeros((len(results), *shape), dtype) for shape, dtype in usual]
    others = []
    for place, (result, form) in enumerate(zip(results, forms, strict=True)):
        if result is None or form != usual:
            others.append(place)
            continue
        for stack, array in zip(stacks, result, strict=True):
            stack[place] = array
    return stacks, others
