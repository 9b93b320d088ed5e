"""Lines of one program with what the other program writes in its counterparts of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from harness.programs.called_there import CalledThere
from harness.programs.code_tokens import tokens_of_line
from harness.programs.common_form import common_form
from harness.programs.expressions import Node, expression
from harness.programs.match import Matching
from harness.programs.operands import TABLES, Edit, Operands
from harness.programs.replace import Side
from harness.programs.rewritten import OPERATORS, Unwritten, Writer
from harness.programs.slots import Slot, slots, statement

_MOST, _MOST_NAMES = 4, 2
"""Texts that are tried of two lines; counterparts of a name."""
_MOST_STEPS = 24
"""Operands that are tried of two lines."""
_LEAST = 0.4
"""Share of their words that two expressions have to have in common."""
_IMPORTED = re.compile(r"^\s*(?:import +([\w.]+)(?: +as +(\w+))?|from +[\w.]+ +import +(.+))")
_WORDS, _NEVER = frozenset(TABLES["words"]), frozenset(TABLES["never"])
_STEPS = frozenset({"+", "-", "*", "/", "**", "times"})
_ALONG = re.compile(r"axis|dims?\b|rowSums|colSums|rowMeans|colMeans|apply")


class Borrowing:
    """What lines of a program would be if they were written as the other program's are.

    Parameters
    ----------
    sides : tuple of Side
        The two programs.
    matching : Matching
        Of their units.
    """

    def __init__(self, sides: tuple[Side, Side], matching: Matching) -> None:
        self._sides = sides
        self._lines = tuple(side.recorded.program.source for side in sides)
        self._names = tuple(CalledThere(sides, matching, number) for number in (0, 1))
        self._modules = tuple(map(_modules, self._lines))

    def edits(self, side: int, line: int, other: int) -> list[Edit]:
        """A line (from 1) of one program with what stands in a line of the other, the likest first.

        Parameters
        ----------
        side : int
            Which program is changed.
        line, other : int
            Of it, and of the other.
        """
        mine = self._lines[side][line - 1]
        theirs = statement(self._lines[1 - side], other)
        if _reaches_outside(mine) or _reaches_outside(theirs):
            return []
        languages = self._sides[side].language, self._sides[1 - side].language
        found: dict[str, tuple[float, Edit]] = {}
        for one in slots(languages[1], theirs):
            tree = self._tree(1 - side, one)
            for slot in slots(languages[0], mine):
                if slot.sort != one.sort:
                    continue
                texts = []
                if languages[0] == languages[1]:
                    texts += self._renamed(side, one, line, other, slot)
                if tree is not None:
                    texts += self._written(side, tree, line, other, slot)
                for text in texts:
                    near = _near(text, slot.text)
                    if near >= _LEAST and not _is_same(text, slot):
                        edit = _with(mine, slot, text)
                        found.setdefault(_plain(edit.text), (near, edit))
        whole = [edit for _, edit in sorted(found.values(), key=lambda one: -one[0])][:_MOST]
        return [*whole, *self._steps(side, line, other)][: _MOST + _MOST_STEPS]

    def _steps(self, side: int, line: int, other: int) -> Iterator[Edit]:
        """With an operand more that the other line has beside one of its own, and this line has not."""
        language, mine = self._sides[side].language, self._lines[side][line - 1]
        wholes = [
            slots(one, text)[:1]
            for one, text in (
                (language, mine), (self._sides[1 - side].language, statement(self._lines[1 - side], other)),
            )
        ]  # fmt: skip
        if not all(wholes) or (tree := self._tree(1 - side, wholes[1][0])) is None:
            return
        slot = wholes[0][0]
        known = _plain(slot.text)
        operands = [*Operands(language, mine).operands()]
        for operator, step, behind in dict.fromkeys(_steps_of(tree)):
            text = next(self._written(side, step, line, other, slot, guess=False), "")
            if not text or _plain(text) in known:
                continue
            text = f"({text})" if step.sort in ("binary", "unary", "choice", "range") else text
            sign = OPERATORS[language].get(operator, operator)
            for start, end in operands:
                if slot.start <= start and end <= slot.end and not mine[start].isdigit():
                    own = mine[start:end]
                    new = f"({own} {sign} {text})" if behind else f"({text} {sign} {own})"
                    yield Edit(mine[:start] + new + mine[end:], own, new, "borrowed step")

    def _renamed(self, side: int, one: Slot, line: int, other: int, slot: Slot) -> list[str]:
        """The other's text with this program's names, in the same language."""
        if one.added_to is not None:
            return []
        own = {token.text for token in tokens_of_line(slot.text) if token.kind == "name"}
        made, at = "", 0
        tokens = tokens_of_line(one.text)
        for n, token in enumerate(tokens):
            called = n + 1 < len(tokens) and tokens[n + 1].text == "("
            if (
                token.kind != "name"
                or token.text in _WORDS
                or (n + 1 < len(tokens) and tokens[n + 1].text == "=")
            ):
                continue
            head, dot, rest = (
                token.text.partition(".") if self._sides[side].language != "r" else (token.text, "", "")
            )
            if head in self._modules[1 - side]:
                if head not in self._modules[side]:
                    return []
                continue
            if called and not dot:
                name = self._names[side].functions.get(head, head)
            else:
                whole = [] if called else self._names[side].of(token.text, line, other, own)
                of_head = self._names[side].of(head, line, other, own) if not whole else []
                name = whole[0] if whole else of_head[0] + dot + rest if of_head else token.text
            made += one.text[at : token.start] + name
            at = token.end
        return [made + one.text[at:]]

    def _tree(self, side: int, slot: Slot) -> Node | None:
        language = self._sides[side].language
        tree = expression(language, slot.text, self._modules[side])
        if tree is not None and slot.added_to is not None:
            before = expression(language, slot.added_to[0], self._modules[side])
            tree = None if before is None else Node("binary", slot.added_to[1], (before, tree))
        if tree is None:
            return None
        return common_form(tree, language, "pd" in self._modules[side])

    def _written(
        self, side: int, tree: Node, line: int, other: int, slot: Slot, guess: bool = True
    ) -> Iterator[str]:
        language = self._sides[side].language
        own = {one.text for one in tokens_of_line(slot.text) if one.kind == "name"}
        options = {
            name: self._names[side].of(name, line, other, own)[:_MOST_NAMES]
            for name in sorted(_names_of(tree))
        }
        lacking = [name for name, those in options.items() if not those]
        if lacking:
            taken = {text for those in options.values() for text in those[:1]}
            free = [name for name in self._names[side].variables(slot.text) if name not in taken]
            if not guess or len(lacking) != 1 or len(free) != 1:
                return
            options[lacking[0]] = free
        functions = self._names[side].functions
        module = _module(self._modules[side])
        kinds = (False, True) if _multiplies(tree) and language != "julia" else (False,)
        if not _ALONG.search(slot.text):
            # What one program does for all rows, the other may do for each.
            tree = _of_each(tree)
        for matrices in kinds:
            for chosen in list(product(*options.values()))[:_MOST]:
                known = dict(zip(options, chosen, strict=True))
                try:
                    yield Writer(language, known.get, functions.get, module, matrices).text(tree)
                except Unwritten:
                    return


def _reaches_outside(text: str) -> bool:
    return any(not _NEVER.isdisjoint((one.text, *one.text.split("."))) for one in tokens_of_line(text))


def _names_of(tree: Node) -> set[str]:
    own = {tree.text} if tree.sort == "name" else set[str]()
    return own.union(*map(_names_of, tree.parts))


def _of_each(tree: Node) -> Node:
    """An expression with functions of all elements for those along an axis."""
    text = tree.text.partition("|")[0] if tree.sort == "call" else tree.text
    return tree._replace(text=text, parts=tuple(map(_of_each, tree.parts)))


def _steps_of(tree: Node) -> Iterator[tuple[str, Node, bool]]:
    """The operands of an expression with their operators, and whether they stand behind them."""
    if tree.sort == "binary" and tree.text in _STEPS:
        yield tree.text, tree.parts[1], True
        yield tree.text, tree.parts[0], False
    for one in tree.parts:
        yield from _steps_of(one)


def _multiplies(tree: Node) -> bool:
    """Whether something is multiplied of which it is not said whether it is a matrix."""
    if tree.sort == "binary" and tree.text == "times" and not any(one.sort == "number" for one in tree.parts):
        return True
    return any(map(_multiplies, tree.parts))


def _modules(lines: Sequence[str]) -> Mapping[str, str]:
    """What a Python program imports, by the name that it has there."""
    found: dict[str, str] = {}
    for line in lines:
        if match := _IMPORTED.match(line):
            if match[3]:
                names = [one.split(" as ")[-1].strip(" ()") for one in match[3].split(",")]
                found.update(dict.fromkeys(names, ""))
            else:
                found[(match[2] or match[1]).partition(".")[0]] = match[1]
    return found


def _module(modules: Mapping[str, str]) -> str:
    return next((f"{name}." for name in ("np", "torch", "math") if name in modules), "")


def _with(line: str, slot: Slot, text: str) -> Edit:
    if slot.added_to is not None:
        start, _ = slot.set_at
        return Edit(f"{line[:start]}= {text}{line[slot.end :]}", line[start : slot.end], text, "borrowed")
    return Edit(line[: slot.start] + text + line[slot.end :], slot.text, text, "borrowed")


def _bag(text: str) -> Counter[str]:
    return Counter(
        one.text.lstrip(".").rpartition(".")[2] or one.text
        for one in tokens_of_line(text)
        if one.kind != "mark"
    )


def _near(one: str, other: str) -> float:
    first, second = _bag(one), _bag(other)
    return 2 * (first & second).total() / max(1, first.total() + second.total())


def _plain(text: str) -> str:
    return "".join(text.split())


def _is_same(text: str, slot: Slot) -> bool:
    return slot.added_to is None and _plain(text) == _plain(slot.text)
