"""Outputs that stand in each other's place, or in two places."""

from __future__ import annotations

import re
from collections.abc import Mapping

from harness.documents.compare_printed import compare_printed
from harness.documents.model import Chunk
from harness.documents.results import Execution
from harness.findings.apart import are_lists, values_apart
from harness.findings.outputs import LIKE, piece, produced
from harness.findings.slices import statements_behind
from harness.model.article import BlockKind, BlockVerdict

Key = tuple[int, int]
"""An output: its chunk's index, and its place among the chunk's outputs."""
NO_CHANCE = 6
"""Characters that two codes do not print by chance, each in the place of the other."""
_SEVERAL = 3
"""Words that do not stand behind an output by chance."""
_SHOWS = re.compile(r"\b(?:print(?:ln|f)?|display|show|cat|repr|str)\b[!(]?|[()\s;]")
_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_COMMENT = re.compile(r"#[^\n]*")
_NAME = re.compile(r"(?<![\w.])[^\W\d][\w]*(?!\w*[(.])|[-+]?(?<![\w.])\d[\w.]*")
"""A name that is not called, and a number."""
_LITTLE = re.compile(r"(?:#[#>]\s*)?(?:\[1\]\s*)?(?:[Tt]rue|[Ff]alse|TRUE|FALSE|None|NULL|NA|nothing)")


def swapped_pairs(execution: Execution, verdicts: Mapping[Key, BlockVerdict]) -> dict[Key, Key]:
    """Return the outputs of which each is what the other's code prints, each with the other.

    Parameters
    ----------
    execution : Execution
        The document's run.
    verdicts : mapping
        How each output compares with what its own code prints.
    """
    off = [
        (chunk, place)
        for chunk in execution.document.chunks
        for place, block in enumerate(chunk.output)
        if verdicts[chunk.index, place].kind is BlockKind.DIFFERS and block.text.split()
    ]
    pairs: dict[Key, Key] = {}
    for n, (chunk, place) in enumerate(off):
        for other, there in off[n + 1 :]:
            if other.language != chunk.language or (chunk.index, place) in pairs:
                continue
            if _says_little(chunk.output[place].text) and _says_little(other.output[there].text):
                continue
            if chunk.output[place].text.split() == other.output[there].text.split():
                # Of two that are the same, neither stands in the other's place.
                continue
            if _gives(execution, chunk, place, other, there) and _gives(
                execution, other, there, chunk, place
            ):
                pairs[chunk.index, place] = (other.index, there)
                pairs[other.index, there] = (chunk.index, place)
    return pairs


def are_of_one_form(published: str, other: str) -> bool:
    """Whether two outputs differ in values alone, so that one may be another value of the other."""
    return values_apart(published, other) is not None or are_lists(published, other)


def are_unlike(one: tuple[Chunk, int], other: tuple[Chunk, int]) -> bool:
    """Whether two outputs have other forms and are of other computations, so that no order exchanges them.

    Parameters
    ----------
    one, other : (Chunk, int)
        A chunk, and the place of an output there.
    """
    texts = [chunk.output[place].text for chunk, place in (one, other)]
    if are_of_one_form(*texts) or any(map(_says_little, texts)):
        return False
    # A long text in a place that never prints the like is one without the other.
    short, long = sorted(len("".join(text.split())) for text in texts)
    if short < NO_CHANCE and long < 2 * NO_CHANCE:
        return False
    return _kind_of_code(*one) != _kind_of_code(*other)


def _kind_of_code(chunk: Chunk, place: int) -> str:
    """What an output's own chunk does to show it, without the names and numbers that it does that with."""
    code = _STRING.sub("0", _COMMENT.sub("", statements_behind((chunk,), piece(chunk, place))))
    return _NAME.sub("0", _SHOWS.sub(" ", code)).replace(" ", "")


def runs_on(
    execution: Execution, chunk: Chunk, place: int, verdicts: Mapping[Key, BlockVerdict]
) -> Chunk | None:
    """Return the next chunk where an output is what its own code prints and, behind it, what that one prints.

    Parameters
    ----------
    execution : Execution
        The document's run.
    chunk, place : Chunk, int
        The output.
    verdicts : mapping
        How each output compares with what its own code prints. The next chunk's have to be reproduced: the
        output was left behind when a cell was cut in two.
    """
    chunks = execution.document.chunks
    below = chunks[chunk.index + 1] if chunk.index + 1 < len(chunks) else None
    if below is None or below.language != chunk.language or not below.output or len(chunk.output) != 1:
        return None
    if any(verdicts[below.index, there].kind not in LIKE for there in range(len(below.output))):
        return None
    mine, next_text = (execution.of(part).left for part in (chunk, below))
    if mine is None or next_text is None or len(next_text.text.split()) < _SEVERAL or not mine.text.strip():
        return None
    text = f"{mine.text.rstrip()}\n{next_text.text}"
    same = compare_printed(chunk.output[place].text, text, chunk.language).kind in LIKE
    return below if same else None


def _gives(execution: Execution, chunk: Chunk, place: int, other: Chunk, there: int) -> bool:
    """Whether a chunk prints what is published as another's output."""
    text, published = produced(chunk, execution.of(chunk), place), other.output[there].text
    if text.split() == published.split():
        return True
    return compare_printed(published, text, chunk.language).kind in LIKE


def _says_little(text: str) -> bool:
    """Whether a text is one that many statements print: a truth value, or nothing."""
    return _LITTLE.fullmatch(text.strip()) is not None
