"""Whether a document's other outputs leave another version as the reason of a difference in one place.

What another version of a language or of a package changes, it changes wherever it is used: the form of all
that is printed, or a value altogether. Where the rest of a document is reproduced, with outputs of the same
packages, and one value alone is another, two stand in each other's place, or one element is missing or too
many, nothing speaks for a version. What is known to differ in one value between versions and machines is
listed here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from harness.documents.compare_printed import read_output
from harness.documents.model import Chunk
from harness.documents.of_python_2 import OF_PYTHON_2
from harness.documents.tokens import Elision, Group, Item, Number
from harness.findings.apart import are_lists, in_order_of, tokens_of, values_apart
from harness.findings.evidence import is_far
from harness.findings.firm_ground import rest_beside
from harness.findings.judging_state import JudgingState, Key
from harness.findings.names import upstream
from harness.findings.outputs import piece, produced
from harness.findings.random_numbers import without_comments
from harness.findings.slices import statements_behind
from harness.findings.sources import Ground, calls_the_language_alone, source_of
from harness.findings.steady import VALUES
from harness.findings.used_packages import used_packages
from harness.findings.versions import unsteady
from harness.model.article import Answer

_MOST = 0.75
"""Of a document's other outputs, how many are reproduced where a number or a truth value is another."""
_MORE = 0.85
"""The same where it is a word, or how many elements there are."""
_SEVERAL = 4
"""Outputs that are reproduced without which a document shows nothing."""
_EXCHANGED = 2
"""Numbers that stand in each other's place."""
_ROUNDED = 1e-9
"""Of its size, by how much a number may be another on another machine."""
_FEW = 3
_ROWS = 3
_MANY = 6
"""Values of which all but one, or two that are exchanged, are as printed: they were read rightly."""
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
        "Array Vector Matrix",
        "cpu cuda mps",
    )
)
"""Words of which one stands for the other in other versions and on other machines."""
_OF_THE_RUN = re.compile(r"#\d|\b0x[0-9a-f]|\d+\.\d+\.\d|/|\\\\|[Ww]riting\b")
_COUNTS_METHODS = re.compile(r"\bgeneric function with\b|\bmethods?\b")
_TALKS = re.compile(
    r"\bexcept\b|\btry\(|\btryCatch\(|\bcatch\b|\bhelp\(|\b__doc__|\btraceback\b"
    r"|\bis (?:not )?(?!None\b|not\b)\w"
)
"""What shows a language's own words, or asks whether two objects are one."""
_OTHERWISE_IN_PYTHON_2 = re.compile(
    r"/|[<>]|\b(?:round|hash|input|type|long|unicode|encode|decode)\(|\brandom\b|\bexcept\b"
)
_ORDERED_IN_PYTHON_3 = re.compile(
    r"\bsort|\bdict\b|\bset\b|\{|\b(?:map|filter|zip|range|keys|values|items|reversed|enumerate)\("
)
"""What gives another order, or another kind of object, in Python 2."""
_WRITES_THROUGH = re.compile(
    r"(?m)^[ \t]*\w+(?:\.\w+)*(?:\[[^\]\n]*\]|\.(?!i?loc\b|i?at\b)\w+)\[[^\]\n]*\][ \t]*[-+*/]?=(?!=)"
    r"|[\].]\w*\.\w+\([^\n]*\binplace[ \t]*=[ \t]*True"
    r"|^[ \t]*(\w+)[ \t]*=[ \t]*\w+(?:\.\w+|\[[^\n]*\])+[ \t]*\n(?:.*\n)*?"
    r"[ \t]*\1(?:\.\w+)?\[[^\]\n]*\][ \t]*[-+*/]?=(?!=)"
)
"""What writes into a part of a frame: the frame has another value since pandas 3."""
_OF_A_SOURCE = re.compile(r"\.\w{1,3}:\d+|\bline \d+")
_ATTACHES = re.compile(r"(?m)^[ \t]*(?:(?:suppress\w+\()?(?:library|require)\(.*|(?:using|import)\b.*)$")
_TEXT = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")


def no_version_differs(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], key: Key) -> bool:
    """Whether nothing in a document speaks for another version as the reason of one output's difference.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output.
    key : Key
        The output.
    """
    chunk = state.chunks[key[0]]
    published = chunk.output[key[1]].text
    printed = in_order_of(published, produced(chunk, state.runs.published.of(chunk), key[1]))
    slip = in_one_place(published, printed, chunk.language)
    several = slip != "element" and state.verdicts[key].differing > _EXCHANGED
    if not slip or several or may_stand_for(published, printed) or _are_last_digits(published, printed):
        return False
    rest = rest_beside(state, answers, key)
    if rest.reproduced < _SEVERAL or rest.share() < (_MOST if slip == "value" else _MORE):
        return False
    cone, shown = upstream(state.chunks, chunk), piece(chunk, key[1])
    behind = statements_behind(cone, shown)
    plain = _TEXT.sub('""', without_comments(behind))
    if not _is_of_generation(state, chunk, plain, slip):
        return False
    if _TALKS.search(plain) or _COUNTS_METHODS.search(published) or _OF_A_SOURCE.search(published):
        return False
    used = _called(state, cone, behind)
    if not used <= VALUES[chunk.language] and not is_one_of_many(published, printed, chunk.language):
        return False
    if "pandas" in used and _WRITES_THROUGH.search(plain):
        return False
    good, bad = state.context.reproduced, state.context.different
    if any(good.get(name, 0) < _FEW or 4 * (bad.get(name, 0) - 1) > good.get(name, 0) for name in used):
        return False
    # What was looked at above, and what is attached and not called, is no other version's.
    attached = used_packages(state.chunks, cone)
    return source_of(state.chunks, cone, attached, shown, same=attached).ground <= Ground.VALUES


def _called(state: JudgingState, cone: Sequence[Chunk], code: str) -> frozenset[str]:
    """The packages that code uses: of those that R and Julia attach, none where it calls nothing else."""
    language = cone[-1].language
    used = unsteady(used_packages(state.chunks, cone), language) - state.context.same_versions
    above = (part.code for part in state.chunks[: cone[-1].index + 1] if part.language == language)
    bare = _ATTACHES.sub("", code)
    if language == "python" or not calls_the_language_alone(bare, "\n".join(above), language):
        return used
    return frozenset(name for name in used if f"{name}::" in code)


def _are_last_digits(published: str, printed: str) -> bool:
    """Whether the numbers that differ do so by as little as another machine's rounding."""
    apart = values_apart(published, printed) or ()
    numbers = [(pair.published, pair.produced) for pair in apart if pair.what == "number"]
    return bool(numbers) and all("." in "".join(pair) and not is_far((pair,), _ROUNDED) for pair in numbers)


def _is_of_generation(state: JudgingState, chunk: Chunk, code: str, slip: str) -> bool:
    """Whether another generation of the language, if the author had one, gives the same for some code."""
    other = state.context.other_generation(chunk.language) or OF_PYTHON_2 in chunk.doubtful
    if not other or chunk.language == "r":
        return True
    if chunk.language == "julia" or _OTHERWISE_IN_PYTHON_2.search(code):
        return False
    return slip == "value" or _ORDERED_IN_PYTHON_3.search(code) is None


def in_one_place(published: str, printed: str, language: str) -> str:
    """Say in what two texts differ, where it is in one place: in a value, a word or an element; else nothing.

    Parameters
    ----------
    published, printed : str
        The two texts.
    language : str
        What printed them.
    """
    apart = values_apart(published, printed)
    if apart is None:
        return _in_layout(published, printed, language)
    kinds = {pair.what for pair in apart}
    turned = len(apart) == 2 and (apart[0].published, apart[0].produced) == (
        apart[1].produced,
        apart[1].published,
    )
    if len(apart) != 1 and not turned:
        return "element" if _are_rows_turned(published, printed) else ""
    return "value" if kinds <= {"number", "truth"} and not turned else "word"


def is_one_of_many(published: str, printed: str, language: str) -> bool:
    """Whether all of many values but those in one place are as printed: no other code gives that.

    Parameters
    ----------
    published, printed : str
        The two texts.
    language : str
        What printed them.
    """
    values = [text for kind, text in tokens_of(printed) if kind != "other"]
    return len(values) >= _MANY and in_one_place(published, printed, language) != ""


def may_stand_for(published: str, printed: str) -> bool:
    """Whether a word is one that another version or another machine has for the same.

    Parameters
    ----------
    published, printed : str
        Two texts that differ in one place.
    """
    for pair in values_apart(published, printed) or ():
        words = {pair.published.strip("'\""), pair.produced.strip("'\"")}
        if any(words <= names for names in _STANDS_FOR) or any(map(_OF_THE_RUN.search, words)):
            return True
    return False


def _in_layout(published: str, printed: str, language: str) -> str:
    """Say in what one place two texts differ whose lines, signs or elements are not the same."""
    items = [_items(read_output(text, language)) for text in (published, printed)]
    if len(items[0]) == len(items[1]) and items[0]:
        pairs = [(one, other) for one, other in zip(*items, strict=True) if one != other]
        if len(pairs) == 1 and all(kind is Number for kind, _ in pairs[0]):
            return "value"
    if _are_rows_turned(published, printed):
        return "element"
    left, right = tokens_of(published), tokens_of(printed)
    if len(left) == len(right):
        signs = [{one[1], other[1]} for one, other in zip(left, right, strict=True) if one != other]
        return "value" if signs == [{"+", "-"}] else ""
    short, long = sorted((left, right), key=len)
    more = len(long) - len(short) == 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
    return "element" if more and short and are_lists(published, printed) else ""


def _items(read: Sequence[Item]) -> list[tuple[type, str]]:
    """All that was read of a text, each with its kind; nothing where a part of it is left out."""
    found: list[tuple[type, str]] = []
    for item in read:
        if isinstance(item, Group):
            found += _items(item.items)
        elif isinstance(item, Elision):
            return []
        else:
            found.append((type(item), item.text))
    return found


def _are_rows_turned(published: str, printed: str) -> bool:
    """Whether two rows, one below the other, stand in each other's place, and all others are the same."""
    left, right = (
        [line.split() for line in text.split("\n") if line.strip()] for text in (published, printed)
    )
    if len(left) != len(right) or len(left) < _ROWS:
        return False
    places = [at for at, (one, other) in enumerate(zip(left, right, strict=True)) if one != other]
    return (
        len(places) == 2
        and places[1] == places[0] + 1
        and left[places[0]] == right[places[1]]
        and left[places[1]] == right[places[0]]
    )
