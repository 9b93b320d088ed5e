"""What differs between two printed texts: values in the same places, or the form in which they are shown."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from harness.findings.number_pairs import in_rows_of, same_digits, unwrapped
from harness.findings.wrapped import in_one_width

_INDEX = re.compile(r"(?m)^\s*\[\d+\](?=[ \t]+\S)")
_TOKEN = re.compile(
    r"(?P<quoted>\"(?:\\.|[^\"\\\n])*\"|(?<!\w)'(?:\\.|[^'\\\n])*')"
    r"|(?P<number>(?:(?<![\w.])[-+]?|(?<=[\d.])[-+])(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[jJ](?!\w)"
    r"|(?<=\d)[-+]\d+im\b"
    r"|[-+]\s\d[\d.]*(?:[eE][-+]?\d+)?im\b"
    r"|(?<![\w.])[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w))"
    r"|(?P<truth>\b(?:True|False|TRUE|FALSE|true|false)\b)"
    r"|(?P<word>\w+)"
    r"|(?P<other>[^\s\[\](){},])"
)
_VALUES = frozenset({"number", "truth", "quoted"})
_LISTED = re.compile(r"[\s\[\](){},;]*")
_COLON = re.compile(r"(?<=[\w'\"]):(?= )")
_SENTENCE = 3
"""Words of a text that is one value only as a whole, if it has fewer."""
_WORD = re.compile(r"\w*[^\W\d_]\w*")

_HELD = re.compile(r"\b(?:array|tensor|set|Index|Series)\b")

What = Literal["number", "truth", "text", "kind"]


class Apart(msgspec.Struct, frozen=True):
    """Two values that stand in the same place of two texts, and are not the same.

    ``what`` is ``number`` or ``truth``; ``text`` of words and of what stands in quotation marks; ``kind``
    where one is a number and the other a text.
    """

    what: What
    published: str
    produced: str


def values_apart(published: str, produced: str) -> tuple[Apart, ...] | None:
    """Pair the values in which two texts differ; None where they differ in anything else.

    Brackets, commas and the breaks of lines are the layout's. A word is a value in so far as another word
    stands in its place: whether the language or the document chose it, `says_own_words` tells.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    """
    published, produced = in_one_width(published, in_rows_of(published, produced))
    left, right = (list(_TOKEN.finditer(_bare(text))) for text in (published, produced))
    if len(left) != len(right):
        return None
    found: list[Apart] = []
    for one, other in zip(left, right, strict=True):
        numbers = one.lastgroup == other.lastgroup == "number"
        mine, theirs = same_digits(one[0], other[0]) if numbers else (one[0], other[0])
        if mine == theirs:
            continue
        what = _what(one.lastgroup or "", other.lastgroup or "")
        if what is None:
            return None
        found.append(_within(one, other) or Apart(what, mine, theirs))
    return tuple(found)


def _within(one: re.Match[str], other: re.Match[str]) -> Apart | None:
    """What differs of two sentences in quotation marks that are another in one place."""
    if not one.lastgroup == other.lastgroup == "quoted" or len(other[0].split()) < _SENTENCE:
        return None
    inner = values_apart(one[0][1:-1], other[0][1:-1])
    return inner[0] if inner and len(inner) == 1 else None


def are_exchanged(apart: Sequence[Apart]) -> bool:
    """Whether two values stand in each other's place, and nothing else differs.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs between two texts.
    """
    if len(apart) != 2:
        return False
    one, other = apart
    return (one.published, one.produced) == (other.produced, other.published)


def lacks_one(one: Sequence[object], other: Sequence[object]) -> bool:
    """Whether one of two texts, or of two lists, is the other without one of its elements.

    Parameters
    ----------
    one, other : sequence
        Two of one type.
    """
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and any(
        long[:n] == short[:n] and long[n + 1 :] == short[n:] for n in range(len(long))
    )


def places_apart(one: Sequence[object], other: Sequence[object]) -> list[int]:
    """Where two texts, or two lists, of the same length have other elements."""
    return [at for at, (mine, theirs) in enumerate(zip(one, other, strict=True)) if mine != theirs]


def neighbours_turned(one: Sequence[object], other: Sequence[object]) -> bool:
    """Whether two texts, or two lists, are the same but for two neighbours, which have changed places."""
    places = places_apart(one, other) if len(one) == len(other) else []
    if len(places) != 2 or places[1] != places[0] + 1:
        return False
    first, second = places
    return (one[first], one[second]) == (other[second], other[first])


def brackets_exchanged(published: str, printed: str) -> bool:
    """Whether one text has a tuple of Python where the other has a list of the same, and all else is alike.

    Parameters
    ----------
    published, printed : str
        Two printed texts. Of arrays, NumPy's own functions give lists in some versions and tuples in others.
    """
    left, right = ("".join(text.split()) for text in (published, printed))
    places = places_apart(left, right) if len(left) == len(right) else []
    if len(places) != 2 or _HELD.search(published):
        return False
    first, last = places
    if {left[first] + left[last], right[first] + right[last]} != {"()", "[]"}:
        return False
    # Of two brackets that are no pair, an interval has another end.
    inner = left[first + 1 : last]
    called = first > 0 and (left[first - 1].isalnum() or left[first - 1] in "_)]")
    return not called and not re.search(r"[\[\](){}]", inner) and "," in inner


def tokens_of(text: str) -> list[tuple[str, str]]:
    """Return the kind and the text of all that stands in a printed text, but for brackets and commas."""
    return [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(_bare(text))]


def in_order_of(published: str, produced: str) -> str:
    """Return a printed dict of Python with its keys in the order of a published one; other texts as they are.

    Parameters
    ----------
    published, produced : str
        Two printed texts. Before Python 3.7 a dict had no order, and some printers sort its keys.
    """
    if not (published.lstrip().startswith("{") and produced.lstrip().startswith("{")):
        return produced
    try:
        left, right = (ast.literal_eval(text.strip()) for text in (published, produced))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return produced
    if not (isinstance(left, dict) and isinstance(right, dict)) or set(left) != set(right):
        return produced
    ordered = {key: right[key] for key in left}
    return f"{ordered}\n"


def are_lists(published: str, produced: str) -> bool:
    """Whether both texts are plain lists or dicts of the same kinds of values, each of its own length."""
    texts = [_bare(text) for text in (published, produced)]
    if any(re.search(r"\.\.\.|…", text) for text in texts):
        return False
    kinds = [{match.lastgroup for match in _TOKEN.finditer(_COLON.sub(" ", text))} for text in texts]
    plain = all(_LISTED.fullmatch(_TOKEN.sub("", _COLON.sub(" ", text))) for text in texts)
    return plain and bool(kinds[0]) and kinds[0] == kinds[1] and kinds[0] <= _VALUES


def says_own_words(apart: Apart, texts: str) -> bool:
    """Whether the words that code prints in a place are the document's own, and not the language's.

    Parameters
    ----------
    apart : Apart
        A pair of texts.
    texts : str
        The strings of the code, its data, and the names that it gives, in small letters: what a language or
        a package says by itself is not among them.
    """
    words = [word.lower() for word in _WORD.findall(apart.produced)]
    if [word.lower() for word in _WORD.findall(apart.published)] == words:
        return True
    return bool(words) and all(word in texts or word[::-1] in texts for word in words)


def are_turned(apart: Sequence[Apart]) -> bool:
    """Whether the same texts stand in another order."""
    left, right = (sorted(getattr(pair, name) for pair in apart) for name in ("published", "produced"))
    return len(apart) > 1 and left == right


def _bare(text: str) -> str:
    """A text without comment marks, R's counts of elements and the types around NumPy's numbers."""
    return _INDEX.sub("", unwrapped(text))


def _what(one: str, other: str) -> What | None:
    if one == other:
        kinds: dict[str, What] = {"number": "number", "truth": "truth", "quoted": "text", "word": "text"}
        return kinds.get(one)
    return "kind" if {one, other} == {"number", "quoted"} else None
