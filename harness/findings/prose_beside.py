"""What stands beside a paragraph: the outputs in front of it and behind it, and the code that each is of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from harness.documents.model import Chunk, Document
from harness.documents.prose_model import Paragraph
from harness.documents.prose_numbers import (
    Printed,
    are_turned,
    is_one_digit_off,
    printed_numbers,
    rounded_as,
    rounds_to,
)
from harness.documents.tokens import Number
from harness.findings.outputs import piece
from harness.findings.random_numbers import without_comments
from harness.model.article import Answer

_BEFORE = 3
"""Chunks in front of a paragraph, without prose between, whose outputs it may speak of."""
_LONGEST = 20_000
_SETS = re.compile(r"[\w.,\[\] ]+(?:<-|=(?!=))|(?:import|from|using)\b|library\(")
_PRINTS = re.compile(r"(?:print|println|cat|show|display)\((.*)\)", re.DOTALL)


class Output(msgspec.Struct, frozen=True):
    """An output beside prose: whether it is reproduced, its numbers, and the one statement that it is of."""

    chunk: Chunk
    place: int
    text: str
    sure: bool
    numbers: tuple[Printed, ...]
    code: str


class Claim(msgspec.Struct, frozen=True):
    """What a text says, what the code beside it gives, and where: in the text, and the output."""

    start: int
    written: str
    shown: str
    output: Output


class Beside(msgspec.Struct, frozen=True):
    """A paragraph and the outputs beside it, those in front first."""

    paragraph: Paragraph
    outputs: tuple[Output, ...]

    def holds(self, written: str) -> bool:
        """Whether a number is, rounded, one of the outputs."""
        return any(rounds_to(one.number, written) for output in self.outputs for one in output.numbers)


def all_beside(document: Document, answers: Mapping[tuple[int, int], Answer]) -> Iterator[Beside]:
    """Yield each paragraph that stands beside an output.

    Parameters
    ----------
    document : Document
        Its prose and chunks.
    answers : mapping
        The answer on each output, by the chunk's index and the output's place.
    """
    made: dict[int, tuple[Output, ...]] = {}
    ends = sorted({paragraph.after for paragraph in document.prose})
    before = dict(zip(ends, [-1, *ends], strict=False))
    for paragraph in document.prose:
        first = max(before[paragraph.after] + 1, paragraph.after + 1 - _BEFORE)
        near = range(first, min(paragraph.after + 2, len(document.chunks)))
        for index in near:
            if index not in made:
                made[index] = tuple(outputs_of(document.chunks[index], answers))
        outputs = tuple(output for index in near for output in made[index])
        if outputs:
            yield Beside(paragraph, outputs)


def outputs_of(chunk: Chunk, answers: Mapping[tuple[int, int], Answer]) -> Iterator[Output]:
    """Yield the outputs of a chunk with their numbers.

    Parameters
    ----------
    chunk : Chunk
        The chunk.
    answers : mapping
        As of `all_beside`.
    """
    numbers = list(printed_numbers(chunk))
    for place, block in enumerate(chunk.output):
        if len(block.text) <= _LONGEST:
            sure = answers.get((chunk.index, place)) is Answer.REPRODUCED
            own = tuple(one for one in numbers if one.block == place)
            yield Output(chunk, place, block.text, sure, own, _statement(chunk, place))


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


def is_like(written: str, number: Number) -> bool:
    """Whether a number in a text is a printed one but for one digit, or for two that are turned.

    Parameters
    ----------
    written : str
        The number in the text.
    number : Number
        The printed one.
    """
    rounded = rounded_as(number, written)
    return is_one_digit_off(rounded, written) or are_turned(rounded, written)
