"""Small changes of what a line selects: an index that is forgotten, another one, or all but it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.programs.operands import Edit, Operands

_FIRST = {"python": "0", "r": "1", "julia": "1"}
_BESIDE = frozenset({"+", "-", "/", ".+", ".-", "./"})
_MOST_NAMES = 6


def of_selections(line: Operands, names: Sequence[str]) -> Iterator[Edit]:
    """The line with an index more, less, or another.

    Parameters
    ----------
    line : Operands
        Of a program.
    names : sequence of str
        Variables that may be meant, the nearest first.
    """
    yield from _without(line)
    yield from _like_another(line)
    yield from _by_name(line, [name for name in names if name[-1] not in "\"'"][:_MOST_NAMES])


def _indices(line: Operands) -> Iterator[tuple[int, int]]:
    """The tokens that open and close what is selected of a variable."""
    for n in range(max(1, line.begin), len(line.tokens)):
        before = line.tokens[n - 1]
        if line.at(n) == "[" and before.kind == "name" and before.end == line.tokens[n].start:
            end = line.closing(n)
            if end is not None and end > n + 1:
                yield n, end


def _without(line: Operands) -> Iterator[Edit]:
    for n, end in _indices(line):
        yield line.edit(line.tokens[n].start, line.tokens[end].end, "", "all taken")


def _like_another(line: Operands) -> Iterator[Edit]:
    """Of what stands there whole what is selected of it elsewhere in the line; in R all but that, too."""
    known: dict[str, dict[str, None]] = {}
    for n, end in _indices(line):
        inside = line.line[line.tokens[n].end : line.tokens[end].start]
        made = known.setdefault(line.at(n - 1), {})
        made[inside] = None
        if line.language == "r":
            parts = inside.split(",")
            alone = [k for k, part in enumerate(parts) if part.strip().replace(".", "").isalnum()]
            if len(alone) == 1:
                k = alone[0]
                parts[k] = parts[k].replace(parts[k].strip(), f"-{parts[k].strip()}")
                made[",".join(parts)] = None
    selected = {line.tokens[n - 1].start for n, _ in _indices(line)}
    for one in line.variables():
        for more in known.get(one.text, ()):
            if one.start not in selected:
                yield line.edit(one.end, one.end, f"[{more}]", "like selected")
            elif more.startswith("-") or ",-" in more.replace(" ", ""):
                n = next(n for n, _ in _indices(line) if line.tokens[n - 1].start == one.start)
                close = line.closing(n) or n
                yield line.edit(line.tokens[n].end, line.tokens[close].start, more, "all but")


def _by_name(line: Operands, names: Sequence[str]) -> Iterator[Edit]:
    """A number for an index that is a variable, and a variable for a number that is one, or a step."""
    first = _FIRST[line.language]
    for n, one in line.own():
        around = line.at(n - 1), line.at(n + 1)
        is_index = around[0] in ("[", ",") and around[1] in ("]", ",") and _in_index(line, n)
        if one.kind == "name" and is_index:
            yield line.edit(one.start, one.end, first, "first")
        if one.kind == "number" and one.text in ("0", "1", "2") and (is_index or around[0] in _BESIDE):
            sort = "name for index" if is_index else "name for number"
            for name in names:
                yield line.edit(one.start, one.end, name, sort)


def _in_index(line: Operands, n: int) -> bool:
    return any(opened < n < end for opened, end in _indices(line))
