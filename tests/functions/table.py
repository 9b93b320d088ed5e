"""The table of errors as data, and as the table and the plot of docs/functions.md."""

from __future__ import annotations

import datetime
import math
import os
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tests.functions.gelu import Errors, erf_in_gelu
from tests.functions.points import PRECISIONS, SEED
from tests.functions.published import published

Report = Mapping[str, Any]
FAMILIES = {
    "NumPy": ("numpy_avx512", "numpy_avx2", "numpy_baseline"),
    "PyTorch": ("torch_avx512", "torch_avx2", "torch_default", "torch_strided"),
    "glibc": ("math",),
    "R": ("r",),
    "Julia": ("julia",),
    "SciPy": ("scipy",),
}


def write_table(path: Path, reports: Mapping[str, Mapping[str, Report]], versions: Mapping[str, str]) -> None:
    """Largest errors by function, precision and library, and on what machine they were measured.

    Parameters
    ----------
    path : Path
        Of the TOML file.
    reports : mapping
        By job, ``FUNCTION-PRECISION``, and by library, what `measure.errors_of` tells.
    versions : mapping
        Of the runtimes that are no Python packages.
    """
    packages = {name: _version(name) for name in ("numpy", "torch", "scipy", "python-flint")}
    lines = [
        "# Largest errors of functions, in units in the last place. Written by `nox -s functions`.",
        "",
        "[measured]",
        f"date = {datetime.date.today().isoformat()}",
        f"machine = {_text(_machine())}",
        f"seed = {SEED}",
        *(f"{name} = {_text(text)}" for name, text in (versions | packages).items() if text),
    ]
    functions = dict.fromkeys(job.rsplit("-", 1)[0] for job in reports)
    for function in functions:
        lines += ["", f'[functions."{function}"]']
        for precision in PRECISIONS:
            if by_kind := reports.get(f"{function}-{precision}"):
                lines += _entries(function, precision, by_kind)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _entries(function: str, precision: str, by_kind: Mapping[str, Report]) -> list[str]:
    lines = [f"{precision}.points = {max(report['points'] for report in by_kind.values())}"]
    # A library whose error near 0 is one of 1, and not of the value, has no bound in its units there.
    near = function == "erf" and max(report["largest"] for report in by_kind.values()) > 8.0
    largest = {kind: _up(report["away" if near else "largest"]) for kind, report in by_kind.items()}
    lines.append(f"{precision}.measured = {_inline(largest)}")
    if function == "gammaln":
        sums = {kind: _up(report["with_one"]) for kind, report in by_kind.items()}
        lines.append(f"{precision}.with_one = {_inline(sums)}")
        lines.append(f"{precision}.with_one_points = {max(report['points'] for report in by_kind.values())}")
    if (function, precision) == ("erf", "float32"):
        errors = erf_in_gelu()
        for name in Errors._fields:
            of_kind = {kind: _up(getattr(each, name)) for kind, each in errors.items()}
            lines.append(f"{precision}.in_gelu_{name} = {_inline(of_kind)}")
    if known := published(function, precision):
        lines.append(f"{precision}.published = {_inline(known)}")
    if any(report["overflows"] for report in by_kind.values()):
        kinds = [kind for kind, report in by_kind.items() if report["overflows"]]
        lines.append(f"{precision}.overflows_early = [{', '.join(map(_text, kinds))}]")
    if near:
        absolute = {kind: _up(report["near_zero"]) for kind, report in by_kind.items()}
        lines.append(f"{precision}.near_zero = {_inline(absolute)}")
    return lines


def _up(error: float) -> float:
    """Rounded up to a thousandth, less a rounding error of the measurement."""
    return math.ceil((error - 1e-9) * 1000.0) / 1000.0


def _inline(numbers: Mapping[str, float]) -> str:
    return "{ " + ", ".join(f"{name} = {float(number)}" for name, number in numbers.items()) + " }"


def _text(value: str) -> str:
    return '"' + value.replace("\\", "").replace('"', "'") + '"'


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _machine() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    libc = " ".join(platform.libc_ver())
    return f"{platform.machine()}, {names[0] if names else 'unknown'}, {os.cpu_count()} cores, {libc}"


def markdown(table: Mapping[str, Any], precision: str, limits: Mapping[str, float | None]) -> str:
    """One precision's rows: the largest error of each family, what was published, and the limit.

    Parameters
    ----------
    table : mapping
        What `write_table` wrote.
    precision : str
    limits : mapping
        By function, what a limit grants; None: there is none.
    """
    rows = [
        "| function | " + " | ".join(FAMILIES) + " | published | a limit grants |",
        "|---|" + "---|" * (len(FAMILIES) + 2),
    ]
    for function, entry in table["functions"].items():
        if precision not in entry:
            continue
        figures = entry[precision]
        measured = figures["measured"]
        cells = [
            _spread([measured[kind] for kind in kinds if kind in measured]) for kinds in FAMILIES.values()
        ]
        known = max(figures.get("published", {"": 0.0}).values())
        limit = limits[function]
        cells += [f"{known:g}" if known else "", "none" if limit is None else f"{limit:g}"]
        rows.append(f"| {function.replace('_', ' ')} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _spread(errors: list[float]) -> str:
    """The smallest and the largest of a family's versions."""
    if not errors:
        return ""
    ends = [f"{error:.3g}" if error < 1000 else f"{error:.0e}" for error in (min(errors), max(errors))]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


COLOURS = {
    "NumPy": "#4477aa",
    "PyTorch": "#ee6677",
    "glibc": "#222222",
    "R": "#228833",
    "Julia": "#aa3377",
    "SciPy": "#ccbb44",
}


def plot(table: Mapping[str, Any], limits: Mapping[str, Mapping[str, float | None]]) -> str:
    """Errors of all libraries and the limits, function by function, in float64 and float32, as SVG."""
    functions = [name for name in table["functions"] if limits["float64"].get(name) is not None]
    row, left, panel, top = 15, 86, 330, 46
    height = top + row * len(functions) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + 2 * panel + 20}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for place, (family, colour) in enumerate(COLOURS.items()):
        parts.append(f'<circle cx="{left + 90 * place}" cy="12" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{left + 8 + 90 * place}" y="16">{family}</text>')
    for side, precision in enumerate(("float64", "float32")):
        start = left + side * (panel + 10)
        scale = (panel - 20) / 10.0
        parts.append(
            f'<text x="{start}" y="34" font-weight="bold">{precision}: units in the last place</text>'
        )
        for tick in range(0, 11, 2):
            x = start + tick * scale
            parts.append(f'<path d="M{x:.1f} {top}V{height - 26}" stroke="#ddd"/>')
            parts.append(f'<text x="{x:.1f}" y="{height - 12}" text-anchor="middle">{tick}</text>')
        for place, function in enumerate(functions):
            y = top + row * place + row / 2
            if side == 0:
                name = function.replace("_", " ")
                parts.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{name}</text>')
            limit = limits[precision].get(function)
            if limit is None:
                continue
            x = start + min(limit, 10.0) * scale
            parts.append(f'<path d="M{x:.1f} {y - 6}V{y + 6}" stroke="black" stroke-width="2"/>')
            measured = table["functions"][function][precision]["measured"]
            for family, kinds in FAMILIES.items():
                for error in (measured[kind] for kind in kinds if kind in measured):
                    x = start + min(error, 10.0) * scale
                    parts.append(
                        f'<circle cx="{x:.1f}" cy="{y}" r="3" fill="{COLOURS[family]}" fill-opacity="0.7"/>'
                    )
    return "\n".join([*parts, "</svg>"]) + "\n"
