"""Numbers in comments of the code: what a statement should print, and how many of something it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.documents.model import Chunk
from harness.findings.prose_beside import Claim, Output

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


def other_comments(chunk: Chunk, outputs: list[Output]) -> Iterator[tuple[int, Claim]]:
    """Yield numbers in the comments behind statements that are others than the code prints or asks for.

    Parameters
    ----------
    chunk : Chunk
        The code.
    outputs : list of Output
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
    read = {block.line - chunk.code_line + 1 for block in chunk.output if block.info in ("value", "comment")}
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
