"""probes.toml: facts on a document, given by hand, that let its mathematics and gradients be measured."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from harness.documents.model import Document
from harness.errors import CaseError
from harness.model import Frozen
from harness.store.toml import Toml

FILE = "probes.toml"
Language = Literal["r", "python", "julia"]


class GradientPair(Frozen, frozen=True, kw_only=True):
    """An expression over the document's own functions, and the one that its mathematics asks for."""

    published: str
    stated: str


class StatedStep(Frozen, frozen=True, kw_only=True):
    """A step whose mathematics the document states.

    Attributes
    ----------
    id, language : str
        Its name, and whose session.
    states : str
        What the document states, as a formula.
    cause : str
        What its code does instead, where that is known.
    line : str
        A text of the line of code that is meant.
    setup : str
        Code of ours that is evaluated after the document's; ``{n}`` stands for each of ``sizes``.
    sizes : tuple of int
        Sizes to try, the smallest first.
    values : dict of str to Pair
        What is compared.
    """

    id: str
    language: Language
    states: str
    line: str
    sizes: tuple[int, ...]
    values: dict[str, GradientPair]
    setup: str = ""
    cause: str = ""
    relative: float = 1e-6
    source: str = ""


class Parameter(Frozen, frozen=True, kw_only=True):
    """A loss as a function of one array, the array, and the gradient that the document's code gives there."""

    at: str
    loss: str
    gradient: str


class Gradient(Frozen, frozen=True, kw_only=True):
    """Gradients that the document computes by hand; as `Stated`."""

    id: str
    language: Language
    line: str
    sizes: tuple[int, ...]
    parameters: dict[str, Parameter]
    setup: str = ""
    cause: str = ""
    step: float = 1e-5
    source: str = ""


class Knowledge(Frozen, frozen=True, kw_only=True):
    """A case's probes.toml: ``file`` is the document's name."""

    file: str
    stated: tuple[StatedStep, ...] = ()
    gradient: tuple[Gradient, ...] = ()


def load_knowledge(suite: Path) -> tuple[Knowledge, ...]:
    """Read every case's probes.toml.

    Parameters
    ----------
    suite : Path
        The suite's folder.

    Raises
    ------
    CaseError
        A file that cannot be used.
    """
    return tuple(_read(path) for path in sorted(suite.glob(f"*/{FILE}")))


def _read(path: Path) -> Knowledge:
    known = Toml(path, CaseError).convert(Knowledge)
    source = f"{path.parent.name}/{path.name}"
    return msgspec.structs.replace(
        known,
        stated=tuple(msgspec.structs.replace(step, source=source) for step in known.stated),
        gradient=tuple(msgspec.structs.replace(gradient, source=source) for gradient in known.gradient),
    )


def knowledge_for(document: Document, known: Iterable[Knowledge]) -> Knowledge:
    """All that is known of this document: from files whose lines are all in the document's code."""
    fitting = [knowledge for knowledge in known if _speaks_of(knowledge, document)]
    # Two documents may share a line: the one that a file names is meant, and of a copy either.
    mine = [knowledge for knowledge in fitting if knowledge.file == document.path.name] or fitting[:1]
    return Knowledge(
        file=document.path.name,
        stated=tuple(stated_step for knowledge in mine for stated_step in knowledge.stated),
        gradient=tuple(gradient for knowledge in mine for gradient in knowledge.gradient),
    )


def _speaks_of(knowledge: Knowledge, document: Document) -> bool:
    probes: list[StatedStep | Gradient] = [*knowledge.stated, *knowledge.gradient]
    return bool(probes) and all(
        any(probe.line in chunk.code for chunk in document.chunks if chunk.language == probe.language)
        for probe in probes
    )
