"""The ErrorStats of two arrays, as a table for a terminal."""

from __future__ import annotations

from rich.table import Table

from harness.model import ErrorStats
from harness.report.terminal_words import add_row, number
from harness.report.text import index


def stats_table(stats: ErrorStats, title: str) -> Table:
    """All of ErrorStats, one figure a line."""
    table = Table(title=title, show_header=False)
    table.add_column("figure")
    table.add_column("value", justify="right")
    table.add_column("at")
    at = {"max_abs": stats.max_abs_index, "max_rel": stats.max_rel_index, "max_ulp": stats.max_ulp_index}
    for name in ("count", "max_abs", "max_rel", "max_ulp", "mean_abs", "rms"):
        add_row(table, name.replace("_", " "), number(getattr(stats, name)), index(at.get(name)))
    for name in ("nan_both", "nan_mismatch", "inf_mismatch", "zero_sign_mismatch"):
        add_row(table, name.replace("_", " "), str(getattr(stats, name)), "")
    add_row(table, "beyond the limit", str(stats.beyond), index(stats.first_beyond))
    for label, n in zip(_bins(len(stats.ulp_histogram)), stats.ulp_histogram, strict=True):
        if n:
            add_row(table, f"{label} ULP", str(n), "")
    return table


def _bins(n: int) -> list[str]:
    """Names of ``n`` histogram bins: 0, 1, 2, 3-4, 5-8, ... doubling, the last one open."""
    labels = ["0", "1", "2"][:n]
    low, high = 3, 4
    while len(labels) < n:
        labels.append(f"{low}-{high}")
        low, high = high + 1, high * 2
    if n > 3:
        labels[-1] = f"{labels[-1].partition('-')[0]} or more"
    return labels
