"""Shapes in prose, as pairs of numbers or as rows and columns, that the output beside them has otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.documents.prose_model import Paragraph
from harness.documents.written_numbers import NUMBER_WORDS, are_turned, is_one_digit_off
from harness.findings.printed_shapes import length_shown, numbers_of, shapes_shown
from harness.findings.prose_beside import Beside, Claim, Output

_ROWS = r"(?:rows?|observations?|records|samples|lines|obs\.?)"
_COLUMNS = r"(?:columns?|variables?|features?|cols)"
_AND = r"[`*]*(?: *\([^()]*\))?,?(?:(?: +(?:and|by|with|x|×|of|on|for|each|it|has))+|[ ,.]*\n *[-*+]) +[`*]*"
_SIZES = re.compile(r"(?<![\w.])(\d+(?:[ -]*(?:[×x]|\\times|by)[ -]*\d+)+)(?![\w.])")
_SAID = (
    re.compile(rf"(?<![\w.(,])(\d[\d,]*)[`*]* +[`*]*{_ROWS}{_AND}(\d+)[`*]* +[`*]*{_COLUMNS}\b"),
    re.compile(r"(?<![\w.\]])[(\[](\d+(?:, ?\d+)+)[)\]](?!\w)"),
    _SIZES,
)
_TURNED = re.compile(rf"(?<![\w.(,])(\d+)[`*]* +[`*]*{_COLUMNS}{_AND}(\d[\d,]*)[`*]* +[`*]*{_ROWS}")
"""Columns in front of rows."""
_OF_A_SHAPE = re.compile(
    r"shape|size|dimension|rows?\b|columns?\b|matrix|array|tensor|data ?frame|observ", re.IGNORECASE
)
_BECOMES = re.compile(
    r"transpos|reshap|flip|turn|convert|expand|becom|instead|would|\bnot\b|n't\b|differ|than\b|multipl"
    r"|imagin|suppos|assum|could|might|\bif\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?:there (?:are|were)|has|have|contains?|consists? of|total of"
    r"|(?:matrix|array|(?:data ?)?frame|table|tibble|data ?set|data)\s+with)"
    r"\s+[`*]*(?P<number>\d[\d,]*)[`*]*\s+"
    r"(?P<noun>rows|observations|records|columns|variables)\b"
    r"(?=[`*]*\s*(?:[.,;:)(/]|$|and\b|(?:in|of) (?:the|this|our|it)\b|(?:in|of) [`*]*(?P<of>[\w.]*\w)))",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"\b(?:vector|array|list|tuple|sequence)\s+(?:[`*]*\w+[`*]*\s+)?(?:of|with|has|contains|containing|holds)\s+"
    r"(?:the\s+)?(?:length\s+(?:of\s+)?[`*]*(?P<length>\d+)|[`*]*(?P<number>\d+)[`*]*\s+"
    r"(?:elements|numbers|values|items|entries|integers))\b(?![.,]\d)",
    re.IGNORECASE,
)
_WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(NUMBER_WORDS)})(?!\w)", re.IGNORECASE)
_WHOLE = re.compile(r"\d+")
_NAME = re.compile(r"[^\W\d][\w.]*")
_AXES = 2
_NEAR = 80
"""Characters around a shape among which a word says that it is one."""
_LONG = 3
"""Digits of a number of rows that is meant for one anywhere in a document."""
_APART = 2
"""How far apart two lengths or counts are of which a slip makes one of the other."""


def other_shapes(beside: Beside, known: Sequence[str]) -> Iterator[Claim]:
    """Yield shapes that are an output's but for one number or for their order, and no other of the document.

    Parameters
    ----------
    beside : Beside
        A paragraph and the outputs beside it.
    known : sequence of str
        All code and outputs of the document: a shape that is there is meant for that.
    """
    shapes = [(shape, output) for output in beside.outputs for shape in shapes_shown(output)]
    for found, written in _written(beside.paragraph.text, (*_SAID, _TURNED)) if shapes else ():
        alike = [one for one in shapes if one[1].sure and _is_like(written, one[0])]
        apart = [abs(output.chunk.index - beside.paragraph.after) for _, output in alike]
        like = dict(one for one, far in zip(alike, apart, strict=True) if far == min(apart))
        if len(like) == 1 and not any(shape == written for shape, _ in shapes):
            ((shape, output),) = like.items()
            if not any(_stands_in(written, one) for one in known):
                yield _claim(beside.paragraph, found, shape, output)


def other_shapes_anywhere(
    paragraph: Paragraph, shapes: Sequence[tuple[tuple[int, ...], Output]], known: Sequence[str]
) -> Iterator[Claim]:
    """Yield rows and columns that are the only such shape of a document but for a slip in the rows.

    Parameters
    ----------
    paragraph : Paragraph
        A paragraph.
    shapes : sequence of (tuple of int, Output)
        All that the document's outputs show.
    known : sequence of str
        As of `other_shapes`.
    """
    for found, written in _written(paragraph.text, (_SAID[0], _TURNED)) if shapes else ():
        like = {shape: output for shape, output in shapes if output.sure and _is_a_slip(written, shape)}
        if len(like) == 1 and not any(shape == written for shape, _ in shapes):
            ((shape, output),) = like.items()
            if not any(_stands_in(written, one) for one in known):
                yield _claim(paragraph, found, shape, output)


def other_counts(beside: Beside) -> Iterator[Claim]:
    """Yield counts of rows or columns that are not those of the only table that is printed right beside.

    Parameters
    ----------
    beside : Beside
        A paragraph and the outputs beside it; what their code has is meant for that.
    """
    text = _in_digits(beside.paragraph.text)
    near = _next_to(beside)
    shapes = {shape: one for one in near for shape in shapes_shown(one)}
    if len(shapes) != 1 or not all(one.sure for one in near):
        return
    ((shape, output),) = shapes.items()
    for found in _COUNT.finditer(text) if len(shape) == _AXES else ():
        around = text[max(0, found.start() - _NEAR) : found.end() + _NEAR]
        (written,) = numbers_of(found["number"])
        due = shape[found["noun"][0].lower() in "cv"]
        others = [number for one in beside.outputs for other in shapes_shown(one) for number in other]
        code = any(found["number"] in _WHOLE.findall(one.chunk.code) for one in beside.outputs)
        elsewhere = found["of"] and found["of"].lower() not in _names_of(output)
        meant = _is_near(written, due) and written not in others
        if meant and not code and not elsewhere and not _BECOMES.search(around):
            yield Claim(found.start("number"), _as_said(beside.paragraph, found, "number"), str(due), output)


def other_lengths(beside: Beside) -> Iterator[Claim]:
    """Yield lengths of a list that are not that of the only one that is printed right beside.

    Parameters
    ----------
    beside : Beside
        As of `other_counts`.
    """
    text, near = _in_digits(beside.paragraph.text), _next_to(beside)
    if len(near) != 1 or not near[0].sure or (length := length_shown(near[0])) < _AXES:
        return
    for found in _LENGTH.finditer(text):
        around = text[max(0, found.start() - _NEAR) : found.end() + _NEAR]
        group = "length" if found["length"] else "number"
        code = any(found[group] in _WHOLE.findall(one.chunk.code) for one in beside.outputs)
        apart = abs(int(found[group]) - length)
        if 0 < apart <= _APART and int(found[group]) > 1 and not code and not _BECOMES.search(around):
            said = _as_said(beside.paragraph, found, group)
            # A part of what is shown may be meant.
            yield Claim(found.start(group), said, str(length), near[0], certain=False)


def _next_to(beside: Beside) -> list[Output]:
    """The outputs of the chunk right above; where there are none, or a colon leads on, also those below."""
    after, text = beside.paragraph.after, beside.paragraph.text
    above = [one for one in beside.outputs if one.chunk.index == after]
    if above and not text.rstrip(" *`").endswith(":"):
        return above
    return above + [one for one in beside.outputs if one.chunk.index == after + 1]


def _written(
    text: str, patterns: Sequence[re.Pattern[str]]
) -> Iterator[tuple[re.Match[str], tuple[int, ...]]]:
    """The shapes of a text, rows first."""
    text = _in_digits(text)
    for found in (one for pattern in patterns for one in pattern.finditer(text)):
        around = text[max(0, found.start() - _NEAR) : found.end() + _NEAR]
        if _OF_A_SHAPE.search(around) and not _BECOMES.search(around):
            numbers = tuple(number for group in found.groups() for number in numbers_of(group))
            yield found, numbers[:: -1 if found.re is _TURNED else 1]


def _claim(paragraph: Paragraph, found: re.Match[str], shape: tuple[int, ...], output: Output) -> Claim:
    written = " ".join(paragraph.text[found.start() : found.end()].split())
    # Who says 6 x 4 may give the width first; who names rows and columns does not.
    certain = found.re is not _SIZES or sorted(numbers_of(found[1])) != sorted(shape)
    return Claim(found.start(), written, " × ".join(map(str, shape)), output, certain)


def _in_digits(text: str) -> str:
    """A text with its small numbers in digits, each where its word ends."""
    return _WORD.sub(lambda one: str(NUMBER_WORDS[one[0].lower()]).rjust(len(one[0])), text)


def _as_said(paragraph: Paragraph, found: re.Match[str], group: str) -> str:
    start = found.start(group)
    word = next((one for one in _WORD.finditer(paragraph.text) if one.start() <= start < one.end()), None)
    return word[0] if word else found[group]


def _names_of(output: Output) -> set[str]:
    return {name.lower() for name in _NAME.findall(output.chunk.code)}


def _is_like(written: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    if len(written) != len(shape) or written == shape:
        return False
    return sorted(written) == sorted(shape) or sum(map(int.__ne__, written, shape)) == 1


def _is_near(written: int, due: int) -> bool:
    """Whether a count is another one but for a slip."""
    numbers = str(written), str(due)
    return written != due and (
        abs(written - due) <= _APART or are_turned(*numbers) or is_one_digit_off(*numbers)
    )


def _is_a_slip(written: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    if len(shape) != _AXES or len(written) != _AXES or written[1] != shape[1]:
        return False
    rows = str(written[0]), str(shape[0])
    return len(rows[0]) >= _LONG and (are_turned(*rows) or is_one_digit_off(*rows))


def _stands_in(shape: tuple[int, ...], text: str) -> bool:
    return re.search(r"(?<![\w.])" + r"\s*[,×x ]\s*".join(map(str, shape)) + r"(?![\w.])", text) is not None
