"""The reproduced streams of PyTorch against PyTorch itself: 20 seeds, a million draws a case, every bit.

Of 15 at a time it is 90,000 draws: they come one by one, by a way that no capability changes.

PyTorch runs in a process of its own, once for each capability, as the capability is fixed when it starts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pytest

from harness.streams import torch
from harness.streams.errors import StreamError

pytestmark = pytest.mark.torch

COUNT = 50_000
FEW = 300
SEEDS = [
    0,
    1,
    2,
    12,
    42,
    89,
    123,
    1234,
    5489,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**32 + 42,
    10**15,
    2**63 - 1,
]
SEEDS += [2**63, 2**64 - 1, -1, -(2**63)]
CAPABILITIES = [
    # Processors of today have AVX2.
    pytest.param("DEFAULT", marks=pytest.mark.slow),
    "AVX2",
    "AVX512",
]
SHAPES: list[tuple[int, ...]] = [
    (),
    (0,),
    (1, 3, 5),
    (1,),
    (15,),
    (16,),
    (17,),
    (3, 31),
    (4, 4),
    (2, 500),
    (7,),
]

# how many numbers, what PyTorch evaluates with g the generator, and the same call here
Case = tuple[str, Callable[[torch.Generator], npt.NDArray[Any]]]


def float_cases(k: torch.DType) -> dict[str, Case]:
    d = f"dtype=t.{k}"
    return {
        f"rand_{k}": (f"t.rand({COUNT}, {d}, generator=g)", lambda g: g.rand(COUNT, k)),
        f"randn_{k}": (f"t.randn({COUNT}, {d}, generator=g)", lambda g: g.randn(COUNT, k)),
        f"randn_odd_{k}": (f"t.randn(3, 16667, {d}, generator=g)", lambda g: g.randn((3, 16667), k)),
        f"randn_few_{k}": (
            f"t.stack([t.randn(15, {d}, generator=g) for _ in range({FEW})])",
            lambda g: np.stack([g.randn(15, k) for _ in range(FEW)]),
        ),
        f"normal_{k}": (
            f"t.empty({COUNT}, {d}).normal_(0.37, 2.3, generator=g)",
            lambda g: g.normal_(COUNT, 0.37, 2.3, k),
        ),
        f"normal_few_{k}": (
            f"t.stack([t.empty(15, {d}).normal_(-1.1, 0.7, generator=g) for _ in range({FEW})])",
            lambda g: np.stack([g.normal_(15, -1.1, 0.7, k) for _ in range(FEW)]),
        ),
        f"uniform_{k}": (
            f"t.empty({COUNT}, {d}).uniform_(-0.37, 2.3, generator=g)",
            lambda g: g.uniform_(COUNT, -0.37, 2.3, k),
        ),
        f"linear_{k}": (
            f"layer(t.nn.Linear(50, 980, {d}))",
            lambda g: np.concatenate([p.reshape(-1) for p in g.linear(50, 980, dtype=k).values()]),
        ),
        f"linear_without_bias_{k}": (
            f"layer(t.nn.Linear(3, 17000, bias=False, {d}))",
            lambda g: g.linear(3, 17000, bias=False, dtype=k)["weight"],
        ),
        f"embedding_{k}": (f"layer(t.nn.Embedding(5001, 10, {d}))", lambda g: g.embedding(5001, 10, k)),
    }


def randint_case(low: int, high: int) -> Case:
    return f"t.randint({low}, {high}, ({COUNT},), generator=g)", lambda g: g.randint(low, high, COUNT)


def mixed(g: torch.Generator) -> npt.NDArray[np.float64]:
    out: list[npt.NDArray[Any]] = []
    for shape in SHAPES:
        for k in get_args(torch.DType):
            out += [
                g.randn(shape, k),
                g.rand(shape, k),
                g.normal_(shape, 3.0, 0.1, k),
                g.uniform_(shape, 1.0, 1.5, k),
            ]
        out += [g.randint(0, 10, shape), g.randperm(len(shape) * 5)]
    return np.concatenate([np.asarray(part, dtype=np.float64).reshape(-1) for part in out])


CASES: dict[str, Case] = {
    **float_cases("float32"),
    **float_cases("float64"),
    "randint_small": randint_case(-5, 7),
    "randint_below_28_bits": randint_case(0, 2**28 - 1),
    "randint_28_bits": randint_case(0, 2**28),
    "randint_31_bits": randint_case(-(2**30), 2**30 + 7),
    "randint_33_bits": randint_case(0, 2**33 - 1),
    "randint_all": randint_case(-(2**63), 2**63 - 1),
    "randperm": (f"t.randperm({COUNT}, generator=g)", lambda g: g.randperm(COUNT)),
    "mixed": (
        "t.cat([x.double().reshape(-1) for s in shapes for x in ("
        "[f(s, k) for k in (t.float32, t.float64) for f in ("
        "lambda s, k: t.randn(s, dtype=k, generator=g), lambda s, k: t.rand(s, dtype=k, generator=g),"
        "lambda s, k: t.empty(s, dtype=k).normal_(3.0, 0.1, generator=g),"
        "lambda s, k: t.empty(s, dtype=k).uniform_(1.0, 1.5, generator=g))]"
        "+ [t.randint(0, 10, s, generator=g), t.randperm(len(s) * 5, generator=g)])])",
        mixed,
    ),
}

SCRIPT = """
import json, pathlib, sys
import torch as t

# modules draw from the default generator, so every case does
g = t.default_generator
folder, seeds, shapes, cases = json.loads(sys.stdin.read())
shapes = [tuple(s) for s in shapes]
folder = pathlib.Path(folder)

def layer(module):
    return t.cat([p.detach().reshape(-1) for p in module.parameters()])

for name, call in cases.items():
    with open(folder / name, "wb") as file:
        for seed in seeds:
            t.manual_seed(seed)
            file.write(eval(call).numpy().tobytes())
answer = {"capability": t.backends.cpu.get_cpu_capability(), "version": t.__version__, "refused": []}
for seed in (2**64, -(2**63) - 1):
    try:
        t.manual_seed(seed)
    except (RuntimeError, ValueError):
        answer["refused"].append(seed)
print(json.dumps(answer))
"""


@pytest.fixture(scope="module", params=CAPABILITIES)
def live(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any]]:
    if find_spec("torch") is None:
        pytest.skip("PyTorch is not installed")
    folder = tmp_path_factory.mktemp("torch")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps([str(folder), SEEDS, SHAPES, {name: call for name, (call, _) in CASES.items()}]),
        env={**os.environ, "ATEN_CPU_CAPABILITY": request.param.lower(), "OMP_NUM_THREADS": "1"},
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    answer = json.loads(done.stdout)
    if answer["capability"] != request.param:
        pytest.skip(f"this machine offers {answer['capability']}, not {request.param}")
    return folder, answer


@pytest.mark.parametrize("case", CASES)
def test_every_bit(live: tuple[Path, dict[str, Any]], case: str) -> None:
    folder, answer = live
    if answer["capability"] == "AVX512" and (case.endswith("64") or "few" in case):
        pytest.skip("the same machine code as for AVX2")
    major, minor = (int(part) for part in answer["version"].split(".")[:2])
    generator = torch.Generator(0, answer["capability"], "2.7" if (major, minor) >= (2, 7) else "2.6")
    theirs = (folder / case).read_bytes()
    size = len(theirs) // len(SEEDS)
    for i, seed in enumerate(SEEDS):
        ours = CASES[case][1](generator.manual_seed(seed))
        expected = np.frombuffer(theirs[i * size : (i + 1) * size], dtype=ours.dtype)
        word = np.dtype(f"u{ours.dtype.itemsize}")
        where = np.flatnonzero(ours.reshape(-1).view(word) != expected.view(word))
        assert not where.size, f"{case}, seed {seed}: {where.size} differ, the first at {where[0]}"


def test_both_refuse_the_same_seeds(live: tuple[Path, dict[str, Any]]) -> None:
    assert live[1]["refused"] == [2**64, -(2**63) - 1]
    for seed in live[1]["refused"]:
        with pytest.raises(StreamError, match="more than 64 bits"):
            torch.Generator(seed)
