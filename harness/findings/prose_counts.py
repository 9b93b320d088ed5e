"""Counts that a sentence states of what is asked for, or shown, right beside it: elements, axes, degrees."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.documents.written_numbers import NUMBER_WORDS, are_turned, is_one_digit_off
from harness.findings.printed_shapes import length_shown, numbers_of, shapes_shown
from harness.findings.prose_beside import Beside, Claim, Output

_SMALL = {"one": 1} | NUMBER_WORDS
_N = rf"(?P<number>\d+(?:,\d{{3}})*|{'|'.join(_SMALL)})"
_NOUNS = {
    "rows": r"rows?|observations?|records|filas|lignes|Zeilen",
    "columns": r"columns?|variables|columnas|colonnes|Spalten",
    "elements": r"elements?|items?|values|entries|numbers|components|elementos|valores|éléments|Elemente",
    "letters": r"characters|letters|caracteres|letras|caractères",
}
_OF_SOME = r"(?!\s+(?:with|that|which|where|whose|are|is|were|equal|from|in each|per)\b)"
"""What stands behind those of which there are more."""
_LENGTH = rf"\blength\s+(?:of|is)\s+{_N}(?!\w|[.,]\d)"
_COUNT = {
    kind: [re.compile(rf"(?<![\w.,/-]){_N}\s+(?:{nouns})\b{_OF_SOME}", re.IGNORECASE)]
    + [re.compile(_LENGTH, re.IGNORECASE)] * (kind in ("elements", "letters"))
    for kind, nouns in _NOUNS.items()
}
_ASKS = {
    "rows": re.compile(r"(?:nrow|NROW)\([\w.$]+\)|size\(\w+, ?1\)|[\w.]+\.shape\[0\]"),
    "columns": re.compile(r"(?:ncol|NCOL)\([\w.$]+\)|size\(\w+, ?2\)|[\w.]+\.shape\[1\]"),
    "elements": re.compile(r"(?:length|len)\([\w.$]+\)"),
    "letters": re.compile(r"(?:nchar|length|len)\((?:\w+|\"[^\"]*\"|'[^']*')\)"),
}
"""Statements that ask how many there are."""
_HAS = re.compile(
    r"\b(?:has|have|is|there (?:are|were)|contains?|consists? of|of|holds|with"
    r"|contiene|tiene|hay|contient|hat)"
    r"\s+(?:\d+\s+\w+\s+(?:and|by|y|et|und)\s+)?\Z",
    re.IGNORECASE,
)
_NOT_ALL = re.compile(
    r"\b(?:first|last|other|next|more|only|least|most|every|each|unique|missing|any|if|would|not|than"
    r"|removed?|adds?|added|primer[oa]s|últim[oa]s)\b|n't\b",
    re.IGNORECASE,
)
_ORDINALS = {word: place for place, word in enumerate(("first", "second", "third", "fourth"))}
_AXIS = re.compile(
    rf"\b(?P<which>{'|'.join(_ORDINALS)}|last)\s+(?:axis|dimension)\s+(?:has|is|with|of)\s+"
    rf"(?:an?\s+)?(?:of\s+)?(?:length|size)\s+(?:of\s+)?{_N}(?!\w|[.,]\d)",
    re.IGNORECASE,
)
_TOLD = re.compile(r"\bshape\s+(?:of\s+|is\s+)?(\(\d+(?:, \d+)+\))")
_DEGREES = re.compile(r"(?<![\w.,-])(?P<number>\d+)\s+degrees?\s+of\s+freedom", re.IGNORECASE)
_DF = re.compile(r"\bdf = (\d+(?:\.\d+)?)|on (\d+)(?: and (\d+))? (?:degrees of freedom|DF)")
_VECTOR = re.compile(r"\s*(?:torch\.Size\(\[(\d+)\]\)|\((\d+),\))\s*")
_SHAPE = re.compile(r"\bshape\s+(?:of\s+|is\s+|=\s*)+[\[(](?P<number>\d+),?[\])]")
_NEAR, _APART = 60, 2


def other_sizes(beside: Beside) -> Iterator[Claim]:
    """Yield counts, lengths of axes and degrees of freedom that the output beside a text has otherwise.

    Parameters
    ----------
    beside : Beside
        A paragraph and the outputs beside it.
    """
    # Marks are blanks, so that all else stays where it is.
    text = re.sub(r"[*`_]", " ", beside.paragraph.text)
    yield from _counts(beside, text)
    yield from _axes(beside, text)
    yield from _degrees(beside, text)
    yield from _vectors(beside, text)


def _counts(beside: Beside, text: str) -> Iterator[Claim]:
    for kind, patterns in _COUNT.items():
        facts = dict(_facts(beside, kind))
        if len(facts) != 1:
            continue
        ((due, output),) = facts.items()
        # Who asks for a number right above the text speaks of that one, whatever else the code has.
        asked = output is _above(beside)[-1] and _ASKS[kind].fullmatch(output.code)
        for found in (found for pattern in patterns for found in pattern.finditer(text)):
            start = found.start("number")
            before = re.split(r"[.;:!?]\s", text[max(0, start - _NEAR) : start])[-1]
            written = _value(found["number"])
            sure = _HAS.search(before) is not None and not _NOT_ALL.search(before)
            if sure and _is_near(written, due) and (asked or not _is_there(beside, written)):
                yield Claim(start, found["number"], str(due), output, certain=False)


def _facts(beside: Beside, kind: str) -> Iterator[tuple[int, Output]]:
    """How many of a kind the outputs in front of a text tell, each with its output."""
    above = _above(beside)
    for output in above:
        if _ASKS[kind].fullmatch(output.code) and len(output.numbers) == 1 and _still_holds(output, above):
            value = output.numbers[0].number.value
            if value is not None and value == int(value):
                yield int(value), output
        elif kind == "elements" and (length := length_shown(output)) > 1:
            yield length, output


def _still_holds(output: Output, above: Sequence[Output]) -> bool:
    """Whether all code between an output and the text shows something, and sets nothing that it is of."""
    later = {one.chunk.index: one.chunk.code for one in above if one.chunk.index > output.chunk.index}
    whole = len(later) == above[-1].chunk.index - output.chunk.index
    name = re.search(r"\(([\w.]+)|([\w.]+)\.shape", output.code)
    word = re.escape(next(filter(None, name.groups()))) if name is not None else r"\w+"
    return whole and not any(
        re.search(rf"(?<![\w.]){word}\b[^\n]*?(?:<-|=(?!=))", code) for code in later.values()
    )


def _axes(beside: Beside, text: str) -> Iterator[Claim]:
    above = _above(beside)
    shapes = {shape: output for output in above for shape in shapes_shown(output)}
    told = [found[1] for found in _TOLD.finditer(text)]
    if len(told) == 1:
        # What the text says of the shape itself, as an output has it.
        shapes = {numbers_of(told[0]): output for output in above if told[0] in output.text}
    if len(shapes) != 1:
        return
    ((shape, output),) = shapes.items()
    for found in _AXIS.finditer(text):
        place = _ORDINALS.get(found["which"].lower(), len(shape) - 1)
        written = _value(found["number"])
        if place < len(shape) and shape[place] != written:
            yield Claim(found.start("number"), found["number"], str(shape[place]), output)


def _degrees(beside: Beside, text: str) -> Iterator[Claim]:
    shown = [(number, one) for one in beside.outputs for number in _numbers(_DF, one.text)]
    if len({float(number) for number, _ in shown}) != 1:
        return
    (number, output), *_ = shown
    due = float(number)
    for found in _DEGREES.finditer(text):
        written = int(found["number"])
        if output.sure and written not in (round(due), int(due)) and _is_near(written, int(due)):
            yield Claim(found.start("number"), found["number"], number, output, certain=False)


def _vectors(beside: Beside, text: str) -> Iterator[Claim]:
    above = _above(beside)
    shown = _VECTOR.fullmatch(above[-1].text) if above else None
    for found in _SHAPE.finditer(text) if shown is not None else ():
        due = next(filter(None, shown.groups())) if shown else ""
        if int(found["number"]) != int(due):
            yield Claim(found.start("number"), found["number"], due, above[-1])


def _above(beside: Beside) -> list[Output]:
    """The outputs in front of a text, down to where it stands, of chunks with no other."""
    after = beside.paragraph.after
    return [one for one in beside.outputs if one.chunk.index <= after and one.sure]


def _is_there(beside: Beside, written: int) -> bool:
    """Whether an output or the code beside a text has a number."""
    texts = [text for one in beside.outputs for text in (one.text, one.chunk.code)]
    return any(re.search(rf"(?<![\w.]){written}(?![\w.])", text) for text in texts)


def _numbers(pattern: re.Pattern[str], text: str) -> Sequence[str]:
    return [number for found in pattern.finditer(text) for number in found.groups() if number]


def _value(written: str) -> int:
    return _SMALL.get(written.lower()) or int(written.replace(",", ""))


def _is_near(written: int, due: int) -> bool:
    pair = str(written), str(due)
    slip = len(pair[1]) > 1 and (are_turned(*pair) or is_one_digit_off(*pair))
    return written != due and (abs(written - due) <= _APART or slip)
