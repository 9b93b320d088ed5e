"""The lines of a record, as they are written to results.jsonl."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from harness.model.article import Examined
from harness.model.base import Frozen, Precision, Verdict
from harness.model.case import Case, Show
from harness.model.observation import Absent, ErrorStats, Mode, RuntimeInfo, Source
from harness.model.rest import Rest


class Check(StrEnum):
    """What a stage was compared with."""

    REFERENCE = "reference"
    ORACLE = "oracle"
    REPEAT = "repeat"
    IDENTITY = "identity"
    PUBLISHED = "published"
    EXPECTED = "expected"


OF_A_STAGE = frozenset({Check.REFERENCE, Check.ORACLE})
"""Checks of what one stage returns by itself: against the reference's value, or the true one."""


class Basis(StrEnum):
    """Where a limit comes from, from the strongest to the weakest."""

    DERIVED = "derived"
    """Error analysis: what rounding can do to a right implementation, away from the true value."""
    STATED = "stated"
    """The case's author chose it, and says why; ``exact`` is one."""
    MEASURED = "measured"
    """Ten times the largest difference that was seen; the case says when, and on what."""
    COARSE = "coarse"
    """No limit is known: half of the precision's digits, norm-wise, away from the reference."""


class SampleVerdict(Frozen, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The verdict of one sample of a cell.

    ``used`` is the largest error/limit, ``max_abs`` the largest error, ``beyond`` how many elements are over
    their limit, ``undecided`` how many elements are not judged; what does not apply is left out.
    """

    sample: str
    verdict: Verdict
    reason: str = ""
    used: float | None = None
    max_abs: float | None = None
    beyond: int = 0
    undecided: int = 0


class LeftOut(Frozen, frozen=True, kw_only=True):
    """How many cases, samples and so on were ``chosen``, ``of`` how many, and the names of the others."""

    chosen: int
    of: int
    names: tuple[str, ...]


class Shard(Frozen, frozen=True, kw_only=True):
    """Which part of a run this is: the shard number ``index``, from 1, ``of`` so many.

    ``cases`` are those of the whole run, in order, ``runtimes`` those that any of them needs, and
    ``left_out`` is what the whole run leaves out. ``content`` is the sha256 of all that is run: shards of
    other files do not belong together.
    """

    index: int
    of: int
    cases: tuple[str, ...]
    runtimes: tuple[str, ...]
    left_out: dict[str, LeftOut]
    content: str


class Header(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="header"):
    """The first line of a record: what ran, on what.

    ``cases`` are as their case.toml has them, less the digits that others printed. ``copies`` are, by case,
    the implementations whose file is the reference's own, or has the same content. ``left_out`` is what was
    not chosen: ``cases`` of the suite, and ``implementations``, ``samples`` and ``precisions`` of the cases
    that were run. It has no entry for what was chosen whole, and is empty in older records. ``environments``
    are, by case, the files beside it that name packages, and what was used of each. ``shard`` is there if
    this is a part of a run, to be merged with the others; ``left_out`` has then the cases of the others, too.
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
    runtimes: dict[str, RuntimeInfo] = msgspec.field(default_factory=dict)
    absent: tuple[Absent, ...] = ()
    fixtures: dict[str, str] = msgspec.field(default_factory=dict)
    cases: tuple[Case, ...] = ()
    copies: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    left_out: dict[str, LeftOut] = msgspec.field(default_factory=dict)
    environments: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    shard: Shard | None = None


class WrongElement(Frozen, frozen=True, kw_only=True, gc=False):
    """An element beyond its limit: its place, what it is and what is due, in digits; the limit, if known."""

    index: tuple[int, ...]
    actual: str
    due: str
    limit: float | None = None


class Lines(Frozen, frozen=True, kw_only=True, gc=False):
    """The lines of a stage's function in a file of an implementation, from line ``first`` on."""

    implementation: str
    file: str
    first: int
    text: str


class OffMap(Frozen, frozen=True, kw_only=True, gc=False):
    """Where an output is off: ``count`` of its elements, in rows of ``#`` and ``.``.

    A sign is of a block of ``block`` rows and columns, and ``#`` where any element of it is off. Axes but the
    last are laid out below each other.
    """

    count: int
    of: int
    block: tuple[int, int]
    rows: tuple[str, ...]


class CallTimes(Frozen, frozen=True, kw_only=True, gc=False):
    """Seconds of a stage's first call after its file was loaded, and the median of later calls.

    In the first call a language loads and compiles. Either is None where there was no such call.
    """

    first: float | None = None
    later: float | None = None


class Cell(Frozen, frozen=True, kw_only=True, gc=False, tag_field="kind", tag="cell"):
    """One verdict: one line of the record.

    ``limit`` is the largest limit of any element, ``worst`` the largest error that was possible at all.
    Against the truth, ``ulp_error`` is the largest error in units in the last place of the element's true
    value, and ``ulp_of_stage`` in those of the largest true value. ``basis`` says where the limit comes from,
    ``weaker_because`` why it is coarse, or why some elements are not judged. ``undecided`` of the
    ``elements`` in all samples are not judged; both are 0 where none is undecided. ``by_sample`` has the
    verdict of every sample; the cell's is the worst of them. ``seconds`` are those of all samples, ``calls``
    those of one call, where a worker was called. Where the error is made in the stage, ``wrong``
    has the first elements beyond their limits in the worst sample, ``off_map`` where all of them are,
    ``relation`` what the output is to the value that is due, if that is certain, and ``lines`` those of its
    function and of the reference's.
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
    basis: Basis | None = None
    weaker_because: str = ""
    undecided: int = 0
    elements: int = 0
    by_sample: tuple[SampleVerdict, ...] = ()
    relation: str = ""
    wrong: tuple[WrongElement, ...] = ()
    off_map: OffMap | None = None
    lines: tuple[Lines, ...] = ()
    calls: CallTimes | None = None


class Pair(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="pair"):
    """How far two implementations' chained outputs of one stage lie apart: one line of the record.

    ``broken`` names those of the two that gave no value in some sample, because of an error or missing
    inputs. ``agree`` then speaks of the samples that could be compared, if there are any.
    """

    case: str
    stage: str
    precision: Precision
    left: str
    right: str
    agree: bool
    stats: ErrorStats | None = None
    reason: str = ""
    broken: tuple[str, ...] = ()


class Consensus(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="consensus"):
    """Which implementations agree on one stage, where not all do: one line of the record.

    ``clusters`` are groups in which every two agree, the largest first. ``by_majority`` are those outside a
    cluster of more than half, ``by_oracle`` those that are beyond their limit from the truth; both may be
    empty. ``broken`` gave no value, and are in no group.
    """

    case: str
    stage: str
    precision: Precision
    clusters: tuple[tuple[str, ...], ...]
    by_majority: tuple[str, ...] = ()
    by_oracle: tuple[str, ...] = ()
    reference_is_outlier: bool = False
    broken: tuple[str, ...] = ()


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

    ``counts`` are the cells of each verdict; ``busy`` has the seconds of work of each runtime, and of
    ``judging`` what they returned; of a runtime's, ``first`` are those of the first call of each stage, in
    which it is loaded and, in Julia, compiled; ``digest`` is the sha256 of all lines, this one with it empty.
    """

    partial: bool
    reason: str = ""
    seconds: float = 0.0
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    start_up: dict[str, float] = msgspec.field(default_factory=dict)
    busy: dict[str, float] = msgspec.field(default_factory=dict)
    first: dict[str, float] = msgspec.field(default_factory=dict)
    complaints: tuple[str, ...] = ()
    digest: str = ""


class Record(msgspec.Struct, frozen=True, kw_only=True, weakref=True):
    """A whole run as its record has it; of a large one, ``rest`` has what is told by its numbers alone."""

    header: Header
    cells: tuple[Cell, ...]
    pairs: tuple[Pair, ...]
    footer: Footer | None
    consensus: tuple[Consensus, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
    documents: tuple[Examined, ...] = ()
    rest: Rest | None = None
