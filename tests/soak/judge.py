"""What a process has after each run, and whether it grows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import psutil

MIB = 1 << 20
QUANTITIES = ("memory in MiB", "descriptors", "threads", "processes", "temporary files")
MOST_GROWTH = {"memory in MiB": 0.02}
"""What the second half may grow by, of its own median: the allocator keeps pages that it has no use for."""

FEWEST = 8


def sample(temporary: Path) -> dict[str, float]:
    """What this process has now; children, and the files in the folder for temporary ones, count."""
    process = psutil.Process()
    return {
        "memory in MiB": process.memory_info().rss / MIB,
        "descriptors": process.num_fds(),
        "threads": process.num_threads(),
        "processes": len(process.children(recursive=True)),
        "temporary files": sum(len(folders) + len(files) for _, folders, files in os.walk(temporary)),
    }


def growth(series: Sequence[float]) -> float:
    """How much a series grows over its second half, by the median of the slopes between all its pairs.

    Parameters
    ----------
    series : sequence of float
        One number after each run.

    Returns
    -------
    float
        Slope times length. Up to 29 % of outliers do not change it (Sen, 1968, *JASA* 63, 1379-1389).
    """
    # Imported late: it takes seconds, and every process of the tests imports this file.
    from scipy.stats import theilslopes

    half = np.asarray(series[len(series) // 2 :], dtype=np.float64)
    return float(theilslopes(half).slope) * (len(half) - 1)


def growing(samples: Mapping[str, Sequence[float]]) -> list[str]:
    """Say what grows over the second half, and by how much.

    Of memory, a fiftieth of what there is counts as nothing; of everything that is counted, less than one.
    """
    said = []
    for quantity, series in samples.items():
        if len(series) < FEWEST:
            said.append(f"{quantity}: {len(series)} runs are too few to say")
            continue
        more = growth(series)
        middle = float(np.median(series[len(series) // 2 :]))
        most = MOST_GROWTH[quantity] * middle if quantity in MOST_GROWTH else 0.5
        if more > most:
            said.append(
                f"{quantity}: {more:+.1f} over the last {len(series) - len(series) // 2} runs,"
                f" of {middle:.1f}; {most:.1f} is allowed"
            )
    return said
