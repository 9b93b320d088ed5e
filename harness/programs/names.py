"""How alike two names are, and two statements' operators, across languages."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_TABLES = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_SAME = tuple(frozenset(words) for words in _TABLES["same"])
_OPERATIONS = {name: one for one, names in _TABLES["operations"].items() for name in names}
_IGNORED = frozenset(_TABLES["ignored"])


@lru_cache(maxsize=1 << 14)
def words_of(name: str) -> tuple[str, ...]:
    """The words that a name is made of: ``betaHat`` and ``beta.hat`` are beta, hat; ``β`` is beta."""
    spelled = []
    for character in name:
        if ord(character) > 127:
            title = unicodedata.name(character, "")
            if title.startswith("GREEK"):
                spelled.append("_" + title.split()[3 if "LETTER" in title else -1].lower() + "_")
                continue
            if "COMBINING CIRCUMFLEX" in title:
                spelled.append("_hat_")
                continue
            character = unicodedata.normalize("NFKC", character)
        spelled.append(character)
    words = [word.lower() for word in _WORDS.findall("".join(spelled))]
    return tuple(word for word in words if word not in ("self", "lamda")) or ("",)


@lru_cache(maxsize=1 << 18)
def alike(one: str, other: str) -> float:
    """From 0 to 1, how alike two names are."""
    first, second = words_of(one), words_of(other)
    if first == ("",) or second == ("",):
        return 0.0
    joined, also = "".join(first), "".join(second)
    if joined == also:
        return 1.0
    matched = 0.0
    left = list(second)
    for word in first:
        best, at = 0.0, -1
        for number, option in enumerate(left):
            score = _word(word, option)
            if score > best:
                best, at = score, number
        if at >= 0:
            matched += best
            left.pop(at)
    by_words = 2 * matched / (len(first) + len(second))
    letters = SequenceMatcher(None, joined, also).ratio() if min(len(joined), len(also)) > 2 else 0.0
    return max(by_words, 0.8 * letters) * 0.95


def _word(one: str, other: str) -> float:
    if one == other:
        return 1.0
    if any(one in words and other in words for words in _SAME):
        return 0.7
    if min(len(one), len(other)) >= 3 and (one.startswith(other) or other.startswith(one)):
        return 0.7
    if one and other and (one.startswith(other) or other.startswith(one)):
        return 0.45
    return 0.0


def operations(names: Iterable[str]) -> frozenset[str]:
    """Operators and functions by one name across languages; brackets and conversions are left out."""
    found = set()
    for name in names:
        own = name.startswith((".", "#", "which"))
        short = name if own else name.rpartition(".")[2]
        for option in (name, short):
            if option in _OPERATIONS:
                short = _OPERATIONS[option]
                break
        if short not in _IGNORED and name not in _IGNORED:
            found.add(short)
    return frozenset(found)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of operators that two statements have in common; numbers count a third."""
    if not one and not other:
        return 0.5
    union = _weight(one | other)
    return _weight(one & other) / union if union else 0.0


def _weight(names: frozenset[str]) -> float:
    return sum(1 / 3 if name.startswith("#") else 1.0 for name in names)
