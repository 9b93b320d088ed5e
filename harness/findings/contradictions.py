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
from harness.findings.kinds_named import denies_its_kind
from harness.findings.number_pairs import unwrapped
from harness.findings.ragged import is_ragged

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
_NUMBERED = re.compile(r"\s*\d+\s+\S")
_LEVELS = re.compile(r"\s*(?:\d+ )?Levels:\s*")
_COLUMN = re.compile(r"\s*\$ [^:]+:\s*(?P<kind>num|int|logi|chr)\s+(?:\[[\d, :]+\] )?(?P<values>.*)")
_LEVELED = re.compile(
    r"\s*\$ [^:]+:\s*Factor w/ (?P<count>\d+) levels? (?P<levels>(?:\"[^\"]*\"?|[,.])+): (?P<codes>[\d NA.]*)"
)
_SHORTENED = re.compile(r"(?m)^(?P<row>\s*(?:\.\. ?)*\$ .*) \.\.\.[ \t]*$")
"""A row of `str()`, which shows the first values alone."""
_TIBBLE = re.compile(r"\s*#? ?A tibble: (?P<rows>[\d,]+) [x×] [\d,]+\s*")
_MORE = re.compile(r"\bmore rows?\b|\bGroups:")
_OF_KIND = {
    "num": re.compile(r"[-+]?(?:[\d.]+(?:[eE][-+]?\d+)?|Inf)|NA|NaN"),
    "int": re.compile(r"[-+]?\d+|NA"),
    "logi": re.compile(r"TRUE|FALSE|NA"),
}
"""How `str()` shows values of a kind."""
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
    bare = unwrapped(text)
    if _CUT.search(_SHORTENED.sub(r"\g<row>", bare) if language == "r" else bare):
        return ""
    rows = [row for row in bare.split("\n") if row.strip()]
    found = _of_julia(rows) if language == "julia" else _of_r(rows) if language == "r" else iter(())
    return next(found, "") or _unclosed(text) or (_of_python(text, bare) if language == "python" else "")


def _of_python(text: str, bare: str) -> str:
    """What a text of Python denies: the shape of an array, or the kind of its values."""
    return "the rows of an array have not one length" if is_ragged(text) else denies_its_kind(bare)


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
    yield from _factors(rows)
    yield from _tibbles(rows)
    yield from _numbered(rows)
    numbers = [int(number[1]) for row in rows if (number := _ROW.match(row))]
    for one, other in pairwise(numbers):
        # A wide matrix begins again with its first row.
        if other not in (one + 1, numbers[0]) or other == one:
            yield f"behind row [{one},] stands row [{other},]"


def _numbered(rows: Sequence[str]) -> Iterator[str]:
    """Yield a gap in the numbers of rows that begin with the first, and which R gives to all of a frame."""
    heads = [at for at, row in enumerate(rows) if _NUMBERED.match(row)]
    if not heads or heads[0] == 0 or heads != list(range(heads[0], len(rows))):
        return
    numbers = [int(row.split()[0]) for row in rows[heads[0] :]]
    for one, other in pairwise(numbers) if numbers[0] == 1 else ():
        # A wide frame begins again with its head.
        if other != one + 1:
            yield f"behind row {one} stands row {other}"


def _tibbles(rows: Sequence[str]) -> Iterator[str]:
    """Yield how many rows stand below a tibble's head that says another number, and nothing of more rows."""
    head = _TIBBLE.fullmatch(rows[0]) if rows else None
    if head is None or any(map(_MORE.search, rows)):
        return
    shown = sum(_NUMBERED.match(row) is not None for row in rows[1:])
    if shown and shown != int(head["rows"].replace(",", "")):
        yield _counted(head[0].strip("# "), shown)


def _factors(rows: Sequence[str]) -> Iterator[str]:
    """Yield a value of a factor that is none of its levels."""
    levels = [at for at, row in enumerate(rows) if _LEVELS.match(row)]
    if levels != [len(rows) - 1] or not levels[0] or not all(map(_COUNT.match, rows[:-1])):
        return
    known = set(_LEVELS.sub("", rows[-1]).split()) - {"<"}
    for value in " ".join(_COUNT.sub("", row) for row in rows[:-1]).split():
        # A level of several words is known by each of them.
        if value not in known | {"<NA>"}:
            yield f"{value} is none of the levels"


def _columns(row: str) -> Iterator[str]:
    """Yield why a row of `str()` shows no column of the kind that it names."""
    if (factor := _LEVELED.match(row)) is not None:
        count, named = int(factor["count"]), len(_QUOTED.findall(factor["levels"]))
        if ".." not in factor["levels"] and named != count:
            yield _counted(f"{count} levels", named)
        codes = [int(code) for code in factor["codes"].split() if code.isdigit()]
        if max(codes, default=0) > count:
            yield f"{max(codes)} is no code of {count} levels"
    found = _COLUMN.match(row)
    of_kind = _OF_KIND.get(found["kind"]) if found is not None else None
    if found is None or of_kind is None:
        return
    values = found["values"].removesuffix("...").split()
    if other := next((one for one in values if not of_kind.fullmatch(one)), ""):
        yield f"{other} is no value of {found['kind']}"


def _structures(rows: Sequence[str]) -> Iterator[str]:
    for row in rows:
        yield from _columns(row)
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
