"""Published output against produced output: number by number, as printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from harness.documents.agreement import (
    PrintedPrecision,
    agree,
    are_spelled_alike,
    of_other_decimals,
    precision,
    units,
)
from harness.documents.commas import are_rows_of_arrays, are_set_apart_alike, is_of_an_array
from harness.documents.julia_heads import are_like_heads
from harness.documents.padded import decimals_filled, padded_otherwise
from harness.documents.printed_layout import ANNOTATION, same_layout
from harness.documents.read_brackets import read_brackets
from harness.documents.read_julia import read_julia
from harness.documents.read_r import read_r
from harness.documents.reorder import in_order_of
from harness.documents.row_marks import miscounted
from harness.documents.tokens import ELISION_LINE, Elision, Group, Item, Number, Shape, Word
from harness.model.article import BlockDifference, BlockKind, BlockVerdict, DifferenceKind

MAX_CHARACTERS = 200_000
LANGUAGES = ("r", "python", "julia")
_KEPT = 4_000
"""Characters of a text whose reading is kept."""
_COMMENT = re.compile(r"\s*(?:#>|##) ?")


class _Read(msgspec.Struct, frozen=True):
    """The items of a text, and the formatting that was removed from it."""

    items: tuple[Item, ...]
    annotations: tuple[str, ...]
    commented: bool


def compare_printed(published: str, produced: str, language: str) -> BlockVerdict:
    """Compare what code printed with what its document says that it prints.

    Parameters
    ----------
    published, produced : str
        Two printed texts, of any layout that the language prints.
    language : str
        ``r``, ``python`` or ``julia``; it says how arrays are laid out.

    Returns
    -------
    BlockVerdict
        ``reproduced`` if the texts are equal but for trailing blanks; ``reproduced up to formatting`` if
        every number rounds to its counterpart and every shape and word is the same; ``differs`` with the
        first difference; ``unchecked`` with a reason if that cannot be said.
    """
    if _trim(published) == _trim(produced):
        countable = language in LANGUAGES and len(published) <= MAX_CHARACTERS
        numbers = _count(read_output(published, language)) if countable else 0
        return BlockVerdict(kind=BlockKind.REPRODUCED, numbers=numbers)
    if not published.strip():
        return BlockVerdict(kind=BlockKind.UNCHECKED, reason="the published block is empty")
    if max(len(published), len(produced)) > MAX_CHARACTERS:
        reason = f"more than {MAX_CHARACTERS} characters"
        return BlockVerdict(kind=BlockKind.UNCHECKED, reason=reason)
    if language not in LANGUAGES:
        reason = f"the texts differ, and how {language} prints is not known"
        return BlockVerdict(kind=BlockKind.UNCHECKED, reason=reason)
    if [line.split() for line in _trim(published)] == [line.split() for line in _trim(produced)]:
        # A document that is set in or out has lost the blanks by which Julia's rows are known.
        numbers = _count(read_output(produced, language))
        return BlockVerdict(kind=BlockKind.FORMATTING, reason="blanks", numbers=numbers)
    left, right = (_reading(text, language) for text in same_layout(published, produced, language))
    digits = precision(left.items, language, decimals_filled(published))
    comparison = _Comparison(digits, precision(right.items, language), language)
    # The same array is shown with commas and without.
    bare = any(are_rows_of_arrays(text.items) for text in (left, right))
    comparison.any_commas = language == "python" and bare
    comparison.sequence(left.items, right.items)
    if language == "r" and not comparison.differences and (row := miscounted(published, produced)):
        line, mark, counted = row
        comparison.differences.append(
            BlockDifference(kind="text", published=mark, produced=counted, published_line=line)
        )
    if language == "python" and not comparison.differences and (pad := padded_otherwise(published, produced)):
        line, mine, theirs = pad
        comparison.differences.append(
            BlockDifference(kind="text", published=mine, produced=theirs, published_line=line)
        )
    if left.commented != right.commented:
        comparison.formatting.setdefault("comment prefix")
    if left.annotations != right.annotations:
        comparison.formatting.setdefault("autograd or device annotations")
    return comparison.verdict()


def read_output(text: str, language: str) -> tuple[Item, ...]:
    """Read printed output into numbers, words, shapes, elisions and groups; layout is left out."""
    return _reading(text, language).items


def _reading(text: str, language: str) -> _Read:
    return (_read_once if len(text) <= _KEPT else _read)(text, language)


def _read(text: str, language: str) -> _Read:
    rows = text.split("\n")
    shown = [row for row in rows if row.strip() and not ELISION_LINE.fullmatch(row)]
    commented = bool(shown) and all(_COMMENT.match(row) for row in shown)
    if commented:
        text = "\n".join(_COMMENT.sub("", row, count=1) for row in rows)
    annotations = tuple(re.sub(r"^,\s*", "", annotation) for annotation in ANNOTATION.findall(text))
    plain = ANNOTATION.sub(lambda match: "\n" * match[0].count("\n"), text)
    lines = list(enumerate(plain.split("\n"), 1))
    match language:
        case "r":
            items = read_r(lines)
        case "julia":
            items = read_julia(lines)
        case _:
            items = read_brackets(lines, fixed=True)
    return _Read(tuple(items), annotations, commented)


_read_once = lru_cache(maxsize=512)(_read)
"""An output is compared with its own code's print, and with that of others."""


def _trim(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.splitlines()]
    shown = [number for number, line in enumerate(lines) if line]
    return lines[shown[0] : shown[-1] + 1] if shown else []


class _Comparison:
    """Walks two readings side by side and keeps count."""

    def __init__(self, published: PrintedPrecision, produced: PrintedPrecision, language: str) -> None:
        self.published, self.produced, self.language = published, produced, language
        self.any_commas = False
        self.differences: list[BlockDifference] = []
        self.formatting: dict[str, None] = {}
        self.compared = self.numbers = self.differing = self.coarser = self.unseen = 0

    def verdict(self) -> BlockVerdict:
        """Return the verdict on all items that were compared."""
        if self.differences:
            first = self.differences[0]
            return self._verdict(BlockKind.DIFFERS, str(first), first)
        if self.unseen:
            reason = f"{self.unseen} published numbers fall where the produced output is elided"
            return self._verdict(BlockKind.UNCHECKED, reason)
        if not self.compared:
            return self._verdict(BlockKind.UNCHECKED, "nothing but elisions is left to compare")
        return self._verdict(BlockKind.FORMATTING, ", ".join(self.formatting) or "layout")

    def sequence(self, published: Sequence[Item], produced: Sequence[Item]) -> None:
        """Compare items in order; an elision stands for any number of them."""
        head, tail = _around_elision(published)
        other_head, other_tail = _around_elision(produced)
        if tail is None and other_tail is None:
            self._in_step(published, produced)
        elif other_tail is None and tail is not None:
            self._elided(head, tail, produced)
        elif tail is None and other_tail is not None:
            self._produced_elided(published, other_head, other_tail)
        elif tail is not None and other_tail is not None:
            front, back = min(len(head), len(other_head)), min(len(tail), len(other_tail))
            self._in_step(head[:front], other_head[:front])
            self._in_step(tail[len(tail) - back :], other_tail[len(other_tail) - back :])
            self.unseen += _count([*head[front:], *tail[: len(tail) - back]])

    def _elided(self, head: Sequence[Item], tail: Sequence[Item], produced: Sequence[Item]) -> None:
        if len(produced) < len(head) + len(tail):
            self._in_step([*head, *tail], produced)
            return
        self._in_step(head, produced[: len(head)])
        self._in_step(tail, produced[len(produced) - len(tail) :])

    def _produced_elided(self, published: Sequence[Item], head: Sequence[Item], tail: Sequence[Item]) -> None:
        if len(published) < len(head) + len(tail):
            self._in_step(published, [*head, *tail])
            return
        end = len(published) - len(tail)
        self._in_step(published[: len(head)], head)
        self._in_step(published[end:], tail)
        self.unseen += _count(published[len(head) : end])

    def _in_step(self, published: Sequence[Item], produced: Sequence[Item]) -> None:
        for left, right in zip(published, produced, strict=False):
            if not self._item(left, right):
                return  # out of step: what follows would be compared with the wrong things
        if len(published) > len(produced):
            missing = published[len(produced)]
            self._differ("missing", missing, None)
            self._alone(published[len(produced) :])
        elif len(produced) > len(published):
            self._differ("extra", None, produced[len(published)])
            self._alone(produced[len(published) :])

    def _alone(self, items: Sequence[Item]) -> None:
        """Count numbers that stand in one text only."""
        self.numbers += _count(items)
        self.differing += _count(items)

    def _item(self, left: Item, right: Item) -> bool:
        self.compared += not isinstance(left, Group)
        match left, right:
            case Number(), Number():
                self._number(left, right)
            case Group(kind="{"), Group(kind="{") if (order := in_order_of(left, right)) is not None:
                self.formatting.setdefault("order of a set or dict")
                self._group(left, right, order)
            case Group(), Group() if left.kind == right.kind:
                self._group(left, right, right.items)
            case Shape(), Shape():
                if not are_like_heads(left, right):
                    self._differ("shape", left, right)
                elif left.text != right.text:
                    self.formatting.setdefault("type names")
            case Word(), Word() if left.text == right.text:
                if left.raw != right.raw:
                    self.formatting.setdefault("addresses" if left.text == "0x" else "type names")
            case Word(), Word():
                self._differ("text", left, right)
                return False
            case _:
                self._differ("structure", left, right)
                return False
        return True

    def _group(self, left: Group, right: Group, order: Sequence[Item]) -> None:
        found = len(self.differences)
        self.sequence(left.items, order)
        if len(self.differences) > found:
            return
        if self.language == "r" and (odd := of_other_decimals(left.items, right.items)) is not None:
            self._differ("number", *odd)
        elif not (self.any_commas and is_of_an_array(left)) and not are_set_apart_alike(left, right):
            mine, theirs = (f"{group.kind} with {len(group.commas)} commas" for group in (left, right))
            self._differ("text", Word(mine, left.line), Word(theirs, right.line))

    def _number(self, left: Number, right: Number) -> None:
        self.numbers += 1
        close, coarser = agree(left, right, self.published, self.produced)
        if not close or not are_spelled_alike(left, right, self.produced):
            self.differing += 1
            self._differ("number", left, right, units(left, right))
            return
        self.coarser += coarser
        if coarser:
            self.formatting.setdefault("fewer digits than published")
        elif left.text.lstrip("+-") != right.text.lstrip("+-"):
            self.formatting.setdefault("digits")
        elif left.text != right.text:
            self.formatting.setdefault("sign of zero")

    def _differ(
        self, kind: DifferenceKind, left: Item | None, right: Item | None, far: float | None = None
    ) -> None:
        block_difference = BlockDifference(
            kind=kind,
            published=_show(left),
            produced=_show(right),
            published_line=left.line if left else 0,
            produced_line=right.line if right else 0,
            units=far,
        )
        self.differences.append(block_difference)

    def _verdict(self, kind: BlockKind, reason: str, first: BlockDifference | None = None) -> BlockVerdict:
        return BlockVerdict(
            kind=kind,
            reason=reason,
            numbers=self.numbers,
            differing=self.differing,
            coarser=self.coarser,
            unseen=self.unseen,
            formatting=tuple(self.formatting),
            first=first,
        )


def _around_elision(items: Sequence[Item]) -> tuple[Sequence[Item], Sequence[Item] | None]:
    """Split at elisions: what comes before the first, and what after the last, or None if there is none."""
    places = [place for place, item in enumerate(items) if isinstance(item, Elision)]
    return (items[: places[0]], items[places[-1] + 1 :]) if places else (items, None)


def _count(items: Sequence[Item]) -> int:
    return sum(_count(item.items) if isinstance(item, Group) else isinstance(item, Number) for item in items)


_CLOSED = {"(": "()", "[": "[]", "{": "{}"}
"""Brackets that groups stand in, by the first."""


def _show(item: Item | None) -> str:
    match item:
        case Number(text=text) | Shape(text=text) | Word(text=text, raw=""):
            return text
        case Word(raw=raw):
            return raw
        case Group():
            closed = _CLOSED.get(item.kind)
            return f"a {'group' if closed else item.kind} of {len(item.items)}" + f" in {closed}" * bool(
                closed
            )
        case Elision():
            return "..."
        case None:
            return ""
