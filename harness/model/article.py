"""What was found in a document: printed output, findings, and what was run."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec

from harness.model.base import Frozen


class BlockKind(StrEnum):
    """How the produced output of a block compares with the published one."""

    REPRODUCED = "reproduced"
    FORMATTING = "reproduced up to formatting"
    DIFFERS = "differs"
    NOT_REPRODUCIBLE = "not reproducible"
    UNCHECKED = "unchecked"


class Answer(StrEnum):
    """What is said of one published output; only ``WRONG`` says that its author made a mistake."""

    REPRODUCED = "reproduced"
    """The code gives what is published."""
    WRONG = "wrong"
    """The code, with all that it needs, gives something else, in two fresh runs that agree."""
    NOBODY = "nobody can reproduce it"
    """Two fresh runs differ: no seed, a clock, an address, a temporary path."""
    HERE = "differs here"
    """Another version or another machine may be the cause."""
    UNCHECKED = "could not be checked"
    """Something that the code needs is not here, or the output could not be read."""


DifferenceKind = Literal["number", "text", "shape", "structure", "missing", "extra"]


class BlockDifference(Frozen, frozen=True, kw_only=True):
    """One place where two printed outputs disagree; lines are counted from 1 inside each text.

    ``units`` is how far two numbers lie apart, in units of the last digit that was published.
    """

    kind: DifferenceKind
    published: str
    produced: str
    published_line: int = 0
    produced_line: int = 0
    units: float | None = None

    def __str__(self) -> str:
        where = f"line {self.published_line} of the output: " if self.published_line else ""
        match self.kind:
            case "missing":
                return f"{where}{self.published} is published, and the code prints nothing there"
            case "extra":
                return f"{where}the code prints {self.produced}, which is not published"
            case _:
                return f"{where}{self.published} is published, and the code prints {self.produced}"


class BlockVerdict(Frozen, frozen=True, kw_only=True):
    """How published and produced output compare.

    ``numbers`` were compared or stand in one text alone, ``differing`` of them disagree, ``coarser`` were
    produced with fewer digits than published, ``unseen`` were published but fall where the produced output
    is elided. ``formatting`` names what differs without changing a number, a shape or a word.
    """

    kind: BlockKind
    reason: str = ""
    numbers: int = 0
    differing: int = 0
    coarser: int = 0
    unseen: int = 0
    formatting: tuple[str, ...] = ()
    first: BlockDifference | None = None


class Count(Frozen, frozen=True, kw_only=True):
    """Chunks of one language: how many there are, were run, and ran without an error."""

    language: str
    total: int
    run: int
    sound: int


class Severity(StrEnum):
    """How serious a finding is for a reader of the document."""

    WRONG = "wrong"
    """What the document shows or states is not what its code does."""
    FRAGILE = "fragile"
    """Right as it stands, and not with another size, order, version or seed."""
    NOTE = "note"
    """Worth knowing; nothing is wrong with it."""


class Kind(StrEnum):
    """The kind of a finding."""

    CHUNK_FAILS = "chunk fails"
    NEEDS_PACKAGE = "needs a package or the network"
    EXCERPT = "listing is a part of another one"
    SCRIPT_FAILS = "fails as a script but not at a prompt"
    NEEDS_VERSION = "needs at least version"
    OUTPUT_DIFFERS = "printed output not produced by the printed code"
    NOT_REPEATABLE_OUTPUT = "output that differs from run to run"
    DIFFERS_HERE = "output that may depend on the version or the machine"
    PROSE = "text says something else than the code"
    NOT_CHECKED = "output that could not be checked"
    LANGUAGES_DIFFER = "same step differs between the languages"
    HIDDEN_GLOBAL = "depends on a global that another chunk sets"
    HARD_CODED_SIZE = "hard-coded size"
    DEPARTS = "departs from the mathematics it states"
    GRADIENT = "gradient is not the gradient"
    AXIS = "weights are normalised along the wrong axis"
    DIVERGES = "training diverges"
    NOT_REPEATABLE = "result depends on running a chunk twice"
    ORDER = "result depends on the order of execution"
    SHAPE = "stated shape is not the shape"
    LABEL = "printed label names something else"
    MASKED = "hides a name of the language"
    RANDOMNESS = "unseeded or version-dependent randomness"
    SWALLOWED = "swallowed exception"
    DEAD_CODE = "dead code"
    SILENT = "silent wrong result when an error is tolerated"


class Finding(Frozen, frozen=True, kw_only=True):
    """One problem of a document, with its evidence.

    Attributes
    ----------
    document : str
        The file's name.
    line : int
        The line of the file that it stands on.
    language : str
        Of the chunk.
    chunk : int
        The chunk's index.
    kind, severity : Kind, Severity
        What it is, and how much it matters.
    evidence : str
        What was run, and the numbers that came of it.
    consequence : str
        What it does to a reader who uses the code.
    smallest : str
        The smallest input that shows it.
    answer : Answer or None
        Where it is about printed output: what is said of it.
    where : str
        The statement's place in a notebook: the cell, its number in brackets, the line in the cell.
    follows : tuple of str
        What follows from the same cause, one entry a place.
    source : str
        The file that gave what was checked, where a person wrote that by hand; else empty.
    """

    document: str
    line: int
    language: str
    chunk: int
    kind: Kind
    severity: Severity
    evidence: str
    consequence: str
    smallest: str = ""
    answer: Answer | None = None
    where: str = ""
    follows: tuple[str, ...] = ()
    source: str = ""

    @property
    def place(self) -> str:
        """Where it stands, as its author would say."""
        return self.where or f"line {self.line}"


class Block(Frozen, frozen=True, kw_only=True):
    """One published output block and its verdict; ``patched`` is the one after the known patches.

    ``said`` is the answer where more than one run was looked at, ``why`` its reason, ``where`` the place in a
    notebook.
    """

    line: int
    chunk: int
    language: str
    verdict: BlockVerdict
    patched: BlockVerdict | None = None
    said: Answer | None = None
    why: str = ""
    where: str = ""

    @property
    def answer(self) -> Answer:
        """The answer; of a record that has none, the one that the verdict alone gives."""
        return self.said or _ANSWERS[self.verdict.kind]


_ANSWERS = {
    BlockKind.REPRODUCED: Answer.REPRODUCED,
    BlockKind.FORMATTING: Answer.REPRODUCED,
    BlockKind.DIFFERS: Answer.WRONG,
    BlockKind.NOT_REPRODUCIBLE: Answer.UNCHECKED,
    BlockKind.UNCHECKED: Answer.UNCHECKED,
}


class Suspect(Frozen, frozen=True, kw_only=True):
    """A place that nobody is accused of, and at which an author should look first.

    Attributes
    ----------
    line : int
        The line of the file.
    language : str
        Of the chunk; empty in prose.
    where : str
        The place in a notebook; else empty.
    shows : str
        What differs.
    held_back : str
        Why it is no accusation.
    """

    line: int
    language: str = ""
    where: str = ""
    shows: str
    held_back: str

    @property
    def place(self) -> str:
        """Where it stands, as its author would say."""
        return self.where or f"line {self.line}"


class ChunkLine(Frozen, frozen=True, kw_only=True):
    """One chunk, as a report lists it."""

    line: int
    language: str
    track: str = ""
    outcome: str
    seconds: float = 0.0
    plots: tuple[str, ...] = ()
    patched: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()


class Examined(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="document"):
    """The results of one document: one line of the record.

    Attributes
    ----------
    document, title, sha256 : str
        The file's name, the document's title, and the file's checksum where it could be opened.
    problem : str
        Why it could not be read; everything else is empty then.
    failure : str
        What failed in the harness while it ran; what had been found before is kept.
    counts : tuple of Count
        Chunks by language.
    chunks, blocks, findings : tuple
        In document order.
    suspects : tuple of Suspect
        Places that are no accusation, and worth a look; the one that tells most first.
    runtimes : dict of str to str
        What each language ran in, with its version.
    stand_ins, patches, missing : dict of str to str
        Packages that were replaced by stand-ins, code that was changed, packages that are missing, and why.
    unchecked : tuple of str
        Detectors that could not be applied, and why.
    unread : tuple of str
        Outputs that the document shows and that could not be read, with their lines.
    notes : tuple of str
        What was read differently from what its author may expect.
    sandbox : str
        What the sandbox denied the code.
    code_seconds, run_seconds, seconds : float
        Time inside the interpreters, for one run of the document, and in all.
    """

    document: str
    title: str = ""
    sha256: str = ""
    problem: str = ""
    failure: str = ""
    counts: tuple[Count, ...] = ()
    chunks: tuple[ChunkLine, ...] = ()
    blocks: tuple[Block, ...] = ()
    findings: tuple[Finding, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    runtimes: dict[str, str] = msgspec.field(default_factory=dict)
    stand_ins: dict[str, str] = msgspec.field(default_factory=dict)
    patches: dict[str, str] = msgspec.field(default_factory=dict)
    missing: dict[str, str] = msgspec.field(default_factory=dict)
    unchecked: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    sandbox: str = ""
    code_seconds: float = 0.0
    run_seconds: float = 0.0
    seconds: float = 0.0

    @property
    def shown(self) -> int:
        """How many outputs the document shows."""
        return len(self.blocks) + len(self.unread)

    @property
    def checked(self) -> int:
        """How many of them were held against what the code prints, with an answer that holds anywhere."""
        return sum(block.answer in CHECKED for block in self.blocks)


CHECKED = frozenset({Answer.REPRODUCED, Answer.WRONG, Answer.NOBODY})
"""Answers that rest on a comparison, and hold on other machines too."""
