"""What only the workers of Julia do: arrays that are not plain, compiling, the worker's package."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import msgspec
import numpy as np
import pytest

import harness
from harness.errors import ImplementationError
from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from harness.workers import huge_pages
from tests.integration.worker_hosts import JULIA, LONG, SOURCES, Hosted, bits, difficult, in_languages

WORKERS = Path(harness.__file__).parent / "workers"


@in_languages(*JULIA)
def test_arrays_of_julia_that_are_not_plain(hosted: Hosted) -> None:
    x = np.arange(6.0).reshape(2, 3)
    expected = {
        "adjoint_of": x.T, "a_range": np.arange(1, 5), "a_view": x[:1], "bits": x > 2,
        "diagonal": np.diag([1.0, 2.0]), "keys": x + 1, "lazy": 2 * x, "argument_type": np.float64(1),
        "typed": 2 * x,
    }  # fmt: skip
    stages = {**dict.fromkeys(expected, 1), "typed": 2, "scalar_type": 1, "varied": 3}
    loaded = hosted.worker.load(hosted.language.path, stages, deadline=LONG)
    assert loaded.problems == {}
    for stage, array in expected.items():
        inputs = [x] * stages[stage]
        (received,), _ = hosted.worker.call(loaded.handle, stage, inputs, outputs=1, deadline=LONG)
        assert bits(received) == bits(np.asarray(array)), stage
    (scalar,), _ = hosted.worker.call(loaded.handle, "scalar_type", [np.array(2.0)], outputs=1, deadline=LONG)
    assert scalar.item() == 1.0


@in_languages(*JULIA)
def test_values_of_julia_that_are_no_arrays(hosted: Hosted) -> None:
    handle = hosted.worker.load(hosted.language.path, {"a_rational": 1, "anything": 1}, deadline=LONG).handle
    for stage, word in (("a_rational", "Rational"), ("anything", "Any")):
        with pytest.raises(ImplementationError, match=word) as caught:
            hosted.worker.call(handle, stage, [np.ones(1)], outputs=1, deadline=LONG)
        assert caught.value.kind == "value"


@in_languages(*JULIA)
def test_an_array_of_any_that_holds_numbers_is_one_of_numbers(hosted: Hosted) -> None:
    stages = {"any_numbers": 1, "any_complex": 1, "no_any": 1}
    handle = hosted.worker.load(hosted.language.path, stages, deadline=LONG).handle
    for stage, expected in (
        ("any_numbers", np.array([1.0, 2.5, 1.0])),
        ("any_complex", np.array([[1.0, 2.5j]])),
        ("no_any", np.zeros(0)),
    ):
        (returned,), _ = hosted.worker.call(handle, stage, [np.zeros(1)], outputs=1, deadline=LONG)
        assert bits(returned) == bits(expected)


@pytest.mark.parametrize("hosted", JULIA, indirect=True, scope="module")
def test_julia_compiles_what_is_judged_whatever_it_does_with_the_worker(
    hosted: Hosted, tmp_path: Path
) -> None:
    """The worker's own code is interpreted where Julia keeps no machine code; what is called is compiled."""
    path = tmp_path / "stages.jl"
    path.write_text(
        "const LOADED = Base.JLOptions().compile_enabled\n"
        "modes(x) = Float64[LOADED, Base.JLOptions().compile_enabled]\n"
        "lazily(x) = (y = x'; y)\n",
        encoding="utf-8",
    )
    handle = hosted.worker.load(path, {"modes": 1, "lazily": 1}, deadline=LONG).handle
    (modes,), _ = hosted.worker.call(handle, "modes", [np.ones(1)], outputs=1, deadline=LONG)
    assert modes.tolist() == ([1.0, 1.0] if hosted.language.compiled else [3.0, 3.0])
    sent = np.arange(6.0).reshape(2, 3)
    (turned,), _ = hosted.worker.call(handle, "lazily", [sent], outputs=1, deadline=LONG)
    assert np.array_equal(turned, sent.T)


@pytest.mark.julia
@pytest.mark.slow
@pytest.mark.parametrize("hosting", ["process", "juliacall"])
def test_the_worker_of_julia_as_a_package(hosting: str, tmp_path: Path) -> None:
    """What newer versions do, as far as any can: it is compiled once, and does what it does read anew."""
    depot = tmp_path / "depot"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_JULIA_HOSTING", hosting)
        launch = Registry.load(SOURCES).launch("julia")
    if isinstance(launch, Absent):
        pytest.skip(launch.reason)
    env = {**launch.env, "HARNESS_JULIA_PACKAGE": "always"}
    path = tmp_path / "stages.jl"
    path.write_text("mode(x) = Float64[Base.JLOptions().compile_enabled]\nsame(x) = x\n", encoding="utf-8")

    def kept() -> dict[Path, tuple[int, bytes]]:
        # Julia touches what it reads.
        return {place: (place.stat().st_ino, place.read_bytes()) for place in depot.rglob("*.ji")}

    def works(folder: Path) -> str:
        """What it prints."""
        started = msgspec.structs.replace(launch, env={**env, "HARNESS_JULIA_DEPOT": str(folder)})
        printed = tmp_path / "stderr"
        worker = Worker.start("julia", started, stderr=printed, deadline=LONG)
        try:
            handle = worker.load(path, {"mode": 1, "same": 1}, deadline=LONG).handle
            (mode,), _ = worker.call(handle, "mode", [np.ones(1)], outputs=1, deadline=LONG)
            assert mode.tolist() == [1.0]
            for sent in (difficult("float64"), np.arange(6.0).reshape(2, 3), np.zeros(huge_pages.LEAST)):
                (got,), _ = worker.call(handle, "same", [sent], outputs=1, deadline=LONG)
                assert bits(got) == bits(sent)
        finally:
            worker.kill()
        return printed.read_text(encoding="utf-8")

    assert works(depot) == ""
    first = kept()
    assert [place.name for place in first] == ["HarnessWorker.ji"]
    assert (works(depot), kept()) == ("", first)
    assert "the worker's package cannot be had" in works(path)


@pytest.mark.julia
def test_each_branch_of_what_differs_by_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_JULIA_HOSTING", "process")
    launch = Registry.load(SOURCES).launch("julia")
    if isinstance(launch, Absent):
        pytest.skip(launch.reason)
    script = str(Path(__file__).with_name("by_version.jl"))
    command = [launch.command[0], "--startup-file=no", script, str(WORKERS / "by_version.jl")]
    env = {**os.environ, **launch.env}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=LONG, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_differs_by_version_of_julia_stands_in_one_file() -> None:
    """The others are asked neither for the version nor for what a version may lack."""
    asked = re.compile(r"\bVERSION\s*[<>=]|\bisdefined\((?:Base|Core|REPL|BLAS)\b(?!, name\))")
    packaged = sorted(WORKERS.parent.rglob("*.jl"))
    assert WORKERS / "by_version.jl" in packaged
    others = [path for path in packaged if path.name != "by_version.jl"]
    assert [path.name for path in others if asked.search(path.read_text(encoding="utf-8"))] == []
