"""What a printed text says of itself and denies: how many rows it has, which is next, what a letter is.

No version, machine or session prints "5-element" above four rows, or ``[4]`` and ``[10]`` where each row of a
vector has three values. Where the code prints a text that holds together, and a published one does not, that
one was changed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

from harness.findings.apart import lacks_one
from harness.findings.number_pairs import unwrapped

_CUT = re.compile(r"\.\.\.|…|⋮|⋱|truncated|omitted")
"""Marks of rows that are left out on purpose."""
_HEADER = re.compile(
    r"(?P<size>\d+)-element \w.*:|(?P<rows>\d+)[×x]\d+ \w.*:"
    r"|\w\S*(?:\{.*\})? with (?P<entries>\d+) (?:element|entr)\w+:"
)
"""How Julia heads an array, a set or a dict."""
_ARRAY = re.compile(
    r"\s*(?:\d+-element|\d+(?P<more>(?:[×x]\d+)+)) "
    r"(?P<name>[A-Z]\w*)\{(?P<of>.*?)(?:, ?(?P<dims>\d+))?\}:?\s*"
)
"""How Julia heads an array: its size, and what it is called."""
_DIMENSIONS = {"Vector": 1, "Matrix": 2}
_CALLED = ("Array", *_DIMENSIONS)
_NUMBERS = re.compile(r"[\s\d.eE+-]+")
_WHOLE, _FRACTIONAL = re.compile(r"Int(?:8|16|32|64|128)"), re.compile(r"Float(?:16|32|64)")
_STRUCTURE = re.compile(r"List of (?P<size>\d+)|'data\.frame':\s*\d+ obs\. of\s+(?P<columns>\d+) variables?:")
"""How R's ``str`` heads what its rows with a dollar are of."""
_COUNT = re.compile(r"\s*\[(\d+)\](?=\s)")
_ROW = re.compile(r"\s*\[(\d+),\]")
_CHARACTER = re.compile(r"'(\w)': (?:ASCII/)?Unicode U\+([\dA-Fa-f]{4,6}) \(category (\w\w): ([^()]*)\)")
"""How Julia shows a character: its number, and Unicode's category of it."""
_CATEGORIES = {
    "Lu": "Letter, uppercase",
    "Ll": "Letter, lowercase",
    "Lo": "Letter, other",
    "Nd": "Number, decimal digit",
}
_QUOTED = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")


def contradicts_itself(text: str, language: str) -> str:
    """Say in what a printed text denies what it says itself; empty where it does not, or rows are left out.

    Parameters
    ----------
    text : str
        A printed text.
    language : str
        What printed it.
    """
    if _CUT.search(text):
        return ""
    rows = [row for row in unwrapped(text).split("\n") if row.strip()]
    found = _of_julia(rows) if language == "julia" else _of_r(rows) if language == "r" else iter(())
    return next(found, "") or _unclosed(text)


def differ_in_a_head(published: str, printed: str) -> bool:
    """Whether two texts of Julia are the same but for the head of one array.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    texts = [[row for row in unwrapped(text).split("\n") if row.strip()] for text in (published, printed)]
    if len(texts[0]) != len(texts[1]):
        return False
    apart = [pair for pair in zip(*texts, strict=True) if pair[0].split() != pair[1].split()]
    return len(apart) == 1 and all(map(_ARRAY.fullmatch, apart[0]))


def _of_arrays(rows: Sequence[str]) -> Iterator[str]:
    heads = [(at, head) for at, row in enumerate(rows) if (head := _ARRAY.fullmatch(row))]
    bounds = [*(at for at, _ in heads), len(rows)]
    for (at, head), end in zip(heads, bounds[1:], strict=True):
        name, of = head["name"], head["of"]
        meant = next((one for one in _CALLED if one != name and _is_misspelt(name, one)), "")
        if meant:
            yield f"{meant} is misspelt"
        size = len(re.findall(r"\d+", head["more"] or "")) + 1
        said = int(head["dims"] or size) if name == "Array" else _DIMENSIONS.get(name, size)
        if said != size:
            yield f"{head[0].strip().rstrip(':')} has {size} dimension{'s' if size > 1 else ''}"
        below = " ".join(rows[at + 1 : end])
        if name in _CALLED and _NUMBERS.fullmatch(below):
            whole = [number.lstrip("+-").isdigit() for number in below.split()]
            if (_WHOLE.fullmatch(of) and not all(whole)) or (_FRACTIONAL.fullmatch(of) and any(whole)):
                yield f"its elements are not printed as those of {of} are"


def _is_misspelt(name: str, meant: str) -> bool:
    """Whether a name has the letters of another one in another order, or all but one of them."""
    fewer = len(name) < len(meant) and lacks_one(name, meant)
    return fewer or sorted(name) == sorted(meant)


def _of_julia(rows: Sequence[str]) -> Iterator[str]:
    yield from _of_arrays(rows)
    for shown in (found for row in rows for found in _CHARACTER.finditer(row)):
        char, number, category, called = shown.groups()
        if (ord(char), unicodedata.category(char)) != (int(number, 16), category):
            yield f"U+{number} of category {category} is not {char}"
        elif called != _CATEGORIES.get(category, called):
            yield f"{category} is called {called}"
    heads = [(at, head) for at, row in enumerate(rows) if (head := _HEADER.fullmatch(row.strip()))]
    bounds = [*(at for at, _ in heads), len(rows)]
    for (at, head), end in zip(heads, bounds[1:], strict=True):
        said = int(head["size"] or head["rows"] or head["entries"])
        if said != end - at - 1:
            yield _counted(head[0].rstrip(":"), end - at - 1)


def _of_r(rows: Sequence[str]) -> Iterator[str]:
    yield from _structures(rows)
    counts = [int(count[1]) for row in rows if (count := _COUNT.match(row))]
    if len(counts) == len(rows) and counts[:1] == [1]:
        steps = {other - one for one, other in pairwise(counts)}
        if len(steps) > 1 and 1 not in counts[1:]:
            yield f"its rows are counted {_listed(counts, '[{}]')}"
    numbers = [int(number[1]) for row in rows if (number := _ROW.match(row))]
    for one, other in pairwise(numbers):
        # A wide matrix begins again with its first row.
        if other not in (one + 1, numbers[0]) or other == one:
            yield f"behind row [{one},] stands row [{other},]"


def _structures(rows: Sequence[str]) -> Iterator[str]:
    for at, row in enumerate(rows):
        head = _STRUCTURE.fullmatch(row.strip())
        if head is None:
            continue
        # What is within an element stands further in.
        below = [
            len(other) - len(other.lstrip()) for other in rows[at + 1 :] if other.lstrip().startswith("$")
        ]
        if (count := below.count(min(below, default=0))) != int(head["size"] or head["columns"]):
            yield _counted(head[0].rstrip(":"), count)


def _counted(said: str, rows: int) -> str:
    return f"{said} is said, and {rows} {'row stands' if rows == 1 else 'rows stand'} there"


def _listed(counts: Sequence[int], mark: str) -> str:
    return ", ".join(mark.format(count) for count in counts[:6])


def _unclosed(text: str) -> str:
    bare = _QUOTED.sub("", text)
    odd = [pair for pair in ("()", "[]", "{}") if bare.count(pair[0]) != bare.count(pair[1])]
    return f"its brackets {odd[0]} do not close" if odd else ""
