"""What is said of outputs that are not reproduced, with everything that follows from one cause."""

from __future__ import annotations

from collections.abc import Hashable

from harness.documents.model import Chunk, Document, place_of
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer, Finding, Kind, Severity

SEVERITY = {
    Answer.WRONG: Severity.WRONG,
    Answer.NOBODY: Severity.FRAGILE,
    Answer.HERE: Severity.NOTE,
    Answer.UNCHECKED: Severity.NOTE,
}
_KINDS = {
    Answer.WRONG: Kind.OUTPUT_DIFFERS,
    Answer.NOBODY: Kind.NOT_REPEATABLE_OUTPUT,
    Answer.HERE: Kind.DIFFERS_HERE,
    Answer.UNCHECKED: Kind.NOT_CHECKED,
}
_SO = {
    Answer.WRONG: "a reader who runs the code gets something else than what is published",
    Answer.NOBODY: "another run prints something else, the author's own too",
    Answer.HERE: "whether it is right cannot be said on this machine",
    Answer.UNCHECKED: "nothing is said of it, neither that it is right nor that it is wrong",
}


class Cause:
    """One cause, and the outputs and chunks that follow from it.

    Parameters
    ----------
    answer : Answer
        What is said of those outputs.
    chunk : Chunk
        Where it stands.
    line : int
        The line of the chunk's code, counted from 1; 0 for the whole chunk.
    said : str
        The cause, in the author's words.
    kind : Kind, optional
        The finding's; by default that of the answer.
    consequence : str, optional
        What it does to a reader.
    exchanged : bool, optional
        Whether what is published is what another statement of the document prints.
    """

    def __init__(
        self,
        answer: Answer,
        chunk: Chunk,
        line: int,
        said: str,
        *,
        kind: Kind | None = None,
        consequence: str = "",
        exchanged: bool = False,
    ) -> None:
        self.answer = answer
        self.chunk = chunk
        self.line = line
        self.said = said
        self.kind = kind or _KINDS[answer]
        self.consequence = consequence or _SO[answer]
        self.exchanged = exchanged
        self.outputs: dict[tuple[int, int], str] = {}
        self.failing: dict[int, str] = {}
        self.smallest = ""
        self.beside: list[Cause] = []

    def doubted(self, why: str, answer: Answer = Answer.HERE) -> None:
        """Take an accusation back."""
        self.answer, self.kind, self.consequence = answer, _KINDS[answer], _SO[answer]
        self.said = f"{self.said}; {why}"

    def finding(self, runs: DocumentRuns) -> Finding:
        """The finding, with what follows listed under it."""
        document = runs.document
        outputs = len(self.outputs)
        follows = [*self.failing.items()]
        evidence = self.said
        if self.beside:
            evidence += f"; and {len(self.beside)} more, on which nothing printed depends"
        beyond = outputs - any(index == self.chunk.index for index, _ in self.outputs)
        if self.answer is not Answer.WRONG or beyond:
            evidence += f": {outputs} {'output' if outputs == 1 else 'outputs'}" if outputs else ""
        listed = [f"{named(document, document.chunks[index])}: {text}" for index, text in follows]
        for (index, place), text in self.outputs.items():
            if (index, place) == next(iter(self.outputs)) and self.answer is Answer.WRONG and not follows:
                continue
            chunk = document.chunks[index]
            where = f"line {chunk.output[place].line}" if not chunk.cell else named(document, chunk)
            listed.append(f"{where}: {text}" if text else f"{where}: output")
        for other in self.beside:
            listed.append(f"{named(document, other.chunk)}: {other.said}")
        row = place_of(document, self.chunk, self.line) if self.line else None
        return runs.finding(
            self.chunk,
            self.kind,
            SEVERITY[self.answer],
            evidence,
            self.consequence,
            line=row.line if row is not None else None,
            row=self.line,
            smallest=self.smallest or (row.text if row is not None else ""),
            answer=self.answer,
            follows=tuple(dict.fromkeys(listed)),
        )


class Causes:
    """The causes of one document, each by its key."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Cause] = {}

    def get(self, key: Hashable, cause: Cause) -> Cause:
        """Return the cause that is known by a key, or this new one."""
        return self._known.setdefault(key, cause)

    def known(self, cause: Cause) -> Cause:
        """Return a cause, and list it from now on."""
        if not any(cause is other for other in self._known.values()):
            self._known["of its own", id(cause)] = cause
        return cause

    def drop(self, cause: Cause) -> None:
        """Forget a cause that nothing follows from any more."""
        self._known = {key: other for key, other in self._known.items() if other is not cause}

    def all(self) -> list[Cause]:
        """All causes, in the order in which they were found."""
        return list(self._known.values())

    def merged(self) -> list[Cause]:
        """All causes; of those from which nothing that is printed follows, one for each kind."""
        kept: list[Cause] = []
        idle: dict[tuple[Kind, str], list[Cause]] = {}
        for key, cause in self._known.items():
            # A doubt about code all of whose outputs are reproduced keeps nothing from being checked.
            if isinstance(key, tuple) and key[0] == "doubtful" and not (cause.outputs or cause.failing):
                continue
            if cause.outputs or cause.answer in (Answer.WRONG, Answer.NOBODY):
                kept.append(cause)
            else:
                idle.setdefault((cause.kind, cause.chunk.language), []).append(cause)
        for causes in idle.values():
            first = causes[0]
            for other in causes[1:]:
                first.beside.append(other)
            kept.append(first)
        return sorted(kept, key=lambda cause: cause.chunk.index)


def named(document: Document, chunk: Chunk) -> str:
    """Return a chunk's place as its author would name it."""
    if chunk.cell:
        count = f" (In [{chunk.execution_count}])" if chunk.execution_count is not None else ""
        return f"cell {chunk.cell}{count}"
    return f"line {chunk.line}" if not chunk.source else f"{chunk.source}, line {chunk.line}"
