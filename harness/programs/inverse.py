"""Changes of two programs that undo each other: of one difference, each shows one side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product

from harness.programs.code_tokens import Token, tokens_of_line
from harness.programs.promising import Repair

_SAME = {"**": "^"}
"""How another language writes the same."""


def undoing(found: Sequence[Repair], line_of: Callable[[Repair], str]) -> tuple[Repair, Repair] | None:
    """Of changes, one of each program that exchange the same words the other way round.

    Where either change makes two programs print the same, and one puts in what the other takes away, the two
    lines are meant as the same.

    Parameters
    ----------
    found : sequence of Repair
        The best first.
    line_of
        Gives the line that is changed, as it is.

    Returns
    -------
    tuple of Repair, or None
        One of the first program and one of the second, the best that there are.
    """
    made = [(at, one, *_exchanged(line_of(one), one.edit.text)) for at, one in enumerate(found)]
    pairs = [
        (x + y, one, other)
        for (x, one, gone, come), (y, other, gone_there, come_there) in product(made, made)
        # In as many places as each program has it.
        if one.side < other.side and (gone or come) and (gone, come) == (come_there, gone_there)
    ]
    if not pairs:
        return None
    _, one, other = min(pairs, key=lambda pair: pair[0])
    return one, other


def _exchanged(before: str, after: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words that a line has fewer of, and those that it has more of; brackets are none."""
    old, new = (Counter(map(_word, tokens_of_line(text))) for text in (before, after))
    gone, come = old - new, new - old
    return _plain(gone), _plain(come)


def _plain(words: Counter[str]) -> frozenset[str]:
    return frozenset(word for word in words if word not in "()")


def _word(token: Token) -> str:
    """A word without what its language alone adds: dots before operators, modules, marks of texts."""
    if token.kind == "number":
        return f"{float(token.text.rstrip('L').replace('_', '')):g}"
    if token.kind == "operator":
        text = token.text.lstrip(".") or token.text
        return _SAME.get(text, text)
    if token.kind == "name":
        return token.text.rpartition(".")[2]
    return token.text.strip("\"'")
