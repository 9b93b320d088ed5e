"""Shapes in prose, as pairs of numbers or as rows and columns, that the output beside them has otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.findings.prose_beside import Beside, Claim, Output

_TUPLE = re.compile(r"^\s*(?:torch\.Size\()?[\[(](\d+(?:, ?\d+)+)[\])]\)?\s*$", re.MULTILINE)
_HEAD = re.compile(r"^\W*(\d+(?:\s?[×x]\s?\d+)+)\s+(?:Matrix|Array|DataFrame|[A-Z]\w*\{)", re.MULTILINE)
_FRAME = re.compile(r"\[(\d+ rows x \d+) columns\]|tibble: ([\d,]+ [×x] \d+)|(\d+) obs\. of +(\d+) var")
_DIM = re.compile(r"^\W*\[1\] +(\d+(?: +\d+)+)\s*$", re.MULTILINE)
_ASKS = re.compile(r"shape|size|\bdim\(")
_SAID = (
    re.compile(
        r"(?<![\w.(,])(\d[\d,]*)[`*]* (?:rows?|observations?|records|samples|lines|obs\.?),?"
        r"(?: (?:and|by|with|x|×|of|on|for|each))+ [`*]*(\d+)[`*]* (?:columns?|variables?|features?|cols)\b"
    ),
    re.compile(r"(?<![\w.\]])[(\[](\d+(?:, ?\d+)+)[)\]](?!\w)"),
    re.compile(r"(?<![\w.])(\d+(?: ?(?:[×x]|\\times|by) ?\d+)+)(?![\w.])"),
)
_TURNED = re.compile(
    r"(?<![\w.(,])(\d+)[`*]* (?:columns?|variables?|features?|cols),?"
    r"(?: (?:and|by|with|x|×))+ [`*]*(\d[\d,]*)[`*]* (?:rows?|observations?|records|samples|lines|obs\.?)"
)
"""Columns in front of rows."""
_OF_A_SHAPE = re.compile(
    r"shape|size|dimension|rows?\b|columns?\b|matrix|array|tensor|data ?frame|observ", re.IGNORECASE
)
_BECOMES = re.compile(
    r"transpos|reshap|flip|turn|convert|expand|becom|instead|would|\bnot\b|n't\b|differ|than\b|multipl",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?:there (?:are|were)|has|have|contains?|consists? of|total of)\s+[`*]*(?P<number>\d[\d,]*)[`*]*\s+"
    r"(?P<noun>rows|observations|records|columns|variables)\b"
    r"(?=[`*]*\s*(?:[.,;:)(/]|$|and\b|(?:in|of) (?:the|this|our|it)\b))",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\d+")
_AXES = 2
_NEAR = 80
"""Characters around a shape among which a word says that it is one."""


def other_shapes(beside: Beside, known: Sequence[str]) -> Iterator[Claim]:
    """Yield shapes that are an output's but for one number or for their order, and no other of the document.

    Parameters
    ----------
    beside : Beside
        A paragraph and the outputs beside it.
    known : sequence of str
        All code and outputs of the document: a shape that is there is meant for that.
    """
    shapes = [(shape, output) for output in beside.outputs for shape in _shapes(output)]
    text = beside.paragraph.text
    for found in (one for said in (*_SAID, _TURNED) for one in said.finditer(text) if shapes):
        around = text[max(0, found.start() - _NEAR) : found.end() + _NEAR]
        written = _numbers(found[0])[:: -1 if found.re is _TURNED else 1]
        if not _OF_A_SHAPE.search(around) or _BECOMES.search(around):
            continue
        like = {shape: output for shape, output in shapes if output.sure and _is_like(written, shape)}
        if len(like) == 1 and not any(shape == written for shape, _ in shapes):
            ((shape, output),) = like.items()
            if not any(_stands_in(written, one) for one in known):
                yield Claim(found.start(), found[0], " × ".join(map(str, shape)), output)


def other_counts(beside: Beside) -> Iterator[Claim]:
    """Yield counts of rows or columns that are not those of the only table that is printed right beside.

    Parameters
    ----------
    beside : Beside
        A paragraph and the outputs beside it; what their code has is meant for that.
    """
    text, after = beside.paragraph.text, beside.paragraph.after
    near = [one for one in beside.outputs if one.chunk.index - after in (0, 1)]
    shapes = {shape: one for one in near for shape in _shapes(one)}
    if len(shapes) != 1 or not all(one.sure for one in near):
        return
    ((shape, output),) = shapes.items()
    for found in _COUNT.finditer(text) if len(shape) == _AXES else ():
        around = text[max(0, found.start() - _NEAR) : found.end() + _NEAR]
        (written,) = _numbers(found["number"])
        due = shape[found["noun"][0] in "cv"]
        others = [number for one in beside.outputs for other in _shapes(one) for number in other]
        code = any(found["number"] in _WHOLE.findall(one.chunk.code) for one in beside.outputs)
        if written not in (due, *others) and not code and not _BECOMES.search(around):
            yield Claim(found.start("number"), found["number"], str(due), output)


def _shapes(output: Output) -> Iterator[tuple[int, ...]]:
    found = [*_HEAD.finditer(output.text), *_FRAME.finditer(output.text)]
    asked = [*_TUPLE.finditer(output.text), *_DIM.finditer(output.text)]
    if asked and _ASKS.search(output.chunk.code):
        found += asked
    for one in found:
        yield _numbers(" ".join(filter(None, one.groups())))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)))


def _is_like(written: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    if len(written) != len(shape) or written == shape:
        return False
    return sorted(written) == sorted(shape) or sum(map(int.__ne__, written, shape)) == 1


def _stands_in(shape: tuple[int, ...], text: str) -> bool:
    return re.search(r"(?<![\w.])" + r"\s*[,×x ]\s*".join(map(str, shape)) + r"(?![\w.])", text) is not None
