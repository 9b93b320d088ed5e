"""Complex inputs and outputs: right implementations are within a derived limit, a planted fault is found."""

from __future__ import annotations

import numpy as np
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Basis, Cell, Check, Precision, Record, Verdict
from harness.store.fixture_writer import write_fixture

pytest.importorskip("flint")

CASE = """
[case]
name = "turn"
title = "A signal turned in the complex plane"
origin = "here"
fixture = "turn"
precisions = ["float64", "float32"]

[inputs]
z = { shape = ["n"], dtype = "complex" }
phase = { shape = ["n"], dtype = "complex" }

[[stage]]
name = "turned"
inputs = ["z", "phase"]
shape = ["n"]
dtype = "complex"

[[stage]]
name = "modulus"
inputs = ["turned"]
shape = ["n"]
"""
SOURCES = {
    "numpy": (
        ".py",
        "import numpy as np\n\n\ndef turned(z, phase):\n    return z * phase\n\n\n"
        "def modulus(turned):\n    return np.abs(turned)\n",
    ),
    "torch": (
        "_torch.py",
        "def turned(z, phase):\n    return z * phase\n\n\ndef modulus(turned):\n    return turned.abs()\n",
    ),
    "r": (".R", "turned <- function(z, phase) z * phase\nmodulus <- function(turned) Mod(turned)\n"),
    "julia": (".jl", "turned(z, phase) = z .* phase\nmodulus(turned) = abs.(turned)\n"),
}
FAULTS = {
    "numpy": "z * phase.conj()",
    "torch": "z * phase.conj()",
    "r": "z * Conj(phase)",
    "julia": "z .* conj(phase)",
}
RUNTIMES = [
    "numpy",
    pytest.param("torch", marks=pytest.mark.torch),
    pytest.param("r", marks=pytest.mark.r),
    pytest.param("julia", marks=pytest.mark.julia),
]


@pytest.fixture(scope="module", params=RUNTIMES)
def ran(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, interpreted_julia: None
) -> tuple[str, Record]:
    runtime: str = request.param
    suite = tmp_path_factory.mktemp(runtime) / "suite"
    folder = suite / "turn"
    folder.mkdir(parents=True)
    (folder / "case.toml").write_text(CASE, encoding="utf-8")
    for suffix, source in SOURCES.values():
        (folder / f"turn{suffix}").write_text(source, encoding="utf-8")
    suffix, source = SOURCES[runtime]
    right = (
        FAULTS[runtime].replace(".conj()", "").replace("Conj(phase)", "phase").replace("conj(phase)", "phase")
    )
    assert source.count(right) == 1
    (folder / f"turn.conjugated{suffix}").write_text(source.replace(right, FAULTS[runtime]), encoding="utf-8")
    draws = np.random.default_rng(3).normal(size=(2, 9, 2))
    write_fixture(
        suite / "fixtures" / "turn",
        version=1,
        title="Two signals",
        origin="here",
        licence="MIT",
        generator=[{"kind": "here"}],
        arrays={"z": draws[0], "phase": draws[1]},
        origins={"z": "real and imaginary parts", "phase": "real and imaginary parts"},
    )
    plan = make_plan(suite, implementations=("numpy", runtime, f"{runtime}.*"))
    record = run(plan, out=None, require=(runtime, "oracle"))
    assert record.footer is not None
    assert not record.footer.complaints
    return runtime, record


def of_oracle(record: Record, implementation: str) -> list[Cell]:
    cells = [cell for cell in record.cells if cell.implementation == implementation]
    return [cell for cell in cells if cell.check is Check.ORACLE and cell.verdict is not Verdict.UNSUPPORTED]


def test_right_implementations_are_within_a_derived_limit(ran: tuple[str, Record]) -> None:
    runtime, record = ran
    cells = of_oracle(record, runtime)
    assert {(judged.verdict, judged.basis) for judged in cells} == {(Verdict.PASS, Basis.DERIVED)}
    assert len(cells) == (4 if runtime == "r" else 8)
    for cell in cells:
        unit = 2.0**-53 if cell.precision is Precision.FLOAT64 else 2.0**-24
        assert cell.limit is not None
        assert 2.0 * unit < cell.limit < 64.0 * unit


def test_a_conjugated_factor_is_found(ran: tuple[str, Record]) -> None:
    runtime, record = ran
    verdicts = {
        cell.stage: cell.verdict
        for cell in of_oracle(record, f"{runtime}.conjugated")
        if cell.mode == "isolated"
    }
    assert verdicts == {"turned": Verdict.FAIL, "modulus": Verdict.PASS}
