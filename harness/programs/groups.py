"""Small changes of what belongs together in a line: brackets, functions of functions, and what is set."""

from __future__ import annotations

from collections.abc import Iterator

from harness.programs.operands import TABLES, Edit, Operands

_BETWEEN = frozenset(TABLES["between"])
_TERMS = frozenset({"+", "-", ".+", ".-"})
_SETS = frozenset({"=", "<-", "+="})
_COPIED = {"python": "{}.copy()", "julia": "copy({})"}


def of_groups(line: Operands) -> Iterator[Edit]:
    """The line with brackets more, less, or elsewhere, and with two functions in the other order.

    Parameters
    ----------
    line : Operands
        Of a program.
    """
    for n, one in line.own():
        if one.text == "(" and (end := line.closing(n)) is not None:
            called = n > 0 and line.tokens[n - 1].kind == "name" and line.tokens[n - 1].end == one.start
            if called:
                yield from _of_call(line, n, end)
            elif any(line.at(k) in _BETWEEN for k in range(n + 1, end)):
                inside = line.line[one.end : line.tokens[end].start]
                yield line.edit(one.start, line.tokens[end].end, inside, "ungrouped")
        elif one.kind == "operator" and one.text in _BETWEEN:
            yield from _grouped(line, n)


def of_targets(line: Operands) -> Iterator[Edit]:
    """The line with what is computed added to a variable and not put into it, copied, or in the other of two.

    Parameters
    ----------
    line : Operands
        Of a program.
    """
    at = next((n for n in range(len(line.tokens)) if line.at(n) in _SETS and not line.depths[n]), None)
    yield from _ends(line)
    if not at or at + 1 >= len(line.tokens):
        return
    sign, target = line.tokens[at], line.line[line.tokens[0].start : line.tokens[at - 1].end]
    indented = line.tokens[0].start > 0
    comma = [n for n in range(at) if line.at(n) == "," and not line.depths[n]]
    if line.language == "r":
        if indented and sign.text == "<-":
            yield line.edit(sign.end, sign.end, f" {target} +", "accumulated")
        return
    if indented and not comma and sign.text in ("=", "+="):
        yield line.edit(sign.start, sign.end, "+=" if sign.text == "=" else "=", "accumulated")
    if at + 2 == len(line.tokens) and line.tokens[at + 1].kind == "name":
        copied = _COPIED[line.language].format(line.at(at + 1))
        yield line.edit(line.tokens[at + 1].start, line.tokens[at + 1].end, copied, "copied")
    if comma == [1] and at == 3:
        yield line.edit(
            line.tokens[0].start, line.tokens[2].end, f"{line.at(2)}, {line.at(0)}", "other target"
        )


def of_slices(line: Operands) -> Iterator[Edit]:
    """The line of Python with a slice that has no beginning, or no end.

    Parameters
    ----------
    line : Operands
        Of a program.
    """
    for n in range(1, len(line.tokens) if line.language == "python" else 0):
        if line.at(n) != "[" or line.tokens[n - 1].end != line.tokens[n].start:
            continue
        end = line.closing(n) or n
        inside = (k for k in range(n + 1, end) if line.depths[k] == line.depths[n + 1])
        marks = [n, *(k for k in inside if line.at(k) in (":", ",")), end]
        for before, colon, after in zip(marks, marks[1:], marks[2:], strict=False):
            if line.at(colon) == ":" and line.at(before) != ":":
                for first, last in ((before, colon), (colon, after)):
                    if last - first > 1:
                        start, stop = line.tokens[first + 1].start, line.tokens[last - 1].end
                        yield line.edit(start, stop, "", "left out")


def _ends(line: Operands) -> Iterator[Edit]:
    """With the first element for the last, or the other way round."""
    first, last = ("0", "-1") if line.language == "python" else ("1", "end")
    for n in range(1, len(line.tokens) - 2):
        if line.at(n) != "[" or line.tokens[n - 1].end != line.tokens[n].start:
            continue
        end = next((k for k in (n + 2, n + 3) if line.at(k) == "]"), None)
        if end is None:
            continue
        inside = line.line[line.tokens[n].end : line.tokens[end].start].strip()
        if inside in (first, last):
            other = last if inside == first else first
            if line.language == "r":
                other = f"length({line.at(n - 1)})"
            yield line.edit(line.tokens[n].end, line.tokens[end].start, other, "other end")


def _grouped(line: Operands, n: int) -> Iterator[Edit]:
    """With brackets around what stands behind an operator and the next, or before it and behind it."""
    before, after = line.operand_before(n), line.operand_after(n)
    if before is None or after is None or line.at(after + 1) not in _BETWEEN:
        return
    next_one = after + 1
    last = line.operand_after(next_one)
    if last is None:
        return
    terms = line.at(n) in _TERMS, line.at(next_one) in _TERMS
    if not (terms[0] and not terms[1]) and line.at(n).lstrip(".") != "+":
        start, end = line.tokens[n + 1].start, line.tokens[last].end
        yield line.edit(start, end, f"({line.line[start:end]})", "grouped")
    if terms[0] and not terms[1]:
        end = line.tokens[after].end
        yield line.edit(before, end, f"({line.line[before:end]})", "grouped")


def _of_call(line: Operands, n: int, end: int) -> Iterator[Edit]:
    """With what stands behind a call in it, or the other way round; with the inner function outside."""
    after = line.operand_after(end + 1) if line.at(end + 1) in _BETWEEN else None
    if after is not None:
        more = line.line[line.tokens[end].end : line.tokens[after].end]
        yield line.edit(line.tokens[end].start, line.tokens[after].end, f"{more})", "moved")
    inside = [k for k in range(n + 1, end) if line.depths[k] == line.depths[n + 1]]
    if not any(line.at(k) in (",", ";") for k in inside):
        for k in inside:
            if line.at(k) in _BETWEEN and k > n + 1:
                more = line.line[line.tokens[k - 1].end : line.tokens[end].start]
                yield line.edit(line.tokens[k - 1].end, line.tokens[end].end, f"){more}", "moved")
    if line.tokens[n + 1].kind == "name" and line.at(n + 2) == "(" and line.closing(n + 2) == end - 1:
        outer, inner = line.tokens[n - 1], line.tokens[n + 1]
        names = line.line[outer.end : inner.start]
        yield line.edit(outer.start, inner.end, inner.text + names + outer.text, "exchanged")
