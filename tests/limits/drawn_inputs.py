"""Random well-posed inputs of a case: first the sizes of its dimensions, then its arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from harness.model import Array, Case, Value

Sizes = Mapping[str | int, int]
"""Size of each named dimension, and of the words' vectors, which the sentiment cases call 50."""

SMALL: Mapping[str | int, tuple[int, int]] = {
    **dict.fromkeys(("n", "T", "head_T"), (1, 6)),
    **dict.fromkeys(("B", "head_B"), (1, 2)),
    "heads": (1, 3),
    **dict.fromkeys(("V", "vocabulary"), (3, 8)),
    50: (1, 7),
}
"""Smallest and largest size; other dimensions have 1 to 8."""

_FOUR_WORD = {"n": (4, 4), "d": (3, 3), "d_k": (3, 3), "d_v": (3, 3)}
_SENTENCE = {"n": (5, 5), "vocabulary": (10, 10), "d": (16, 16)}
_BATCH = {"B": (1, 1), "T": (3, 3), "embed_dim": (32, 32)}
_HEAD = {"head_B": (1, 1), "head_T": (3, 3), "head_dim": (8, 8)}
_SENTIMENT: Mapping[str | int, tuple[int, int]] = {"n": (2, 12), "V": (20, 20), 50: (50, 50)}
FULL: Mapping[str, Mapping[str | int, tuple[int, int]]] = {
    "einsum_multi_head": {**_SENTENCE, "heads": (4, 4), "d_k": (4, 4), "d_out": (16, 16)},
    "four_word": {**_FOUR_WORD},
    "four_word_r_seed": {**_FOUR_WORD},
    "multi_head": {**_BATCH, "heads": (4, 4), "head_size": (8, 8), "out_dim": (32, 32)},
    "self_attention": {**_BATCH, **_HEAD, "d": (5, 5), "head_size": (16, 16)},
    "sentiment_backward": _SENTIMENT,
    "sentiment_forward": _SENTIMENT,
    "token_attention": {**_SENTENCE},
}
"""The sizes of the cases' own fixtures; sentences of up to 12 words, and a table of no more words than that
takes."""

CASES = tuple(FULL)

LARGEST_LOGIT = 350.0
"""exp(-2 * 350) is a normal number of float64: no probability that a loss takes the logarithm of is 0."""


def draw_sizes(case: Case, rng: np.random.Generator, *, full: bool) -> Sizes:
    """Sizes at random, small ones or those of the case's fixture; they fit each other as the case needs.

    Parameters
    ----------
    case : Case
        One of `CASES`.
    rng : Generator
        Where chance comes from.
    full : bool
        Whether sizes are those of the fixture.
    """
    named = {dimension for value in case.inputs for dimension in value.shape}
    ranges = FULL[case.name] if full else SMALL
    free = [dimension for dimension in named if isinstance(dimension, str) or dimension in SMALL]
    sizes: dict[str | int, int] = {
        dimension: int(rng.integers(*ranges.get(dimension, (1, 8)), endpoint=True))
        for dimension in sorted(free, key=str)
    }
    if "concat_dim" in sizes:
        sizes["concat_dim"] = sizes["heads"] * sizes.get("head_size", sizes.get("d_k", 1))
    if 50 in sizes:
        # Below a word's vector stands its position.
        sizes["d"] = sizes[50] + 1
    return sizes


def draw(case: Case, sizes: Sizes, rng: np.random.Generator) -> dict[str, Array]:
    """The arrays of one input, in float64, drawn again until they are well-posed.

    Numbers are normal, times a scale of 2^-6 to 2 that each array has of its own: scores grow with the square
    of it, so that a softmax may be almost even or almost one element alone. In one array of eight all rows
    are alike, and are rounded alike; in another one of eight a third of the elements are zero. The sentiment
    cases' weights are divided by the root of their columns, as a model's are; no bias is left out. Words
    are drawn with repetition; labels are one-hot.
    """
    while True:
        arrays = {value.name: _array(case, value, sizes, rng) for value in case.inputs}
        if well_posed(arrays):
            return arrays


def well_posed(arrays: Mapping[str, Array]) -> bool:
    """Whether inputs have a result that rounding cannot spoil; says nothing of what anybody computed.

    Only a loss can be spoiled, by the logarithm of a probability that underflows. A context vector is a mean
    of values, so no logit exceeds ||W|| (||V|| max|x| + max|Vb|) + max|b| in the norm of rows' absolute sums,
    which is to be at most `LARGEST_LOGIT`.
    """
    if "Vb" not in arrays:
        return True
    words = max(float(np.abs(arrays["table"]).max()), arrays["tokens"].size - 1.0)
    values = _rows(arrays["V"]) * words + float(np.abs(arrays["Vb"]).max())
    return _rows(arrays["W"]) * values + float(np.abs(arrays["b"]).max()) <= LARGEST_LOGIT


def _rows(matrix: Array) -> float:
    return float(np.abs(matrix).sum(axis=1).max())


def _array(case: Case, value: Value, sizes: Sizes, rng: np.random.Generator) -> Array:
    shape = tuple(sizes.get(dimension, dimension) for dimension in value.shape)
    assert all(isinstance(size, int) for size in shape), value.shape
    if value.dtype == "int":
        return rng.integers(sizes["V"] if "V" in sizes else sizes["vocabulary"], size=shape)
    if value.name == "y":
        return np.eye(3)[:, [rng.integers(3)]]
    array = np.exp2(rng.uniform(-6, 1)) * rng.normal(size=shape)
    if case.fixture == "sentiment" and value.name != "table" and shape[-1] != 1:
        array /= np.sqrt(shape[-1])
    kind = rng.integers(8)
    if kind == 0:
        array[:] = array[0]
    elif kind == 1 and shape[-1] != 1:
        array[rng.random(shape) < 1 / 3] = 0.0
    return array
