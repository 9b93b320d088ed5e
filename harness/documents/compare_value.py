"""A value that a comment gives, such as ``# => [1, 2]``, against what the statement before it shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from harness.documents.agreement import agree, precision, units
from harness.documents.compare_printed import compare_printed, read_output
from harness.documents.julia_heads import are_like_heads
from harness.documents.tokens import Elision, Group, Item, Number, Shape, Word
from harness.model.article import BlockDifference, BlockKind, BlockVerdict

_CUT = re.compile(r"(?P<digits>[-+]?\d+\.\d+)(?:\.\.\.|…)")
_MARKS = re.compile(r"^\s*#+\s?", re.MULTILINE)
_COUNTED = re.compile(r"^[ \t]*\[\d+\](?= )", re.MULTILINE)
"""R counts the values of a vector at the start of each line."""
_GENERIC = re.compile(r"\w+ \(generic function with \d+ methods?\)")
_HEADER = re.compile(r"^[^\n]*(?:-element|×)[^\n]*:?$", re.MULTILINE)
_SCALAR = re.compile(r"(?:\[1\] )?[-+]?[\d.]+(?:[eE][-+]?\d+)?")
_PLAIN = re.compile(r"(?:\[1\] )?(?:\"[^\"\n]*\"|'[^'\n]*'|[Tt]rue|[Ff]alse|TRUE|FALSE)")
_SHARED = 2
"""Elements that two lists share at least, in their order."""
_ROWS, _PAIR = 3, 2
_AGREES = (BlockKind.REPRODUCED, BlockKind.FORMATTING)


def compare_value(published: str, produced: str, language: str, *, certain: bool = False) -> BlockVerdict:
    """Compare the value in a comment with what was shown.

    A comment may give the value in a layout of its own, round it, cut it with dots, and say more than the
    value: only another number, in the same place among as many, is a difference.

    Parameters
    ----------
    published, produced : str
        The comment, and what the code printed up to its statement.
    language : str
        ``r``, ``python`` or ``julia``.
    certain : bool
        Whether the comment calls itself an output: of two words too, one is then another.

    Returns
    -------
    BlockVerdict
        ``unchecked`` where the comment cannot be held to what was printed.
    """
    published = _MARKS.sub("", published).strip()
    shown = _GENERIC.sub("", produced).strip()
    for candidate in (produced.strip(), shown, _last(shown)):
        for text in (published, published.strip("\"'")):
            verdict = compare_printed(text, candidate, language)
            if verdict.kind in _AGREES:
                return verdict
    if not shown:
        return _unchecked("the statement before the comment shows nothing")
    if language == "r" and _COUNTED.sub("", published).split() == _COUNTED.sub("", shown).split():
        return BlockVerdict(kind=BlockKind.FORMATTING, reason="layout")
    cut = _cut(published, shown)
    if cut is not None:
        return cut
    return _numbers(published, shown, language, fewest=_PAIR if certain else _ROWS + 1)


def _last(text: str) -> str:
    return text.rsplit("\n", 1)[-1]


def _cut(published: str, shown: str) -> BlockVerdict | None:
    """Judge one number that was cut with dots: its digits are those that stand first."""
    found = _CUT.fullmatch(published)
    if found is None:
        return None
    if found["digits"] in shown:
        return BlockVerdict(kind=BlockKind.FORMATTING, reason="cut", numbers=1, formatting=("digits",))
    return None


def _numbers(published: str, shown: str, language: str, *, fewest: int) -> BlockVerdict:
    headless = _HEADER.sub("", shown)
    mine, theirs = read_output(published, language), read_output(headless, language)
    left, right = list(_flat(mine)), list(_flat(theirs))
    words = [item.text for item in left if isinstance(item, Word)]
    others = [item.text for item in right if isinstance(item, Word)]
    numbers = [item for item in left if isinstance(item, Number)]
    given = [item for item in right if isinstance(item, Number)]
    if language == "julia" and (head := _other_head(mine, read_output(shown, language))) is not None:
        return head
    if not numbers and _plain_values(published, shown):
        if _bare(published) == _bare(shown):
            return BlockVerdict(kind=BlockKind.FORMATTING, reason="quotes", formatting=("quotes",))
        text = BlockDifference(kind="text", published=published, produced=shown, published_line=1)
        return BlockVerdict(kind=BlockKind.DIFFERS, reason=str(text), first=text)
    if (lists := _other_elements(published, shown)) is not None:
        return lists
    if words != others or len(numbers) != len(given) or not numbers:
        last = _last(shown)
        if len(numbers) == 1 and not words and last != shown and _SCALAR.fullmatch(last):
            return _numbers(published, last, language, fewest=fewest)
        if _are_rows(published, shown) or _is_one_word_else(published, shown, fewest):
            return compare_printed(published, shown, language)
        return _unchecked("the comment may say something else than what is shown")
    differing = 0
    first: BlockDifference | None = None
    for number, other in zip(numbers, given, strict=True):
        close, _ = agree(number, other, precision(mine, language), precision(theirs, language))
        if not close:
            differing += 1
            first = first or BlockDifference(
                kind="number",
                published=number.text,
                produced=other.text,
                published_line=number.line,
                produced_line=other.line,
                units=units(number, other),
            )
    if first is None:
        return BlockVerdict(kind=BlockKind.FORMATTING, reason="layout", numbers=len(numbers))
    return BlockVerdict(
        kind=BlockKind.DIFFERS, reason=str(first), numbers=len(numbers), differing=differing, first=first
    )


def _other_head(published: Sequence[Item], produced: Sequence[Item]) -> BlockVerdict | None:
    """Judge a comment that gives the head of an array too, as Julia prints it, where that is another."""
    heads, others = ([item for item in items if isinstance(item, Shape)] for items in (published, produced))
    if len(heads) != len(others):
        return None
    for head, other in zip(heads, others, strict=True):
        if not are_like_heads(head, other):
            found = BlockDifference(
                kind="shape",
                published=head.text,
                produced=other.text,
                published_line=head.line,
                produced_line=other.line,
            )
            return BlockVerdict(kind=BlockKind.DIFFERS, reason=str(found), first=found)
    return None


def _are_rows(published: str, shown: str) -> bool:
    """Whether a comment is of several lines, most of which are printed, in their order."""
    left, right = ([" ".join(row.split()) for row in text.split("\n")] for text in (published, shown))
    return len(left) >= _ROWS and _share_most(left, right)


def _is_one_word_else(published: str, shown: str, fewest: int) -> bool:
    """Whether a comment is a line of several words, all but one of which are printed, in their places."""
    left, right = (text.split() for text in (published, shown))
    apart = sum(one != other for one, other in zip(left, right, strict=False))
    return "\n" not in shown and len(left) == len(right) >= fewest and apart == 1


def _share_most(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether two lists share several elements in their order, and half of the longer one."""
    same = SequenceMatcher(None, left, right, autojunk=False)
    alike = sum(block.size for block in same.get_matching_blocks())
    return alike >= _SHARED and 2 * alike >= max(len(left), len(right))


def _other_elements(published: str, shown: str) -> BlockVerdict | None:
    """Judge a list or tuple of Python that has other elements than the one that is shown, and shares most."""
    try:
        left, right = (ast.literal_eval(text) for text in (published, _last(shown)))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    if not isinstance(left, list | tuple) or type(left) is not type(right) or len(left) == len(right):
        return None
    if not _share_most([repr(one) for one in left], [repr(one) for one in right]):
        return None
    found = BlockDifference(kind="structure", published=published, produced=_last(shown), published_line=1)
    numbers = abs(len(left) - len(right))
    return BlockVerdict(
        kind=BlockKind.DIFFERS,
        reason=str(found),
        numbers=max(len(left), len(right)),
        differing=numbers,
        first=found,
    )


def _plain_values(published: str, shown: str) -> bool:
    """Whether both are one string or one truth value, and no more is said."""
    return bool(_PLAIN.fullmatch(published) and _PLAIN.fullmatch(shown))


def _bare(value: str) -> str:
    value = value.removeprefix("[1] ")
    return value[1:-1] if value[0] in "\"'" else value.lower()


def _flat(items: Iterable[Item]) -> Iterable[Item]:
    """Return numbers and words without brackets, commas and shapes."""
    for item in items:
        match item:
            case Group():
                yield from _flat(item.items)
            case Shape() | Elision():
                pass
            case Word(text=text) if not any(char.isalnum() for char in text):
                pass
            case _:
                yield item


def _unchecked(reason: str) -> BlockVerdict:
    return BlockVerdict(kind=BlockKind.UNCHECKED, reason=reason)
