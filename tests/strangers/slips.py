"""Slips of an author, drawn at random: what is changed in a document, and where.

A slip changes one thing: a digit, a cell of a table, the last digit that was rounded, a shape, a sign, a
word, two numbers or two rows that change places, a row that is lost, two outputs that change places, a number
in prose, or the seed or a constant in the code. The drawing is seeded; the document itself is
not touched, its changed text is returned.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import msgspec

from harness.documents.model import Document, OutputBlock
from tests.strangers.code_slips import code_changes

KINDS = (
    *("digit", "cell", "rounding", "shape", "sign", "turned", "word", "exchange", "rows", "line"),
    *("swap", "prose", "seed", "code"),
)
OF_CODE = ("seed", "code")
"""Kinds that change the code, and leave the outputs as they were."""
_NUMBER = re.compile(r"(?<![\w.@#/:-])-?\d+(?:\.\d+)?(?![\w.:/-]|\.\d)")
_SHAPE = re.compile(r"\(\d+, ?\d+(?:, ?\d+)*\)|\b\d+ ?[×x] ?\d+\b")
_WORD = re.compile(r"(?<![\w.\\<])[A-Za-z]{4,}(?![\w(.>])")
_SEED = re.compile(r"(\bseed!?\(\s*|\brandom_state\s*=\s*|\bRandomState\(\s*|\bdefault_rng\(\s*)(\d+)")


class Slip(msgspec.Struct, frozen=True):
    """One slip: its kind, the outputs that it changes, what stood there and what stands there now.

    ``outputs`` are pairs of a chunk's index and a place among its outputs; of a slip in prose or in a seed,
    those that it is about. ``text`` is the whole of the changed ``file``, the document or its rendered text.
    """

    kind: str
    outputs: tuple[tuple[int, int], ...]
    old: str
    new: str
    line: int
    text: str
    file: str


def slips_in(document: Document, right: Sequence[tuple[int, int]], draw: random.Random) -> Iterator[Slip]:
    """Yield slips of all kinds in an order drawn at random.

    Parameters
    ----------
    document : Document
        As it was read; its file is read again.
    right : sequence of (int, int)
        Outputs that are reproduced: the chunk's index, and the place among its outputs.
    draw : random.Random
        The generator.
    """
    source = document.path.read_text(encoding="utf-8")
    # A traceback's numbers are nobody's results.
    keys = [key for key in right if _block(document, key).kind != "error"]
    made = [
        *(partial(_in_output, document, key, draw) for key in keys),
        partial(_swaps, document, keys, draw),
        partial(_in_prose, document, source, keys, draw),
        partial(_seeds, document, source, keys),
        partial(_code, document, source, keys, draw),
    ]
    draw.shuffle(made)
    for make in made:
        yield from make()


def _file(document: Document, key: tuple[int, int]) -> tuple[str, str]:
    """The name and the text of the file that an output stands in."""
    path = document.path.with_name(_block(document, key).file or document.path.name)
    return path.name, path.read_text(encoding="utf-8")


def _in_output(document: Document, key: tuple[int, int], draw: random.Random) -> Iterator[Slip]:
    block = _block(document, key)
    name, source = _file(document, key)
    for kind, change in _CHANGES.items():
        changed = change(block.text, draw)
        text = changed and _put(document, source, {key: changed})
        if changed and text:
            yield Slip(kind, (key,), block.text[:200], changed[:200], block.line, text, name)


def _digit(text: str, draw: random.Random) -> str:
    found = [match for match in _numbers(text) if match[0].strip("-0.")]
    return _replaced(text, draw.choice(found), _other_digit(draw)) if found else ""


def _numbers(text: str) -> list[re.Match[str]]:
    """The numbers of a text; R's ``[1]`` and ``[,1]`` are the layout's."""
    return [m for m in _NUMBER.finditer(text) if not re.search(r"(?:^\W*\[|\[,)$", text[: m.start()], re.M)]


def _other_digit(draw: random.Random) -> Callable[[str], str]:
    def change(number: str) -> str:
        places = [
            n for n, char in enumerate(number) if char.isdigit() and (char != "0" or n == len(number) - 1)
        ]
        place = draw.choice(places)
        others = [digit for digit in "123456789" if digit != number[place]]
        return number[:place] + draw.choice(others) + number[place + 1 :]

    return change


def _cell(text: str, draw: random.Random) -> str:
    """One number of a table takes the place of another."""
    rows = [line for line in text.split("\n") if len(_NUMBER.findall(line)) >= 2]
    found = list(_NUMBER.finditer(text))
    if len(rows) < 2:
        return ""
    at = draw.choice(found)
    others = sorted({match[0] for match in found if float(match[0]) != float(at[0])})
    return _replaced(text, at, lambda _: draw.choice(others)) if others else ""


def _rounding(text: str, draw: random.Random) -> str:
    """One number is cut by two digits, and its new last digit is one too many."""
    # Of the last digits of long numbers nobody can say whose they are.
    found = [
        match
        for match in _NUMBER.finditer(text)
        if 4 <= len(match[0].partition(".")[2]) <= 10 and match[0][-3] in "1234567"
    ]
    return _replaced(text, draw.choice(found), lambda n: f"{n[:-3]}{int(n[-3]) + 2}") if found else ""


def _shape(text: str, draw: random.Random) -> str:
    found = list(_SHAPE.finditer(text))
    if not found:
        return ""

    def change(shape: str) -> str:
        sizes = re.findall(r"\d+", shape)
        other = sizes[::-1] if sizes != sizes[::-1] else [str(int(sizes[0]) + 1), *sizes[1:]]
        parts = iter(other)
        return re.sub(r"\d+", lambda _: next(parts), shape)

    return _replaced(text, draw.choice(found), change)


def _sign(text: str, draw: random.Random) -> str:
    found = [match for match in _numbers(text) if match[0].startswith("-") and match[0].strip("-0.")]
    return _replaced(text, draw.choice(found), lambda number: number[1:]) if found else ""


def _turned(text: str, draw: random.Random) -> str:
    """Two digits that stand beside each other in a number change places."""
    found = [
        (match, place)
        for match in _numbers(text)
        for place in range(len(match[0]) - 1)
        if match[0][place : place + 2].isdigit()
        and match[0][place] != match[0][place + 1]
        and (place or match[0][1] != "0")
    ]
    if not found:
        return ""
    return _with_neighbours_turned(text, *draw.choice(found))


def _word(text: str, draw: random.Random) -> str:
    """Two letters that stand beside each other in a word change places."""
    found = [
        (match, place)
        for match in _WORD.finditer(text)
        for place in range(1, len(match[0]) - 1)
        if match[0][place] != match[0][place + 1]
    ]
    if not found:
        return ""
    return _with_neighbours_turned(text, *draw.choice(found))


def _with_neighbours_turned(text: str, match: re.Match[str], at: int) -> str:
    return _replaced(text, match, lambda part: f"{part[:at]}{part[at + 1]}{part[at]}{part[at + 2 :]}")


def _exchange(text: str, draw: random.Random) -> str:
    """Two numbers of one row change places."""
    found = [
        (one, other)
        for one, other in pairwise(_numbers(text))
        if float(one[0]) != float(other[0]) and "\n" not in text[one.end() : other.start()]
    ]
    if not found:
        return ""
    one, other = draw.choice(found)
    between = text[one.end() : other.start()]
    return f"{text[: one.start()]}{other[0]}{between}{one[0]}{text[other.end() :]}"


def _rows(text: str, draw: random.Random) -> str:
    """Two rows, one below the other, change places."""
    rows = text.split("\n")
    places = [n for n in range(len(rows) - 1) if rows[n].strip() and rows[n + 1].strip()]
    places = [n for n in places if rows[n].split() != rows[n + 1].split()]
    # The head, the foot and the rows that bear the outer brackets are the layout's.
    places = [n for n in places if _form(rows[n]) == _form(rows[n + 1])]
    if len(rows) < _FEW or not places:
        return ""
    at = draw.choice(places)
    return "\n".join([*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]])


def _form(row: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\w+(?:\.\w*)?", "0", row.replace("-", " "))).strip(" ,")


def _line(text: str, draw: random.Random) -> str:
    """A row that is neither the first nor the last is lost."""
    rows = text.split("\n")
    places = [n for n in range(1, len(rows) - 1) if rows[n].strip()]
    if len(rows) <= _FEW or not places:
        return ""
    at = draw.choice(places)
    return "\n".join([*rows[:at], *rows[at + 1 :]])


_FEW = 3
"""Rows of which one may be lost, and two may change places."""
_CHANGES: Mapping[str, Callable[[str, random.Random], str]] = {
    "digit": _digit,
    "cell": _cell,
    "rounding": _rounding,
    "shape": _shape,
    "sign": _sign,
    "turned": _turned,
    "word": _word,
    "exchange": _exchange,
    "rows": _rows,
    "line": _line,
}


def _replaced(text: str, match: re.Match[str], change: Callable[[str], str]) -> str:
    return text[: match.start()] + change(match[0]) + text[match.end() :]


def _swaps(document: Document, keys: Sequence[tuple[int, int]], draw: random.Random) -> Iterator[Slip]:
    pairs = [
        (one, other)
        for one, other in combinations(keys, 2)
        if document.chunks[one[0]].language == document.chunks[other[0]].language
        and _words(_block(document, one)) != _words(_block(document, other))
        and min(len(_words(_block(document, key))) for key in (one, other)) >= 1
        and _block(document, one).file == _block(document, other).file
        and other[0] - one[0] <= 3
    ]
    draw.shuffle(pairs)
    for one, other in pairs[:3]:
        name, source = _file(document, one)
        texts = [_block(document, key).text for key in (one, other)]
        both = _put(document, source, {one: texts[1], other: texts[0]})
        if both:
            line = _block(document, one).line
            yield Slip("swap", (one, other), texts[0][:100], texts[1][:100], line, both, name)


def _words(block: OutputBlock) -> list[str]:
    return [word for word in block.text.split() if word.strip("#>")]


def _seeds(document: Document, source: str, keys: Sequence[tuple[int, int]]) -> Iterator[Slip]:
    for match in list(_SEED.finditer(source))[:1]:
        text = source[: match.start(2)] + str(int(match[2]) + 1) + source[match.end(2) :]
        new = match[1] + str(int(match[2]) + 1)
        yield Slip("seed", tuple(keys), match[0], new, 0, text, document.path.name)


def _code(
    document: Document, source: str, keys: Sequence[tuple[int, int]], draw: random.Random
) -> Iterator[Slip]:
    # What stands in a rendered document beside it would be other code.
    if any(_block(document, key).file for key in keys):
        return
    for _, old, new, text in code_changes(document, source, draw):
        yield Slip("code", tuple(keys), old, new, 0, text, document.path.name)


def _in_prose(
    document: Document, source: str, keys: Sequence[tuple[int, int]], draw: random.Random
) -> Iterator[Slip]:
    """A number in prose that repeats one of the output right above it gets another digit."""
    for line, start, text in _prose(document, source):
        above = [key for key in keys if document.chunks[key[0]].end_line < line]
        near = [key for key in above if key[0] == above[-1][0]] if above else []
        following = [chunk for chunk in document.chunks if near and chunk.index == near[0][0] + 1]
        if not near or (following and following[0].line < line):
            continue
        printed = {
            number.lstrip("-") for key in near for number in _NUMBER.findall(_block(document, key).text)
        }
        for match in _NUMBER.finditer(text):
            number = match[0].lstrip("-")
            plain = number.replace(".", "").lstrip("0")
            year = re.fullmatch(r"(?:1[89]|20)\d\d", number)
            if number not in printed or year or len(plain) < (2 if "." in number else 3):
                continue
            new = _other_digit(draw)(match[0])
            at = start + match.start()
            changed = source[:at] + new + source[at + len(match[0]) :]
            yield Slip("prose", tuple(near), match[0], new, line, changed, document.path.name)


def _prose(document: Document, source: str) -> Iterator[tuple[int, int, str]]:
    """Yield the line, the place in the file and the text of each line of prose."""
    inside = [range(chunk.line, chunk.end_line + 1) for chunk in document.chunks]
    shown = {
        block.line + n
        for chunk in document.chunks
        for block in chunk.output
        for n in range(block.text.count("\n") + 1)
    }
    kinds = _cell_kinds(source) if document.kind == "notebook" else None
    at, fenced = 0, False
    for line, text in enumerate(source.split("\n"), 1):
        fence = re.match(r"\s*(?:```|~~~)", text) is not None
        fenced ^= fence
        code = (
            fence
            or fenced
            or text.startswith("    ")
            or line in shown
            or any(line in part for part in inside)
        )
        if kinds.get(line) == "markdown" if kinds is not None else not code:
            yield line, at, text
        at += len(text) + 1


def _cell_kinds(source: str) -> dict[int, str]:
    """The kind of the cell that each line of a notebook's sources belongs to, a text a line."""
    kind, inside, found = "", False, {}
    for line, text in enumerate(source.split("\n"), 1):
        if (named := re.match(r'\s*"cell_type": "(\w+)"', text)) is not None:
            kind = named[1]
        if re.match(r'\s*"source": \[', text):
            inside = True
        elif inside and re.match(r"\s*\]", text):
            inside = False
        elif inside:
            found[line] = kind
    return found


def _block(document: Document, key: tuple[int, int]) -> OutputBlock:
    return document.chunks[key[0]].output[key[1]]


def _put(document: Document, source: str, changes: Mapping[tuple[int, int], str]) -> str:
    """The source with other texts in the places of outputs; empty where one cannot be found there."""
    if document.kind == "notebook":
        return _put_in_cells(document, source, changes)
    lines = source.split("\n")
    # From below, so that what is longer or shorter moves nothing that is still to be found.
    for key in sorted(changes, key=lambda key: _block(document, key).line, reverse=True):
        block, rows = _block(document, key), changes[key].split("\n")
        begun, old = block.line - 1, block.text.split("\n")
        there = lines[begun : begun + len(old)]
        marks = [_mark(raw, row) for raw, row in zip(there, old, strict=False)]
        if len(marks) < len(old) or None in marks or (len(rows) > 1 and len({*marks}) > 1):
            return ""
        lines[begun : begun + len(old)] = [f"{marks[0]}{row}" for row in rows]
    return "\n".join(lines)


def _mark(raw: str, row: str) -> str | None:
    """What stands before a row of an output in its line: an indentation, or code and a comment mark."""
    raw, row = raw.rstrip(), row.rstrip()
    return raw[: len(raw) - len(row)] if raw.endswith(row) else None


def _put_in_cells(document: Document, source: str, changes: Mapping[tuple[int, int], str]) -> str:
    notebook = json.loads(source)
    found = []
    for key, new in changes.items():
        chunk, block = document.chunks[key[0]], _block(document, key)
        text = block.text.strip()
        same = [place for place in _places(notebook["cells"][chunk.cell - 1]) if place[2].strip() == text]
        before = [other for other in chunk.output[: key[1]] if other.text.strip() == text]
        if not text or len(same) <= len(before):
            return ""
        found.append((*same[len(before)], text, new.strip()))
    for holder, name, whole, text, new in found:
        holder[name] = whole.replace(text, new)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _places(cell: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Yield what holds each text of a cell's outputs, under which name, and the text."""
    for output in cell.get("outputs", []):
        holder, name = (output, "text") if "text" in output else (output.get("data", {}), "text/plain")
        yield holder, name, "".join(holder.get(name, ""))
