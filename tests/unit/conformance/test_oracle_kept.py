"""True values that are kept from one run to the next, with NumPy alone."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from harness.conformance import truth_keys
from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.errors import WorkerError
from harness.model import Basis, Check, Failure, Mode, Observation, Record, Verdict
from tests.unit.conformance.attention_suite import CASE, SOUND, write


def test_true_values_are_kept_until_something_changes(suite: Path) -> None:
    pytest.importorskip("flint")

    def started() -> bool:
        footer = run(make_plan(suite, precisions=("float64",)), out=None).footer
        assert footer is not None
        return "oracle" in footer.start_up

    assert started()
    assert not started()
    write(suite, SOUND, ".fourth")
    assert not started()
    write(suite, SOUND + "\n# changed\n")
    assert started()
    kept = sorted((suite.parent / "cache" / "truths").iterdir())
    assert kept
    for path in kept:
        path.write_bytes(path.read_bytes()[:100])
    assert started()


@pytest.mark.parametrize("part", ["limit", "high", "renamed"])
def test_true_values_that_were_edited_are_computed_again(suite: Path, part: str) -> None:
    pytest.importorskip("flint")
    from safetensors import safe_open
    from safetensors.numpy import save_file

    write(suite, SOUND.replace("Q @ K.T", "Q @ K.T * (1 + 1e-9)"), ".second")

    def failing() -> list[tuple[str, Mode]]:
        cells = run(make_plan(suite, precisions=("float64",)), out=None).cells
        return sorted((cell.stage, cell.mode) for cell in cells if cell.verdict is Verdict.FAIL)

    before = failing()
    assert len(before) == 3
    kept = sorted((suite.parent / "cache" / "truths").iterdir())
    assert len(kept) == 2
    for path in kept:
        with safe_open(path, framework="np") as file:
            metadata = file.metadata()
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        scale = 1e9 if part == "limit" else 1 + 1e-9
        edited = {name: array * scale if name.endswith(part) else array for name, array in arrays.items()}
        save_file({name: array.astype(arrays[name].dtype) for name, array in edited.items()}, path, metadata)
    if part == "renamed":
        contents = [path.read_bytes() for path in kept]
        for path, content in zip(kept, contents[1:] + contents[:1], strict=True):
            path.write_bytes(content)
    assert failing() == before


def test_nothing_is_kept_where_the_folder_is_too_large_to_be_read(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("flint")
    write(suite, SOUND)
    monkeypatch.setattr("harness.store.beside.MOST_FILES", 1)
    cells = run(make_plan(suite), out=None).cells
    assert {cell.verdict for cell in cells if cell.check is Check.ORACLE} == {Verdict.PASS}
    assert not (suite.parent / "cache" / "truths").exists()


def test_true_values_are_kept_for_these_libraries_tolerances_and_modules(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("flint")
    write(suite, "import helper\n" + SOUND)
    helper = suite / "attention" / "helper.py"
    helper.write_text("import deeper\n", encoding="utf-8")
    deeper = suite / "attention" / "deeper.py"
    deeper.write_text("ONE = 1\n", encoding="utf-8")

    upstream: dict[tuple[str, str], Observation | Failure] = {}

    def keys() -> frozenset[str]:
        (planned,) = make_plan(suite).cases
        return frozenset(
            truth_keys.key_of(truth_keys.content_hash(planned), precision, mode, upstream)
            for precision in planned.precisions
            for mode in Mode
        )

    seen = [keys()]
    assert len(seen[0]) == 4
    assert keys() == seen[0]
    deeper.write_text("ONE = 2\n", encoding="utf-8")
    seen.append(keys())
    (suite / "attention" / "const.txt").write_text("3.0", encoding="utf-8")
    seen.append(keys())
    (suite / "attention" / "const.txt").write_text("4.0", encoding="utf-8")
    seen.append(keys())
    case = suite / "attention" / "case.toml"
    stated = '{ rule = "exact" }', '{ rule = "exact", reason = "why not" }'
    case.write_text(CASE.replace(*stated), encoding="utf-8")
    seen.append(keys())
    monkeypatch.setattr(truth_keys.np, "__version__", "9.9")
    seen.append(keys())
    monkeypatch.setattr(truth_keys.platform, "python_version", lambda: "9.9")
    seen.append(keys())
    info = truth_keys.oracle_info()
    other = msgspec.structs.replace(info, libraries={"python-flint": "9.9"})
    monkeypatch.setattr(truth_keys, "oracle_info", lambda: other)
    seen.append(keys())
    monkeypatch.setattr(truth_keys.platform, "machine", lambda: "another")
    seen.append(keys())
    for score in (1.0, np.nextafter(1.0, 2.0)):
        upstream["default", "scores"] = Observation(outputs={"scores": np.full((5, 5), score)}, seconds=0.0)
        seen.append(keys())
    assert len(frozenset.union(*seen)) == 4 * 11


def test_the_reasons_of_two_cases_with_the_same_source_name_their_own_files(suite: Path) -> None:
    pytest.importorskip("flint")
    source = SOUND.replace("return Q @ K.T", "return np.linalg.eigvals(Q @ K.T).real * (Q @ K.T)")
    write(suite, source)
    second = suite / "second"
    second.mkdir()
    (second / "case.toml").write_text(
        CASE.replace('name = "attention"', 'name = "second"', 1), encoding="utf-8"
    )
    (second / "second.py").write_text(source, encoding="utf-8")
    (second / "second.b.py").write_text(source, encoding="utf-8")
    for _ in range(2):
        cells = run(make_plan(suite), out=None).cells
        reasons = {
            (cell.case, cell.reason.rpartition(" ")[2])
            for cell in cells
            if cell.stage == "scores" and cell.check is Check.ORACLE
        }
        assert reasons == {("attention", "attention.py)"), ("second", "second.py)")}


def test_a_crash_of_the_oracle_is_not_kept(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("flint")

    def crashes(*_: object, **__: object) -> None:
        raise WorkerError("it is gone")

    with monkeypatch.context() as broken:
        broken.setattr("harness.runtimes.oracle_worker.OracleWorker.truth", crashes)
        cells = run(make_plan(suite), out=None).cells
    coarse = [cell for cell in cells if cell.basis is Basis.COARSE]
    assert coarse
    assert all("it is gone" in cell.weaker_because for cell in coarse)
    assert not any(cell.basis is Basis.COARSE for cell in run(make_plan(suite), out=None).cells)


def test_an_answer_that_the_time_has_cut_short_is_not_kept(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Balls grow at every step of an iteration that shrinks errors: after 400, 256 bits are too few."""
    pytest.importorskip("flint")
    body = "    x = Q @ K.T\n    for _ in range(400):\n        x = x - 0.75 * (x - 1)\n    return x\n"
    write(suite, SOUND.replace("    return Q @ K.T\n", body))

    def reasons() -> list[str]:
        cells = run(make_plan(suite, precisions=("float64",)), out=None).cells
        return [cell.weaker_because for cell in cells if cell.stage == "scores"]

    with monkeypatch.context() as hurried:
        hurried.setattr("harness.conformance.oracle_asker.BUDGET", 0.0)
        assert any("the processor time for more bits is spent" in reason for reason in reasons())
    assert not any("the processor time for more bits is spent" in reason for reason in reasons())


def test_a_kept_answer_judges_as_a_new_one(suite: Path) -> None:
    pytest.importorskip("flint")
    first, second = (run(make_plan(suite), out=None) for _ in range(2))

    def judgements(record: Record) -> set[tuple[object, ...]]:
        return {
            (
                cell.stage,
                cell.implementation,
                cell.mode,
                cell.precision,
                cell.limit,
                cell.worst,
                cell.ulp_error,
            )
            for cell in record.cells
        }

    assert judgements(first) == judgements(second)
