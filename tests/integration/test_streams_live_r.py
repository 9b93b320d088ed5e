"""The reproduced streams of R against a live R: 20 seeds, a million draws a case, every bit."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from harness.streams import r
from harness.streams.errors import StreamError

pytestmark = pytest.mark.r

F64 = npt.NDArray[np.float64]
COUNT = 50_000
SEEDS = [0, 1, 2, 12, 42, 89, 123, 1234, 12345, 2023, 20240229, 65535, 65536, 10**9, 2**30, 2**31 - 2]
SEEDS += [2**31 - 1, -1, -12345, -(2**31 - 1)]
KINDS = ["Wichmann-Hill", "Marsaglia-Multicarry", "Knuth-TAOCP-2002", "L'Ecuyer-CMRG"]


def mixed(s: r.Stream) -> npt.ArrayLike:
    parts = [
        s.runif(3),
        s.rnorm(5),
        s.rexp(7),
        s.sample(9),
        s.rexp(101),
        s.runif(1),
        s.rnorm(2),
        s.sample(100, 3),
    ]
    return np.concatenate(parts)


CASES: dict[str, Callable[[r.Stream], npt.ArrayLike]] = {
    "runif": lambda s: s.runif(COUNT),
    "runif_bounds": lambda s: s.runif(COUNT, -3.25, 7.5),
    "rnorm": lambda s: s.rnorm(COUNT),
    "rnorm_scaled": lambda s: s.rnorm(COUNT, 0.37, 2.3),
    "rexp": lambda s: s.rexp(COUNT),
    "rexp_rate": lambda s: s.rexp(COUNT, 3),
    "sample_replace": lambda s: s.sample(1000, COUNT, True),
    "sample_power": lambda s: s.sample(65536, COUNT, True),
    "sample_large": lambda s: s.sample(2**31 - 1, COUNT, True),
    "sample_permutation": lambda s: s.sample(COUNT),
    "sample_hashed": lambda s: s.sample(20_000_000, COUNT // 10),
    "mixed": mixed,
}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rscript = shutil.which("Rscript")
    if rscript is None:
        pytest.skip("no Rscript on the path")
    folder = tmp_path_factory.mktemp("r")
    script = Path(__file__).with_name("streams_live.R")
    seeds = ",".join(map(str, SEEDS))
    subprocess.run(
        [rscript, "--vanilla", str(script), str(folder), str(COUNT), seeds], check=True, timeout=300
    )
    return folder


def drawn(live: Path, name: str) -> list[F64]:
    return list(np.fromfile(live / name).reshape(len(SEEDS), -1))


def assert_same(live: Path, file: str, case: str, **kinds: str) -> None:
    for seed, theirs in zip(SEEDS, drawn(live, file), strict=True):
        ours = np.asarray(CASES[case](r.set_seed(seed, **kinds)), dtype=np.float64)  # type: ignore[arg-type]
        np.testing.assert_array_equal(ours.view(np.uint64), theirs.view(np.uint64), f"{file}, seed {seed}")


@pytest.mark.parametrize("case", CASES)
def test_default_kinds(live: Path, case: str) -> None:
    assert_same(live, case, case)


@pytest.mark.parametrize("case", [case for case in CASES if "sample" in case])
def test_sampling_before_3_6(live: Path, case: str) -> None:
    assert_same(live, f"rounding_{case}", case, sample_kind="Rounding")


@pytest.mark.parametrize("case", ["runif", "mixed"])
@pytest.mark.parametrize("index", range(4))
def test_other_kinds(live: Path, index: int, case: str) -> None:
    assert_same(live, f"kind{index + 1}_{case}", case, kind=KINDS[index])


def test_rounding_with_coarse_uniforms(live: Path) -> None:
    assert_same(live, "kind3_rounding_large", "sample_large", kind=KINDS[2], sample_kind="Rounding")


def test_qnorm(live: Path) -> None:
    p, theirs = np.fromfile(live / "qnorm").reshape(2, -1)
    ours = r.qnorm(p)
    major, minor = (int(part) for part in (live / "version").read_text().split(".")[:2])
    # before 4.3 the far tail went on with the rational approximation
    comparable = (p == 0.0) | (p > 1e-310) if (major, minor) < (4, 3) else np.full(p.shape, True)
    np.testing.assert_array_equal(ours[comparable].view(np.uint64), theirs[comparable].view(np.uint64))


def test_both_refuse_the_same_seed(live: Path) -> None:
    assert np.fromfile(live / "refused") == [1.0]
    with pytest.raises(StreamError, match="not a valid integer"):
        r.set_seed(2**32 - 1)
