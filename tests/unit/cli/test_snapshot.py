"""``harness snapshot`` and ``harness run --replay``: the same verdicts; a fault never replaces a snapshot."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.conformance import replay
from harness.model import Cell, Source, Verdict
from harness.store.record import read_record
from tests.unit.cli.recorded_toy import CHOSEN, GONE, Harness, cells_of, in_slow, snapshot


def verdicts(cells: dict[tuple[str, str, str], Cell]) -> dict[tuple[str, str, str], Any]:
    return {key: (cell.verdict, cell.stats, cell.reason, cell.samples) for key, cell in cells.items()}


def test_a_missing_runtime_is_answered_from_its_snapshot(harness: Harness, recorded: Path) -> None:
    never = cells_of(harness, recorded, "--replay", "never", code=1)
    missing = cells_of(harness, recorded, code=1)
    assert {cell.verdict for cell in never.values() if cell.implementation == "gone"} == {Verdict.NOT_RUN}
    for cell in missing.values():
        assert cell.source is (Source.REPLAYED if cell.implementation == "gone" else Source.LIVE)
        if cell.implementation == "gone":
            assert cell.verdict is Verdict.PASS
    others = [key for key in never if key[0] != "gone"]
    assert verdicts(missing) | dict.fromkeys(others) == verdicts(missing) | dict.fromkeys(others)
    assert {key: verdicts(missing)[key] for key in others} == {key: verdicts(never)[key] for key in others}


def test_all_can_be_replayed_with_the_verdicts_of_the_live_run(harness: Harness, recorded: Path) -> None:
    live = cells_of(harness, recorded, code=1)
    replayed = cells_of(harness, recorded, "--replay", "always", code=1)
    assert {cell.source for cell in replayed.values()} == {Source.REPLAYED}
    assert verdicts(replayed) == verdicts(live)
    assert replayed["numpy.wrong", "chained", "more"].verdict is Verdict.FAIL


def test_a_replay_is_labelled_wherever_it_is_shown(harness: Harness, recorded: Path) -> None:
    text = harness("run", "--suite", recorded, *CHOSEN).stdout
    assert "replayed 4" in text
    rows = [[part.strip() for part in line.split("│")[1:-1]] for line in text.splitlines() if line[:1] == "│"]
    assert [row[-1] for row in rows[:2]] == ["4 PASS", "replayed"]
    printed = json.loads(harness("run", "--suite", recorded, *CHOSEN, "--json").stdout)
    sources = {(cell["implementation"], cell["source"]) for cell in printed["cells"]}
    assert sources == {("numpy", "live"), ("numpy.wrong", "live"), ("gone", "replayed")}
    assert "replayed: " in printed["runtimes"]["gone"]["missing"]


@pytest.mark.parametrize(
    ("setting", "replay", "code"),
    [
        ("PATH", "missing", 4),
        ("R_HOME", "always", 1),
        pytest.param("PATH", "never", 4, marks=in_slow),
        pytest.param("PATH", "always", 1, marks=in_slow),
        pytest.param("R_HOME", "missing", 4, marks=in_slow),
        pytest.param("R_HOME", "never", 4, marks=in_slow),
    ],
)
def test_a_runtime_that_does_not_run_is_a_fault_and_never_replayed(
    harness: Harness,
    recorded: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    replay: str,
    code: int,
    setting: str,
) -> None:
    (recorded / "suite.toml").write_text(f'{GONE}provision = "r"\n', encoding="utf-8")
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("R_HOME", raising=False)
    (tmp_path / "programs").mkdir()
    dead = tmp_path / "programs" / "R"
    dead.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    dead.chmod(0o755)
    if setting == "PATH":
        monkeypatch.setenv("PATH", str(dead.parent), prepend=":")
        why = f"Gone does not run: {dead} does not run: exit code 0"
    else:
        monkeypatch.setenv("R_HOME", "/no/such/folder")
        why = "Gone does not run: R_HOME is /no/such/folder, and there is no R in it"
    cells = cells_of(harness, recorded, "--replay", replay, code=code)
    gone = [cell for cell in cells.values() if cell.implementation == "gone"]
    assert len(gone) == 4
    if replay == "always":
        assert {cell.verdict for cell in gone} == {Verdict.PASS}
    else:
        assert {(cell.verdict, cell.reason) for cell in gone} == {(Verdict.ERROR, why)}


def test_what_was_replayed_is_named_in_the_sentence_and_the_badge(harness: Harness, recorded: Path) -> None:
    chosen = ["--impl", "numpy", "--impl", "gone"]
    result = harness("run", "--suite", recorded, *chosen, "--out", "out")
    assert result.exit_code == 0, result.output
    assert "Gone was replayed from snapshots, not run." in " ".join(result.stdout.split())
    assert "1 replayed" in json.loads(Path("out/badge.json").read_text(encoding="utf-8"))["message"]


@pytest.mark.parametrize("how", ["missing", "always"])
def test_a_replay_never_satisfies_require(harness: Harness, recorded: Path, how: str) -> None:
    cells = cells_of(harness, recorded, "--replay", how, "--require", "gone", code=3)
    assert cells["gone", "chained", "more"].source is Source.REPLAYED


def test_wrong_answers_are_recorded_as_such(harness: Harness, suite: Path) -> None:
    path = suite / "toy" / "toy.text.py"
    path.write_text("def twice(x):\n    return 2 * x\n\n\ndef more(twice):\n    return 'text'\n")
    both = ("--suite", suite, "--impl", "numpy", "--impl", "numpy.text")
    assert harness("snapshot", *both).exit_code == 0
    assert harness("run", *both, "--replay", "always", "--out", "out").exit_code == 1
    cells = {(cell.mode.value, cell.stage): cell for cell in read_record(Path("out/results.jsonl")).cells}
    wrong = cells["chained", "more"]
    assert (wrong.implementation, wrong.verdict) == ("numpy.text", Verdict.FAIL)
    assert "(recorded 20" in wrong.reason


FAULTS = {
    "dies": ("import os\n\n\ndef more(twice):\n    os._exit(3)\n", "ERROR: .*ended with exit code 3"),
    "hangs": (
        "import time\n\n\ndef more(twice):\n    time.sleep(600)\n",
        "TIMEOUT: .*did not answer within 2 s",
    ),
    "raises": ("def more(twice):\n    raise ValueError('no luck')\n", "ERROR: .*no luck"),
}


@pytest.mark.parametrize(
    ("whose", "fault"),
    [
        *[(whose, fault) for whose in ("toy.py", "toy.same.py") for fault in ("dies", "raises")],
        # Each hang is waited for, several times.
        *[pytest.param(whose, "hangs", marks=in_slow) for whose in ("toy.py", "toy.same.py")],
    ],
)
def test_a_fault_never_takes_the_place_of_a_snapshot(
    harness: Harness, suite: Path, whose: str, fault: str
) -> None:
    source, words = FAULTS[fault]
    case = suite / "toy" / "case.toml"
    case.write_text(case.read_text(encoding="utf-8").replace("timeout = 60", "timeout = 2"), encoding="utf-8")
    both = ("--suite", suite, "--impl", "numpy", "--impl", "numpy.same")
    assert harness("snapshot", *both).exit_code == 0
    before = {path: path.read_bytes() for path in (suite / "fixtures" / "snapshots").rglob("*.*")}
    assert len(before) == 2
    with (suite / "toy" / whose).open("a", encoding="utf-8") as file:
        file.write(f"\n\n{source}")
    result = harness("snapshot", *both)
    assert result.exit_code == 4, result.output
    if whose == "toy.py":
        # Whoever was to be fed with the reference's values is not recorded either.
        assert {path: path.read_bytes() for path in before} == before
        assert re.search(f"toy numpy float64: {words}", result.output)
        assert "0 snapshots, 0 bytes; 2 failed and were not recorded" in result.output
    assert re.search(f"toy numpy.same float64: {words}", result.output)
    assert result.output.count("; the snapshot that is there stays\n") == (2 if whose == "toy.py" else 1)
    same = snapshot(suite, "numpy.same")
    assert same.read_bytes() == before[same]
    assert {path.name for path in same.parent.iterdir()} == {path.name for path in before}
    checked = harness("snapshot", *both, "--check")
    assert checked.exit_code == 4
    # What is checked is fed with the recorded values of the reference.
    who = "numpy" if whose == "toy.py" else "numpy.same"
    assert re.search(f"toy {who} float64: {words}", checked.output)
    assert "1 snapshots have every bit, 1 do not" in checked.output


def test_a_fault_without_a_snapshot_leaves_none(harness: Harness, suite: Path) -> None:
    result = harness("snapshot", "--suite", suite, "--impl", "numpy", "--impl", "numpy.dies")
    assert result.exit_code == 4
    assert "toy numpy.dies float64: ERROR: stage more of numpy.dies, sample default: worker" in result.output
    assert "stays" not in result.output
    assert snapshot(suite, "numpy").is_file()
    assert not snapshot(suite, "numpy.dies").exists()


def test_a_runtime_that_does_not_start_is_a_fault_and_not_missing(harness: Harness, recorded: Path) -> None:
    broken = GONE.replace(
        '"{python}", "-P", "{workers}/__main__.py", "numpy"', '"{python}", "-c", "import os; os._exit(3)"'
    )
    (recorded / "suite.toml").write_text(broken, encoding="utf-8")
    before = snapshot(recorded, "gone").read_bytes()
    result = harness("snapshot", "--suite", recorded, *CHOSEN)
    assert result.exit_code == 4, result.output
    assert (
        "toy gone float64: ERROR: worker gone did not start: worker gone ended with exit code 3"
        in result.output
    )
    assert snapshot(recorded, "gone").read_bytes() == before
    for how in ("missing", "never"):
        cells = cells_of(harness, recorded, "--replay", how, "--require", "gone", code=4)
        gone = [cell for cell in cells.values() if cell.implementation == "gone"]
        assert {(cell.verdict, cell.source) for cell in gone} == {(Verdict.ERROR, Source.NONE)}
        assert all("gone did not start" in cell.reason for cell in gone)
        assert len(gone) == 4
    cells = cells_of(harness, recorded, "--replay", "always", code=1)
    assert cells["gone", "chained", "more"].source is Source.REPLAYED


def test_check_says_that_every_bit_is_there(harness: Harness, recorded: Path) -> None:
    before = {path: path.read_bytes() for path in (recorded / "fixtures").rglob("*.safetensors")}
    result = harness("snapshot", "--suite", recorded, "--check", *CHOSEN)
    assert result.exit_code == 0, result.output
    assert "2 snapshots have every bit, 0 do not, 1 could not be checked" in result.output
    assert "toy gone float64: not checked: there is no program" in result.output
    assert {path: path.read_bytes() for path in before} == before


def test_check_names_what_moved_and_how_far(
    harness: Harness, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A source that counts as unchanged, and gives other last bits: as after an update of a library.
    monkeypatch.setattr(replay, "file_hash", lambda path: "")
    both = ("--suite", recorded, "--impl", "numpy", "--impl", "numpy.same")
    assert harness("snapshot", *both).exit_code == 0
    source = recorded / "toy" / "toy.same.py"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("2 * x", "2 * x * (1 + 2.0**-52)"), encoding="utf-8")
    result = harness("snapshot", "--check", *both)
    assert result.exit_code == 1, result.output
    assert "toy numpy.same float64: 3 outputs moved" in result.output
    assert "chained twice: 3 elements, up to 2 ULP (1 samples, worst default)" in result.output
    assert "isolated more" not in result.output
    assert result.output.count("Python") == 2


def test_check_refuses_a_snapshot_that_no_longer_stands(harness: Harness, recorded: Path) -> None:
    with (recorded / "toy" / "toy.wrong.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    result = harness("snapshot", "--suite", recorded, "--check", *CHOSEN)
    assert result.exit_code == 1
    assert "toy numpy.wrong float64: " in result.output
    assert "the source file has changed since" in result.output


def test_snapshot_one_implementation_is_fed_by_the_recorded_reference(
    harness: Harness, recorded: Path
) -> None:
    before = snapshot(recorded, "numpy").read_bytes()
    result = harness("snapshot", "--suite", recorded, "--impl", "numpy.same")
    assert result.exit_code == 0, result.output
    assert snapshot(recorded, "numpy").read_bytes() == before
    again = ("run", "--suite", recorded, "--replay", "always", "--impl", "numpy*", "--impl", "!*s")
    harness(*again, "--out", "out")
    cells = read_record(Path("out/results.jsonl")).cells
    assert {cell.verdict for cell in cells if cell.implementation == "numpy.same"} == {Verdict.PASS}


def test_snapshot_without_a_reference_is_refused(harness: Harness, suite: Path) -> None:
    result = harness("snapshot", "--suite", suite, "--impl", "numpy.same")
    assert result.exit_code == 2
    assert "there is no snapshot of the reference numpy" in result.stderr
    assert "record it too: --impl numpy" in result.stderr


def test_other_word_vectors_are_not_recorded(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[3]
    shipped = (root / "fixtures" / "sentiment" / "vectors.txt").read_bytes()
    Path("glove.txt").write_bytes(shipped)
    monkeypatch.setenv("HARNESS_GLOVE", "glove.txt")
    chosen = ("--case", "sentiment_forward", "--impl", "numpy")
    result = harness("snapshot", "--suite", root / "reference_impls", *chosen)
    assert result.exit_code == 2
    assert "snapshots are made with the shipped word vectors" in result.stderr
    assert "unset HARNESS_GLOVE" in result.stderr


def test_the_command_is_still_known_by_its_old_name(harness: Harness, suite: Path) -> None:
    done = harness("record", "--suite", suite, "--impl", "numpy")
    assert done.exit_code == 0
    assert "it is harness snapshot now" in done.stderr
    assert (suite / "fixtures" / "snapshots" / "toy" / "numpy.float64.safetensors").is_file()
    listed = [line.split()[:1] for line in harness("--help").stdout.splitlines()]
    assert ["snapshot"] in listed
    assert ["record"] not in listed
