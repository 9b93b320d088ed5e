"""``harness fuzz --dask`` and ``harness audit --dask``: real Dask workers, one of which is killed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import main

pytest.importorskip("distributed")
pytest.importorskip("hypothesis")
pytest.importorskip("flint")

from harness.cluster import fuzzing
from tests.integration.dask_cluster import Cluster, cluster
from tests.integration.fuzz_suite import OTHER, faulty, found, suite

KILLS = "return __import__('os').kill(__import__('os').getppid(), 9)"
"""It takes the Dask worker with it."""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def dask(tmp_path: Path, cache: None) -> Iterator[Cluster]:
    with cluster(tmp_path / "dask") as made:
        yield made


def asked(command: str, folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, [command, *options, "--suite", str(folder)])


def places(output: str) -> list[str]:
    return re.findall(r"\((?:seed \d+, )?(batch \d+, input \d+)\)", output)


@pytest.mark.slow  # schedulers and workers take seconds to start
def test_units_of_a_search_are_those_of_their_seeds(
    dask: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = suite(tmp_path / "suite", {"tie": faulty("tie"), "right": OTHER})
    monkeypatch.setattr(fuzzing, "SHARE", 700)
    outputs = {}
    for workers in (1, 2):
        dask.worker()
        out = ("--out", str(tmp_path / f"out_{workers}"))
        options = ("toy", "--inputs", "1500", "--seed", "3", "--dask", dask.address, *out)
        result = asked("fuzz", folder, *options)
        assert result.exit_code == 1, result.output
        outputs[workers] = result.output
    # However many workers there are: three units, and what all of them find is told once.
    assert places(outputs[1]) == places(outputs[2])
    assert len(places(outputs[1])) == 1
    assert "1,500 inputs" in outputs[1]
    assert "found 2 times more, with other seeds" in outputs[1]
    assert (tmp_path / "out_1" / "toy" / "peak.numpy.tie" / "numpy.tie").is_dir()
    seed = re.search(r"seed (\d+), batch", outputs[1])
    assert seed
    assert seed[1] == str(3 * fuzzing.APART)
    alone = asked(
        "fuzz", folder, "toy", "--inputs", "700", "--seed", seed[1], "--out", str(tmp_path / "alone")
    )
    assert places(alone.output) == places(outputs[1])
    assert found(alone.output)["tie"].splitlines()[:5] == found(outputs[1])["tie"].splitlines()[:5]
    # What is kept is tried first there too.
    again = asked("fuzz", folder, *options[:2], "1", "--dask", dask.address, *out)
    assert "kept from before" in again.output


@pytest.mark.slow  # four workers start
def test_a_part_of_a_search_that_takes_two_workers_with_it_is_an_error(dask: Cluster, tmp_path: Path) -> None:
    folder = suite(
        tmp_path / "suite",
        {"kills": OTHER.replace("return np.sort(x)[-1]", f"{KILLS} if len(x) == 3 else x.max()")},
    )
    for _ in range(3):
        dask.worker()
    out = ("--out", str(tmp_path / "out"))
    result = asked("fuzz", folder, "toy", "--inputs", "1000", "--dask", dask.address, *out)
    assert result.exit_code == 4, result.output
    assert (
        "worker failed: a part of the search: the Dask workers that ran it were lost: tcp://" in result.output
    )


@pytest.mark.slow  # a scheduler and two workers start
def test_an_audit_on_a_cluster_is_that_of_one_machine(dask: Cluster, tmp_path: Path) -> None:
    folder = suite(tmp_path / "suite", {"right": OTHER})
    dask.worker()
    dask.worker()
    results = []
    for options in ((), ("--dask", dask.address)):
        result = CliRunner().invoke(main, ["audit", "--suite", str(folder), "--json", *options])
        record = json.loads(result.stdout)
        assert record["score"]["injected"] > 20
        results.append(
            (result.exit_code, {name: value for name, value in record.items() if name != "seconds"})
        )
    assert results[0] == results[1]


def test_units_share_a_search() -> None:
    of = fuzzing.Unit(
        case="toy",
        precision="float64",  # type: ignore[arg-type]
        implementations=("numpy",),
        samples=("default",),
        fixture="0",
        runtimes=("numpy",),
        weight=1,
    )
    counted = fuzzing.parts(of, 2, None, 2 * fuzzing.SHARE + 5, 512, workers=7)
    assert [unit.inputs for unit in counted] == [fuzzing.SHARE, fuzzing.SHARE, 5]
    assert [unit.seed for unit in counted] == [2 * fuzzing.APART + place for place in range(3)]
    timed = fuzzing.parts(of, 0, 60.0, None, 512, workers=3)
    assert len(timed) == 6
    assert {(unit.seconds, unit.inputs) for unit in timed} == {(30.0, None)}
    assert [unit.seconds for unit in fuzzing.parts(of, 0, 4.0, None, 512, workers=2)] == [4.0, 4.0]


def test_an_address_that_is_none_is_a_mistake(tmp_path: Path) -> None:
    folder = suite(tmp_path, {"right": OTHER})
    for command in (["fuzz", "toy"], ["audit"]):
        result = asked(command[0], folder, *command[1:], "--dask", "local:none")
        assert result.exit_code == 2
        assert "starts no workers" in result.output
