"""The plot of a soak: one panel for each quantity, one column for each programme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

WIDTH, HEIGHT, LEFT, TOP, GAP = 340, 92, 60, 34, 22


def plot(programmes: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """Every sample of every quantity over the runs, as SVG; each axis begins at nought."""
    quantities = list(next(iter(programmes.values())))
    width = len(programmes) * (LEFT + WIDTH) + 20
    height = TOP + len(quantities) * (HEIGHT + GAP) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for column, (name, samples) in enumerate(programmes.items()):
        x = LEFT + column * (LEFT + WIDTH)
        parts.append(f'<text x="{x}" y="16" font-weight="bold">{name}</text>')
        for row, (quantity, series) in enumerate(samples.items()):
            parts += panel(x, TOP + row * (HEIGHT + GAP), quantity, series)
    return "\n".join([*parts, "</svg>"]) + "\n"


def corners(places: Sequence[float], heights: Sequence[float]) -> list[tuple[float, float]]:
    """The points of a line without those within a level part of it."""
    last = len(heights) - 1
    return [
        (places[at], height)
        for at, height in enumerate(heights)
        if at in (0, last) or not heights[at - 1] == height == heights[at + 1]
    ]


def panel(left: float, top: float, quantity: str, series: Sequence[float]) -> list[str]:
    """One quantity; the half that is judged has a grey ground."""
    largest = max(*series, 1.0) * 1.1
    bottom = top + HEIGHT
    places = left + np.linspace(0, WIDTH, len(series))
    heights = bottom - HEIGHT * np.asarray(series, dtype=np.float64) / largest
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners(places.tolist(), heights.round(1).tolist()))
    return [
        f'<rect x="{left + WIDTH / 2}" y="{top}" width="{WIDTH / 2}" height="{HEIGHT}" fill="#f2f2f2"/>',
        f'<path d="M{left} {top}V{bottom}H{left + WIDTH}" fill="none" stroke="#888"/>',
        f'<polyline points="{points}" fill="none" stroke="#0b61a4"/>',
        f'<text x="{left + 4}" y="{top + 10}">{quantity}</text>',
        f'<text x="{left - 4}" y="{bottom}" text-anchor="end">0</text>',
        f'<text x="{left - 4}" y="{top + 10}" text-anchor="end">{largest:.0f}</text>',
        f'<text x="{left + WIDTH}" y="{bottom + 12}" text-anchor="end">{len(series)} runs</text>',
    ]
