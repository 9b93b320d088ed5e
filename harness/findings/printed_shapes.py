"""The shapes that an output shows: as a tuple, in a head, or by its rows and columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.documents.compare_printed import read_output
from harness.documents.tokens import Elision, Group, Item, Number, Word
from harness.findings.prose_beside import Output

_TUPLE = re.compile(r"^\s*(?:torch\.Size\()?[\[(](\d+(?:, ?\d+)+)[\])]\)?\s*$", re.MULTILINE)
_HEAD = re.compile(r"^\W*(\d+(?:\s?[×x]\s?\d+)+)\s+(?:Matrix|Array|DataFrame|[A-Z]\w*\{)", re.MULTILINE)
_FRAME = re.compile(r"\[(\d+ rows x \d+) columns\]|tibble: ([\d,]+ [×x] \d+)|(\d+) obs\. of +(\d+) var")
_DIM = re.compile(r"^\W*\[1\] +(\d+(?: +\d+)+)\s*$", re.MULTILINE)
_ASKS = re.compile(r"shape|size|\bdim\(")
_ARRAYS = ("array", "tensor")
_ARRAY = re.compile(r"\s*(?:(?:array|tensor)\()?\[\[")
_MATRIX = re.compile(r"\[,1\]")
_JULIA = re.compile(r"\W*(\d+)-element (?:Vector|Array)\{")
_LONGEST = 4_000
_AXES = 2


def shapes_shown(output: Output) -> Iterator[tuple[int, ...]]:
    """Yield the shapes that an output names, and the one of an array or matrix that is all of it.

    Parameters
    ----------
    output : Output
        Where its code asks for a shape, tuples are one.
    """
    found = [*_HEAD.finditer(output.text), *_FRAME.finditer(output.text)]
    asked = [*_TUPLE.finditer(output.text), *_DIM.finditer(output.text)]
    if asked and _ASKS.search(output.chunk.code):
        found += asked
    for one in found:
        yield numbers_of(" ".join(filter(None, one.groups())))
    if not found and (shape := _of_a_print(output)):
        yield shape


def numbers_of(text: str) -> tuple[int, ...]:
    """Return the whole numbers of a text, thousands with commas among them.

    Parameters
    ----------
    text : str
        A shape, as it is written.
    """
    return tuple(int(number) for number in re.findall(r"\d+", re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)))


def _of_a_print(output: Output) -> tuple[int, ...]:
    """The shape of an array or matrix of two axes and more; nothing where parts of it are left out."""
    text = output.text
    if len(text) > _LONGEST or not (_ARRAY.match(text) or _MATRIX.search(text.partition("\n")[0])):
        return ()
    items = [one for one in read_output(text, output.chunk.language) if not _is_a_name(one)]
    if len(items) == 1 and isinstance(items[0], Group) and items[0].kind == "(":
        items = list(items[0].items[:1])
    if len(items) != 1 or not isinstance(items[0], Group):
        return ()
    whole = items[0]
    shape = _of_rows(whole) if whole.kind == "matrix" else _of_brackets(whole)
    return shape if shape is not None and len(shape) >= _AXES else ()


def _is_a_name(item: Item) -> bool:
    return isinstance(item, Word) and item.text in _ARRAYS


def _of_rows(matrix: Group) -> tuple[int, ...] | None:
    rows = [row for row in matrix.items if isinstance(row, Group)]
    sizes = {sum(isinstance(one, Number) for one in row.items) for row in rows}
    texts = any(isinstance(one, Word) for row in rows for one in row.items[1:])
    return (len(rows), *sizes) if len(sizes) == 1 and len(rows) == len(matrix.items) and not texts else None


def _of_brackets(group: Group) -> tuple[int, ...] | None:
    if any(isinstance(one, Elision) for one in group.items):
        return None
    inner = {_of_brackets(one) if isinstance(one, Group) else () for one in group.items}
    if len(inner) != 1 or None in inner:
        return None
    (below,) = inner
    return (len(group.items), *below) if below is not None else None


def length_shown(output: Output) -> int:
    """Return how many numbers an output prints that is one list of them, on one line or below Julia's head.

    Parameters
    ----------
    output : Output
        A longer list may leave a part out; then it is 0, as of any other output.
    """
    lines = [line for line in output.text.split("\n") if line.strip()]
    if len(output.text) > _LONGEST or (len(lines) > 1 and not _JULIA.match(lines[0])):
        return 0
    items = read_output(output.text, output.chunk.language)
    if head := _JULIA.match(lines[0]) if lines else None:
        return int(head[1])
    items = tuple(one for one in items if not _is_a_name(one))
    if len(items) == 1 and isinstance(items[0], Group) and items[0].kind == "(" and len(items[0].items) == 1:
        items = items[0].items
    if len(items) != 1 or not isinstance(items[0], Group):
        return 0
    numbers = items[0].items
    return len(numbers) if all(isinstance(one, Number) for one in numbers) else 0
