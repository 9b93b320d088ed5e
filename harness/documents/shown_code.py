"""Which statements of a chunk of R knitr shows, where its option ``echo`` counts them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.documents.model import Chunk
from harness.documents.scan import scan

_COUNTED = re.compile(
    r"(?P<minus>-?)\s*(?:c\((?P<list>[-\d\s,:L]+)\)|\(?(?P<one>-?\d+L?(?:\s*:\s*-?\d+L?)?)\)?)"
)
_RANGE = re.compile(r"\s*(?P<first>-?\d+)(?:\s*:\s*(?P<last>-?\d+))?\s*")
_MOST = 10_000


def shown_lines(chunk: Chunk) -> frozenset[int] | None:
    """Return the lines of a chunk's code that are shown.

    Parameters
    ----------
    chunk : Chunk
        From the source of a rendered document.

    Returns
    -------
    frozenset of int or None
        Lines of ``code``, counted from 1; None where ``echo`` counts no statements, or they cannot be told
        apart. ``echo = -1`` shows all but the first, ``echo = c(1, 3)`` those two.
    """
    counted = _counted(chunk.options.get("echo"))
    lines = scan(chunk.code, "r") if counted and chunk.language == "r" else None
    if lines is None or any(";" in line.code for line in lines):
        return None
    shown: set[int] = set()
    mine: list[int] = []
    statement = 1
    for number, line in enumerate(lines, 1):
        mine.append(number)
        if line.ends:
            if (statement in counted) if min(counted) > 0 else (-statement not in counted):
                shown.update(mine)
            statement, mine = statement + 1, []
    return frozenset(shown)


def _counted(echo: object) -> frozenset[int]:
    """Return the numbers of ``echo``, all of one sign; nothing where it is no list of numbers."""
    if isinstance(echo, bool) or not isinstance(echo, int | str):
        return frozenset()
    found = _COUNTED.fullmatch(str(echo).strip())
    if found is None:
        return frozenset()
    sign = -1 if found["minus"] else 1
    numbers = frozenset(sign * number for number in _numbers(found["list"] or found["one"]))
    mixed = 0 in numbers or (numbers and (min(numbers) < 0) != (max(numbers) < 0))
    return frozenset() if mixed else numbers


def _numbers(text: str) -> Iterator[int]:
    for part in text.replace("L", "").split(","):
        found = _RANGE.fullmatch(part)
        if found is None:
            yield 0
            return
        first, last = int(found["first"]), int(found["last"] or found["first"])
        if abs(last - first) > _MOST:
            yield 0
            return
        yield from range(min(first, last), max(first, last) + 1)
