"""Numbers in comments of the code: what a statement should print, and how many of something it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.documents.model import Chunk
from harness.documents.prose_model import Paragraph
from harness.findings.prose_beside import Beside, Claim, Output
from harness.findings.random_numbers import without_comments

_BEHIND = re.compile(r"^(?P<code>[^#\"'\n]*[^#\"'\s])[ \t]*#+[ \t]*(?P<comment>[^\[\s].*)$", re.MULTILINE)
_SHOULD = re.compile(
    r"(?:(?:this|it|which|we) )?(?:(?:should|will|would|must) )?"
    r"(?:be|print|give|return|get|equal|output|evaluate to|show|expect)s?:? (?P<number>-?\d+(?:\.\d+)?)\.?",
    re.IGNORECASE,
)
_ALONE = re.compile(r"^(?:#[#>]?)?\s*(?:\[1\]\s*)?(-?\d+(?:\.\d+)?)\s*$", re.MULTILINE)
_COUNTED = re.compile(
    r"\b(?:(?:display|show|print|list|return|get)(?:s|ing)?(?: the)?(?: (?:first|last|top))?"
    r"|first|last|top|head|tail)\s+(?P<number>\d+)\s+(?:`?\w+`?\s+)?"
    r"(?:rows?|observations?|lines?|elements?|items?|entries|values|records|obs|cases|columns)\b",
    re.IGNORECASE,
)
_TAKES = re.compile(
    r"\b(?:head|tail|first|last|slice_head)\((?:[^()=]*,\s*)?(?:n\s*=\s*)?(?P<number>\d+)L?\)|\[:(?P<end>\d+)\]"
)


def other_comments(chunk: Chunk, outputs: Sequence[Output]) -> Iterator[tuple[int, Claim]]:
    """Yield numbers in the comments behind statements that are others than the code prints or asks for.

    Parameters
    ----------
    chunk : Chunk
        The code.
    outputs : sequence of Output
        All of its outputs.

    Yields
    ------
    tuple of int and Claim
        The line of the code, counted from 1, first.
    """
    if not outputs or not all(output.sure for output in outputs):
        return
    behind = list(_BEHIND.finditer(chunk.code))
    said = [(found, one) for found in behind if (one := _SHOULD.fullmatch(found["comment"].strip()))]
    shown = [(found[1], output) for output in outputs for found in _ALONE.finditer(output.text)]
    read = _read(chunk)
    if len(said) == len(shown):
        for (found, one), (printed, output) in zip(said, shown, strict=True):
            line = chunk.code.count("\n", 0, found.start()) + 1
            if line not in read and float(one["number"]) != float(printed):
                yield line, Claim(0, one["number"], printed, output)
    for found in behind:
        counts, takes = (
            list(one.finditer(found[part])) for one, part in ((_COUNTED, "comment"), (_TAKES, "code"))
        )
        if len(counts) == len(takes) == 1:
            asked = takes[0]["number"] or takes[0]["end"]
            if counts[0]["number"] != asked:
                line = chunk.code.count("\n", 0, found.start()) + 1
                yield line, Claim(0, counts[0]["number"], asked, outputs[-1])


def comments_beside(chunk: Chunk, outputs: tuple[Output, ...]) -> Iterator[Beside]:
    """Yield the comments of code as paragraphs beside all of its outputs.

    Parameters
    ----------
    chunk : Chunk
        The code.
    outputs : tuple of Output
        All of its outputs.
    """
    for row, text in comments_of(chunk) if outputs else ():
        yield Beside(Paragraph(line=row, text=text, after=chunk.index - 1), outputs)


def comments_of(chunk: Chunk) -> Iterator[tuple[int, str]]:
    """Yield the comments of code, each with its line, counted from 1.

    Parameters
    ----------
    chunk : Chunk
        The code. Lines that hold nothing else go on with the comment above them; what is read as an output
        is none.
    """
    if "#" not in chunk.code:
        return
    read, said = _read(chunk), dict[int, list[str]]()
    begun = 0
    lines = chunk.code.split("\n")
    # Where outputs have a mark of their own, what else has it may be one that could not be read.
    marks = tuple({line[:2] for row, line in enumerate(lines, 1) if row in read} & {"##", "#>"})
    for row, (line, code) in enumerate(zip(lines, without_comments(chunk.code).split("\n"), strict=True), 1):
        comment = line[len(code.rstrip()) :].strip(" \t#")
        if not comment or row in read or line.startswith(marks):
            begun = 0
        elif begun and not code.strip():
            said[begun].append(comment)
        else:
            begun, said[row] = row, [comment]
    yield from ((row, "\n".join(comments)) for row, comments in said.items())


def _read(chunk: Chunk) -> set[int]:
    """The lines of the code that are read as outputs, counted from 1."""
    shown = [block for block in chunk.output if block.info in ("value", "comment")]
    firsts = [(block.line - chunk.code_line + 1, block.text.count("\n") + 1) for block in shown]
    return {row for first, rows in firsts for row in range(first, first + rows)}
