"""Numbers that two programs print elsewhere and that differ, paired by what stands beside them."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.programs.equal_tokens import Place
from harness.programs.runs import Run, runs_of
from harness.programs.tokens import Token

_ROW_NAME, _FURTHER = 0.5, 0.25
"""Weight of a word that is not the nearest: of the first of its row, or of a row that it is below of; of all
others."""
_LETTERS = 3
"""From which on the beginning of a word is the word."""
_ROW, _VALUE, _PLACED = 0.3, 0.3, 0.3
"""What a row of as many numbers, a number that is as large, and the same place say beside the words."""
_SINGLE = 0.6
"""Share of the words that two numbers need to have in common."""
_LONG, _OF_LONG = 3, 0.3
"""Numbers of a row from which on its words say less, and that share then."""
_LEAST = 0.5


class Labels(NamedTuple):
    """The words beside a number with their weights."""

    weights: dict[str, float]
    near: frozenset[str]


def labels_of(tokens: Sequence[Token], names: Mapping[int, str]) -> dict[int, Labels]:
    """Find the words that say what each number of a printout is.

    The words before it in its line, and those of the column, the title and the line that is less indented.

    Parameters
    ----------
    tokens : sequence of Token
        Of the printout.
    names : mapping of int to str
        Of the variables that show some of these, which say it too.
    """
    lines: dict[int, list[int]] = defaultdict(list)
    for n, one in enumerate(tokens):
        lines[one.line].append(n)
    found: dict[int, Labels] = {}
    above = _Above(tokens, lines)
    for line, own in lines.items():
        weights = above.further(line)
        nearest: list[str] = []
        begins = True
        for at, n in enumerate(own):
            if not tokens[n].is_number:
                # Words are the nearest of all numbers up to the next word.
                if at and tokens[own[at - 1]].is_number:
                    nearest = []
                nearest.append(tokens[n].text)
                weights[tokens[n].text] = _ROW_NAME if begins else _FURTHER
                continue
            begins = begins and not nearest
            near = frozenset([*nearest, *above.heads(line, tokens[n]), *_words_of(names.get(n, ""))])
            found[n] = Labels(weights | dict.fromkeys(near, 1.0), near)
    return found


def _words_of(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[^\W\d_]+", name)]


class _Above:
    """The words in the lines above a line."""

    def __init__(self, tokens: Sequence[Token], lines: Mapping[int, Sequence[int]]) -> None:
        self._tokens, self._lines = tokens, lines
        self._head: dict[int, int] = {}
        head, before = -1, -1
        for line, own in sorted(lines.items()):
            if line > before + 1:
                head = -1
            if head >= 0:
                self._head[line] = head
            if not any(tokens[n].is_telling for n in own) and any(not tokens[n].is_number for n in own):
                head = line
            before = line

    def heads(self, line: int, one: Token) -> list[str]:
        """The words that stand above a number, over its column."""
        words = self._words(self._head.get(line, -1))
        return [word.text for word in words if word.start < one.end and one.start < word.end]

    def further(self, line: int) -> dict[str, float]:
        """The words of the title, and the first of the line that a line is below of, as it is further in."""
        found: dict[str, float] = {}
        head = self._head.get(line, -1)
        title = head - 1 if self._has_columns(line) else head
        if title >= 0 and not any(self._tokens[n].is_number for n in self._lines.get(title, ())):
            found |= {word.text: _FURTHER for word in self._words(title)}
        indent = self._tokens[self._lines[line][0]].start
        for other in range(line - 1, -1, -1):
            own = self._lines.get(other)
            if not own:
                break
            if self._tokens[own[0]].start < indent:
                first = takewhile(lambda n: not self._tokens[n].is_number, own)
                return found | {self._tokens[n].text: _ROW_NAME for n in first}
        return found

    def _words(self, line: int) -> list[Token]:
        return [self._tokens[n] for n in self._lines.get(line, ()) if not self._tokens[n].is_number]

    def _has_columns(self, line: int) -> bool:
        """Whether there is a word above most numbers of a line, of which there are several."""
        numbers = [self._tokens[n] for n in self._lines[line] if self._tokens[n].is_number]
        return len(numbers) > 1 and sum(bool(self.heads(line, one)) for one in numbers) > len(numbers) / 2


def beside(
    a: Sequence[Token],
    b: Sequence[Token],
    made: Sequence[Place],
    names: tuple[Mapping[int, str], Mapping[int, str]] = ({}, {}),
) -> list[Place]:
    """Some places, and those of fractions that agree with none and have the same words beside them.

    Parameters
    ----------
    a, b : sequence of Token
        Of two printouts.
    made : sequence of Place
        Of these. What differs there may find what is rather the same.
    names : tuple of mapping of int to str
        Of the variables that show some of the numbers.
    """
    agreeing = [one for one in made if one.agrees]
    off = {(one.a, one.b) for one in made if not one.agrees}
    taken = {one.a for one in agreeing}, {one.b for one in agreeing}
    left = [
        [n for n, one in enumerate(side) if one.is_number and one.unit < 1 and math.isfinite(one.value)
         and n not in taken[at]]
        for at, side in enumerate((a, b))
    ]  # fmt: skip
    if not made or not all(left):
        return list(made)
    labels = _common(labels_of(a, names[0]), labels_of(b, names[1]), left)
    runs = runs_of(a), runs_of(b)
    alike = tuple(Counter(frozenset(one.weights) for one in side.values()) for side in labels)
    worth = np.zeros((len(left[0]), len(left[1])))
    for x, i in enumerate(left[0]):
        for y, j in enumerate(left[1]):
            # Of cells that nothing beside tells apart, which is which is known only if both have as many.
            cells = alike[0][frozenset(labels[0][i].weights)], alike[1][frozenset(labels[1][j].weights)]
            if min(cells) > 1 and cells[0] != cells[1]:
                continue
            worth[x, y] = _worth((a[i], b[j]), (labels[0][i], labels[1][j]), (runs[0][i], runs[1][j]))
            worth[x, y] += _PLACED * ((i, j) in off)
            # Of several that are as like, those in order.
            worth[x, y] -= 0.01 * abs(x / len(left[0]) - y / len(left[1]))
    pairs = [(left[0][x], left[1][y]) for x, y in _chosen(worth)]
    first, second = {i for i, _ in pairs}, {j for _, j in pairs}
    kept = [Place(i, j, False, 1.0) for i, j in off if i not in first and j not in second]
    return sorted([*agreeing, *kept, *(Place(i, j, False, _scale(a[i], b[j])) for i, j in pairs)])


def _scale(one: Token, other: Token) -> float:
    """What the second is multiplied with, where only one of two is said to be a per cent."""
    if one.per_cent == other.per_cent:
        return 1.0
    scale = 100.0 if one.per_cent else 0.01
    return scale if _nearness(one.value, scale * other.value) > _nearness(one.value, other.value) else 1.0


def _nearness(one: float, other: float) -> float:
    """The smaller of two numbers over the larger; 0 where their signs differ."""
    small, large = sorted((abs(one), abs(other)))
    return small / large if one * other > 0 else 0.0


def _chosen(worth: npt.NDArray[Any]) -> list[tuple[int, int]]:
    """The pairs that are worth most, each number in one."""
    found: list[tuple[int, int]] = []
    for n in np.argsort(-worth, axis=None, kind="stable").tolist():
        x, y = divmod(n, worth.shape[1])
        if worth[x, y] < _LEAST:
            break
        if all(x != i and y != j for i, j in found):
            found.append((x, y))
    return found


def _common(
    first: dict[int, Labels], second: dict[int, Labels], left: Sequence[Sequence[int]]
) -> tuple[dict[int, Labels], dict[int, Labels]]:
    """The labels, each word in the form that the first has, and weighed by how few numbers it is beside."""
    known = {word for n in left[0] for word in first[n].weights}
    form: dict[str, str] = {}
    for word in {word for n in left[1] for word in second[n].weights} - known:
        same = [one for one in known if min(len(one), len(word)) >= _LETTERS
                and (one.startswith(word) or word.startswith(one))]  # fmt: skip
        form[word] = min(same, default=word)
    turned = [
        {n: side[n] for n in left[0]}
        if at == 0 else
        {
            n: Labels({form.get(word, word): weight for word, weight in side[n].weights.items()},
                      frozenset(form.get(word, word) for word in side[n].near))
            for n in left[1]
        }
        for at, side in enumerate((first, second))
    ]  # fmt: skip
    counts = [Counter(word for one in side.values() for word in one.weights) for side in turned]
    both = counts[0] | counts[1]
    made = [
        {
            n: Labels({w: x / math.sqrt(both[w]) for w, x in one.weights.items()}, one.near)
            for n, one in side.items()
        }
        for side in turned
    ]
    return made[0], made[1]


def _worth(tokens: tuple[Token, Token], labels: tuple[Labels, Labels], runs: tuple[Run, Run]) -> float:
    """How much speaks for two numbers being the same; 0 where nothing beside them does."""
    first, second = labels
    least = min(sum(one.weights.values()) for one in labels)
    common = sum(
        min(first.weights[word], second.weights[word])
        for word in first.weights.keys() & second.weights.keys()
    )
    share = common / least if least else 0.0
    near = _nearness(tokens[0].value, _scale(*tokens) * tokens[1].value)
    alike = (runs[0].at, runs[0].size) == (runs[1].at, runs[1].size)
    long = alike and runs[0].size >= _LONG
    met = bool(first.near & second.weights.keys()) and bool(second.near & first.weights.keys())
    if not (met and share >= (_OF_LONG if long else _SINGLE)):
        return 0.0
    return share + _VALUE * near + _ROW * alike * (1 - 1 / runs[0].size)
