"""What stands beside a paragraph: the outputs in front of it and behind it, and the code that each is of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

import msgspec

from harness.documents.model import Chunk, Document
from harness.documents.prose_model import Paragraph
from harness.documents.prose_numbers import Printed, is_choice, printed_numbers
from harness.documents.written_numbers import is_form_of, rounds_to
from harness.findings.outputs import piece
from harness.findings.random_numbers import without_comments
from harness.model.article import Answer

_BEFORE = 3
"""Chunks in front of a paragraph, without prose between, whose outputs it may speak of."""
_BEHIND = 3
"""Chunks behind it, the first of which with outputs it may speak of."""
_LONGEST = 20_000
HELD = (Answer.REPRODUCED, Answer.UNCHECKED, Answer.HERE)
"""Answers on outputs that prose is held to: to what is not reproduced so that its author may look."""
_SETS = re.compile(r"[\w.,\[\] ]+(?:<-|=(?!=))|(?:import|from|using)\b|library\(")
_PRINTS = re.compile(r"(?:print|println|cat|show|display)\((.*)\)", re.DOTALL)


class Output(msgspec.Struct, frozen=True):
    """An output beside prose: whether a text is held to it, its numbers, and the one statement that it is of.

    A text is held to what is reproduced, and then for ``certain``, or to what is not run here, or another in
    the author's version: whoever reads the document sees both.
    """

    chunk: Chunk
    place: int
    text: str
    sure: bool
    certain: bool
    numbers: tuple[Printed, ...]
    code: str


class Claim(msgspec.Struct, frozen=True):
    """What a text says, what the code beside it gives, and where: in the text, and the output.

    What others write otherwise, as the width in front of the height, is not ``certain``.
    """

    start: int
    written: str
    shown: str
    output: Output
    certain: bool = True


class Beside(msgspec.Struct, frozen=True):
    """A paragraph and the outputs beside it, those in front first."""

    paragraph: Paragraph
    outputs: tuple[Output, ...]

    def holds(self, written: str) -> bool:
        """Whether a number is, rounded or cut, one of the outputs."""
        shown = [one.number for output in self.outputs for one in output.numbers]
        return any(rounds_to(one, written) or is_form_of(one, written) for one in shown)


def all_beside(document: Document, outputs: Callable[[int], tuple[Output, ...]]) -> Iterator[Beside]:
    """Yield each paragraph that stands beside an output.

    Parameters
    ----------
    document : Document
        Its prose and chunks.
    outputs : callable
        The outputs of a chunk, by its index.
    """
    ends = sorted({paragraph.after for paragraph in document.prose})
    before = dict(zip(ends, [-1, *ends], strict=False))
    for paragraph in document.prose:
        first = max(before[paragraph.after] + 1, paragraph.after + 1 - _BEFORE)
        # What is set up in front of the first output below has none itself.
        last = paragraph.after + 1
        while last < len(document.chunks) and not document.chunks[last].output and last not in before:
            last += 1
        near = range(first, min(last, paragraph.after + _BEHIND, len(document.chunks) - 1) + 1)
        found = tuple(output for index in near for output in outputs(index))
        if found and not is_choice(paragraph.text):
            yield Beside(paragraph, found)


def outputs_of(chunk: Chunk, answers: Mapping[tuple[int, int], Answer]) -> Iterator[Output]:
    """Yield the outputs of a chunk with their numbers.

    Parameters
    ----------
    chunk : Chunk
        The chunk.
    answers : mapping
        The answer on each output, by the chunk's index and the output's place.
    """
    numbers = list(printed_numbers(chunk))
    for place, block in enumerate(chunk.output):
        if len(block.text) <= _LONGEST:
            answer = answers.get((chunk.index, place))
            own = tuple(one for one in numbers if one.block == place)
            yield Output(
                chunk,
                place,
                block.text,
                sure=answer in HELD,
                certain=answer is Answer.REPRODUCED,
                numbers=own,
                code=_statement(chunk, place),
            )


def _statement(chunk: Chunk, place: int) -> str:
    """The statement of one line that an output is of; nothing where others may have printed it."""
    if len(chunk.output) > 1 and not any(block.after for block in chunk.output):
        return ""
    lines = [line for line in without_comments(piece(chunk, place)).split("\n") if line.strip()]
    if not lines or not all(_SETS.match(line) for line in lines[:-1]):
        return ""
    code = lines[-1].strip().rstrip(";")
    prints = _PRINTS.fullmatch(code)
    return prints[1] if prints else code
