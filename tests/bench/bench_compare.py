"""How fast `harness.compare` is, side by side with its peers, in one run.

    python -m tests.bench.bench_compare [--size 20000000] [--largest 100000000] [--repeats 5] [--plot FILE]

Everything that is compared with each other is timed in turn, round by round, so that a busy machine slows all
of it down; each figure is the median of the rounds. The largest size needs 1.6 GB for its arrays.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from harness.numerics import compare

Array = np.ndarray[Any, Any]
Call = Callable[[], object]
Point = tuple[float, float]

READING = "reading both, on all cores"

TARGETS = {
    READING: ("of its bandwidth", 0.0),
    "np.sum": ("of its bandwidth", 0.8),
    "numpy.testing.assert_allclose": ("times as fast", 8.0),
    "numpy.allclose": ("times as fast", 4.0),
    "numpy.testing.assert_array_max_ulp": ("times as fast", 25.0),
    "torch.testing.assert_close": ("times as fast", 30.0),
}


def nearly_equal(size: int, dtype: str = "float64") -> tuple[Array, Array]:
    """Random numbers, and the same a few units in the last place away."""
    rng = np.random.default_rng(0)
    if dtype.startswith(("int", "uint")):
        expected = rng.integers(1, 100, size).astype(dtype)
        return expected + rng.integers(0, 3, size).astype(dtype), expected
    parts = 2 if dtype.startswith("complex") else 1
    real = {"complex128": "float64", "complex64": "float32"}.get(dtype, dtype)
    expected = rng.standard_normal(size * parts).astype(real)
    steps = rng.integers(-4, 5, size * parts, dtype=np.int8)
    actual = (expected.view(f"i{expected.itemsize}") + steps).view(real)
    return actual.view(dtype), expected.view(dtype)


def repeated(function: Callable[..., object], pair: tuple[Array, Array], calls: int) -> None:
    for _ in range(calls):
        function(*pair)


def in_turn(calls: dict[str, Call], repeats: int) -> dict[str, float]:
    """Median seconds of each call; every round makes all calls once, and the first round does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(repeats + 1):
        for name, call in calls.items():
            begin = time.perf_counter()
            call()
            if turn:
                seconds[name].append(time.perf_counter() - begin)
    return {name: statistics.median(values) for name, values in seconds.items()}


def reading(actual: Array, expected: Array) -> Call | None:
    """A call that does nothing but read both arrays, as `compare` does: the bound on its speed."""
    try:
        import numba
    except ImportError:
        return None

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator]
    def read(x: Array, y: Array) -> int:
        seen = 0
        for i in range(x.size):
            seen ^= x[i] ^ y[i]
        return seen

    x, y = actual.view(np.int64), expected.view(np.int64)
    read(x[:1], y[:1])
    portion = 1 << 20

    def call() -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            parts = [(x[at : at + portion], y[at : at + portion]) for at in range(0, x.size, portion)]
            list(pool.map(read, *zip(*parts, strict=True)))

    return call


def against_peers(size: int, repeats: int) -> None:
    actual, expected = nearly_equal(size)
    calls: dict[str, Call] = {
        "harness.compare": lambda: compare(actual, expected),
        "np.sum": lambda: np.sum(actual),
        "numpy.allclose": lambda: np.allclose(actual, expected),
        "numpy.testing.assert_allclose": lambda: np.testing.assert_allclose(actual, expected),
        "numpy.testing.assert_array_max_ulp": lambda: np.testing.assert_array_max_ulp(actual, expected, 8),
    }
    if (read := reading(actual, expected)) is not None:
        calls[READING] = read
    try:
        import torch
    except ImportError:
        print("torch is not installed: not compared with it")
    else:
        tensors = torch.from_numpy(actual), torch.from_numpy(expected)
        calls["torch.testing.assert_close"] = lambda: torch.testing.assert_close(*tensors)
    medians = in_turn(calls, repeats)
    own = medians.pop("harness.compare")
    print(f"\ntwo float64 arrays of {size:,} elements, medians of {repeats}")
    print(f"{'':36}{'ms':>10}{'GB/s':>8}{'compare is':>14}{'':18}{'target':>7}")
    print(f"{'harness.compare':36}{own * 1e3:10.1f}{16e-9 * size / own:8.2f}")
    for name, seconds in medians.items():
        said, target = TARGETS[name]
        size_read = 8 if name == "np.sum" else 16
        ratio = seconds / own * (16 / size_read)
        judged = f"{target:7.1f} {'met' if ratio >= target else 'missed'}" if target else ""
        print(
            f"{name:36}{seconds * 1e3:10.1f}{size_read * 1e-9 * size / seconds:8.2f}{ratio:14.2f} "
            f"{said:17}{judged}".rstrip()
        )


def kinds_of_input(size: int, repeats: int) -> None:
    calls: dict[str, Call] = {}
    for dtype in ("float64", "float32", "float16", "complex128", "int64", "uint8"):
        pair = nearly_equal(size, dtype)
        calls[dtype] = partial(compare, *pair)
        if dtype == "float16":
            calls["bfloat16"] = partial(compare, *(x.view(np.uint16) for x in pair), dtype="bfloat16")
    actual, expected = nearly_equal(size)
    limits, shuffled = np.full(size, 1e-9), np.random.default_rng(1).permutation(expected)
    side = int(size**0.5)
    turned = [np.asfortranarray(x[: side * side].reshape(side, side)) for x in (actual, expected)]
    holes = [np.where(np.arange(size) % 4, x, np.nan) for x in (actual, expected)]
    calls["float64, equal"] = lambda: compare(actual, actual)
    calls["float64, nothing in common"] = lambda: compare(actual, shuffled)
    calls["float64, one limit"] = lambda: compare(actual, expected, limit=1e-9)
    calls["float64, a limit per element"] = lambda: compare(actual, expected, limit=limits)
    calls["float64, every fourth NaN"] = lambda: compare(*holes)
    calls["float64, columns first"] = lambda: compare(*turned)
    with tempfile.TemporaryDirectory() as folder:
        for name, array in (("a", actual), ("e", expected)):
            np.save(Path(folder) / f"{name}.npy", array)
        maps = [np.load(Path(folder) / f"{name}.npy", mmap_mode="r") for name in "ae"]
        calls["float64, memory-mapped"] = lambda: compare(*maps)
        medians = in_turn(calls, repeats)
        calls.clear()
    print(f"\nkinds of input, {size:,} elements, medians of {repeats}\n{'':32}{'ns/element':>12}")
    for name, seconds in medians.items():
        print(f"{name:32}{seconds / size * 1e9:12.2f}")


def linearity(largest: int, repeats: int, plot: Path | None, state: str) -> None:
    print(f"\ntime over size, float64, {state}, medians of {repeats}")
    print(f"{'elements':>12}{'ms':>12}{'ns/element':>12}")
    points: list[Point] = []
    size = 1000
    while size <= largest:
        actual, expected = nearly_equal(size)
        calls = max(1, 100_000 // size)
        taken = in_turn({"": lambda: [compare(actual, expected) for _ in range(calls)]}, repeats)[""] / calls  # noqa: B023
        print(f"{size:12,}{taken * 1e3:12.4f}{taken / size * 1e9:12.2f}")
        points.append((size, taken))
        size *= 10
    if plot is not None and points:
        plot.parent.mkdir(parents=True, exist_ok=True)
        plot.write_text(drawing(points), encoding="utf-8")
        print(f"plot: {plot}")


def drawing(points: list[Point]) -> str:
    """Time over size, both logarithmic, as SVG, with a dashed line of the slope that linear time has."""

    def at(size: float, seconds: float) -> tuple[float, float]:
        return 60 + 70 * (np.log10(size) - 3), 320 - 50 * (np.log10(seconds) + 6)

    def line(pairs: list[Point], style: str) -> str:
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*pair) for pair in pairs))
        return f'<polyline points="{corners}" fill="none" {style}/>'

    last_size, last = points[-1]
    linear = [(size, last * size / last_size) for size, _ in points]
    marks = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in (at(*p) for p in points))
    labels = "".join(
        f'<text x="{at(size, 1.0)[0]:.0f}" y="340" text-anchor="middle">{size:.0e}</text>'
        for size, _ in points
    ) + "".join(
        f'<text x="50" y="{at(1e3, seconds)[1] + 4:.0f}" text-anchor="end">{seconds:.0e}</text>'
        for seconds in (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)
    )
    labels += '<text x="235" y="360" text-anchor="middle">elements</text><text x="10" y="12">seconds</text>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 0 480 370" '
        'font-family="sans-serif" font-size="11"><rect x="-20" width="480" height="370" fill="white"/>'
        + line(linear, 'stroke="gray" stroke-dasharray="4"')
        + line([(float(size), seconds) for size, seconds in points], 'stroke="black"')
        + f"{marks}{labels}</svg>\n"
    )


def small(repeats: int, state: str) -> None:
    calls = 2000
    cases: dict[str, Call] = {}
    for dtype in ("float64", "float32", "complex128", "int64"):
        pair = nearly_equal(12, dtype)
        cases[f"compare, {dtype}"] = partial(repeated, compare, pair, calls)
    pair = nearly_equal(12)
    cases["compare, float64, limit"] = lambda: [compare(*pair, limit=1e-9) for _ in range(calls)]
    cases["numpy.testing.assert_allclose"] = lambda: [np.testing.assert_allclose(*pair) for _ in range(calls)]
    cases["numpy.allclose"] = lambda: [np.allclose(*pair) for _ in range(calls)]
    print(
        f"\n12 elements, {state}, medians of {repeats} times {calls} calls\n"
        f"{'':32}{'us/call':>9}   target: below 20"
    )
    for name, seconds in in_turn(cases, repeats).items():
        print(f"{name:32}{seconds / calls * 1e6:9.1f}")


def extra_memory(size: int) -> None:
    if not Path("/proc/self/statm").exists():
        print("\nextra memory: not measured, there is no /proc here")
        return

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")

    actual, expected = nearly_equal(size)
    compare(actual, expected)
    before, peak, ended = resident(), 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not ended.wait(0.0005):
            peak = max(peak, resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(3):
        compare(actual, expected)
    ended.set()
    watcher.join()
    share = max(0, peak - before) / (2 * actual.nbytes)
    print(f"\nextra memory at {size:,} elements: {share:.2%} of the inputs   target: below 5%")


def start_up(repeats: int) -> None:
    timed = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"

    def seconds(module: str) -> float:
        command = [sys.executable, "-c", timed.format(module)]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    print(f"\nstart-up, medians of {repeats}")
    for module, target in (("harness", "   target: below 50"), ("harness.numerics", "")):
        taken = statistics.median(seconds(module) for _ in range(repeats))
        print(f"{'import ' + module:32}{taken * 1e3:9.1f} ms{target}")
    calls: dict[str, Call] = {
        name: partial(subprocess.run, command, capture_output=True, check=False)
        for name, command in {
            "harness --help": [sys.executable, "-m", "harness", "--help"],
            "python -c pass": [sys.executable, "-c", "pass"],
        }.items()
    }
    for name, taken in in_turn(calls, repeats).items():
        print(f"{name:32}{taken * 1e3:9.1f} ms{'   target: below 250' if 'help' in name else ''}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=20_000_000, help="elements that peers are compared at")
    parser.add_argument(
        "--largest", type=int, default=100_000_000, help="largest size of the time-over-size table"
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--plot",
        type=Path,
        default=Path("results/time-over-size.svg"),
        help="the plot of time over size, as SVG",
    )
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores")
    print(f"load at the start: {os.getloadavg()[0]:.1f}")
    small(options.repeats, "nothing loaded")
    against_peers(options.size, options.repeats)
    kinds_of_input(min(options.size, 4_000_000), options.repeats)
    loaded = "machine code loaded" if "harness.numerics.compiled.ranges" in sys.modules else "no machine code"
    small(options.repeats, loaded)
    linearity(options.largest, options.repeats, options.plot, loaded)
    extra_memory(options.size)
    start_up(options.repeats)


if __name__ == "__main__":
    main()
