"""Numbers in prose that repeat what the output beside it prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from harness.documents.compare_printed import MAX_CHARACTERS, read_output
from harness.documents.model import Chunk
from harness.documents.prose_model import Paragraph, ProseNumber
from harness.documents.tokens import Group, Item, Number, Word
from harness.documents.written_numbers import (
    digits_of,
    is_form_of,
    is_round,
    is_turned,
    like,
    plain,
    rounds_to,
)

_UNSPACED = r"\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Letters of Thai, Japanese, Chinese and Korean, which stand right beside a number."""
_LETTER = rf"[^\W{_UNSPACED}]"
_NUMBER = re.compile(
    rf"(?:(?<!{_LETTER})(?<![.,/#:^_{{(\0-])"
    r"|(?<=(?<!\w)\()(?=-?[\d.]+(?:,\d{3})* ?%?(?:, |\)| (?:[-–—]|to|and) )))"
    rf"-?\d+(?:,\d{{3}})*(?:\.\d+(?:[eE][-+]?\d{{1,2}})?)?(?!{_LETTER}|[/^_\0]|[:.,]\d)(?: ?%)?"
)
"""A number by itself, alone in brackets, or the first of several or of a range there."""
_NOT_PROSE = re.compile(
    r"`[^`]*`|\$\$.*?\$\$|\$[^$\n]+\$"
    r"|\\\[.*?\\\]|\\\(.*?\\\)|\\begin\{(?P<block>\w+\*?)\}.*?\\end\{(?P=block)\}"
    r"|\]\([^)]*\)|<[^>]*>|https?://\S+|\[@[^\]]*\]|!\[[^\]]*\]"
    r"|\b(?:[Vv]ersion|[Cc]hapter|[Ss]ection|[Ff]ig(?:ure)?\.?|[Tt]able|[Ee]q(?:uation)?\.?|[Pp]age|[Ee]xercise|[Ee]xample|[Pp]roblem"
    r"|[Qq]uestion|[Tt]heorem|[Ll]isting|[Aa]ppendix|seed|v)\s*[\d.]+",
    re.DOTALL,
)
_MARKED_NUMBER = re.compile(
    r"(?:`|\$(?=-?[\d,.]{5}))"
    r"(?P<number>-?(?=[\d,.]{2})\d[\d,]*(?:\.\d+(?:e[-+]?\d+)?)?)(?: [A-Za-z]+| +|[.,;])?[`$]"
)
"""A number and nothing else in marks, with its unit or with what ends the sentence."""
_POWER = re.compile(
    r"(?P<number>-?\d+\.\d+)(?P<times>\s*(?:\\times|\\cdot|[×x*])\s*10\s*\^\s*)\{?\s*(?P<power>[-+]?\d{1,2}(?!\d))\s*\}?"
)
"""A number with a power of ten, in a formula or beside it."""
_IN_A_FORMULA = re.compile(
    r"\[\s*-?\d[\d.]*(?:\s*,\s*-?\d[\d.]*)+\s*\]"
    r"|(?<![-+*/^])[\s=]-?\d+\.\d{4,}(?!\s*(?:[-+*/^(]|\\times|\\cdot))[\s,;&$}]"
)
"""What a formula has from an output: numbers in a list, and those of four places that are no terms."""
_RESULT = re.compile(r"(?<![<>!=:])(?:=|\\approx|≈)\s*(?P<number>-?(?:\d{2,}(?:\.\d+)?|\d\.\d{3,}))\s*[`$]+$")
"""What a formula or code comes to, at its end."""
_FRACTION = re.compile(
    r"\\[dt]?frac\{\s*(?P<above>\d+(?:\.\d+)?)\s*\}\{\s*(?P<below>\d+(?:\.\d+)?)\s*\}"
    r"\s*(?:=|\\approx|≈)\s*(?P<number>\d+\.(?P<fraction>\d+))\s*\$+$"
)
"""A fraction whose numbers a formula has, with what it comes to."""
_BARE_LIST = re.compile(r"\$-?\d[\d.]*(?:,\s*-?\d[\d.]*)+\$")
_BOX = re.compile(r"[-*+\s]*\[[ xX]\]\s")
_LABEL = re.compile(
    r"(?P<word>[A-Za-z][\w.-]{2,})(?:\s+(?:score|value|is|was|of|equals|about|at|to|=|:|around))*\W*$"
)
_YEARS = range(1500, 2101)
_COUNTED = re.compile(r"\s+(?:rows|observations|records|samples|values|entries|elements|items|cases|lines)\b")
"""What is counted is no year."""
_TURNED, _ENOUGH = 2, 3
"""Digits of a number of which two are turned, and of which one is another."""
_ALONE, _FEW = 1, 10
"""Printed numbers among which a short one is sure to be meant for the one that is like it, or turned."""
_QUOTED = 60
_LONGEST = 100
"""Characters of a number in prose beyond which it is not looked for."""
_UNLIKE = frozenset({"the", "and", "than", "with", "for", "from", "are", "has", "have", "that", "this"})


class Printed(msgspec.Struct, frozen=True):
    """A printed number, the word before it, and its place: the chunk's block, and the item in that."""

    number: Number
    label: str
    block: int
    item: int


def prose_numbers(paragraphs: Iterable[Paragraph], chunks: Sequence[Chunk]) -> Iterator[ProseNumber]:
    """Link numbers in prose to printed ones.

    A number is linked where it is certain that it repeats a printed one: it has digits enough, one value
    alone among the outputs beside it rounds to it, and it is no year, version or reference. Where none does,
    it is linked to one with the same word before it, or with all digits but one; then it is not ``exact``.

    Parameters
    ----------
    paragraphs : iterable of Paragraph
        Each stands right behind a chunk.
    chunks : sequence of Chunk
        The document's.
    """
    printed: dict[int, list[Printed]] = {}
    for paragraph in paragraphs:
        if is_choice(paragraph.text):
            continue
        chunk = chunks[paragraph.after]
        if chunk.index not in printed:
            printed[chunk.index] = list(printed_numbers(chunk))
        if printed[chunk.index]:
            yield from _linked(paragraph, printed[chunk.index])


def _linked(paragraph: Paragraph, printed: list[Printed]) -> Iterator[ProseNumber]:
    for found in numbers_written(paragraph.text):
        text, written = found.string, found[0].strip()
        hits = [one for one in printed if rounds_to(one.number, written)]
        exact = len({one.number.value for one in hits}) == 1
        if exact and "." not in written and digits_of(written) < _ENOUGH:
            continue
        if not hits and any(is_form_of(one.number, written) for one in printed):
            continue
        if not hits:
            label = _label(text[: found.start()])
            hits = [one for one in printed if _nearly(one, written, label, among=len(printed))]
            hits = [one for one in hits if is_turned(one.number, written)] or hits
            if len({one.number.value for one in hits}) != 1:
                continue
        elif not exact:
            continue
        start = max(0, found.start() - _QUOTED)
        quote = " ".join(paragraph.text[start : found.end() + _QUOTED].split())
        yield ProseNumber(
            line=paragraph.line + text.count("\n", 0, found.start()),
            text=written,
            quote=quote,
            chunk=paragraph.after,
            block=hits[0].block,
            item=hits[0].item,
            exact=exact,
            cell=paragraph.cell,
        )


def is_choice(text: str) -> bool:
    """Whether a paragraph is one of several answers, with a box to tick."""
    return _BOX.match(text) is not None


def numbers_written(prose: str) -> Iterator[re.Match[str]]:
    """Yield the numbers of two digits or more in prose that are no year, version or reference.

    Parameters
    ----------
    prose : str
        Code, formulas and links in it hold no numbers, but where they are nothing else.
    """
    plainly = _POWER.sub(lambda one: f"{one['number']}e{one['power']}".ljust(len(one[0])), prose)
    for found in _NUMBER.finditer(_NOT_PROSE.sub(_left_out, plainly)):
        written = plain(found[0])
        digits = digits_of(written)
        year = written.isdigit() and digits < _LONGEST and int(written) in _YEARS
        year = year and not _COUNTED.match(found.string, found.end())
        if len(written) <= _LONGEST and digits >= _TURNED and not year:
            yield found


def _comes_to(formula: str) -> bool:
    """Whether a formula ends with what its own fraction comes to, rounded or cut: it repeats no output."""
    found = _FRACTION.search(formula)
    if found is None or not float(found["below"]):
        return False
    apart = abs(float(found["above"]) / float(found["below"]) - float(found["number"]))
    return apart < 10.0 ** -len(found["fraction"])


def _left_out(marked: re.Match[str]) -> str:
    """What is no prose, as signs that match nothing; a number in marks, or at the end, and lists are kept."""
    text = marked[0]
    if number := _MARKED_NUMBER.fullmatch(text):
        return f" {number['number']}".ljust(len(text))
    if text[0] in "`$" and (found := _RESULT.search(text)) and not _comes_to(text):
        return f" {found['number']}".rjust(found.end("number"), "\0").ljust(len(text))
    if _BARE_LIST.fullmatch(text):
        return text.replace("$", " ")
    kept = [range(*part.span()) for part in _IN_A_FORMULA.finditer(text)] if text[0] in "$\\" else []
    return "".join(
        char if char == "\n" or any(place in part for part in kept) else "\0"
        for place, char in enumerate(text)
    )


def _nearly(one: Printed, written: str, label: str, *, among: int) -> bool:
    """Whether a printed number has all digits, two of them turned, or all but one and enough of them."""
    digits = digits_of(written)
    if is_turned(one.number, written):
        return digits >= _ENOUGH or among <= _FEW
    if not like(one.number, written):
        return False
    fine = "." in written or written.endswith("%")
    labelled = fine and bool(label) and label == one.label
    short = digits >= _TURNED and (fine or not is_round(written)) and (among <= _ALONE or labelled)
    return digits >= _ENOUGH or short


def _label(text: str) -> str:
    found = _LABEL.search(text)
    word = found["word"].lower() if found else ""
    return "" if word in _UNLIKE else word


def printed_numbers(chunk: Chunk) -> Iterator[Printed]:
    """The numbers of a chunk's outputs, but of those that are too long."""
    for place, block in enumerate(chunk.output):
        if block.kind not in ("printed", "table") or len(block.text) > MAX_CHARACTERS:
            continue
        label = ""
        for item, found in enumerate(_flat(read_output(block.text, chunk.language))):
            if isinstance(found, Word):
                label = found.text.lower() if any(char.isalpha() for char in found.text) else label
            elif isinstance(found, Number) and not found.text.startswith("0x"):
                yield Printed(found, label, place, item)


def printed_number(text: str, language: str, item: int) -> Number | None:
    """Return the number at a place of a printed text, as `ProseNumber.item` counts them."""
    for place, found in enumerate(_flat(read_output(text, language))):
        if place == item:
            return found if isinstance(found, Number) else None
    return None


def _flat(items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Group):
            yield from _flat(item.items)
        else:
            yield item
