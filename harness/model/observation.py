"""What a run returned, before anything is judged."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NoReturn

import msgspec

from harness.model.base import Array, Frozen, Verdict


class Mode(StrEnum):
    """Whose upstream outputs a stage was given: its own implementation's, or the reference's."""

    CHAINED = "chained"
    ISOLATED = "isolated"


class Source(StrEnum):
    """Where an observation came from."""

    LIVE = "live"
    REPLAYED = "replayed"
    NONE = "none"


class RuntimeInfo(Frozen, frozen=True, kw_only=True):
    """How a worker describes its runtime."""

    runtime: str
    language: str
    version: str
    hosting: str = ""
    libraries: dict[str, str] = msgspec.field(default_factory=dict)
    blas: str = ""
    threads: int = 1
    dtypes: tuple[str, ...] = ()
    platform: str = ""


class Absent(Frozen, frozen=True, kw_only=True):
    """A runtime that is not available, and why."""

    runtime: str
    language: str
    reason: str
    advice: tuple[str, ...] = ()


class Broken(Absent, frozen=True, kw_only=True):
    """A runtime that is found, or named by a setting, and does not run: a fault, and never replayed."""


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker returned for one stage and one sample: arrays and timing, no judgement.

    ``first`` says whether it is the stage's first call since the file was loaded, in which a language
    compiles; None where that is not known. ``invalid`` says why nobody can be compared with an output of the
    reference; see `Failure`.
    """

    outputs: Mapping[str, Array]
    seconds: float
    first: bool | None = None
    source: Source = Source.LIVE
    invalid: Mapping[str, Failure] = {}


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """The true values of one output for one sample, ``high + low``, and how far a computation may be off.

    ``limit`` has one limit for each element; ``worst`` is the largest error that any element can have. Where
    the true values of a large output are known in a sample of its elements alone, ``sample`` describes these
    and ``known`` marks them; all other elements are the reference's. ``undecided`` marks the elements whose
    true value depends on a comparison that rounding can turn, or whose error has no bound; ``why`` says what
    they depend on, with the line of the source. They are not judged, unless ``reach`` says how far from
    ``high`` any branch may lead: infinite where all that is known is that every branch gives a number, NaN
    where nothing is known. ``unlimited`` marks the undecided elements that have no limit for another reason
    than a comparison; they are compared coarsely with the reference. ``gap`` are the two ends of the range,
    within ``reach``, that no branch gives, by element; NaN where there is none.
    """

    high: Array
    low: Array
    limit: Array
    worst: float
    known: Array | None = None
    sample: str = ""
    undecided: Array | None = None
    reach: Array | None = None
    unlimited: Array | None = None
    gap: Array | None = None
    why: str = ""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no observation: a crash, a time-out, an exception, or a value that is no array."""

    verdict: Literal[Verdict.ERROR, Verdict.TIMEOUT, Verdict.FAIL, Verdict.UNSUPPORTED, Verdict.NOT_RUN]
    reason: str
    detail: str = ""


Observed = Mapping[tuple[str, str], Observation | Failure]
"""What an implementation returned, by (sample, stage)."""

Truths = Mapping[tuple[str, str], Truth | Failure]
"""What the oracle said, by (sample, output)."""


class ErrorStats(Frozen, frozen=True, kw_only=True, gc=False):
    """How far two arrays of one shape and dtype lie apart.

    ``max_*`` are over the pairs in which both are finite; ``None`` indices mean that no such pair differs.
    ULP distances are counted on the ordered representable numbers of the dtype; for integers and booleans
    they are the absolute difference; for complex, the larger of the two parts. ``beyond`` counts elements
    over the limit, mismatches of NaN and of infinities among them; ``used`` is the largest error/limit.
    ``ulp_histogram`` counts distances 0, 1, 2, 3-4, 5-8, ... doubling, the last bin open.
    """

    count: int
    max_abs: float = 0.0
    max_abs_index: tuple[int, ...] | None = None
    max_rel: float = 0.0
    max_rel_index: tuple[int, ...] | None = None
    max_ulp: float = 0.0
    max_ulp_index: tuple[int, ...] | None = None
    mean_abs: float = 0.0
    rms: float = 0.0
    ulp_histogram: tuple[int, ...] = ()
    nan_both: int = 0
    nan_mismatch: int = 0
    inf_mismatch: int = 0
    zero_sign_mismatch: int = 0
    beyond: int = 0
    first_beyond: tuple[int, ...] | None = None
    used: float = 0.0

    def __bool__(self) -> NoReturn:
        """Refuse: a comparison is no bool."""
        raise TypeError(
            "a comparison is neither true nor false: it says how far apart the arrays are;"
            " ask for stats.beyond == 0 after compare(..., limit=...), or for stats.max_ulp <= 4"
        )
