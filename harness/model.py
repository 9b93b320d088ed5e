"""The nouns of the project as frozen types. No input, no output, no arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.generic]
else:
    Array = Any


class Verdict(StrEnum):
    """What a cell of the matrix says."""

    PASS = "PASS"
    FAIL = "FAIL"
    XFAIL = "XFAIL"
    XPASS = "XPASS"
    ERROR = "ERROR"
    TIMEOUT = "TIMEOUT"
    UNSUPPORTED = "UNSUPPORTED"
    NOT_RUN = "NOT_RUN"


class Mode(StrEnum):
    """Whose upstream outputs a stage was given: its own implementation's, or the reference's."""

    CHAINED = "chained"
    ISOLATED = "isolated"


class Source(StrEnum):
    """Where an observation came from."""

    LIVE = "live"
    REPLAYED = "replayed"
    NONE = "none"


class Check(StrEnum):
    """What a stage was held against."""

    REFERENCE = "reference"
    ORACLE = "oracle"
    REPEAT = "repeat"
    IDENTITY = "identity"
    PUBLISHED = "published"


class Precision(StrEnum):
    """The floating-point format that a case is run in."""

    FLOAT64 = "float64"
    FLOAT32 = "float32"


Dimension = str | int
Shape = tuple[Dimension, ...]
Kind = Literal["float", "int", "bool"]
Show = Literal["heatmap", "curve"]


class Frozen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every type that is read from, or written to, a file."""


class Tolerance(Frozen, frozen=True, kw_only=True):
    """The rule a stage is judged by.

    ``derived``: what error analysis says that a computation in the run's precision may be away from the
    true value, element by element. ``exact``: every bit, the sign of zero included. ``ulp``: at most
    ``value`` units in the last place of the stage's largest expected magnitude. ``relative``: at most
    ``value * |expected|``, element by element. ``absolute``: at most ``value``. These three need a reason.
    """

    rule: Literal["derived", "exact", "ulp", "relative", "absolute"]
    value: float = 0.0
    reason: str = ""


class Value(Frozen, frozen=True, kw_only=True):
    """One named array: an input of a case, or an output of a stage.

    ``show`` has a report draw it, in the samples that match ``show_samples``; ``labels`` names the words that
    label a heat map's rows and columns, by default those of the sample.
    """

    name: str
    shape: Shape
    dtype: Kind = "float"
    symbol: str = ""
    meaning: str = ""
    nan: bool = False
    tolerance: Tolerance | None = None
    show: Show | None = None
    show_samples: str = "*"
    labels: str = ""


class Stage(Frozen, frozen=True, kw_only=True):
    """One named step: a function of its inputs, in the declared order."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[Value, ...]


class Identity(Frozen, frozen=True, kw_only=True):
    """Two values of one implementation that mathematics says are equal."""

    id: str
    left: str
    right: str
    tolerance: Tolerance
    meaning: str = ""


class KnownDivergence(Frozen, frozen=True, kw_only=True):
    """A difference that is understood; where it no longer shows, the run fails.

    It covers either an identity (in every implementation) or a stage of one implementation.
    """

    id: str
    cause: str
    evidence: str
    ends_when: str
    identity: str = ""
    stage: str = ""
    implementation: str = "*"


class Published(Frozen, frozen=True, kw_only=True):
    """Digits as somebody printed them; agreement means that the value would print these digits.

    ``values`` is nested like the array, row by row, each number as its printed text; the text ``...`` stands
    for elided elements. Where the printer dropped trailing zeros, ``decimals`` says how many it rounds to;
    ``float32`` says that shortest round-trip digits of a float32 were printed.
    """

    stage: str
    source: str
    values: tuple[Any, ...]
    sample: str = "default"
    decimals: int | None = None
    float32: bool = False
    fixture: str = "*"


class Case(Frozen, frozen=True, kw_only=True):
    """A directed graph of stages over one fixture family; stages stand in an order in which they can run."""

    name: str
    title: str
    origin: str
    fixture: str
    inputs: tuple[Value, ...]
    stages: tuple[Stage, ...]
    precisions: tuple[Precision, ...] = (Precision.FLOAT64,)
    reference: str = "numpy"
    identities: tuple[Identity, ...] = ()
    known_divergences: tuple[KnownDivergence, ...] = ()
    published: tuple[Published, ...] = ()
    timeout: float = 60.0

    @property
    def values(self) -> dict[str, Value]:
        """Every output of every stage by name, in running order."""
        return {value.name: value for stage in self.stages for value in stage.outputs}


class Fixture(msgspec.Struct, frozen=True, kw_only=True):
    """Input arrays by sample, with their provenance; ``shared`` arrays belong to every sample.

    ``labels`` are the words of each sample, and, as ``corpus/0`` and so on, of each sentence of a corpus.
    """

    name: str
    version: int
    sha256: str
    origin: str
    licence: str
    shared: Mapping[str, Array]
    samples: Mapping[str, Mapping[str, Array]]
    labels: Mapping[str, tuple[str, ...]] = {}

    def arrays(self, sample: str) -> dict[str, Array]:
        """The arrays of one sample, the shared ones among them."""
        return {**self.shared, **self.samples[sample]}


class Implementation(msgspec.Struct, frozen=True, kw_only=True):
    """A case's algorithm in one language: one source file."""

    id: str
    runtime: str
    language: str
    path: Path


class RuntimeInfo(Frozen, frozen=True, kw_only=True):
    """What a worker said of itself."""

    runtime: str
    language: str
    version: str
    hosting: str = ""
    libraries: dict[str, str] = {}
    blas: str = ""
    threads: int = 1
    dtypes: tuple[str, ...] = ()
    platform: str = ""


class Absent(Frozen, frozen=True, kw_only=True):
    """A runtime that could not be had, and why."""

    runtime: str
    language: str
    reason: str
    advice: tuple[str, ...] = ()


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker returned for one stage and one sample: arrays and timing, no judgement."""

    outputs: Mapping[str, Array]
    seconds: float
    source: Source = Source.LIVE


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """The true values of one output for one sample, ``high + low``, and how far a computation may be off.

    ``limit`` is for each element, ``worst`` the largest error of any that is possible at all.
    """

    high: Array
    low: Array
    limit: Array
    worst: float


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no observation: a crash, a time-out, an exception, or a value that is no array."""

    verdict: Literal[Verdict.ERROR, Verdict.TIMEOUT, Verdict.FAIL, Verdict.UNSUPPORTED, Verdict.NOT_RUN]
    reason: str
    detail: str = ""


class ErrorStats(Frozen, frozen=True, kw_only=True):
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


class Header(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="header"):
    """The first line of a record: what ran, on what.

    ``cases`` are as their case.toml has them, less the digits that others printed.
    """

    schema: int
    harness: str
    protocol: int
    started: str
    suite: str
    python: str
    platform: str
    cpu: str
    cores: int
    locale: str
    runtimes: dict[str, RuntimeInfo] = {}
    absent: tuple[Absent, ...] = ()
    fixtures: dict[str, str] = {}
    cases: tuple[Case, ...] = ()


class Cell(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="cell"):
    """One verdict: one line of the record.

    ``limit`` is the largest that any element had, ``worst`` the largest error that was possible at all.
    Against the truth, ``ulp_error`` is the largest error in units in the last place of the element's true
    value, and ``ulp_of_stage`` in those of the largest true value.
    """

    case: str
    stage: str
    implementation: str
    language: str
    mode: Mode
    precision: Precision
    check: Check
    against: str
    source: Source
    verdict: Verdict
    reason: str = ""
    stats: ErrorStats | None = None
    limit: float | None = None
    worst: float | None = None
    ulp_error: float | None = None
    ulp_of_stage: float | None = None
    worst_sample: str = ""
    samples: int = 0
    seconds: float = 0.0
    inherited: bool = False
    divergence: str = ""
    detail: str = ""


class Pair(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="pair"):
    """How far two implementations' chained outputs of one stage lie apart: one line of the record."""

    case: str
    stage: str
    precision: Precision
    left: str
    right: str
    agree: bool
    stats: ErrorStats | None = None
    reason: str = ""


class Consensus(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="consensus"):
    """Who agrees with whom on one stage, where not all do: one line of the record.

    ``clusters`` are groups in which every two agree, the largest first. ``by_majority`` are those outside a
    cluster of more than half, ``by_oracle`` those that are beyond their limit from the truth; both may be
    empty.
    """

    case: str
    stage: str
    precision: Precision
    clusters: tuple[tuple[str, ...], ...]
    by_majority: tuple[str, ...] = ()
    by_oracle: tuple[str, ...] = ()
    reference_is_outlier: bool = False


class Exhibit(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="exhibit"):
    """What an implementation returned for a stage that a report draws, chained: one line of the record.

    ``values`` are in C order; ``labels`` are the words of a heat map's rows and columns, if any.
    """

    case: str
    stage: str
    sample: str
    implementation: str
    precision: Precision
    show: Show
    shape: tuple[int, ...]
    values: tuple[float, ...]
    labels: tuple[str, ...] = ()


class Footer(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="footer"):
    """The last line of a record; without it, or with ``partial``, the run did not end.

    ``counts`` are the cells of each verdict; ``digest`` is the sha256 of all lines, this one with it empty.
    """

    partial: bool
    reason: str = ""
    seconds: float = 0.0
    counts: dict[str, int] = {}
    start_up: dict[str, float] = {}
    busy: dict[str, float] = {}
    complaints: tuple[str, ...] = ()
    digest: str = ""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A whole run as it was written down."""

    header: Header
    cells: tuple[Cell, ...]
    pairs: tuple[Pair, ...]
    footer: Footer | None
    consensus: tuple[Consensus, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
