"""Numbers in prose and in comments that contradict the output that they are sure to speak of."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from harness.documents.prose_model import Paragraph
from harness.findings.printed_shapes import shapes_shown
from harness.findings.prose import numbers_in_prose, numbers_shown, says_otherwise, texts_of
from harness.findings.prose_anywhere import other_numbers_anywhere
from harness.findings.prose_arithmetic import wrong_sums
from harness.findings.prose_beside import Beside, Claim, Output, all_beside, outputs_of
from harness.findings.prose_comments import comments_beside, other_comments
from harness.findings.prose_companions import other_companions
from harness.findings.prose_counts import other_sizes
from harness.findings.prose_lists import other_compounds, other_lists
from harness.findings.prose_shapes import other_counts, other_lengths, other_shapes, other_shapes_anywhere
from harness.findings.prose_values import other_answers, other_numbers, other_values
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer, Finding

_QUOTED = 60
_DENIED = re.compile(
    r"(?:\bnot|n't|\binstead of|\brather than|\bunlike)\s+(?:\w+\s+){0,2}[^\w\s]*\Z", re.IGNORECASE
)
"""What ends in front of a number that a text tells as what is not printed."""


def said_of_outputs(runs: DocumentRuns, answers: Mapping[tuple[int, int], Answer]) -> Iterator[Finding]:
    """Find what prose and comments say otherwise than outputs, each number once.

    Parameters
    ----------
    runs, answers : DocumentRuns, mapping
        As of `claims_in_prose`.
    """
    said = set()
    for finding in (*claims_in_prose(runs, answers), *numbers_in_prose(runs, answers)):
        place = (finding.where or finding.line, finding.evidence.partition(", and ")[0])
        if place not in said:
            yield finding
        said.add(place)


def claims_in_prose(runs: DocumentRuns, answers: Mapping[tuple[int, int], Answer]) -> Iterator[Finding]:
    """Find what prose and comments say of reproduced outputs, and these do not show.

    Parameters
    ----------
    runs : DocumentRuns
        The document.
    answers : mapping
        The answer on each output, by the chunk's index and the output's place.
    """
    chunks = runs.document.chunks

    @functools.cache
    def outputs(index: int) -> tuple[Output, ...]:
        return tuple(outputs_of(chunks[index], answers))

    known = texts_of(runs.document)
    numbers = numbers_shown(known)
    for beside in all_beside(runs.document, outputs):
        for claim in _claims(beside, known, numbers):
            yield _in_prose(runs, beside.paragraph, claim)
    every = [outputs(chunk.index) for chunk in chunks]
    for paragraph, claim in other_numbers_anywhere(runs.document, every, numbers):
        if not _is_denied(paragraph, claim):
            # Who writes above the code may speak of other data than those that it reads.
            above = claim.output.chunk.index <= paragraph.after
            yield _in_prose(runs, paragraph, msgspec.structs.replace(claim, certain=claim.certain and above))
    shapes = [(shape, one) for part in every for one in part for shape in shapes_shown(one)]
    for paragraph in runs.document.prose:
        for claim in other_shapes_anywhere(paragraph, shapes, known):
            yield _in_prose(runs, paragraph, claim)
    known = texts_of(runs.document, comments=False)
    numbers = numbers_shown(known)
    for chunk in (chunk for chunk in chunks if chunk.output):
        said = [*other_comments(chunk, outputs(chunk.index))]
        for beside in comments_beside(chunk, outputs(chunk.index)):
            for claim in _claims(beside, known, numbers):
                row = beside.paragraph.line + beside.paragraph.text.count("\n", 0, claim.start)
                if all((row, claim.written) != (line, one.written) for line, one in said):
                    said.append((row, claim))
        for row, claim in said:
            quote = chunk.code.split("\n")[row - 1]
            line = chunk.line if chunk.cell else chunk.code_line + row - 1
            yield _finding(runs, claim, line, quote, "the comment says")


def _claims(beside: Beside, known: Sequence[str], numbers: frozenset[str]) -> Iterator[Claim]:
    for claim in _all_claims(beside, known, numbers):
        if not _is_denied(beside.paragraph, claim):
            yield claim


def _is_denied(paragraph: Paragraph, claim: Claim) -> bool:
    return _DENIED.search(paragraph.text, max(0, claim.start - _QUOTED), claim.start) is not None


def _all_claims(beside: Beside, known: Sequence[str], numbers: frozenset[str]) -> Iterator[Claim]:
    yield from wrong_sums(beside)
    yield from other_values(beside)
    yield from other_answers(beside)
    yield from other_counts(beside)
    yield from other_lengths(beside)
    yield from other_sizes(beside)
    yield from other_numbers(beside, numbers)
    yield from other_companions(beside, numbers)
    for rule in (other_lists, other_compounds, other_shapes):
        yield from rule(beside, known)


def _in_prose(runs: DocumentRuns, paragraph: Paragraph, claim: Claim) -> Finding:
    line = paragraph.line + (0 if paragraph.cell else paragraph.text.count("\n", 0, claim.start))
    quote = paragraph.text[max(0, claim.start - _QUOTED) : claim.start + 2 * _QUOTED]
    found = _finding(runs, claim, line, quote, "the text says")
    return msgspec.structs.replace(found, where=f"cell {paragraph.cell}" if paragraph.cell else "")


def _finding(runs: DocumentRuns, claim: Claim, line: int, quote: str, said: str) -> Finding:
    output = claim.output
    gives = "code gives" if output.certain else "output shows"
    said = f"{said} {claim.written}, and the {gives} {claim.shown}"
    return says_otherwise(
        runs, output.chunk, output.place, said, line, quote, certain=output.certain and claim.certain
    )
