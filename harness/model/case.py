"""What is run: cases, their graphs, and fixtures."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

import msgspec

from harness.model.base import Array, Frozen, Precision
from harness.model.equivalence import UpTo
from harness.model.tolerance import Tolerance

Dimension = str | int
Shape = tuple[Dimension, ...]
Kind = Literal["float", "complex", "int", "bool", "text", "date", "time"]
"""What an array holds: numbers, texts, days since 1970-01-01, or microseconds since then in UTC."""
ANY_DIMENSIONS = "..."
"""In a shape, any number of dimensions: as many in all arrays of one sample."""
Show = Literal["heatmap", "curve"]
Measure = Literal["absolute", "relative", "norm"]


class Expected(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """What an output should be, as data: an ``array`` of the fixture, or a ``table`` of printed numbers.

    Every implementation, the reference too, is compared with it by the ``tolerance``; without one, a table's
    numbers are digits that the value has to print. ``printed`` has the table's, by sample, in C order.
    """

    array: str = ""
    table: str = ""
    tolerance: Tolerance | None = None
    printed: Mapping[str, tuple[str, ...]] = {}

    @property
    def name(self) -> str:
        """The array's name, or the table's."""
        return self.array or self.table


class Value(Frozen, frozen=True, kw_only=True):
    """One named array: an input of a case, or an output of a stage.

    ``show`` has a report draw it, in the samples that match ``show_samples``; ``labels`` names the words that
    label a heat map's rows and columns, by default those of the sample. ``expected`` is what it should be, as
    data; a text, in a case.toml, is the name of an array whose tolerance is the output's own. ``up_to`` is
    what it is compared up to: see `harness.model.equivalence`. ``lenient`` takes integers for the floats that
    are expected, and whole floats for integers, where each is exactly one. ``missing`` says that elements may
    be missing, which is told apart from NaN. A sample may leave out an ``optional`` input.
    """

    name: str
    shape: Shape
    dtype: Kind = "float"
    symbol: str = ""
    meaning: str = ""
    nan: bool = False
    lenient: bool = False
    missing: bool = False
    optional: bool = False
    tolerance: Tolerance | None = None
    expected: Expected | str | None = None
    up_to: UpTo | None = None
    show: Show | None = None
    show_samples: str = "*"
    labels: str = ""


Given = Literal["", "scalar", "list", "sparse matrix", "sparse array"]
"""As what a function in Python is given an array."""


class Form(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """How one argument or one value of a function is made of arrays.

    Attributes
    ----------
    name : str
        The input or output, as case.toml declares it.
    kind : str
        An ``array`` of numbers, ``text``, ``date``, ``time``; ``category``, of labels and levels; ``names``
        and ``list``, whose ``parts`` go by name or by place.
    dtype : str
        Of an array: what it holds.
    missing : bool
        Whether elements may be missing.
    optional : bool
        Whether it may be left out.
    lenient : bool
        Whether an array with missing elements may hold integers for floats, or whole floats for integers.
    given : str
        As what a function in Python is given an array: a ``scalar``, a ``list``, a ``sparse matrix`` or
        ``sparse array`` of SciPy; empty for an array.
    parts : tuple of Form
        In their order.
    """

    name: str
    kind: Literal["array", "text", "date", "time", "category", "names", "list"] = "array"
    dtype: Kind = "float"
    missing: bool = False
    optional: bool = False
    lenient: bool = False
    given: Given = ""
    parts: tuple[Form, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it is an array as it is."""
        return self.kind == "array" and not (self.missing or self.optional or self.given)


class Stage(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """One named step: a function of its inputs, in the declared order.

    ``inputs`` and ``outputs`` are arrays, one by one. Where a function takes or returns anything else than
    these in this order, ``takes`` and ``returns`` have the form of each argument and value. ``call`` names
    the function, class or method where its name is not the stage's, by patterns of implementations;
    ``construct`` has the inputs that a class is constructed with.
    """

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[Value, ...]
    takes: tuple[Form, ...] = ()
    returns: tuple[Form, ...] = ()
    call: Mapping[str, str] = {}
    construct: tuple[str, ...] = ()

    def called_in(self, implementation: str) -> str:
        """What is called in an implementation; empty where it is the function of the stage's name."""
        matching = (name for pattern, name in self.call.items() if fnmatchcase(implementation, pattern))
        return next(matching, "")


class Modules(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """A torch ``nn.Module`` whose submodules are stages, by forward hooks.

    ``module`` is its class, or a function that makes it; ``takes`` are the inputs that it is called with,
    ``parameters`` names the input of each parameter and buffer, ``stages`` the submodule of each stage.
    """

    module: str
    takes: tuple[str, ...]
    stages: Mapping[str, str]
    parameters: Mapping[str, str] = {}


class Identity(Frozen, frozen=True, kw_only=True):
    """Two values of one implementation that mathematics says are equal."""

    id: str
    left: str
    right: str
    tolerance: Tolerance
    meaning: str = ""


class KnownDivergence(Frozen, frozen=True, kw_only=True):
    """A difference that is understood and measured; where it no longer shows, the run fails.

    It covers either an identity (in every implementation) or a stage of one implementation. In every sample
    that shows it, its size is between ``at_least`` and ``at_most``, in a ``measure``: ``absolute``, the
    largest ``|a - e|``; ``relative``, the largest ``|a - e| / |e|``; ``norm``, ``‖a - e‖ / ‖e‖``, each over
    all elements. Records of schema 2 and older have none of the three; a case.toml has all. ``elements`` has
    the least and the largest number of elements beyond their limit in a sample that shows it. ``samples`` are
    patterns of the samples that may show it.
    """

    id: str
    cause: str
    evidence: str
    ends_when: str
    identity: str = ""
    stage: str = ""
    implementation: str = "*"
    measure: Measure | None = None
    at_least: float | None = None
    at_most: float | None = None
    elements: tuple[int, int] | None = None
    samples: tuple[str, ...] = ("*",)

    def is_of_sample(self, sample: str) -> bool:
        """Whether a sample may show it."""
        return any(fnmatchcase(sample, pattern) for pattern in self.samples)


class Published(Frozen, frozen=True, kw_only=True):
    """Digits as they were published; agreement means that the value would print these digits.

    ``values`` is nested like the array, row by row, with each number as its printed text; for a single number
    it is that text. The text ``...`` stands for elided elements. Where the printer dropped trailing zeros,
    ``decimals`` says how many it rounds to; ``float32`` says that shortest round-trip digits of a float32
    were printed.
    """

    stage: str
    source: str
    values: tuple[Any, ...] | str
    sample: str = "default"
    decimals: int | None = None
    float32: bool = False
    fixture: str = "*"


class Case(Frozen, frozen=True, kw_only=True):
    """A directed graph of stages over one fixture family; stages stand in an order in which they can run.

    ``repetitions`` names inputs that are numbers of repetitions; an audit lowers them to save time.
    ``levels`` has those of inputs that are categories, where they are not the sorted labels.
    """

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
    repetitions: tuple[str, ...] = ()
    levels: Mapping[str, tuple[str, ...]] = {}
    modules: Mapping[str, Modules] = {}

    @property
    def values(self) -> dict[str, Value]:
        """Every output of every stage by name, in running order."""
        return {value.name: value for stage in self.stages for value in stage.outputs}

    def modules_in(self, implementation: str) -> Modules | None:
        """The module whose submodules are the stages of an implementation; None where there is none."""
        matching = (entry for pattern, entry in self.modules.items() if fnmatchcase(implementation, pattern))
        return next(matching, None)

    def owner(self, name: str) -> Stage:
        """The stage that has this output."""
        return next(stage for stage in self.stages for value in stage.outputs if value.name == name)


class Fixture(msgspec.Struct, frozen=True, kw_only=True):
    """Input arrays by sample, with their provenance.

    ``shared`` arrays belong to every sample that has no array of that name itself.

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


def dimensions(shape: Shape, count: int) -> Shape | None:
    """A shape with names for any dimensions, so that there are ``count``; None where there cannot be."""
    if ANY_DIMENSIONS not in shape:
        return shape if len(shape) == count else None
    at, more = shape.index(ANY_DIMENSIONS), count - len(shape) + 1
    if more < 0:
        return None
    return (*shape[:at], *(f"{ANY_DIMENSIONS}{number}" for number in range(1, more + 1)), *shape[at + 1 :])


def runtime_of(implementation: str) -> str:
    """The runtime of an implementation, from its id: ``julia.blocked`` is of ``julia``."""
    return implementation.partition(".")[0]


class Implementation(msgspec.Struct, frozen=True, kw_only=True):
    """A case's algorithm in one language: one source file."""

    id: str
    runtime: str
    language: str
    path: Path


def without_print(case: Case) -> Case:
    """The case less the digits that others printed, as a record has it."""

    def of_value(value: Value) -> Value:
        if not isinstance(value.expected, Expected) or not value.expected.printed:
            return value
        return msgspec.structs.replace(value, expected=msgspec.structs.replace(value.expected, printed={}))

    stages = tuple(
        msgspec.structs.replace(stage, outputs=tuple(map(of_value, stage.outputs))) for stage in case.stages
    )
    return msgspec.structs.replace(case, published=(), stages=stages)
