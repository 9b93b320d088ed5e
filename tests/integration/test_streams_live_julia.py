"""The reproduced streams of Julia against a live Julia: 20 seeds, a million draws a case, every bit.

One number at a time: 5,000 draws of each seed, and 50,000 of five.

A Julia older than 1.7 has no Xoshiro and one older than 1.11 another seeding: those rest on published values.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from harness.runtimes.provision.julia import find_julia
from harness.streams import julia, ziggurat
from harness.streams.errors import StreamError
from harness.streams.julia_generator import Generator

pytestmark = pytest.mark.julia

COUNT = 50_000
SEEDS = [
    0,
    1,
    12,
    42,
    123,
    1234,
    5489,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    5294967296,
    10**15,
    2**63,
    2**64 - 1,
]
SEEDS += [2**64, 2**64 + 1, 2**100 + 7, 10**40, 2**256 - 1]
SIZES = [
    0,
    1,
    2,
    5,
    6,
    7,
    8,
    12,
    13,
    14,
    15,
    16,
    31,
    63,
    64,
    200,
    381,
    382,
    383,
    384,
    385,
    386,
    765,
    1001,
    1003,
]


CASES: dict[str, tuple[type, Callable[[Generator], npt.NDArray[Any]]]] = {
    "rand": (np.float64, lambda g: g.rand(COUNT)),
    "rand_odd": (np.float64, lambda g: g.rand(3, 16667)),
    "rand32": (np.float32, lambda g: g.rand(COUNT + 3, dtype="Float32")),
    "randn": (np.float64, lambda g: g.randn(COUNT)),
    "randn32": (np.float32, lambda g: g.randn(COUNT, dtype="Float32")),
    "randexp": (np.float64, lambda g: g.randexp(COUNT)),
    "randexp32": (np.float32, lambda g: g.randexp(COUNT, dtype="Float32")),
    "range": (np.int64, lambda g: g.rand(range(1, 1001), COUNT)),
    "range_wide": (np.int64, lambda g: g.rand(range(-5, 2**62 + 1), COUNT)),
    "range_rejecting": (np.int64, lambda g: g.rand(range(2**62 + 2**61 + 1), COUNT)),
    "range_full": (np.int64, lambda g: g.rand(range(-(2**63), 2**63), COUNT)),
    "shuffle": (np.int64, lambda g: g.shuffle(np.arange(1, COUNT + 1))),
    "randperm": (np.int64, lambda g: g.randperm(COUNT)),
    "column_major": (np.float64, lambda g: g.randn((51, 51))),
}


# One number at a time.
SCALARS: dict[str, tuple[type, Callable[[Generator], Any]]] = {
    "rand_scalars": (np.float64, lambda g: g.rand()),
    "rand32_scalars": (np.float32, lambda g: g.rand(dtype="Float32")),
    "randn_scalars": (np.float64, lambda g: g.randn()),
    "randn32_scalars": (np.float32, lambda g: g.randn(dtype="Float32")),
    "randexp_scalars": (np.float64, lambda g: g.randexp()),
    "randexp32_scalars": (np.float32, lambda g: g.randexp(dtype="Float32")),
    "range_scalars": (np.int64, lambda g: g.rand(range(1, 8))),
}


def mixed(g: Generator) -> npt.NDArray[np.float64]:
    out: list[npt.ArrayLike] = []
    for n in SIZES:
        ones = [g.rand(), g.rand(dtype="Float32"), g.randn(), g.randexp(dtype="Float32"), g.rand(range(1, 4))]
        out += [ones, g.rand(n), g.rand(n, dtype="Float32"), g.randn(n), g.rand(range(1, 10**9 + 1), n)]
        out += [g.randexp(n), g.randn(n, dtype="Float32"), g.shuffle(np.arange(1.0, n + 1)), g.randperm(n)]
    return np.concatenate([np.asarray(part, dtype=np.float64) for part in out])


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Path:
    provision = find_julia()
    executable = provision.executable
    if executable is None:
        pytest.skip(provision.reason)
    folder = tmp_path_factory.mktemp("julia")
    script = Path(__file__).with_name("streams_live.jl")
    command = [
        executable,
        "--startup-file=no",
        str(script),
        str(folder),
        str(COUNT),
        ",".join(map(str, SEEDS)),
    ]
    subprocess.run(command, check=True, timeout=300)
    return folder


def version(live: Path) -> tuple[int, int]:
    major, minor = (live / "version").read_text().split(".")[:2]
    return int(major), int(minor)


def generator(live: Path, name: str, seed: int) -> Generator:
    at = version(live)
    if name == "Xoshiro":
        return julia.Xoshiro(seed, "1.11" if at >= (1, 11) else "1.10")
    return julia.MersenneTwister(seed, "1.11" if at >= (1, 11) else "1.10" if at >= (1, 6) else "1.5")


def assert_same(
    live: Path,
    name: str,
    case: str,
    dtype: type,
    draw: Callable[[Generator], npt.NDArray[Any]],
    count: int = -1,
    seeds: slice = slice(None),
) -> None:
    """All draws of every seed, or the first `count` of some, have the same bits."""
    if not (live / f"{name}_{case}").exists():
        pytest.skip(f"Julia {'.'.join(map(str, version(live)))} has no {name}")
    theirs: npt.NDArray[Any] = np.fromfile(live / f"{name}_{case}", dtype=dtype).reshape(len(SEEDS), -1)
    theirs = theirs if count < 0 else theirs[:, :count]
    for seed, expected in zip(SEEDS[seeds], theirs[seeds], strict=True):
        ours: npt.NDArray[Any] = draw(generator(live, name, seed)).reshape(-1, order="F").astype(dtype)
        different = ours.view(np.uint8).reshape(len(ours), -1) != expected.view(np.uint8).reshape(
            len(expected), -1
        )
        where = np.flatnonzero(different.any(axis=1))
        assert not where.size, f"{case}, seed {seed}: {where.size} differ, the first at {where[0]}"


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ["MersenneTwister", "Xoshiro"])
def test_each_way_of_drawing(live: Path, name: str, case: str) -> None:
    assert_same(live, name, case, *CASES[case])


# Drawn one by one, all of five seeds take seconds: the first 5,000 of each are among the fast tests.
ALL = slice(None)
FIVE = slice(None, None, 4)


@pytest.mark.parametrize(
    ("count", "seeds"), [(5_000, ALL), pytest.param(COUNT, FIVE, marks=pytest.mark.slow)], ids=["all", "long"]
)
@pytest.mark.parametrize("case", SCALARS)
@pytest.mark.parametrize("name", ["MersenneTwister", "Xoshiro"])
def test_one_number_at_a_time(live: Path, name: str, case: str, count: int, seeds: slice) -> None:
    dtype, draw = SCALARS[case]

    def one_by_one(g: Generator) -> npt.NDArray[Any]:
        return np.array([draw(g) for _ in range(count)])

    assert_same(live, name, case, dtype, one_by_one, count, seeds)


@pytest.mark.parametrize("name", ["MersenneTwister", "Xoshiro"])
def test_all_ways_after_each_other(live: Path, name: str) -> None:
    assert_same(live, name, "mixed", np.float64, mixed)


def test_ziggurat_tables(live: Path) -> None:
    for tables, names in (
        (ziggurat.normal_tables(), "ki wi fi"),
        (ziggurat.exponential_tables(), "ke we fe"),
    ):
        for ours, name in zip(tables, names.split(), strict=True):
            np.testing.assert_array_equal(ours, np.fromfile(live / f"table_{name}", dtype=ours.dtype))


def test_both_refuse_the_same_seed(live: Path) -> None:
    refused = (live / "refused").read_bytes() == b"\x01"
    assert refused == (version(live) < (1, 11))
    with pytest.raises(StreamError, match="DomainError"):
        julia.MersenneTwister(-1)
