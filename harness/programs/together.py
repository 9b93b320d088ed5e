"""Small changes of a line in more than one place: what is exchanged or written alike in two, or all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from harness.programs.code_tokens import Token
from harness.programs.operands import POWER, TABLES, Edit, Operands

_GROUPS = [names.split() for table in ("alike", "alike_seldom") for names in TABLES[table]]
_INSTEAD = {
    name: [*dict.fromkeys(other for group in _GROUPS if name in group for other in group if other != name)]
    for names in _GROUPS for name in names
}  # fmt: skip
_REVERSED = {"r": "rev", "julia": "reverse"}
_BEFORE, _BEHIND = frozenset("([{,:=") | {"=>"}, frozenset(")]},")
"""What stands before and behind an element of a list."""
_FEW_NUMBERS = 5
"""Elements of which any two may stand in each other's place; of more, those beside each other."""
_LEAST_SHARED = 0.5
"""Share of the letters of two names that are the same at both ends, from which on one is easily the other."""


def of_pairs(line: Operands) -> Iterator[Edit]:
    """The line with two of its variables or columns, or two numbers of a list, in each other's place.

    Parameters
    ----------
    line : Operands
        Of a program.
    """
    places: dict[tuple[str, str], list[Token]] = {}
    for one in line.variables():
        places.setdefault((one.kind, one.text), []).append(one)
    for (kind, name), (other_kind, other) in combinations(places, 2):
        if kind == other_kind:
            changes = [(one, other) for one in places[kind, name]]
            changes += [(one, name) for one in places[kind, other]]
            sort = "swapped alike" if _are_alike(name, other) else "swapped"
            yield _with_all(line, changes, sort)
    yield from _of_numbers(line)


def of_all(line: Operands) -> Iterator[Edit]:
    """The line with one step more behind all that it computes.

    Parameters
    ----------
    line : Operands
        Of a program.
    """
    for start, end in line.whole():
        text = line.line[start:end]
        if line.tokens[line.begin].kind == "text" or text[0] in "[{":
            continue
        # In Julia an operator with a dot does for a number too.
        dot = "." if line.language == "julia" else ""
        for more in (
            f"2 * ({text})", f"({text}) / 2", f"({text}) {dot}{POWER[line.language]} 2", f"{text} {dot}+ 1",
            f"{text} {dot}- 1", f"1 {dot}- ({text})", f"-({text})",
        ):  # fmt: skip
            yield line.edit(start, end, more, "of all")
        new = f"({text})[::-1]" if line.language == "python" else f"{_REVERSED[line.language]}({text})"
        yield line.edit(start, end, new, "reversed")


def of_all_calls(line: Operands) -> Iterator[Edit]:
    """The line with another function for one that is called twice or more.

    Parameters
    ----------
    line : Operands
        Of a program.
    """
    places: dict[str, list[Token]] = {}
    for n, _ in line.called():
        places.setdefault(line.at(n), []).append(line.tokens[n])
    for name, found in places.items():
        head, dot, last = name.rpartition(".")
        own = name if name in _INSTEAD else last
        for other in _INSTEAD.get(own, ()) if len(found) > 1 else ():
            new = other if own == name else head + dot + other
            yield _with_all(line, [(one, new) for one in found], "functions")


def of_equal_operands(line: Operands) -> Iterator[Edit]:
    """The line with one more or less wherever the same operand stands, if it stands there twice or more.

    Parameters
    ----------
    line : Operands
        Of a program.
    """
    places: dict[str, list[tuple[int, int]]] = {}
    for start, end in line.operands():
        places.setdefault("".join(line.line[start:end].split()), []).append((start, end))
    for text, found in places.items():
        if len(found) > 1 and not text[0].isdigit():
            for sign in "-+":
                new = line.line
                for start, end in reversed(found):
                    new = f"{new[:start]}({new[start:end]} {line.dot(start, end)}{sign} 1){new[end:]}"
                yield Edit(new, line.line[found[0][0] : found[-1][1]], f"({text} {sign} 1)", "everywhere")


def _of_numbers(line: Operands) -> Iterator[Edit]:
    lists: dict[int, list[Token]] = {}
    opened = [-1]
    for n, one in line.own():
        if one.kind == "number" and line.at(n - 1) in _BEFORE and line.at(n + 1) in _BEHIND:
            lists.setdefault(opened[-1], []).append(one)
        if one.opens > 0:
            opened.append(n)
        elif one.opens < 0 and len(opened) > 1:
            opened.pop()
    for start, numbers in lists.items():
        few = start >= 0 and len(numbers) <= _FEW_NUMBERS
        for one, other in combinations(numbers, 2) if few else pairwise(numbers if start >= 0 else ()):
            if one.text != other.text:
                yield _with_all(line, [(one, other.text), (other, one.text)], "swapped numbers")


def _are_alike(one: str, other: str) -> bool:
    """Whether two names differ by little, as ``y0`` and ``y1``, or are a letter each."""
    if len(one) == len(other) == 1:
        return True
    shared = 0
    for first, second in ((one, other), (one[::-1], other[::-1])):
        pairs = zip(first, second, strict=False)
        shared += next((n for n, (x, y) in enumerate(pairs) if x != y), min(len(one), len(other)))
    return shared >= _LEAST_SHARED * max(len(one), len(other))


def _with_all(line: Operands, changes: Sequence[tuple[Token, str]], sort: str) -> Edit:
    """The line with several words changed; what is told of it is from the first of them to the last."""
    ordered = sorted(changes, key=lambda change: change[0].start)
    start, end = ordered[0][0].start, ordered[-1][0].end
    new, at = "", start
    for one, text in ordered:
        new += line.line[at : one.start] + text
        at = one.end
    return line.edit(start, end, new, sort)
