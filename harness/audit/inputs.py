"""Inputs that the fixture does not have: larger ones, drawn ones, fewer repetitions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

import msgspec
import numpy as np

from harness.audit.audit_context import AuditContext, make_context
from harness.audit.proofs import all_derived, is_derived
from harness.conformance.evaluator import NOTHING
from harness.conformance.live import LiveHost
from harness.conformance.observe import Job
from harness.conformance.oracle import OracleClient
from harness.model import Array, Case, Fixture, Implementation, Truths

FACTORS = (8.0, 64.0, 512.0)
"""Factors of the inputs, tried in order, up to the overflow of the exponential."""

SHIFT = 720.0
"""Added to one input: all arguments of a softmax may then overflow, while their differences stay."""

SEEDS = (1, 2, 3, 4)
"""Seeds of drawn inputs."""

SAMPLES = 3
"""How many samples of the fixture other inputs are made of."""

SECONDS = 120.0
"""So long inputs are made in which survivors are tried again: the oracle may take a minute for each."""

REPETITIONS = 5
"""Sources are audited with no more repetitions, if an input of the case counts repetitions."""


class Inputs:
    """The contexts of one case in one precision, for all inputs to try; each is made when needed.

    Parameters
    ----------
    context : AuditContext
        That of the fixture.
    host : LiveHost
        The reference's runtime.
    oracle_client : OracleClient
        Gives the true values on other inputs.
    """

    def __init__(self, context: AuditContext, host: LiveHost, oracle_client: OracleClient) -> None:
        self._context = context
        self.host = host
        self._oracle = oracle_client
        self._made: dict[str, AuditContext] = {}
        self._seconds = 0.0

    @property
    def reference(self) -> Implementation:
        """The reference's sound source."""
        return self._context.planned.reference

    def stored(self) -> AuditContext:
        """The fixture, with fewer repetitions where it has many."""
        fixture = fewer_repetitions(self._context.case, self._context.planned.fixture)
        return self._context if fixture is None else self._make("fewer repetitions", fixture)

    def whole(self) -> AuditContext | None:
        """The fixture with all its repetitions, where `stored` has fewer."""
        return None if self.stored() is self._context else self._context

    def truths(self) -> Truths:
        """The true values of all stages, chained; empty for a case without derived tolerances."""
        context = self.stored()
        if not is_derived(context.case):
            return {}
        whole = msgspec.structs.replace(context.planned, case=all_derived(context.case))
        return self._oracle.evaluate(whole, context.precision, context.upstream).chained

    def large(self) -> Iterator[tuple[str, AuditContext]]:
        """The contexts of larger and larger inputs, then of each input shifted."""
        for name, fixture in self._larger():
            yield name, self._make(name, fixture)

    def others(self) -> Iterator[tuple[str, AuditContext]]:
        """The contexts in which a survivor is tried again; no new ones are made after `SECONDS`."""
        few = self._few()
        draws = ((f"drawn inputs, seed {seed}", seed) for seed in SEEDS)
        for name, fixture in chain(
            ((name, drawn(few, seed, name)) for name, seed in draws),
            self._larger(),
        ):
            if name in self._made or self._seconds <= SECONDS:
                yield name, self._make(name, fixture)

    def _larger(self) -> Iterator[tuple[str, Fixture]]:
        for factor in FACTORS:
            name = f"inputs times {factor:g}"
            yield name, scaled(self._few(), factor, name)
        for value in self._context.case.inputs:
            if value.dtype == "float":
                name = f"{value.name} plus {SHIFT:g}"
                yield name, shifted(self._few(), value.name, name)

    def _few(self) -> Fixture:
        fixture = (
            fewer_repetitions(self._context.case, self._context.planned.fixture)
            or self._context.planned.fixture
        )
        names = list(fixture.samples)
        step = max(1, len(names) // SAMPLES)
        few = {name: fixture.samples[name] for name in names[::step][:SAMPLES]}
        return msgspec.structs.replace(fixture, samples=few)

    def _make(self, name: str, fixture: Fixture) -> AuditContext:
        if name not in self._made:
            begun = time.perf_counter()
            planned = msgspec.structs.replace(self._context.planned, fixture=fixture)
            precision = self._context.precision
            job = Job(
                case=planned.case, fixture=fixture, implementation=planned.reference, precision=precision
            )
            upstream = self.host.chained(job)
            oracle_answer = (
                self._oracle.evaluate(planned, precision, upstream) if is_derived(planned.case) else NOTHING
            )
            self._made[name] = make_context(planned, precision, {}, upstream, oracle_answer)
            self._seconds += time.perf_counter() - begun
        return self._made[name]


def scaled(fixture: Fixture, factor: float, name: str) -> Fixture:
    """Multiply every float array."""
    return _changed(fixture, name, lambda _, array: np.multiply(array, factor, dtype=array.dtype))


def shifted(fixture: Fixture, which: str, name: str) -> Fixture:
    """Shift one float array by `SHIFT`."""
    return _changed(
        fixture,
        name,
        lambda key, array: np.add(array, SHIFT, dtype=array.dtype) if key == which else array,
    )


def drawn(fixture: Fixture, seed: int, name: str) -> Fixture:
    """Replace every float array by normal draws of the same size, with all digits; of zeros, of size 1.

    An array without an element at or below zero gets no such draws: roots and logarithms take it.
    """
    draw = np.random.default_rng(seed)

    def draw_like(_: str, array: Array) -> Array:
        size = float(np.sqrt(np.mean(np.square(array.astype(np.float64))))) if array.size else 0.0
        draws: Array = draw.normal(size=array.shape) * (size or 1.0)
        return np.abs(draws) if np.greater(array, 0).all() else draws

    return _changed(fixture, name, draw_like)


def fewer_repetitions(case: Case, fixture: Fixture) -> Fixture | None:
    """The fixture with no repetitions above `REPETITIONS`, and one of the samples that are then the same.

    None if the case declares no repetitions.
    """

    def fewer(arrays: Mapping[str, Array]) -> dict[str, Array]:
        return {
            name: np.minimum(array, REPETITIONS).astype(array.dtype) if name in case.repetitions else array
            for name, array in arrays.items()
        }

    if not case.repetitions:
        return None
    shared, samples = fewer(fixture.shared), {name: fewer(arrays) for name, arrays in fixture.samples.items()}
    kept = {_contents(arrays): name for name, arrays in reversed(samples.items())}
    return msgspec.structs.replace(
        fixture,
        sha256=f"{fixture.sha256}, {REPETITIONS} repetitions",
        shared=shared,
        samples={name: arrays for name, arrays in samples.items() if name in kept.values()},
    )


def _contents(arrays: Mapping[str, Array]) -> tuple[object, ...]:
    return tuple((name, array.shape, array.tobytes()) for name, array in sorted(arrays.items()))


def _changed(fixture: Fixture, name: str, change: Callable[[str, Array], Array]) -> Fixture:
    def floats(arrays: Mapping[str, Array]) -> dict[str, Array]:
        return {
            key: change(key, array) if array.dtype.kind == "f" else array for key, array in arrays.items()
        }

    return msgspec.structs.replace(
        fixture,
        sha256=f"{fixture.sha256}, {name}",
        shared=floats(fixture.shared),
        samples={sample: floats(arrays) for sample, arrays in fixture.samples.items()},
    )
