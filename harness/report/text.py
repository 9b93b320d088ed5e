"""Text that a report shows: nothing invisible, nothing that reorders its line, numbers in few digits."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from harness.model import Cell, ErrorStats, Precision, Verdict

LONGEST = 120
"""Characters of a name that a table shows."""

SIGNS = {
    Verdict.PASS: "✓",
    Verdict.FAIL: "✗",
    Verdict.XFAIL: "≈",
    Verdict.XPASS: "✗",
    Verdict.ERROR: "!",
    Verdict.TIMEOUT: "!",
    Verdict.UNSUPPORTED: "–",
    Verdict.NOT_RUN: "–",
}

# Controls, halves of surrogate pairs, marks of direction, and characters that Unicode says are none.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Write out what cannot be seen, or turns the line around, as ``\\u202e``; tabs and newlines stay."""
    return _INVISIBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def short(text: str, longest: int = LONGEST) -> str:
    """The beginning of a text that is too long for a table."""
    text = visible(text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def number(value: float | None) -> str:
    """Three digits; nothing for None."""
    if value is None:
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.3g}"


def seconds(value: float | None) -> str:
    """A time in a unit that fits."""
    if value is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return "0 s" if value == 0 else f"{value / 1e-9:.3g} ns"


def index(place: Iterable[int] | None) -> str:
    """The place of an element, or nothing."""
    return "" if place is None else f"[{', '.join(map(str, place))}]"


def figures(stats: ErrorStats | None, limit: float | None = None) -> str:
    """The errors of a comparison in one line."""
    if stats is None:
        return ""
    at = f" at {index(stats.max_abs_index)}" if stats.max_abs_index is not None else ""
    parts = [
        f"max abs {number(stats.max_abs)}{at}",
        f"max rel {number(stats.max_rel)}",
        f"{number(stats.max_ulp)} ULP",
        "" if limit is None else f"limit {number(limit)}",
    ]
    return ", ".join(filter(None, parts))


def case_label(case: str, precision: Precision) -> str:
    """A case's name, with the precision where it is not float64."""
    return case if precision is Precision.FLOAT64 else f"{case} {precision}"


def how(cell: Cell) -> str:
    """Mode, precision and check of a cell."""
    return f"{cell.mode}, {cell.precision}, {cell.check}"


def listed(names: Iterable[str], *, last: str = "and") -> str:
    """Names as a sentence lists them."""
    *before, end = list(names) or [""]
    return f"{', '.join(before)} {last} {end}" if before else end


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"
