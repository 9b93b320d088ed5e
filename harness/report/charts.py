"""Charts as SVG: the stages of a case against their limits, curves, and how they part."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec
from markupsafe import Markup

from harness.model import Case, Cell, Mode, Verdict
from harness.report import view
from harness.report.svg import group, marker, tag
from harness.report.text import number, share, short

COLUMN, LEFT, TOP, HEIGHT = 62, 74, 26, 180
LOWEST, HIGHEST = -4, 4
"""Powers of ten of error/limit that a strip shows; values beyond are drawn on its edge."""

_WIDTH, _CURVE_HEIGHT = 430, 180
_POINTS = 240


class Strip(msgspec.Struct, frozen=True, kw_only=True):
    """What a stage strip shows: cells by (stage, implementation, mode), in running order."""

    title: str
    stages: tuple[str, ...]
    series: Mapping[str, int]
    cells: Mapping[tuple[str, str, Mode], Cell]
    first: Mapping[str, str]
    case: Case | None


def strip(shown: Strip) -> Markup:
    """Draw each stage's own and whole error as a share of its limit, and what it takes its inputs from.

    Parameters
    ----------
    shown : Strip
        ``first`` says, by implementation, at which stage it parts from the rest.
    """
    width = LEFT + COLUMN * len(shown.stages) + 12
    arcs = _arcs(shown)
    depth = 26 + 11 * max((abs(right - left) for left, right in arcs), default=0) ** 0.75 if arcs else 14
    bottom = TOP + HEIGHT
    parts = [*_scale(width), *_columns(shown, bottom)]
    for place, name in enumerate(shown.stages):
        parts += _marks(shown, place, name)
    labels = [
        tag(
            "text",
            short(name, 24),
            x=LEFT + COLUMN * (place + 0.5) + 4,
            y=bottom + depth + 14,
            transform=f"rotate(30 {LEFT + COLUMN * (place + 0.5):.0f} {bottom + depth + 14:.0f})",
        )
        for place, name in enumerate(shown.stages)
    ]
    parts += [group([_arc(left, right, bottom, depth) for left, right in arcs], class_="arcs"), *labels]
    longest = max((len(short(name, 24)) for name in shown.stages), default=0)
    return _picture(
        f"Stages of {shown.title}: error as a share of the limit, log scale; the table below has the numbers",
        width + 60,
        bottom + depth + 30 + longest * 3.6,
        parts,
        "strip",
    )


def curves(
    title: str,
    series: Mapping[str, Sequence[float]],
    *,
    log: bool,
    unit: str,
    places: Mapping[str, int] | None = None,
) -> Markup:
    """Draw one line for each name, against 1, 2, 3, ...

    Parameters
    ----------
    title : str
        What the chart shows, for those who cannot see it.
    series : mapping of str to sequence of float
        What is not finite is a gap; so are zeros and what is below on a log scale.
    log : bool
        Whether the scale is logarithmic.
    unit : str
        What the numbers are.
    places : mapping of str to int, optional
        Which colour and shape each name has, counted from 0; by default in the order of ``series``.
    """
    scaled = {name: [_scaled(value, log) for value in values] for name, values in series.items()}
    seen = [value for values in scaled.values() for value in values if value is not None]
    right, bottom = LEFT + _WIDTH, TOP + _CURVE_HEIGHT
    if not seen:
        return _picture(
            f"{title}: nothing to draw", right + 20, 40, [tag("text", "all zero", x=10, y=24)], "curves"
        )
    low, high = _range(seen, log)
    length = max(map(len, scaled.values()))
    parts = []
    for tick in _ticks(low, high, log):
        y = bottom - _CURVE_HEIGHT * (tick - low) / (high - low)
        parts.append(tag("path", class_="grid", d=f"M{LEFT} {y:.1f}H{right}"))
        text = _power(int(tick)) if log else f"{tick:.4g}"
        parts.append(tag("text", text, x=LEFT - 8, y=y + 4, text_anchor="end"))
    parts.append(tag("text", unit, x=LEFT, y=TOP - 10))
    parts.append(tag("text", "1", x=LEFT, y=bottom + 18))
    parts.append(tag("text", f"{length}", x=right, y=bottom + 18, text_anchor="end"))
    places = {name: place for place, name in enumerate(series)} if places is None else places
    for name, values in scaled.items():
        place = places[name]
        steps = _thinned(len(values))
        points = [
            None
            if values[step] is None
            else (
                LEFT + _WIDTH * step / max(length - 1, 1),
                bottom - _CURVE_HEIGHT * ((values[step] or 0.0) - low) / (high - low),
            )
            for step in steps
        ]
        parts.append(_line(place, name, points))
        parts += _signs(place, name, points)
    return _picture(title, right + 20, bottom + 28, parts, "curves")


def bounds(values: Sequence[float]) -> tuple[float, float] | None:
    """The least and the largest finite number, None if there is none."""
    finite = [value for value in values if math.isfinite(value)]
    return (min(finite), max(finite)) if finite else None


def _picture(title: str, width: float, height: float, parts: Sequence[Markup], kind: str) -> Markup:
    return tag(
        "svg",
        *parts,
        class_=kind,
        role="img",
        aria_label=title,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=math.ceil(width),
        height=math.ceil(height),
    )


def _scale(width: float) -> list[Markup]:
    parts = [
        tag("rect", class_="beyond", x=LEFT, y=TOP, width=width - LEFT, height=_height(0.0) - TOP),
        tag("text", "error / limit", x=4, y=TOP - 12),
    ]
    for power in range(LOWEST, HIGHEST + 1, 2):
        y = _height(power)
        kind = "limit" if power == 0 else "grid"
        parts.append(tag("path", class_=kind, d=f"M{LEFT} {y:.1f}H{width}"))
        text = {0: "limit", HIGHEST: f"≥ {_power(HIGHEST)}", LOWEST: f"≤ {_power(LOWEST)}"}.get(
            power, _power(power)
        )
        parts.append(tag("text", text, x=LEFT - 8, y=y + 4, text_anchor="end"))
    parts.append(tag("path", class_="grid", d=f"M{LEFT} {TOP + HEIGHT:.1f}H{width}"))
    parts.append(tag("text", "no error", x=LEFT - 8, y=TOP + HEIGHT + 4, text_anchor="end"))
    return parts


def _columns(shown: Strip, bottom: float) -> list[Markup]:
    parts = []
    firsts: dict[str, list[str]] = {}
    for implementation, stage in shown.first.items():
        firsts.setdefault(stage, []).append(implementation)
    for place, name in enumerate(shown.stages):
        if name in firsts:
            x = LEFT + COLUMN * place
            parts.append(tag("rect", class_="first", x=x, y=TOP, width=COLUMN, height=bottom - TOP))
            text = f"▼ first divergence: {', '.join(firsts[name])}"
            anchor = "end" if place > len(shown.stages) / 2 else "start"
            at = x + COLUMN if anchor == "end" else x
            parts.append(tag("text", short(text, 60), class_="firsts", x=at, y=TOP - 10, text_anchor=anchor))
    return parts


def _marks(shown: Strip, place: int, stage: str) -> list[Markup]:
    parts = []
    step = (COLUMN - 14) / max(len(shown.series), 1)
    for at, (name, series) in enumerate(shown.series.items()):
        x = LEFT + COLUMN * place + 7 + step * (at + 0.5)
        isolated = shown.cells.get((stage, name, Mode.ISOLATED))
        fed = shown.cells.get((stage, name, Mode.CHAINED))
        heights = [_share(cell) for cell in (isolated, fed) if cell is not None]
        ends = [height for height in heights if height is not None]
        if len(ends) == 2 and ends[0] != ends[1]:
            parts.append(tag("path", class_=f"s{series % 8} stem", d=f"M{x:.1f} {ends[0]:.1f}V{ends[1]:.1f}"))
        for cell, filled in ((fed, False), (isolated, True)):
            y = None if cell is None else _share(cell)
            if cell is not None and y is not None:
                what = "own" if filled else "with inherited"
                size = "" if cell.stats is None else f" {share(cell.stats.used)}"
                title = f"{name}, {stage}, {what}: {cell.verdict}{size}"
                parts.append(marker(series, x, y, filled=filled, title=short(title, 300)))
    return parts


def _share(cell: Cell) -> float | None:
    """Return a cell's height by error/limit; a cell that could not be compared is on the upper edge."""
    if cell.stats is None:
        return _height(HIGHEST) if cell.verdict in view.FAILING | {Verdict.XFAIL} else None
    used = cell.stats.used
    if (cell.verdict is Verdict.FAIL and used <= 1.0) or math.isnan(used):
        used = math.inf
    if used == 0.0:
        return float(TOP + HEIGHT)
    return _height(math.inf if math.isinf(used) else math.log10(used))


def _height(power: float) -> float:
    """The height of a power of ten, above the row of those without any error."""
    clipped = min(max(power, LOWEST), HIGHEST)
    return TOP + 8 + (HEIGHT - 32) * (HIGHEST - clipped) / (HIGHEST - LOWEST)


def _arcs(shown: Strip) -> list[tuple[int, int]]:
    """Return pairs of columns: the first feeds the second."""
    if shown.case is None:
        return []
    column = {name: place for place, name in enumerate(shown.stages)}
    arcs = {
        (column[name], column[value.name]): None
        for stage in shown.case.stages
        for value in stage.outputs
        for name in stage.inputs
        if name in column and value.name in column
    }
    return list(arcs)


def _arc(left: int, right: int, top: float, depth: float) -> Markup:
    a, b = (LEFT + COLUMN * (place + 0.5) for place in (left, right))
    sag = min(16 + 11 * abs(right - left) ** 0.75, depth)
    path = f"M{a:.0f} {top + 5:.0f}C{a:.0f} {top + sag:.0f} {b:.0f} {top + sag:.0f} {b:.0f} {top + 5:.0f}"
    return tag("path", d=path)


def _power(power: int) -> str:
    return "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _scaled(value: float, log: bool) -> float | None:
    if not math.isfinite(value) or (log and value <= 0.0):
        return None
    return math.log10(value) if log else value


def _range(seen: Sequence[float], log: bool) -> tuple[float, float]:
    low, high = min(seen), max(seen)
    if log:
        low, high = math.floor(low), math.ceil(high)
    return (low - 0.5, high + 0.5) if high - low < 1e-300 else (low, high)


def _ticks(low: float, high: float, log: bool) -> list[float]:
    if log:
        step = max(1, math.ceil((high - low) / 6))
        return [float(tick) for tick in range(math.ceil(low), math.floor(high) + 1, step)]
    return [low + (high - low) * part / 4 for part in range(5)]


def _thinned(length: int) -> list[int]:
    """Return as many places of a sequence as a line needs, the last one included."""
    if length <= _POINTS:
        return list(range(length))
    return sorted({round(place * (length - 1) / (_POINTS - 1)) for place in range(_POINTS)})


def _line(series: int, name: str, points: Sequence[tuple[float, float] | None]) -> Markup:
    path, pen = "", "M"
    for point in points:
        if point is None:
            pen = "M"
            continue
        path += f"{pen}{point[0]:.1f} {point[1]:.1f}"
        pen = "L"
    return tag("path", tag("title", name), class_=f"s{series % 8} line d{series % 8}", d=path or "M0 0")


def _signs(series: int, name: str, points: Sequence[tuple[float, float] | None]) -> list[Markup]:
    """Mark points of a line, at different places for each series, so that lines that coincide are visible."""
    real = [point for point in points if point is not None]
    spread = max(len(real) // 6, 1)
    chosen = real[(series * spread // 4) % spread :: spread] if real else []
    return [marker(series, x, y, filled=True, title=name) for x, y in chosen]


def described(series: Mapping[str, Sequence[float]]) -> list[tuple[str, str, str, str]]:
    """First, last and least number of every line, and how many are not finite, as text."""
    rows = []
    for name, values in series.items():
        finite = bounds(values)
        missing = sum(not math.isfinite(value) for value in values)
        least = "" if finite is None else number(finite[0])
        ends = f"{values[0]:.6g} → {values[-1]:.6g}" if values else ""
        rows.append((name, ends, least, f"{missing:,}"))
    return rows
