"""Which versions of a language give which stream, for one seed: to tell which version an author had.

Source: the changes behind each row: R 3.6.0 (`sample.kind`), Julia 1.6 (pull request 37914), 1.7 (`Xoshiro`
as default), 1.11 (pull requests 50318, 51436 and 51890), PyTorch 2.7 (pull request 143787), NumPy's NEP 19.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from harness.streams import julia, numpy, r, torch
from harness.streams.errors import StreamError


class VersionRow(NamedTuple):
    """One call in one language, the versions that agree on it, and what they give."""

    language: str
    versions: str
    call: str
    values: tuple[float, ...]
    refused: str


def report(seed: int) -> list[VersionRow]:
    """What each language gives for `seed`, one row for each group of versions that agree.

    Parameters
    ----------
    seed : int

    Returns
    -------
    list of Row
        `values` are the first few numbers; empty, with the reason in `refused`, where these versions do not
        take the seed.
    """
    return [_row(seed, *line) for line in _LINES]


def _row(seed: int, language: str, versions: str, call: str, draw: Callable[[int], Any]) -> VersionRow:
    text = call.replace("SEED", str(seed))
    try:
        values = np.asarray(draw(seed)).reshape(-1)[:5]
    except StreamError as error:
        return VersionRow(language, versions, text, (), str(error))
    return VersionRow(language, versions, text, tuple(values.tolist()), "")


def _members(n: int) -> list[int]:
    return list(range(1, n + 1))


_LINES: tuple[tuple[str, str, str, Callable[[int], Any]], ...] = (
    ("R", "1.7.0 and later", "set.seed(SEED); runif(5)", lambda s: r.set_seed(s).runif(5)),
    ("R", "1.7.0 and later", "set.seed(SEED); rnorm(5)", lambda s: r.set_seed(s).rnorm(5)),
    ("R", "1.7.0 and later", "set.seed(SEED); rexp(5)", lambda s: r.set_seed(s).rexp(5)),
    (
        "R",
        "before 3.6.0 (sample.kind Rounding)",
        "set.seed(SEED); sample(10)",
        lambda s: r.set_seed(s, sample_kind="Rounding").sample(10),
    ),
    ("R", "3.6.0 and later", "set.seed(SEED); sample(10)", lambda s: r.set_seed(s).sample(10)),
    (
        "Julia",
        "1.5 and 1.6 (MersenneTwister)",
        "Random.seed!(SEED); rand(5)",
        lambda s: julia.MersenneTwister(s).rand(5),
    ),
    (
        "Julia",
        "1.7 to 1.10 (Xoshiro)",
        "Random.seed!(SEED); rand(5)",
        lambda s: julia.Xoshiro(s, "1.10").rand(5),
    ),
    ("Julia", "1.11 and 1.12 (Xoshiro)", "Random.seed!(SEED); rand(5)", lambda s: julia.Xoshiro(s).rand(5)),
    ("Julia", "1.5 to 1.10", "rand(MersenneTwister(SEED), 5)", lambda s: julia.MersenneTwister(s).rand(5)),
    (
        "Julia",
        "1.11 and 1.12",
        "rand(MersenneTwister(SEED), 5)",
        lambda s: julia.MersenneTwister(s, "1.11").rand(5),
    ),
    ("Julia", "1.5 to 1.10", "randn(MersenneTwister(SEED), 5)", lambda s: julia.MersenneTwister(s).randn(5)),
    (
        "Julia",
        "1.11 and 1.12",
        "randn(MersenneTwister(SEED), 5)",
        lambda s: julia.MersenneTwister(s, "1.11").randn(5),
    ),
    (
        "Julia",
        "1.5",
        "rand(MersenneTwister(SEED), 1:100, 5)",
        lambda s: julia.MersenneTwister(s, "1.5").rand(range(1, 101), 5),
    ),
    (
        "Julia",
        "1.6 to 1.10",
        "rand(MersenneTwister(SEED), 1:100, 5)",
        lambda s: julia.MersenneTwister(s).rand(range(1, 101), 5),
    ),
    (
        "Julia",
        "1.11 and 1.12",
        "rand(MersenneTwister(SEED), 1:100, 5)",
        lambda s: julia.MersenneTwister(s, "1.11").rand(range(1, 101), 5),
    ),
    (
        "Julia",
        "1.7 to 1.10",
        "shuffle(Xoshiro(SEED), 1:10)",
        lambda s: julia.Xoshiro(s, "1.10").shuffle(_members(10)),
    ),
    (
        "Julia",
        "1.11 and 1.12",
        "shuffle(Xoshiro(SEED), 1:10)",
        lambda s: julia.Xoshiro(s).shuffle(_members(10)),
    ),
    (
        "PyTorch",
        "2.x, on the CPU",
        "torch.manual_seed(SEED); torch.rand(5)",
        lambda s: torch.Generator(s).rand(5),
    ),
    (
        "PyTorch",
        "2.x, on the CPU, fewer than 16 numbers",
        "torch.manual_seed(SEED); torch.randn(5)",
        lambda s: torch.Generator(s).randn(5),
    ),
    (
        "PyTorch",
        "2.x, on a CPU with AVX2, from 16 numbers on",
        "torch.manual_seed(SEED); torch.randn(16)[:5]",
        lambda s: torch.Generator(s).randn(16),
    ),
    (
        "PyTorch",
        "2.x, on a CPU without AVX2, from 16 numbers on",
        "torch.manual_seed(SEED); torch.randn(16)[:5]",
        lambda s: torch.Generator(s, "DEFAULT").randn(16),
    ),
    (
        "PyTorch",
        "2.0 to 2.6",
        "torch.manual_seed(SEED); torch.randint(2**31, (5,))",
        lambda s: torch.Generator(s, version="2.6").randint(0, 2**31, 5),
    ),
    (
        "PyTorch",
        "2.7 and later",
        "torch.manual_seed(SEED); torch.randint(2**31, (5,))",
        lambda s: torch.Generator(s).randint(0, 2**31, 5),
    ),
    (
        "NumPy",
        "1.17 and later",
        "np.random.RandomState(SEED).rand(5)",
        lambda s: numpy.RandomState(s).rand(5),
    ),
    (
        "NumPy",
        "1.17 and later",
        "np.random.RandomState(SEED).randn(5)",
        lambda s: numpy.RandomState(s).randn(5),
    ),
    (
        "NumPy",
        "all",
        "np.random.RandomState(SEED).permutation(10)",
        lambda s: numpy.RandomState(s).permutation(10),
    ),
)
