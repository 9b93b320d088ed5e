"""Workers of each language, with the file of stages that they are tested with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import pytest

from harness.errors import ImplementationError
from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry

SOURCES = Path(__file__).parent / "worker_sources"
ONE_INPUT = (
    "identity", "noise", "boom", "deep", "text", "nothing", "lonely", "overflow", "grandchild",
    "hang", "quits", "killed", "raised",
)  # fmt: skip
STAGES = {**dict.fromkeys(ONE_INPUT, 1), "shapes": 2, "none_in": 0}
LONG = 120.0


class Language(NamedTuple):
    """A runtime, and the file of stages that it is tested with."""

    runtime: str
    file: str
    hosting: str = ""
    compiled: bool = True

    @property
    def path(self) -> Path:
        return SOURCES / self.file

    @property
    def stages(self) -> dict[str, int]:
        if self.runtime == "julia":
            # `nothing` is a value in Julia.
            return {("nothing_at_all" if name == "nothing" else name): n for name, n in STAGES.items()}
        return STAGES

    def start(self, stderr: Path) -> Worker:
        with pytest.MonkeyPatch.context() as patch:
            if self.hosting:
                patch.setenv("HARNESS_JULIA_HOSTING", self.hosting)
            launch = Registry.load(SOURCES).launch(self.runtime)
        if isinstance(launch, Absent):
            pytest.skip(f"{self.runtime} {self.hosting}: {launch.reason}")
        if self.hosting == "juliacall" and not self.compiled:
            launch = msgspec.structs.replace(launch, env={**launch.env, "PYTHON_JULIACALL_COMPILE": "min"})
        elif self.hosting == "process" and not self.compiled:
            program, *rest = launch.command
            launch = msgspec.structs.replace(launch, command=(program, "--compile=min", *rest))
        return Worker.start(self.runtime, launch, stderr=stderr, deadline=LONG)

    def line(self, marker: str) -> int:
        lines = self.path.read_text(encoding="utf-8").splitlines()
        return next(number for number, line in enumerate(lines, 1) if line.endswith(f"line of {marker}"))


NUMPY = pytest.param(Language("numpy", "stages.py"), id="numpy")
TORCH = pytest.param(Language("torch", "stages_torch.py"), id="torch", marks=pytest.mark.torch)
R = pytest.param(Language("r", "stages.R"), id="r", marks=pytest.mark.r)


# Julia compiles for ten seconds in a process of its own, and for half a minute more with juliacall.
JULIA = [
    pytest.param(
        Language("julia", "stages.jl", "process", compiled=False),
        id="julia-interpreted",
        marks=pytest.mark.julia,
    ),
    *(
        pytest.param(
            Language("julia", "stages.jl", hosting),
            id=f"julia-{hosting}",
            marks=[pytest.mark.julia, pytest.mark.slow],
        )
        for hosting in ("process", "juliacall")
    ),
]
ALL = [NUMPY, TORCH, R, *JULIA]


# Each of these is started three times; PyTorch's worker and R's are that of NumPy.
TO_END = [
    NUMPY,
    pytest.param(*TORCH.values, id="torch", marks=[pytest.mark.torch, pytest.mark.slow]),
    pytest.param(*R.values, id="r", marks=[pytest.mark.r, pytest.mark.slow]),
    JULIA[0],
    pytest.param(
        Language("julia", "stages.jl", "juliacall", compiled=False),
        id="julia-juliacall",
        marks=[pytest.mark.julia, pytest.mark.slow],
    ),
]


class Hosted(NamedTuple):
    """A language's worker with its file loaded."""

    language: Language
    worker: Worker
    handle: str

    def call(self, stage: str, *inputs: np.ndarray, outputs: int = 1, deadline: float = LONG) -> np.ndarray:
        arrays, seconds = self.worker.call(self.handle, stage, inputs, outputs=outputs, deadline=deadline)
        assert seconds >= 0
        return arrays[0] if outputs == 1 else arrays

    def refused(self, stage: str, *inputs: np.ndarray, outputs: int = 1) -> ImplementationError:
        with pytest.raises(ImplementationError) as caught:
            self.call(stage, *inputs, outputs=outputs)
        assert caught.value.path == self.language.path
        assert self.worker.alive
        return caught.value


def open_worker(language: Language, folder: Path) -> Hosted:
    worker = language.start(folder / "worker.stderr")
    try:
        loaded = worker.load(language.path, language.stages, deadline=LONG)
    except BaseException:
        worker.kill()
        raise
    assert loaded.problems == {}
    return Hosted(language, worker, loaded.handle)


@pytest.fixture(scope="module")
def hosted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A worker that the tests of one language share; none of them kills it."""
    opened = open_worker(request.param, tmp_path_factory.mktemp(request.param.runtime))
    yield opened
    opened.worker.stop()
    assert not opened.worker.alive


def in_languages(*languages: object) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("hosted", [*languages], indirect=True, scope="module")


def bits(array: np.ndarray) -> tuple[str, tuple[int, ...], bytes]:
    return array.dtype.str, array.shape, array.tobytes(order="C")


def difficult(name: str) -> np.ndarray:
    """Values that careless code changes: both zeros, subnormals, infinities, NaNs with payloads."""
    dtype = np.dtype(name)
    if dtype.kind == "c":
        parts = difficult("float32" if name == "complex64" else "float64")
        array = np.empty((parts.size, 2), dtype=dtype)
        array.real = parts[:, None]
        array.imag[:, 0], array.imag[:, 1] = parts, parts[::-1]
        return array
    if dtype.kind == "f":
        unsigned = np.dtype(f"u{dtype.itemsize}")
        fraction = np.finfo(dtype).nmant
        infinity = (2 ** (8 * dtype.itemsize - 1 - fraction) - 1) << fraction
        quiet = 1 << (fraction - 1)
        half = [0, 1, (1 << fraction) - 1, 1 << fraction, infinity - 1, infinity]
        half += [infinity | quiet, infinity | quiet | 5, infinity | 0x3A2, infinity | ((1 << fraction) - 1)]
        sign = 1 << (8 * dtype.itemsize - 1)
        return np.array([*half, *(sign | bit for bit in half)], dtype=unsigned).view(dtype)
    if dtype.kind == "b":
        return np.array([[True, False, False], [False, True, True]])
    limits = np.iinfo(dtype)
    return np.array([[limits.min, 0, 1], [limits.max, 7, 100]], dtype=dtype)
