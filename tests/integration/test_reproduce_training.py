"""A stand-alone script of a stage that follows training, which Julia has to compile."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.conformance.cell_script import write
from harness.conformance.plan import make_plan
from harness.conformance.reproduce import reproduce

pytestmark = pytest.mark.usefixtures("julia_process")
RunScript = Callable[[str, Path], "subprocess.CompletedProcess[str]"]

SUITE = Path(__file__).parents[2] / "reference_impls"


@pytest.mark.parametrize(
    "runtime",
    [
        "numpy",
        # Seconds to import, and half a minute to compile.
        pytest.param("torch", marks=[pytest.mark.torch, pytest.mark.slow]),
        pytest.param("r", marks=pytest.mark.r),
        pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
    ],
)
def test_words_scalars_integers_and_several_outputs(
    runtime: str, tmp_path: Path, run_script: RunScript
) -> None:
    plan = make_plan(SUITE, cases=("sentiment_training",), samples=("biased",))
    script = reproduce(plan, "sentiment_training", "attention_2_exact", runtime)
    done = run_script(runtime, write(script, tmp_path))
    assert done.returncode == 0, done.stderr
    assert "counted from" in done.stdout
