"""Printed output whose structure is in its brackets: Python, NumPy, PyTorch, and Julia in one line."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from harness.documents.tokens import ELISION_LINE, Elision, Group, Item, Number, Word, lex

_PAIRS = {"[": "]", "(": ")", "{": "}"}
_DEEPEST = 60
_SCALAR = re.compile(r"np\.(?:float|int|uint|complex|longdouble|str_|bytes_)\w*")


class _Open(msgspec.Struct):
    kind: str
    line: int
    items: list[Item]
    commas: list[int] = []


def read_brackets(lines: Iterable[tuple[int, str]], *, fixed: bool) -> list[Item]:
    """Read numbered lines; brackets become groups, commas inside of them are no items.

    ``fixed`` says that numbers in square brackets share one number of decimals, as arrays of NumPy and
    PyTorch do. Brackets that do not pair are words.
    """
    stack = [_Open("", 0, [])]
    for line, text in lines:
        if len(stack) == 1 and ELISION_LINE.fullmatch(text):
            stack[0].items.append(Elision(line))
            continue
        for token in lex(text, line):
            _take(stack, token, fixed=fixed)
    while len(stack) > 1:
        broken = stack.pop()
        stack[-1].items += [Word(broken.kind, broken.line), *broken.items]
    return stack[0].items


def _take(stack: list[_Open], token: Item, *, fixed: bool) -> None:
    items = stack[-1].items
    match token:
        case Word(text=text) if text in _PAIRS and len(stack) < _DEEPEST:
            stack.append(_Open(text, token.line, []))
        case Word(text=text) if len(stack) > 1 and text == _PAIRS[stack[-1].kind]:
            _close(stack)
        case Word(text=",") if len(stack) > 1:
            stack[-1].commas.append(len(items))
        case Elision() if len(stack) == 1:
            items.append(Word("...", token.line))
        case Number() if fixed and any(open_.kind == "[" for open_ in stack):
            items.append(msgspec.structs.replace(token, fixed=True))
        case _:
            items.append(token)


def _close(stack: list[_Open]) -> None:
    closed = stack.pop()
    around = stack[-1].items
    before = around[-1] if around else None
    # NumPy 2 shows a scalar as np.float64(1.5), where older versions show 1.5
    if isinstance(before, Word) and _SCALAR.fullmatch(before.text):
        text = before.text in ("np.str_", "np.bytes_")
        # Older versions show a text bare, and a complex number in its brackets.
        group = Group(closed.kind, closed.line, tuple(closed.items), tuple(closed.commas))
        around[-1:] = closed.items if text or len(closed.items) == 1 else [group]
    else:
        around.append(Group(closed.kind, closed.line, tuple(closed.items), tuple(closed.commas)))
