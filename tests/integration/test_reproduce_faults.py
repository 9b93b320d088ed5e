"""Scripts say what cells say: of faults that the audit draws, in four languages, run outside of the harness.

``HARNESS_REPRODUCE_FAULTS`` is how many faults are tried: 24 where it is not set, 200 for a claim.
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from harness.audit import python_faults, r_faults
from harness.audit.audit_context import limit_of, make_context
from harness.audit.boundary import Target, inject
from harness.conformance.answers import with_truth
from harness.conformance.cell_script import SUFFIX, script_of, write
from harness.conformance.evaluator import Evaluator, OracleAnswer
from harness.conformance.gather import FinishedUnit, gather
from harness.conformance.hosts import workers
from harness.conformance.lookup import rule_of, value_of
from harness.conformance.oracle import oracle
from harness.conformance.own_inputs import reference_on_demand
from harness.conformance.plan import Plan, make_plan
from harness.conformance.sides import Sides
from harness.model import Array, Basis, Cell, Check, Failure, Mode, Stage, Value, Verdict
from harness.runtimes.oracle import find_oracle
from harness.store.fixture_writer import write_fixture

pytestmark = pytest.mark.usefixtures("interpreted_julia")
RunScript = Callable[[str, Path], "subprocess.CompletedProcess[str]"]

BASE = Path(__file__).parents[1] / "meta" / "base"
FAULTS = int(os.environ.get("HARNESS_REPRODUCE_FAULTS", "24"))
FILES = {"numpy": "attention.py", "torch": "attention_torch.py", "r": "attention.R", "julia": "attention.jl"}

CASE = """
[case]
name = "attention"
title = "Stages of every kind"
origin = "made up"
fixture = "attention"
timeout = 300

[inputs]
Q = ["n", "d"]
K = ["n", "d"]
V = ["n", "d_v"]

[[stage]]
name = "scores"
inputs = ["Q", "K"]
shape = ["n", "n"]

[[stage]]
name = "weights"
inputs = ["scores", "K"]
shape = ["n", "n"]

[[stage]]
name = "output"
inputs = ["weights", "V"]
shape = ["n", "d_v"]

[[stage]]
name = "again"
inputs = ["scores", "K", "V"]
shape = ["n", "d_v"]

[[stage]]
name = "large"
inputs = ["weights"]
shape = ["n"]
dtype = "int"
tolerance = { rule = "exact" }

[[stage]]
name = "turned"
inputs = ["V"]
shape = ["d_v", "n"]
tolerance = { rule = "exact" }

[[stage]]
name = "bent"                           # the oracle knows nothing of it: it is compared coarsely
inputs = ["output"]
shape = ["n", "d_v"]

[[stage]]
name = "total"
inputs = ["output"]
shape = ["n"]
tolerance = { rule = "ulp", value = 8, reason = "four terms" }

[[stage]]
name = "product"
inputs = ["output"]
shape = ["n"]
tolerance = { rule = "relative", value = 1e-14, reason = "four terms" }

[[identity]]
id = "twice the same"
left = "output"
right = "again"
tolerance = { rule = "derived" }

[[identity]]
id = "a sum is a product with ones"
left = "total"
right = "product"
tolerance = { rule = "absolute", value = 1e-14, reason = "four terms" }

[[published]]
stage = "output"
source = "a table"
values = [ROWS]
decimals = 3
"""
MORE = {
    "numpy": """
import json
def again(scores, K, V): return output(weights(scores, K), V)
def large(weights): return (weights > 0.1).sum(axis=1)
def turned(V): return np.maximum(V, 0.0).T
def bent(output): return np.array(json.loads(json.dumps(output.tolist()))) ** 3
def total(output): return output.sum(axis=1)
def product(output): return output @ np.ones(output.shape[1])
""",
    "torch": """
def again(scores, K, V): return output(weights(scores, K), V)
def large(weights): return (weights > 0.1).sum(dim=1)
def turned(V): return torch.clamp(V, min=0.0).T
def bent(output): return output * output * output
def total(output): return output.sum(dim=1)
def product(output): return output @ torch.ones(output.shape[1], dtype=output.dtype)
""",
    "r": """
again <- function(scores, K, V) output(weights(scores, K), V)
large <- function(weights) as.integer(rowSums(weights > 0.1))
turned <- function(V) t(pmax(V, 0))
bent <- function(output) output * output * output
total <- function(output) rowSums(output)
product <- function(output) as.vector(output %*% rep(1, ncol(output)))
""",
    "julia": """
again(scores, K, V) = output(weights(scores, K), V)
large(weights) = vec(sum(weights .> 0.1, dims=2))
turned(V) = Array(max.(V, 0.0)')
bent(output) = output .* output .* output
total(output) = vec(sum(output, dims=2))
product(output) = output * ones(size(output, 2))
""",
}
RUNTIMES = [
    "numpy",
    # Seven scripts each; those of every language are tested by themselves as well.
    pytest.param("torch", marks=[pytest.mark.torch, pytest.mark.slow]),
    pytest.param("r", marks=[pytest.mark.r, pytest.mark.slow]),
    pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
]


def put_suite(folder: Path) -> Path:
    """The case with its reference and its fixture; the published digits are the reference's own."""
    case = folder / "suite" / "attention"
    case.mkdir(parents=True)
    (case / "attention.py").write_text(sound("numpy"), encoding="utf-8")
    draw = np.random.default_rng(7)
    arrays = {name: draw.normal(size=size) for name, size in {"Q": (5, 3), "K": (5, 3), "V": (5, 4)}.items()}
    scores = arrays["Q"] @ arrays["K"].T / np.sqrt(3)
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    rows = [
        f"[{', '.join(f'{number:.3f}'.join(2 * chr(34)) for number in row)}]" for row in weights @ arrays["V"]
    ]
    (case / "case.toml").write_text(CASE.replace("ROWS", f'{rows[0]}, {rows[1]}, "..."'), encoding="utf-8")
    write_fixture(
        folder / "suite" / "fixtures" / "attention",
        version=1,
        title="inputs of faults",
        origin="numpy.random.default_rng(7)",
        licence="MIT",
        generator=[{"kind": "data"}],
        arrays=arrays,
        origins=dict.fromkeys(arrays, "normal draws"),
    )
    return folder / "suite"


def sound(runtime: str) -> str:
    return (BASE / FILES[runtime]).read_text(encoding="utf-8") + MORE[runtime]


def returning(runtime: str, stage: Stage, array: Array) -> str:
    """A source file whose stage returns this array, bit for bit."""
    words = " ".join(
        "NaN" if number != number else number.hex() for number in array.astype(float).ravel().tolist()
    )
    whole = array.dtype.kind == "i"
    given = ", ".join(stage.inputs)
    shape = ", ".join(str(size) for size in reversed(array.shape))
    if runtime in ("numpy", "torch"):
        value = (
            f'np.array([float.fromhex(one) for one in "{words}".split()])'
            f".reshape({array.shape}).astype('{array.dtype.name}')"
        )
        value = value if runtime == "numpy" else f"torch.from_numpy({value})"
        return f"{sound(runtime)}\nimport numpy as np\ndef {stage.name}({given}): return {value}\n"
    if runtime == "r":
        vector = f'as.numeric(strsplit("{words}", " ")[[1]])'
        vector = f"as.integer({vector})" if whole else vector
        value = vector if array.ndim < 2 else f"aperm(array({vector}, c({shape})), {array.ndim}:1)"
        return f"{sound(runtime)}\n{stage.name} <- function({given}) {value}\n"
    vector = f'parse.(Float64, split("{words}"))'
    vector = f"Int64.({vector})" if whole else vector
    value = vector if array.ndim < 2 else f"permutedims(reshape({vector}, {shape}), {array.ndim}:-1:1)"
    return f"{sound(runtime)}\n{stage.name}({given}) = {value}\n"


def boundary_faults(suite: Path, cache: Path) -> Iterator[tuple[Stage, Array]]:
    """Every fault that the audit puts into what the reference returns."""
    plan = make_plan(suite)
    (planned,) = plan.cases
    ((item, oracle_answer, _),) = observed(plan, cache)
    bench = make_context(planned, item.precision, {"numpy": item}, item.upstream, oracle_answer)
    draw = np.random.default_rng(11)
    for stage in planned.case.stages:
        for value in stage.outputs:
            array = value_of(item.chained, "default", stage, value)
            limit = limit_of(bench, "default", stage, value)
            assert not isinstance(array, Failure)
            # Coarsely, half of the digits.
            limit = 1e-8 if limit is None else limit
            exact = rule_of(value).rule == "exact"
            other = _other(item, array, value)
            for injected in inject(Target(array=array, limit=limit, exact=exact, other=other), draw):
                if injected.array.tobytes() != array.tobytes() or injected.array.shape != array.shape:
                    yield stage, injected.array


def _other(item: FinishedUnit, array: Array, value: Value) -> tuple[str, Array] | None:
    case = item.planned.case
    for name, other in case.values.items():
        candidate = value_of(item.chained, "default", case.owner(name), other)
        if name != value.name and not isinstance(candidate, Failure) and candidate.shape == array.shape:
            return (name, candidate) if candidate.dtype == array.dtype else None
    return None


def observed(plan: Plan, cache: Path) -> list[tuple[FinishedUnit, OracleAnswer, list[Cell]]]:
    stop = threading.Event()
    judged = []
    with (
        workers(plan.registry, dict.fromkeys(plan.runtimes), stop) as (hosts, absent),
        oracle(find_oracle(), cache, stop) as oracle_client,
        reference_on_demand(plan.registry, stop) as reference_client,
    ):
        assert not absent
        evaluator = Evaluator(plan, lambda progress: None, reference_client)
        for item, oracle_answer in with_truth(gather(plan, list(hosts.values()), stop), oracle_client):
            lines = evaluator.judge(item, oracle_answer)
            judged.append((item, oracle_answer, [line for line in lines if isinstance(line, Cell)]))
    return judged


def source_faults(runtime: str, suite: Path) -> list[str]:
    """Every fault that the audit puts into a source file; none of Julia's."""
    if runtime in ("numpy", "torch"):
        return [change.text for change in python_faults.changes(sound(runtime))]
    if runtime == "julia":
        return []
    path = suite.parent / "sound.R"
    path.write_text(sound("r"), encoding="utf-8")
    with workers(make_plan(suite).registry, {"r": None}, threading.Event()) as (hosts, _):
        assert hosts["r"].worker is not None
        return [change.text for change in r_faults.changes(hosts["r"].worker, path)]


def agree(cell: Cell, done: subprocess.CompletedProcess[str]) -> str:
    """What a script says that the cell does not; empty if they agree."""
    both = f"{cell.verdict} {cell.reason}\n{done.stdout}{done.stderr[-500:]}"
    fails = cell.verdict is not Verdict.PASS
    if (done.returncode != 0) != fails or done.returncode not in (0, 1):
        return both
    if cell.verdict is Verdict.ERROR:
        return "" if done.stderr else both
    if cell.check is Check.PUBLISHED:
        due = re.match(r"(\d+) of (\d+) printed numbers differ", cell.reason)
        words = due[0] if due else "0 of 8 printed numbers differ"
        return "" if words in done.stdout else both
    if cell.stats is None:
        return "" if re.search("shape|type|no function|is expected", done.stdout) else both
    return "" if f"{cell.stats.beyond} of {cell.stats.count} elements are beyond" in done.stdout else both


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_script_says_what_its_cell_says(tmp_path: Path, runtime: str, run_script: RunScript) -> None:
    pytest.importorskip("flint")
    draw = np.random.default_rng(5)
    suite = put_suite(tmp_path)
    texts = [returning(runtime, *fault) for fault in boundary_faults(suite, tmp_path / "cache")]
    sources = source_faults(runtime, suite)
    wanted = -(-FAULTS // 4)
    some = min(len(sources), wanted // 3)
    chosen = [
        *(sources[place] for place in draw.permutation(len(sources))[:some]),
        *(texts[place] for place in draw.permutation(len(texts))[: wanted - some]),
    ]
    suffix = FILES[runtime].removeprefix("attention")
    for number, text in enumerate([*chosen, sound(runtime)]):
        path = suite / "attention" / f"attention.fault{number:03}{suffix}"
        path.write_text(text, encoding="utf-8")
    plan = make_plan(suite)
    wrong, tried, fates = [], 0, set()
    for item, oracle_answer, cells in observed(plan, tmp_path / "cache"):
        if item.implementation.id == "numpy":
            continue
        if item.implementation.id == f"{runtime}.fault{len(chosen):03}":
            # The sound file.
            identities = [cell for cell in cells if cell.check is Check.IDENTITY]
            assert {(line.stage, line.against, line.verdict) for line in identities} == {
                ("output", "again", Verdict.PASS),
                ("total", "product", Verdict.PASS),
            }
        sides = Sides(
            case=item.planned.case,
            chained=item.chained,
            isolated=item.isolated,
            reference=item.reference,
            upstream=item.upstream,
            chained_truths=oracle_answer.chained,
            isolated_truths=oracle_answer.isolated,
        )
        shows = [line for line in cells if line.verdict in (Verdict.FAIL, Verdict.ERROR)]
        # A fault that is none, and the sound file: the script ends with 0.
        about = shows or [line for line in cells if line.verdict is Verdict.PASS]
        assert about, f"{item.implementation.id}: {cells[0].verdict} {cells[0].reason}"
        cell = about[draw.integers(len(about))]
        script = script_of(item.planned, sides, cell, "default")
        assert script.name.endswith(SUFFIX[runtime])
        folder = tmp_path / "scripts" / item.implementation.id
        done = run_script(runtime, write(script, folder))
        tried += 1
        fates.add((cell.basis, cell.mode, cell.verdict))
        problem = agree(cell, done)
        if problem:
            where = f"{item.implementation.id} {cell.stage} {cell.mode} {cell.check}"
            wrong.append(f"{where}: {problem}")
    assert not wrong, f"{len(wrong)} of {tried}:\n" + "\n".join(wrong)
    assert tried == len(chosen) + 1
    assert {verdict for _, _, verdict in fates} >= {Verdict.FAIL, Verdict.PASS}
    assert {mode for _, mode, _ in fates} == set(Mode)
    if FAULTS >= 200:
        # Of digits in print there is no basis.
        assert {basis for basis, _, _ in fates} == {Basis.DERIVED, Basis.STATED, Basis.COARSE, None}
