"""How alike two names are, and two statements' operators, across languages."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from harness.programs.letters import ratios

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_TABLES = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_SAME = {
    word: frozenset(other for words in _TABLES["same"] if word in words for other in words)
    for words in _TABLES["same"]
    for word in words
}
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


@lru_cache(maxsize=1 << 14)
def alike(one: str, other: str) -> float:
    """From 0 to 1, how alike two names are."""
    return float(all_alike([one], [other])[0, 0])


def all_alike(ones: Sequence[str], others: Sequence[str]) -> npt.NDArray[np.float64]:
    """How alike each name is to each of the others.

    Parameters
    ----------
    ones, others : sequence of str
        Names; what is there several times is looked at once.

    Returns
    -------
    ndarray
        Of float64, from 0 to 1, with a row for each of ``ones`` and a column for each of ``others``.
    """
    if not ones or not others:
        return np.zeros((len(ones), len(others)))
    first, second = list(dict.fromkeys(ones)), list(dict.fromkeys(others))
    made = _alike([words_of(name) for name in first], [words_of(name) for name in second])
    rows, columns = ({name: at for at, name in enumerate(names)} for names in (first, second))
    return made[np.ix_([rows[name] for name in ones], [columns[name] for name in others])]


def _alike(ones: list[tuple[str, ...]], others: list[tuple[str, ...]]) -> npt.NDArray[np.float64]:
    joined = [["".join(words) for words in names] for names in (ones, others)]
    lengths = [np.array([len(text) for text in texts], dtype=np.int64) for texts in joined]
    score = _by_words(ones, others)
    rows, columns = (np.flatnonzero(length > 2) for length in lengths)
    if rows.size and columns.size:
        letters = ratios([joined[0][row] for row in rows], [joined[1][column] for column in columns])
        score[np.ix_(rows, columns)] = np.maximum(score[np.ix_(rows, columns)], 0.8 * letters)
    score *= 0.95
    same: dict[str, list[int]] = {}
    for column, text in enumerate(joined[1]):
        same.setdefault(text, []).append(column)
    for row, text in enumerate(joined[0]):
        score[row, same.get(text, [])] = 1.0
    score[lengths[0] == 0, :] = score[:, lengths[1] == 0] = 0.0
    return score


def _by_words(ones: list[tuple[str, ...]], others: list[tuple[str, ...]]) -> npt.NDArray[np.float64]:
    """Share of words in common: each word of the one takes the likest that is left of the other's."""
    known = {word: at for at, word in enumerate(sorted({word for words in others for word in words}))}
    # The last is no word.
    at = np.full((len(others), max(map(len, others), default=0)), len(known))
    for row, words in zip(at, others, strict=True):
        row[: len(words)] = [known[word] for word in words]
    number = np.arange(len(others))
    counts = np.array([len(words) for words in others])
    likeness = _Likeness(known)
    made = np.zeros((len(ones), len(others)))
    for row, words in zip(made, ones, strict=True):
        taken = np.zeros(at.shape, dtype=bool)
        for word in words:
            score = np.where(taken, 0.0, likeness.of(word)[at])
            best = score.argmax(axis=1)
            row += score[number, best]
            taken[number, best] |= score[number, best] > 0
        row[:] = 2 * row / (len(words) + counts)
    return made


class _Likeness:
    """How alike a word is to each of some words: the same, of one table, or the beginning of the other."""

    def __init__(self, known: dict[str, int]) -> None:
        self._known = known
        self._beginning: dict[str, list[str]] = {}
        for word in known:
            for end in range(1, len(word) + 1):
                self._beginning.setdefault(word[:end], []).append(word)
        self._scores: dict[str, npt.NDArray[np.float64]] = {}

    def of(self, word: str) -> npt.NDArray[np.float64]:
        """A score for each word that is known, and 0 for none."""
        if word not in self._scores:
            score = self._scores[word] = np.zeros(len(self._known) + 1)
            shorter = [word[:end] for end in range(1, len(word)) if word[:end] in self._known]
            for other in (*shorter, *self._beginning.get(word, ())):
                score[self._known[other]] = 0.7 if min(len(word), len(other)) >= 3 else 0.45
            for other in _SAME.get(word, ()):
                if other in self._known:
                    score[self._known[other]] = 0.7
            if word in self._known:
                score[self._known[word]] = 1.0
        return self._scores[word]


def common_word(word: str) -> str:
    """One for all the words that people use for the same thing."""
    return min(_SAME.get(word, (word,)))


def common_operation(name: str) -> str | None:
    """An operator or a function by one name across languages; None where it has no other."""
    return _OPERATIONS.get(name) or _OPERATIONS.get(_called(name))


def _called(name: str) -> str:
    """The last part of a function's name; an operator's is whole."""
    return name if name.startswith((".", "#", "which")) else name.rpartition(".")[2]


def operations(names: Iterable[str]) -> frozenset[str]:
    """Operators and functions by one name across languages; brackets and conversions are left out."""
    found = set()
    for name in names:
        short = common_operation(name) or _called(name)
        if short not in _IGNORED and name not in _IGNORED:
            found.add(short)
    return frozenset(found)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of operators that two statements have in common; numbers count a third."""
    if not one and not other:
        return 0.5
    return _thirds(one & other) / _thirds(one | other)


def _thirds(names: Iterable[str]) -> int:
    """What names count, in thirds, so that no order of sums matters."""
    return sum(1 if name.startswith("#") else 3 for name in names)


def all_overlap(ones: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> npt.NDArray[np.float64]:
    """What `overlap` is of each statement's operators and each of the others'."""
    names = sorted({name for operators in (*ones, *others) for name in operators})
    known = {name: at for at, name in enumerate(names)}
    first, second = (np.zeros((len(sets), len(names))) for sets in (ones, others))
    for made, sets in ((first, ones), (second, others)):
        for row, operators in zip(made, sets, strict=True):
            row[[known[name] for name in operators]] = 1
    weights = np.array([_thirds([name]) for name in names], dtype=float)
    both = (first * weights) @ second.T
    either = (first @ weights)[:, None] + (second @ weights)[None, :] - both
    return np.asarray(np.divide(both, either, out=np.full(both.shape, 0.5), where=either > 0))
