"""What R leaves to the author's session: what it held, and the words and letters of its locale."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.findings.apart import Apart

_WORD = re.compile(r"\"[^\"\n]*\"|[^\s\"]*\w[^\s\"]*")
_SAYS = re.compile(r"(?![-+]?\.?\d).*[^\W\d_]")
_TRUTHS = frozenset({"TRUE", "FALSE"})
_ASKS_WHAT_IS_THERE = re.compile(r"\bexists(?:Function|Method)?\(")
_READS_MONTHS = re.compile(r"\b(?:as\.Date|as\.POSIX[cl]t|strptime)\([^\n]*%[aAbBhp]")
_TURNS_LETTERS = re.compile(r"\b(?:toupper|tolower|casefold)\(|\\\\[ULE]")


def left_to_the_session(apart: Sequence[Apart], shown: str, code: str) -> str:
    """Say what of the author's session may be why values differ; empty if nothing is.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs.
    shown, code : str
        The statement that the output is of, and all that it is computed by.
    """
    truths = [pair for pair in apart if pair.what == "truth"]
    # A session holds more than the document sets, and never less.
    if any(pair.published == "TRUE" for pair in truths) and _ASKS_WHAT_IS_THERE.search(shown):
        return "what exists is what the author's session held"
    missing = any("NA" in (pair.published, pair.produced) for pair in apart)
    if (truths or missing) and _READS_MONTHS.search(code):
        return "how months and days are called is the locale's"
    if any(map(_is_another_case, apart)) and _TURNS_LETTERS.search(code):
        return "which letters have capitals is the locale's"
    return ""


def _is_another_case(pair: Apart) -> bool:
    """Whether two texts are the same but for capitals, of which some are not those of English."""
    one, other = pair.published, pair.produced
    return one.casefold() == other.casefold() and not (one.isascii() and other.isascii())


def words_of(text: str) -> list[str]:
    """Return the words of a printed text that have a letter, but for numbers and truth values."""
    return [word for word in _WORD.findall(text) if _SAYS.match(word) and word not in _TRUTHS]


def moved_words(published: str, produced: str) -> list[str]:
    """Return the words of a printed text that do not stand where they are published.

    Parameters
    ----------
    published, produced : str
        Two texts of the same words.
    """
    pairs = zip(_WORD.findall(published), _WORD.findall(produced), strict=False)
    moved = [right for left, right in pairs if left != right]
    return words_of(" ".join(moved))


def stand_otherwise(words: Sequence[str]) -> bool:
    """Whether words have another order where capitals come before small letters, or signs count."""
    # Of words that are the same but for capitals, small letters come first in a locale.
    return sorted(words) != sorted(
        words, key=lambda word: (re.sub(r"[\W_]", "", word).casefold(), word.swapcase())
    )
