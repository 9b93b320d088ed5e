"""``harness run --dask``: real schedulers and workers over TCP, some of which are killed."""

from __future__ import annotations

import os
import re
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Record, Verdict, outcome_of
from harness.store.record import read_record
from tests.integration.dask_cluster import (
    OTHER,
    Cluster,
    cluster,
    ended,
    harness,
    in_mask,
    lines_of,
    put_other_python,
    wait_until,
    write_suite,
)

pytest.importorskip("distributed")

OF_MACHINES = ("started", "python", "platform", "cpu", "cores", "locale")

# The first to come here says which Dask worker it is in, and waits to be killed.
MARKS = """import os, time
if not os.path.exists({path!r}):
    with open({path!r} + ".new", "w") as file:
        file.write(f"{{os.getppid()}} {{os.getpid()}}")
    os.rename({path!r} + ".new", {path!r})
    time.sleep(300)
return weights > 0.5"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def dask(tmp_path: Path, cache: None) -> Iterator[Cluster]:
    with cluster(tmp_path / "dask") as made:
        yield made


def serial(suite: Path) -> Record:
    return run(make_plan(suite), out=None, replay="missing")


def recorded(folder: Path) -> Record:
    return read_record(folder / "results" / "results.jsonl")


def by_case(record: Record, verdict: Verdict) -> set[str]:
    return {cell.case for cell in record.cells if cell.verdict is verdict}


def assert_nothing_is_lost_or_twice(record: Record, suite: Path) -> None:
    """Every case has its cells, in the order of the plan; that none is there twice, reading has checked."""
    cases = [cell.case for cell in record.cells]
    assert cases == sorted(cases)
    assert set(cases) == {path.parent.name for path in suite.glob("*/case.toml")}
    assert record.footer is not None
    assert not record.footer.partial


def marked(marker: Path) -> tuple[int, int]:
    """The processes of the Dask worker and of the language worker that wait to be killed."""
    wait_until(marker.is_file, "the marked stage is not reached")
    above, itself = marker.read_text(encoding="utf-8").split()
    return int(above), int(itself)


def test_the_record_is_that_of_a_serial_run(dask: Cluster, tmp_path: Path) -> None:
    suite = write_suite(tmp_path, 5)
    in_mask(suite, "c0001", "return weights < 0.5")
    in_mask(suite, "c0002", "raise ValueError(__file__)")
    in_mask(suite, "c0003", "import os\nos._exit(3)")
    whole = serial(suite)
    dask.worker()
    dask.worker("--nthreads", "2")
    code, _, err = ended(harness("run", "--suite", suite, "--dask", dask.address, cwd=tmp_path))
    assert code == 4, err
    record = recorded(tmp_path)
    assert_nothing_is_lost_or_twice(record, suite)
    assert lines_of(record) == lines_of(whole)
    # What crashed says so: nobody tried again until it passed.
    assert by_case(record, Verdict.ERROR) == {"c0002", "c0003"}
    assert by_case(record, Verdict.FAIL) == {"c0001"}
    same = {name: getattr(whole.header, name) for name in OF_MACHINES}
    assert msgspec.structs.replace(record.header, **same) == whole.header
    assert record.footer is not None
    assert whole.footer is not None
    assert record.footer.complaints == whole.footer.complaints
    assert record.footer.counts.items() == Counter(str(cell.verdict) for cell in whole.cells).items()
    assert record.footer.start_up["numpy"] > 0
    assert 0 < record.footer.first["numpy"] <= record.footer.busy["numpy"]


@pytest.mark.slow  # schedulers and workers take seconds to start
@pytest.mark.parametrize("comes_later", [False, True])
def test_a_unit_is_run_elsewhere_when_its_worker_is_killed(
    dask: Cluster, tmp_path: Path, *, comes_later: bool
) -> None:
    suite = write_suite(tmp_path, 6)
    marker = tmp_path / "marker"
    in_mask(suite, "c0002", MARKS.format(path=str(marker)))
    dask.worker()
    if not comes_later:
        dask.worker()
    process = harness("run", "--suite", suite, "--dask", dask.address, cwd=tmp_path)
    above, _ = marked(marker)
    os.kill(above, signal.SIGKILL)
    if comes_later:
        dask.worker()
    code, _, err = ended(process)
    assert code == 0, err
    assert re.search(r"the Dask worker tcp://\S+ is lost; what it had \(\d+\) is run elsewhere", err)
    record = recorded(tmp_path)
    assert_nothing_is_lost_or_twice(record, suite)
    assert lines_of(record) == lines_of(serial(suite))


@pytest.mark.slow  # three workers start
def test_what_takes_two_workers_with_it_is_an_error(dask: Cluster, tmp_path: Path) -> None:
    suite = write_suite(tmp_path, 5)
    whole = serial(suite)
    in_mask(suite, "c0001", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nreturn weights > 0.5")
    for _ in range(5):
        dask.worker()
    code, _, err = ended(harness("run", "--suite", suite, "--dask", dask.address, cwd=tmp_path))
    assert code == 4, err
    record = recorded(tmp_path)
    assert_nothing_is_lost_or_twice(record, suite)
    assert by_case(record, Verdict.ERROR) == {"c0001"}
    reasons = {cell.reason for cell in record.cells if cell.verdict is Verdict.ERROR}
    assert all(reason.startswith("the Dask workers that ran it were lost: tcp://") for reason in reasons)
    others = [cell for cell in record.cells if cell.case != "c0001"]
    assert {cell.verdict for cell in others} == {Verdict.PASS}
    assert len(others) == len([cell for cell in whole.cells if cell.case != "c0001"])


@pytest.mark.slow  # it is waited for a scheduler that does not come back
def test_without_its_scheduler_the_rest_is_an_error(dask: Cluster, tmp_path: Path) -> None:
    suite = write_suite(tmp_path, 4)
    marker = tmp_path / "marker"
    in_mask(suite, "c0001", MARKS.format(path=str(marker)))
    dask.worker()
    process = harness("run", "--suite", suite, "--dask", dask.address, cwd=tmp_path)
    marked(marker)
    dask.scheduler.kill()
    code, _, err = ended(process)
    assert code == 4, err
    assert "the Dask scheduler went away" in err
    record = recorded(tmp_path)
    assert_nothing_is_lost_or_twice(record, suite)
    lost = [cell for cell in record.cells if cell.verdict is Verdict.ERROR]
    assert {"c0001", "c0002", "c0003"} <= {cell.case for cell in lost}
    assert all("the Dask scheduler went away" in cell.reason for cell in lost)
    # In words, and not Dask's own.
    assert not any("<TCP" in cell.reason for cell in lost)
    assert "<TCP" not in err


@pytest.mark.slow  # two workers start
def test_units_go_where_their_runtimes_are(
    dask: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put_other_python(tmp_path / "bin")
    suite = write_suite(tmp_path, 6)
    (suite / "suite.toml").write_text(OTHER, encoding="utf-8")
    for name in ("c0001", "c0004"):
        source = (suite / name / f"{name}.py").read_text(encoding="utf-8")
        (suite / name / f"{name}.other").write_text(source, encoding="utf-8")
    without = serial(suite)
    dask.worker()
    code, _, err = ended(harness("run", "--suite", suite, "--dask", dask.address, cwd=tmp_path))
    assert code == outcome_of(without).exit_code, err
    record = recorded(tmp_path)
    assert lines_of(record) == lines_of(without)
    assert record.header.absent == without.header.absent
    assert by_case(record, Verdict.NOT_RUN) == {"c0001", "c0004"}
    required = harness("run", "--suite", suite, "--dask", dask.address, "--require", "other", cwd=tmp_path)
    assert ended(required)[0] == 3
    # Another worker comes, and has it.
    dask.worker(PATH=path)
    code, _, err = ended(harness("run", "--suite", suite, "--dask", dask.address, cwd=tmp_path))
    assert code == 0, err
    monkeypatch.setenv("PATH", path)
    record = recorded(tmp_path)
    assert lines_of(record) == lines_of(serial(suite))
    assert not record.header.absent
    assert set(record.header.runtimes) == {"numpy", "other", "oracle"}


@pytest.mark.slow  # workers start
def test_an_interrupt_ends_what_runs_there(dask: Cluster, tmp_path: Path) -> None:
    suite = write_suite(tmp_path, 4)
    marker = tmp_path / "marker"
    in_mask(suite, "c0002", MARKS.format(path=str(marker)))
    worker = dask.worker()
    process = harness("run", "--suite", suite, "--dask", dask.address, cwd=tmp_path)
    _, itself = marked(marker)
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    assert (code, "Traceback" in err) == (130, False), err
    assert "INCOMPLETE" in out
    record = recorded(tmp_path)
    assert record.footer is not None
    assert (record.footer.partial, record.footer.reason) == (True, "interrupted from the keyboard")
    assert {cell.case for cell in record.cells} <= {"c0000", "c0001", "c0002", "c0003"}
    wait_until(lambda: not psutil.pid_exists(itself), "the language worker is still there")
    # The Dask worker is not ours, and can be used again.
    assert worker.poll() is None
    code, _, err = ended(harness("run", "--suite", suite, "--dask", dask.address, cwd=tmp_path))
    assert code == 0, err


@pytest.mark.slow  # a cluster starts, and is interrupted as by Ctrl-C, which reaches all its processes
@pytest.mark.parametrize("interrupted", [False, True])
def test_a_cluster_of_its_own_ends_with_the_run(tmp_path: Path, *, interrupted: bool) -> None:
    suite = write_suite(tmp_path, 4)
    marker = tmp_path / "marker"
    if interrupted:
        in_mask(suite, "c0001", MARKS.format(path=str(marker)))
    process = harness("run", "--suite", suite, "--dask", "local:2", cwd=tmp_path, alone=True)
    if interrupted:
        marked(marker)
        started = psutil.Process(process.pid).children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)
    code, _, err = ended(process)
    assert (code, "Traceback" in err) == (130 if interrupted else 0, False), err
    if interrupted:
        wait_until(lambda: not any(child.is_running() for child in started), "a process is left")
    else:
        assert lines_of(recorded(tmp_path)) == lines_of(serial(suite))


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        # It is asked until it could have answered.
        pytest.param(["--dask", "tcp://127.0.0.1:1"], 3, "no Dask scheduler answers", marks=pytest.mark.slow),
        (["--dask", "nowhere"], 2, "'nowhere' is no address"),
        (["--dask", "local:0"], 2, "'local:0' starts no workers"),
        (["--dask", "local:1", "--replay", "always"], 2, "--replay always starts no runtime"),
        (["--dask", "local:1", "--sanitize"], 2, "--sanitize is for the compilers of this machine"),
    ],
)
def test_what_cannot_be_used_is_said(tmp_path: Path, args: list[str], code: int, words: str) -> None:
    suite = write_suite(tmp_path, 1)
    got, _, err = ended(harness("run", "--suite", suite, *args, cwd=tmp_path))
    assert (got, words in err, "Traceback" in err) == (code, True, False), err
    assert not (tmp_path / "results" / "results.jsonl").exists()


@pytest.mark.slow  # a scheduler starts
def test_without_workers_the_run_ends_after_a_while(dask: Cluster, tmp_path: Path) -> None:
    suite = write_suite(tmp_path, 1)
    options = ("--dask", dask.address, "--dask-wait", "1")
    code, _, err = ended(harness("run", "--suite", suite, *options, cwd=tmp_path))
    assert (code, "no Dask worker that can be used came within 1 s" in err) == (3, True), err


@pytest.mark.slow  # a worker starts
def test_a_shard_is_run_on_a_cluster_too(dask: Cluster, tmp_path: Path) -> None:
    suite = write_suite(tmp_path, 4)
    dask.worker()
    for index in (1, 2):
        options = ("--dask", dask.address, "--shard", f"{index}/2", "--out", str(index))
        assert ended(harness("run", "--suite", suite, *options, cwd=tmp_path))[0] == 0
    assert ended(harness("merge", "1", "2", cwd=tmp_path))[0] == 0
    assert lines_of(recorded(tmp_path)) == lines_of(serial(suite))
