"""Words that one version of a language or of a package, or one machine, has for those of another."""

from __future__ import annotations

import re

from harness.findings.apart import values_apart
from harness.findings.julia_versions import OF_THE_MACHINE
from harness.findings.plain_slips import is_mistyped

_STANDS_FOR = tuple(
    frozenset(names.split())
    for names in (
        "object str string category",
        "str unicode bytes string",
        "int long int32 int64 intp int8 int16 uint8 uint32 uint64",
        "float float32 float64 double",
        "matrix array",
        "factor character",
        "fct fctr chr",
        "dbl num int",
        "Nothing Void",
        "String ASCIIString UTF8String SubString AbstractString",
        "Int Int32 Int64",
        "Array Vector",
        "Array Matrix",
        "cpu cuda mps",
        "NaN nan None <NA> NaT",
        "Any Int64",
        "Any Float64",
    )
)
"""Words of which one stands for the other in other versions and on other machines."""
_SIGNED = frozenset(frozenset((f"int{bits}", f"uint{bits}")) for bits in (8, 16, 32, 64))
"""Kinds of whole numbers of one size, of which NumPy gives none for the other in any version."""
_OF_THE_RUN = re.compile(r"#\d|\b0x[0-9a-f]|\d+\.\d+\.\d|/|\\\\|[Ww]riting\b")
_UNNAMED = re.compile(r"\bUnnamed: \d[\d.]*(?:_level_\d+)?")
"""What pandas calls columns that have no name in a file, and counts in one way or another."""
_HEX = re.compile(r"(?=.*\d)[0-9a-fA-F]{4,}")
"""A character's number, of which versions of Julia write the letters in capitals or not."""
_UNITS = tuple(
    frozenset(names.split())
    for names in (
        "s ms us ns", "H h", "T min", "S s", "L ms", "U us", "N ns", "M ME", "BM BME", "SM SME", "CBM CBME",
        "A Y YE", "BA BY BYE", "AS YS", "BAS BYS", "Q QE", "BQ BQE",
    )
)  # fmt: skip
"""Units of time, as pandas names them from one version to the next."""
_TIMES = re.compile(r"freq|datetime64|timedelta64|period|M8\[", re.IGNORECASE)
_UNIT = re.compile(r"(?P<count>\d*)(?:(?:[mM]8|datetime64|timedelta64|period)\[)?(?P<unit>[A-Za-z]+)\]?")


def may_stand_for(published: str, printed: str) -> bool:
    """Whether a word is one that another version or another machine has for the same.

    Parameters
    ----------
    published, printed : str
        Two texts that differ in one place.
    """
    apart = values_apart(published, printed) or ()
    if apart and values_apart(*(_UNNAMED.sub("", text) for text in (published, printed))) == ():
        return True
    for pair in apart:
        words = {pair.published.strip("'\""), pair.produced.strip("'\"")}
        if (words not in _SIGNED and any(words <= names for names in _STANDS_FOR)) or any(
            map(_OF_THE_RUN.search, words)
        ):
            return True
        if len({word.lower() for word in words}) == 1 and all(map(_HEX.fullmatch, words)):
            return True
        if _TIMES.search(printed) and len(words) == 2 and _are_as_long(*words):
            return True
        if _is_called(pair.published, published) and _is_called(pair.produced, printed):
            # The name of a class, which is another one where a version has another: Int64Index, Index.
            return not is_mistyped(pair)
    return False


def are_of_other_sizes(published: str, printed: str) -> bool:
    """Whether nothing differs but how many bits Julia's whole numbers are said to have.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    apart = values_apart(published, printed)
    return bool(apart) and all({pair.published, pair.produced} <= OF_THE_MACHINE for pair in apart or ())


def are_of_other_signs(published: str, printed: str) -> bool:
    """Whether nothing differs but that whole numbers of one size are called signed, or unsigned.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    apart = values_apart(published, printed)
    return bool(apart) and all({pair.published, pair.produced} in _SIGNED for pair in apart or ())


def _is_called(word: str, text: str) -> bool:
    """Whether a word stands before a parenthesis, as the name of a class does."""
    return re.search(rf"(?<!\w){re.escape(word)}\(", text) is not None


def _are_as_long(one: str, other: str) -> bool:
    """Whether two names of units of time are of as many of the same."""
    units = _UNIT.fullmatch(one), _UNIT.fullmatch(other)
    if units[0] is None or units[1] is None:
        return False
    same = units[0]["count"] == units[1]["count"]
    return same and any({units[0]["unit"], units[1]["unit"]} <= names for names in _UNITS)
