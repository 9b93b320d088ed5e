"""Numbers in prose and in comments that contradict the output that they are sure to speak of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from harness.findings.causes import named
from harness.findings.prose import numbers_shown
from harness.findings.prose_arithmetic import wrong_sums
from harness.findings.prose_beside import Claim, all_beside, outputs_of
from harness.findings.prose_comments import other_comments
from harness.findings.prose_lists import other_compounds, other_lists
from harness.findings.prose_shapes import other_shapes
from harness.findings.prose_values import other_numbers, other_values
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer, Finding, Kind, Severity

_QUOTED = 60
_READER = "a reader takes one of the two for the other"


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
    known = [text for chunk in chunks for text in (chunk.code, *(block.text for block in chunk.output))]
    numbers = numbers_shown(runs.document)
    for beside in all_beside(runs.document, answers):
        paragraph = beside.paragraph
        claims = [*wrong_sums(beside), *other_values(beside), *other_numbers(beside, numbers)]
        for rule in (other_lists, other_compounds, other_shapes):
            claims += rule(beside, known)
        for claim in claims:
            line = paragraph.line + (0 if paragraph.cell else paragraph.text.count("\n", 0, claim.start))
            quote = paragraph.text[max(0, claim.start - _QUOTED) : claim.start + 2 * _QUOTED]
            finding = _finding(runs, claim, line, quote, "the text says")
            yield msgspec.structs.replace(finding, where=f"cell {paragraph.cell}" if paragraph.cell else "")
    for chunk in chunks:
        for row, claim in other_comments(chunk, list(outputs_of(chunk, answers))):
            quote = chunk.code.split("\n")[row - 1]
            line = chunk.line if chunk.cell else chunk.code_line + row - 1
            yield _finding(runs, claim, line, quote, "the comment says")


def _finding(runs: DocumentRuns, claim: Claim, line: int, quote: str, said: str) -> Finding:
    chunk = claim.output.chunk
    there = named(runs.document, chunk) if chunk.cell else f"line {chunk.output[claim.output.place].line}"
    return runs.finding(
        chunk,
        Kind.PROSE,
        Severity.WRONG,
        f"{said} {claim.written}, and the code gives {claim.shown} ({there})",
        _READER,
        line=line,
        smallest=" ".join(quote.split()),
        answer=Answer.WRONG,
    )
