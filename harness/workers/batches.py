"""One stage called for each of many inputs that came in one frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from harness.workers.protocol import Array

Results = tuple[list[Array], list[int]]
"""Arrays with one more dimension, the first, and the places of inputs whose result is not in them."""

Form = tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]
"""Shape and dtype of each output."""


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
    forms: list[Form | None] = []
    last: Form = ()
    for given in arguments:
        try:
            result = call(given)
        except (Exception, SystemExit):
            results.append(None)
            forms.append(None)
            continue
        form = tuple([(array.shape, array.dtype) for array in result])
        # Most are alike, and then are the same object: what counts them need not compare them again.
        last = last if form == last else form
        results.append(result)
        forms.append(last)
    counts = Counter(form for form in forms if form is not None)
    if not counts:
        return [np.empty(0) for _ in range(outputs)], list(range(len(results)))
    usual = counts.most_common(1)[0][0]
    others = [place for place, form in enumerate(forms) if form != usual]
    kept = [
        result for result, form in zip(results, forms, strict=True) if result is not None and form == usual
    ]
    if not others:
        return [np.stack(arrays) for arrays in zip(*kept, strict=True)], others
    stacks = [np.zeros((len(results), *shape), dtype) for shape, dtype in usual]
    places = np.delete(np.arange(len(results)), others)
    for stack, arrays in zip(stacks, zip(*kept, strict=True), strict=True):
        stack[places] = arrays
    return stacks, others
