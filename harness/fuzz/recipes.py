"""Recipes of inputs: sizes, each in its turn, and what kind of numbers each has, which Hypothesis draws."""

from __future__ import annotations

import contextlib
import importlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from harness.errors import UsageError
from harness.fuzz.domain import Domain

GROUPS = 8
"""Kinds of inputs in one batch; all have the same sizes."""
CHUNK = 48
"""Recipes that Hypothesis is asked for at once, the simplest first."""

KINDS = (
    "whole", "normal", "ties", "zeros", "negative zeros", "rows", "palette", "seen", "cancelling", "wide",
    "tiny", "huge", "subnormal",
)  # fmt: skip
"""What numbers may be like; `arrays` makes them."""
SPECIAL = "special"
"""NaN and infinities among others, where an input may have them."""


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """How a batch of inputs is made.

    ``sample`` is the one of the fixture that whatever is not drawn is taken from. Each of ``groups`` has the
    kind of each input; ``palette`` are numbers that those of this kind are taken from; ``seed`` makes all
    others.
    """

    sample: int
    sizes: dict[str, int]
    groups: tuple[dict[str, str], ...]
    palette: tuple[float, ...]
    seed: int


def recipes(domain: Domain, seed: int) -> Iterator[Recipe]:
    """Recipes without end; the same for the same domain, seed and version of Hypothesis.

    Parameters
    ----------
    domain : Domain
        What may be drawn.
    seed : int
        Where chance comes from.

    Raises
    ------
    UsageError
        Hypothesis is not installed.
    """
    hypothesis = imported()
    strategy = _strategy(hypothesis.strategies, domain)
    rng = np.random.default_rng([seed, len(domain.sizes)])
    sizes = {name: _in_turn(known, rng) for name, known in domain.sizes.items()}
    chunk = 0
    while True:
        for recipe in _drawn(hypothesis, strategy, seed * 1_000_003 + chunk):
            yield msgspec.structs.replace(recipe, sizes={name: next(turn) for name, turn in sizes.items()})
        chunk += 1


def _in_turn(known: Sequence[int], rng: np.random.Generator) -> Iterator[int]:
    """Sizes without end: all of them, in any order, before one comes again."""
    while True:
        yield from (known[place] for place in rng.permutation(len(known)).tolist())


def _drawn(hypothesis: Any, strategy: Any, seed: int) -> list[Recipe]:
    """What Hypothesis draws of a strategy, with nothing tested."""
    drawn: list[Recipe] = []

    def collect(recipe: Recipe) -> None:
        drawn.append(recipe)

    given = hypothesis.given(strategy)(collect)
    settings = hypothesis.settings(
        max_examples=CHUNK,
        phases=[hypothesis.Phase.generate],
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    with _no_constants_of_modules():
        hypothesis.seed(seed)(settings(given))()
    return drawn


@contextlib.contextmanager
def _no_constants_of_modules() -> Iterator[None]:
    """Keep Hypothesis from drawing numbers that stand in whatever modules are imported: one seed, one draw.

    No setting of it does that. A version that has them elsewhere draws the same in the same process alone.
    """
    providers = importlib.import_module("hypothesis.internal.conjecture.providers")
    found = getattr(providers, "_get_local_constants", None)
    if found is None or not hasattr(providers, "Constants"):
        yield
        return
    none: Any = providers.Constants()
    vars(providers)["_get_local_constants"] = lambda: none
    try:
        yield
    finally:
        vars(providers)["_get_local_constants"] = found


def imported() -> Any:
    """The package hypothesis, with a folder of its own for what it writes.

    Raises
    ------
    UsageError
        It is not installed.
    """
    # It would write what it has learnt of constants into the folder that somebody is in.
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", f"{tempfile.gettempdir()}/harness-hypothesis")
    try:
        import hypothesis
    except ImportError as error:
        raise UsageError(
            "Hypothesis is not installed, which draws the inputs",
            advice="python3 -m pip install 'polyglot-harness[fuzz]'",
        ) from error
    return hypothesis


def kinds_of(domain: Domain, name: str) -> tuple[str, ...]:
    """The kinds of numbers that an input may have."""
    of = domain.inputs[name]
    if of.value.dtype == "bool" or (of.whole and of.high - of.low < len(KINDS)):
        return ("whole", "ties", "rows", "seen")
    special = (SPECIAL,) if of.nan or of.infinite else ()
    if of.whole:
        return ("whole", "ties", "rows", "seen", "wide", *special)
    return KINDS + special


def _strategy(st: Any, domain: Domain) -> Any:
    drawn = [name for name, of in domain.inputs.items() if not of.fixed]
    width = {"float64": 64, "float32": 32, "float16": 16, "bfloat16": 16}[domain.precision.value]
    numbers = st.floats(allow_nan=False, allow_infinity=False, width=width)
    group = st.fixed_dictionaries({name: st.sampled_from(kinds_of(domain, name)) for name in drawn})
    return st.builds(
        lambda sample, groups, palette, seed: Recipe(
            sample=sample, sizes={}, groups=tuple(groups), palette=tuple(palette), seed=seed
        ),
        st.integers(0, len(domain.samples) - 1),
        st.lists(group, min_size=GROUPS, max_size=GROUPS),
        st.lists(numbers, min_size=1, max_size=3),
        st.integers(0, 2**32 - 1),
    )
