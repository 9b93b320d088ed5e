from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.errors import ExitCode, RecordError
from harness.model import (
    Absent,
    Basis,
    Case,
    Cell,
    Check,
    Consensus,
    ErrorStats,
    Examined,
    Exhibit,
    Footer,
    Header,
    Mode,
    Pair,
    Precision,
    Record,
    RuntimeInfo,
    SampleVerdict,
    Source,
    Stage,
    Tolerance,
    Value,
    Verdict,
    outcome_of,
)
from harness.model.article import Block, BlockDifference, BlockKind, BlockVerdict, ChunkLine
from harness.store.record import RecordWriter, read_record
from harness.store.record_schema import schema

PUBLISHED = Path(__file__).parents[3] / "docs" / "record.schema.json"

HEADER = Header(
    schema=3,
    harness="0.1.0",
    protocol=1,
    started="2026-01-01T00:00:00Z",
    suite="reference_impls",
    python="3.11",
    platform="Linux",
    cpu="some",
    cores=2,
    locale="C.UTF-8",
    runtimes={"r": RuntimeInfo(runtime="r", language="R", version="4.2.2", dtypes=("float64",))},
    absent=(Absent(runtime="julia", language="Julia", reason="not found", advice=("install it",)),),
    fixtures={"toy": "00"},
)


OLD = (
    '{"kind":"header","schema":2,"harness":"0.1.0","protocol":1,"started":"2026-01-01T00:00:00Z",'
    '"suite":"s","python":"3.11","platform":"Linux","cpu":"some","cores":2,"locale":"C","runtimes'
    '":{},"absent":[],"fixtures":{},"cases":[]}'
    "\n"
    '{"kind":"cell","case":"toy","stage":"Q","implementation":"r","language":"R","mode":"chained"'
    ',"precision":"float64","check":"oracle","against":"truth","source":"live","verdict":"PASS","'
    'reason":"","stats":null,"limit":"Infinity","worst":null,"ulp_error":null,"ulp_of_stage":null'
    ',"worst_sample":"","samples":2,"seconds":0.0,"inherited":false,"divergence":"","detail":""}'
    "\n"
    '{"kind":"footer","partial":false,"reason":"","seconds":1.5,"counts":{"PASS":1},"start_up":{}'
    ',"busy":{},"complaints":[],"digest":"4d7ac56a9c43705e9dfdfdde83edb927cbcc2559e9da7b164feb1ec'
    'f7f89c19a"}'
    "\n"
)
"""A record as it was written with schema 2."""


def cell(stage: str = "Q", **changes: Any) -> Cell:
    whole = Cell(
        case="toy",
        stage=stage,
        implementation="r",
        language="R",
        mode=Mode.CHAINED,
        precision=Precision.FLOAT64,
        check=Check.REFERENCE,
        against="numpy",
        source=Source.LIVE,
        verdict=Verdict.PASS,
        stats=ErrorStats(count=12, max_abs=1e-300, max_abs_index=(0, 2), ulp_histogram=(11, 1)),
        limit=4.5e-16,
        worst_sample="default",
        samples=1,
        seconds=0.001,
    )
    return msgspec.structs.replace(whole, **changes)


def pair(stage: str = "Q", **changes: Any) -> Pair:
    whole = Pair(case="toy", stage=stage, precision=Precision.FLOAT64, left="r", right="torch", agree=True)
    return msgspec.structs.replace(whole, **changes)


CELLS = (cell(), cell(mode=Mode.ISOLATED), cell("K", verdict=Verdict.FAIL, reason="über <script>\n\"'\u202e"))
PAIRS = (pair(), pair("K", agree=False, stats=ErrorStats(count=1)))
FOOTER = Footer(partial=False, seconds=1.5, start_up={"r": 0.5}, busy={"r": 0.25}, complaints=("slow",))


def write(path: Path, lines: tuple[Cell | Pair, ...] = CELLS + PAIRS, footer: Footer = FOOTER) -> Path:
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        for line in lines:
            writer.write(line)
        writer.footer(footer)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out" / "results.jsonl"


EXHIBITS = (
    Exhibit(
        case="toy",
        stage="weights",
        sample="one",
        implementation="r",
        precision=Precision.FLOAT64,
        show="heatmap",
        shape=(1, 4),
        values=(0.1, math.inf, -math.inf, 5e-324),
        labels=("good", "bad"),
    ),
)


def refused(path: Path) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read_record(path)
    assert caught.value.path == path
    assert caught.value.exit_code is ExitCode.USAGE
    return caught.value


def test_a_record_comes_back_as_it_was_written(path: Path) -> None:
    record = read_record(write(path))
    assert record.header == HEADER
    assert record.cells == CELLS
    assert record.pairs == PAIRS
    assert record.footer is not None
    assert record.footer.counts == {"PASS": 2, "FAIL": 1}
    assert msgspec.structs.replace(record.footer, counts={}, digest="") == FOOTER
    assert [item.name for item in path.parent.iterdir()] == ["results.jsonl"]


def test_every_line_is_strict_json_that_says_what_it_is(path: Path) -> None:
    write(path, (cell(limit=math.nan, seconds=math.inf), pair()))
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""

    def never(name: str) -> float:
        raise AssertionError(f"{name} is not JSON")

    kinds = [json.loads(line, parse_constant=never)["kind"] for line in lines]
    assert kinds == ["header", "cell", "pair", "footer"]


def test_numbers_that_are_not_finite_come_back(path: Path) -> None:
    odd = cell(
        limit=math.inf,
        seconds=-math.inf,
        reason="NaN",
        detail="Infinity",
        worst_sample="-Infinity",
        stats=ErrorStats(count=3, max_abs=math.nan, used=math.inf, max_rel=-0.0),
    )
    write(
        path,
        (odd, pair(stats=ErrorStats(count=1, rms=math.inf))),
        Footer(partial=False, busy={"NaN": math.nan}),
    )
    record = read_record(path)
    restored = record.cells[0]
    assert (restored.limit, restored.seconds) == (math.inf, -math.inf)
    assert (restored.reason, restored.detail, restored.worst_sample) == ("NaN", "Infinity", "-Infinity")
    assert restored.stats is not None
    assert math.isnan(restored.stats.max_abs)
    assert restored.stats.used == math.inf
    assert math.copysign(1, restored.stats.max_rel) == -1
    assert record.pairs[0].stats is not None
    assert record.pairs[0].stats.rms == math.inf
    assert record.footer is not None
    assert math.isnan(record.footer.busy["NaN"])


NUMBERS = st.floats(allow_nan=False)
TEXT = st.text(st.characters(codec="utf-8"), max_size=20)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(TEXT, TEXT, NUMBERS, NUMBERS, st.integers(0, 2**63 - 1))
def test_any_text_and_any_number_come_back(
    path: Path, reason: str, stage: str, limit: float, used: float, count: int
) -> None:
    odd = cell(
        stage, reason=reason, limit=limit, stats=ErrorStats(count=count, used=used, ulp_histogram=(count,))
    )
    assert read_record(write(path, (odd,))).cells == (odd,)


def test_broken_text_and_numpy_numbers_are_written_as_what_they_are(path: Path) -> None:
    odd = cell(
        reason="\udc80",
        detail="x\ud800",
        limit=np.float64(0.5),
        samples=np.int64(3),
        inherited=np.bool_(True),
    )
    restored = read_record(write(path, (odd,))).cells[0]
    assert (restored.reason, restored.detail) == ("\\udc80", "x\\ud800")
    assert (restored.limit, restored.samples, restored.inherited) == (0.5, 3, True)


def test_the_digest_is_the_sha256_of_the_lines_with_an_empty_digest(path: Path) -> None:
    data = write(path).read_bytes()
    footer = read_record(path).footer
    assert footer is not None
    unsealed = data.replace(footer.digest.encode(), b"")
    assert hashlib.sha256(unsealed).hexdigest() == footer.digest


def test_a_record_without_cells(path: Path) -> None:
    record = read_record(write(path, (), Footer(partial=True, reason="stopped")))
    assert record.cells == ()
    assert record.footer is not None
    assert (record.footer.partial, record.footer.counts) == (True, {})


# Writing


def test_until_the_footer_the_old_record_stays(path: Path) -> None:
    old = write(path).read_bytes()
    partial = path.with_name("results.jsonl.partial")
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        writer.write(cell("new"))
        assert path.read_bytes() == old
        assert [restored.stage for restored in read_record(partial).cells] == ["new"]
        assert read_record(partial).footer is None
        writer.footer(FOOTER)
        assert not partial.exists()
    assert [restored.stage for restored in read_record(path).cells] == ["new"]


def test_an_exception_leaves_the_lines_as_a_partial_record(path: Path) -> None:
    old = write(path).read_bytes()

    def interrupted() -> None:
        with RecordWriter(path) as writer:
            writer.header(HEADER)
            writer.write(cell("new"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == old
    partial = read_record(path.with_name("results.jsonl.partial"))
    assert (len(partial.cells), partial.footer) == (1, None)


def test_an_interrupt_can_still_be_sealed(path: Path) -> None:
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        try:
            writer.write(cell())
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            writer.footer(Footer(partial=True, reason="interrupted"))
    footer = read_record(path).footer
    assert footer is not None
    assert (footer.partial, footer.counts) == (True, {"PASS": 1})


def test_an_interrupt_between_the_footer_and_its_place_can_be_mended(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with RecordWriter(path) as writer:
        writer.header(HEADER)
        with monkeypatch.context() as patch:
            patch.setattr("os.fsync", interrupt)
            with pytest.raises(KeyboardInterrupt):
                writer.footer(FOOTER)
        assert not path.exists()
        writer.footer(Footer(partial=True))
    footer = read_record(path).footer
    assert footer is not None
    assert not footer.partial


def test_a_killed_process_leaves_every_line_it_wrote(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; import msgspec.json\n"
        "from harness.model import *; from harness.store.record import RecordWriter\n"
        "header = msgspec.json.decode(sys.argv[2], type=Header)\n"
        "cell = msgspec.json.decode(sys.argv[3], type=Cell)\n"
        "writer = RecordWriter(Path(sys.argv[1])).__enter__()\n"
        "writer.header(header); writer.write(cell); print('ready', flush=True); time.sleep(60)\n"
    )
    path = tmp_path / "results.jsonl"
    arguments = [str(path), msgspec.json.encode(HEADER).decode(), msgspec.json.encode(cell()).decode()]
    with subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        os.kill(process.pid, signal.SIGKILL)
    record = read_record(path.with_name("results.jsonl.partial"))
    assert (record.cells, record.footer) == ((cell(),), None)
    assert not path.exists()
    assert read_record(write(path)).cells == CELLS


def test_two_runs_cannot_write_to_one_place(path: Path) -> None:
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        for _ in range(2):
            with pytest.raises(RecordError) as caught, RecordWriter(path):
                pass
            assert caught.value.message == "another run is writing here"
            assert caught.value.advice == "wait for it, or choose another folder"
            assert caught.value.path == path.with_name("results.jsonl.partial")
        writer.write(cell())
        writer.footer(FOOTER)
    assert read_record(path).cells == (cell(),)
    write(path)


def test_of_many_writers_one_at_a_time_is_let_in_and_no_lock_stays(path: Path) -> None:
    inside = path.with_name("inside")
    let_in: list[bool] = []

    def contend() -> None:
        for _ in range(150):
            with contextlib.suppress(RecordError), RecordWriter(path):
                try:
                    os.close(os.open(inside, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    let_in.append(False)
                    continue
                time.sleep(0.0002)
                inside.unlink()
                let_in.append(True)

    writers = [threading.Thread(target=contend) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(let_in) > 20
    assert all(let_in)
    assert not list(path.parent.iterdir())


def test_a_result_is_written_once(path: Path) -> None:
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        writer.write(cell())
        writer.write(pair())
        with pytest.raises(RecordError) as caught:
            writer.write(cell(verdict=Verdict.FAIL))
        assert caught.value.message == (
            "the run has two results for one thing: toy, Q, r, chained, float64, reference, numpy"
        )
        assert caught.value.path == path.with_name("results.jsonl.partial")
        with pytest.raises(RecordError, match="two results for one thing: toy, Q, float64, r, torch"):
            writer.write(pair(agree=False))
        writer.footer(FOOTER)
    assert read_record(path).cells == (cell(),)


def test_a_line_that_could_not_be_read_back_is_not_written(path: Path) -> None:
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        with pytest.raises(RecordError) as caught:
            writer.write(cell(verdict="GOOD"))
        assert caught.value.message == (
            "a line would not be read back: Invalid enum value 'GOOD' - at `$.verdict`"
        )
        assert (caught.value.path, caught.value.line) == (None, None)
        writer.footer(FOOTER)
    assert read_record(path).cells == ()


def test_the_order_of_lines_is_kept(path: Path) -> None:
    with RecordWriter(path) as writer:
        with pytest.raises(ValueError, match=r"^a record begins with its header$"):
            writer.write(cell())
        with pytest.raises(RecordError, match=r": is empty\n"):
            writer.footer(FOOTER)
        writer.header(HEADER)
        with pytest.raises(ValueError, match=r"^a record has one header$"):
            writer.header(HEADER)
        writer.footer(FOOTER)
        with pytest.raises(ValueError, match=r"^the record is closed$"):
            writer.footer(FOOTER)
        with pytest.raises(ValueError, match=r"^the record is closed$"):
            writer.write(cell())


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(RecordError, match="cannot be written"),
        RecordWriter(tmp_path / "file" / "results.jsonl"),
    ):
        pass
    (tmp_path / "results.jsonl.partial").mkdir()
    with (
        pytest.raises(RecordError, match="cannot be written: Is a directory") as caught,
        RecordWriter(tmp_path / "results.jsonl"),
    ):
        pass
    assert caught.value.advice == "choose another folder"
    assert caught.value.path == tmp_path / "results.jsonl.partial"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk(path: Path) -> None:
    path.parent.mkdir()
    path.with_name("results.jsonl.partial").symlink_to("/dev/full")
    with (
        pytest.raises(RecordError, match="cannot be written: No space left on device"),
        RecordWriter(path) as writer,
    ):
        writer.header(HEADER)
    assert not path.exists()


# Reading


def edit(change: Callable[[list[bytes]], None]) -> Callable[[Path], None]:
    def apply(path: Path) -> None:
        lines = path.read_bytes().split(b"\n")
        change(lines)
        path.write_bytes(b"\n".join(lines))

    return apply


def _set(index: int, old: bytes, new: bytes) -> Callable[[list[bytes]], None]:
    def change(lines: list[bytes]) -> None:
        assert old in lines[index]
        lines[index] = lines[index].replace(old, new, 1)

    return change


# Lines: 0 header, 1 to 3 cells, 4 and 5 pairs, 6 footer, 7 the nothing after the last line break.
BROKEN: dict[str, tuple[Callable[[list[bytes]], None], int | None, str]] = {
    "empty": (lambda lines: lines.clear(), None, "is empty"),
    "text": (_set(0, b'{"kind":"header"', b"hello"), 1, "is not a record"),
    "other JSON": (lambda lines: lines.insert(0, b"[1,2]"), 1, "is not a record"),
    "JSON number": (lambda lines: lines.insert(0, b"3"), 1, "is not a record"),
    "deep JSON": (lambda lines: lines.insert(0, b"[" * 100_000), 1, "is not a record"),
    "other kind": (_set(0, b'"kind":"header"', b'"kind":"event"'), 1, "is not a record"),
    "no header": (lambda lines: lines.__delitem__(0), 1, "is not a record"),
    "no schema": (_set(0, b'"schema":3', b'"schem":1'), 1, "is not a record"),
    "schema is text": (_set(0, b'"schema":3', b'"schema":"1"'), 1, "is not a record"),
    "schema is true": (_set(0, b'"schema":3', b'"schema":true'), 1, "is not a record"),
    "schema of zero": (_set(0, b'"schema":3', b'"schema":0'), 1, "is not a record"),
    "newer schema": (
        _set(0, b'"schema":3', b'"schema":4,"new":[]'),
        1,
        "has the schema 4; this harness reads up to 3",
    ),
    "unknown field of the header": (_set(0, b'"cores":2', b'"kores":2'), 1, "unknown field `kores`"),
    "wrong type in the header": (_set(0, b'"cores":2', b'"cores":"2"'), 1, "Expected `int`, got `str`"),
    "unknown field": (_set(1, b'"limit"', b'"limits"'), 2, "unknown field `limits`"),
    "missing field": (_set(2, b'"case":"toy",', b""), 3, "missing required field `case`"),
    "unknown verdict": (_set(3, b'"FAIL"', b'"BAD"'), 4, "Invalid enum value 'BAD' - at `$.verdict`"),
    "unknown kind": (_set(4, b'"pair"', b'"pear"'), 5, "Invalid value 'pear' - at `$.kind`"),
    "number as text": (_set(1, b'"samples":1', b'"samples":"1"'), 2, "Expected `int`, got `str`"),
    "text where a number is due": (
        _set(1, b'"limit":4.5e-16', b'"limit":"nan"'),
        2,
        "got `str` - at `$.limit`",
    ),
    "NaN as the wrong field": (_set(1, b'"samples":1', b'"samples":"NaN"'), 2, "at `$.samples`"),
    "bare NaN": (_set(1, b'"limit":4.5e-16', b'"limit":NaN'), 2, "malformed"),
    "huge number": (_set(1, b'"limit":4.5e-16', b'"limit":1e999'), 2, "out of range"),
    "null": (_set(1, b'"seconds":0.001', b'"seconds":null'), 2, "got `null`"),
    "not UTF-8": (_set(3, b"script", b"s\xffript"), 4, "is not a line of a record"),
    "blank line": (lambda lines: lines.insert(2, b""), 3, "is not a line of a record"),
    "cut line": (lambda lines: lines.__setitem__(2, lines[2][:50]), 3, "truncated"),
    "cut off": (lambda lines: lines.__delitem__(slice(6, None)), 6, "is cut off in this line"),
    "cut in the last line": (
        lambda lines: lines.__setitem__(slice(6, None), [lines[6][:20]]),
        7,
        "is cut off in this line",
    ),
    "second header": (lambda lines: lines.insert(3, lines[0]), 4, "has a second header"),
    "second footer": (lambda lines: lines.insert(7, lines[6]), 8, "goes on after its footer"),
    "cell after the footer": (lambda lines: lines.insert(7, lines[1]), 8, "goes on after its footer"),
    "cell twice": (
        lambda lines: lines.insert(4, lines[1]),
        5,
        "two results for one thing: toy, Q, r, chained, float64, reference, numpy, first in line 2",
    ),
    "pair twice": (lambda lines: lines.insert(6, lines[4]), 7, "toy, Q, float64, r, torch, first in line 5"),
    "another verdict": (
        _set(3, b'"FAIL"', b'"PASS"'),
        7,
        "its footer counts 1 FAIL, 2 PASS, its lines are 3 PASS",
    ),
    "line gone": (
        lambda lines: lines.__delitem__(1),
        6,
        "its footer counts 1 FAIL, 2 PASS, its lines are 1 FAIL, 1 PASS",
    ),
    "other counts": (_set(6, b'"PASS":2', b'"PASS":3'), 7, "its footer counts 1 FAIL, 3 PASS"),
    "counts of nothing": (_set(6, b'"PASS":2', b'"PASS":2,"GOOD":0'), 7, "its footer counts"),
    "other number": (_set(1, b'"limit":4.5e-16', b'"limit":4.5e-15'), 7, "was changed after it was written"),
    "other header": (_set(0, b'"cores":2', b'"cores":3'), 7, "was changed after it was written"),
    "pair gone": (lambda lines: lines.__delitem__(4), 6, "was changed after it was written"),
    "lines swapped": (lambda lines: lines.insert(1, lines.pop(2)), 7, "was changed after it was written"),
    "space": (_set(1, b'"samples":1', b'"samples": 1'), 7, "was changed after it was written"),
    "no longer partial": (
        _set(6, b'"partial":false', b'"partial":true'),
        7,
        "was changed after it was written",
    ),
    "other digest": (_set(6, b'"digest":"', b'"digest":"0'), 7, "was changed after it was written"),
    "no digest": (
        lambda lines: lines.__setitem__(6, lines[6][: lines[6].index(b',"digest"')] + b"}"),
        7,
        "was changed after it was written",
    ),
}


@pytest.mark.parametrize(("change", "line", "message"), BROKEN.values(), ids=BROKEN)
def test_what_is_wrong_is_refused_with_its_line(
    path: Path, change: Callable[[list[bytes]], None], line: int | None, message: str
) -> None:
    write(path)
    edit(change)(path)
    error = refused(path)
    assert message in error.message
    assert error.line == line


def test_a_newer_record_says_which_harness_to_take(path: Path) -> None:
    write(path)
    edit(_set(0, b'"schema":3,"harness":"0.1.0"', b'"schema":9,"harness":"4.0"'))(path)
    assert refused(path).advice == "read it with harness 4.0 or newer"


def test_a_newer_record_that_names_no_harness(path: Path) -> None:
    write(path)
    edit(_set(0, b'"schema":3,"harness":"0.1.0"', b'"schema":4,"harness":""'))(path)
    assert refused(path).advice == "read it with a newer harness"
    edit(_set(0, b'"harness":"",', b""))(path)
    assert refused(path).advice == "read it with a newer harness"


@pytest.mark.parametrize(
    ("broken", "message", "advice"),
    [
        ("empty", "is empty", "run again"),
        ("text", "is not a record: its first line is not a header", "give a results.jsonl"),
        ("schema of zero", "is not a record: its first line is not a header", "give a results.jsonl"),
        ("cut off", "is cut off in this line", "remove the line, or run again"),
        ("second header", "has a second header", "keep one run in one file"),
        ("second footer", "goes on after its footer", ""),
        ("cell after the footer", "goes on after its footer", ""),
        (
            "newer schema",
            "has the schema 4; this harness reads up to 3",
            "read it with harness 0.1.0 or newer",
        ),
        ("unknown kind", "is not a line of a record: Invalid value 'pear' - at `$.kind`", ""),
        (
            "pair twice",
            "has two results for one thing: toy, Q, float64, r, torch, first in line 5",
            "",
        ),
    ],
)
def test_what_to_do_about_it(path: Path, broken: str, message: str, advice: str) -> None:
    write(path)
    edit(BROKEN[broken][0])(path)
    record_error = refused(path)
    assert (record_error.message, record_error.advice, record_error.path) == (message, advice, path)


def test_folders_are_made_for_a_record(path: Path) -> None:
    assert read_record(write(path.parent / "a" / "b" / "results.jsonl")).cells == CELLS


def test_what_to_do_about_a_record_that_was_changed(path: Path) -> None:
    write(path)
    edit(_set(1, b'"seconds":0.001', b'"seconds":0.002'))(path)
    record_error = refused(path)
    assert record_error.message == (
        "was changed after it was written: its lines do not give the digest in its footer"
    )
    assert (record_error.line, record_error.advice) == (7, "run again")
    edit(_set(1, b'"verdict":"PASS"', b'"verdict":"FAIL"'))(path)
    record_error = refused(path)
    assert record_error.message == "its footer counts 1 FAIL, 2 PASS, its lines are 2 FAIL, 1 PASS"
    assert (record_error.line, record_error.advice) == (7, "the file was changed; run again")


def test_without_a_footer_a_record_is_partial(path: Path) -> None:
    write(path)
    edit(lambda lines: lines.__delitem__(6))(path)
    record = read_record(path)
    assert (record.cells, record.pairs, record.footer) == (CELLS, PAIRS, None)


@pytest.mark.parametrize("schema", [1, 2])
def test_a_record_of_an_older_schema_is_read(path: Path, schema: int) -> None:
    path.parent.mkdir()
    text = OLD
    if schema == 1:
        body = OLD.replace('"schema":2', '"schema":1').replace(',"cases":[]', "")
        unsealed = re.sub('"digest":"[0-9a-f]+"', '"digest":""', body)
        digest = hashlib.sha256(unsealed.encode()).hexdigest()
        text = unsealed.replace('"digest":""', f'"digest":"{digest}"')
    path.write_text(text, encoding="utf-8")
    record = read_record(path)
    assert record.header.schema == schema
    (cell,) = record.cells
    assert (cell.limit, cell.samples, cell.verdict) == (math.inf, 2, Verdict.PASS)
    assert (cell.basis, cell.weaker_because, cell.undecided, cell.by_sample) == (None, "", 0, ())
    assert outcome_of(record).exit_code == 0


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in refused(tmp_path / "results.jsonl").message
    assert "cannot be read: Is a directory" in refused(tmp_path).message


def test_samples_come_back_with_numbers_that_are_not_finite(path: Path) -> None:
    samples = (
        SampleVerdict(sample="s", verdict=Verdict.PASS),
        SampleVerdict(sample="NaN", verdict=Verdict.FAIL, reason="Infinity", used=math.inf, max_abs=1e-300),
        SampleVerdict(sample="t", verdict=Verdict.FAIL, used=None, max_abs=-math.inf, beyond=3, undecided=2),
    )
    (restored,) = read_record(write(path, (cell(by_sample=samples, basis=Basis.COARSE, undecided=2),))).cells
    assert restored.by_sample == samples
    assert (restored.basis, restored.undecided) == (Basis.COARSE, 2)
    nan = SampleVerdict(sample="s", verdict=Verdict.FAIL, used=math.nan)
    (restored,) = read_record(write(path, (cell(by_sample=(nan,)),))).cells
    assert restored.by_sample[0].used is not None
    assert math.isnan(restored.by_sample[0].used)


# The schema


def test_the_published_schema_is_made_from_the_types() -> None:
    published = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    assert published == schema(), (
        "write it again: python -m harness.store.record_schema docs/record.schema.json"
    )


def test_the_schema_takes_what_is_written_and_refuses_what_is_not(path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(schema())
    jsonschema.Draft202012Validator.check_schema(schema())
    write(path, (*CELLS, *PAIRS, cell("x", limit=math.nan, stats=ErrorStats(count=1, used=math.inf))))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        validator.validate(line)
    for change in ({"limit": "nan"}, {"verdict": "GOOD"}, {"extra": 1}, {"samples": "NaN"}, {"kind": "pair"}):
        assert not validator.is_valid(lines[1] | change)
    assert not validator.is_valid({})


def test_a_record_is_what_the_types_say(path: Path) -> None:
    assert isinstance(read_record(write(path)), Record)


def test_exhibits_and_cases_come_back(path: Path) -> None:
    value = Value(name="weights", shape=("n", 3), show="heatmap", tolerance=Tolerance(rule="ulp", value=4.0))
    case = Case(
        name="toy",
        title="t",
        origin="o",
        fixture="f",
        inputs=(Value(name="x", shape=()),),
        stages=(Stage(name="weights", inputs=("x",), outputs=(value,)),),
    )
    header = msgspec.structs.replace(HEADER, cases=(case,))
    with RecordWriter(path) as writer:
        writer.header(header)
        for line in (*CELLS, *EXHIBITS):
            writer.write(line)
        with pytest.raises(RecordError, match="two results"):
            writer.write(EXHIBITS[0])
        writer.footer(FOOTER)
    record = read_record(path)
    assert record.header == header
    assert record.exhibits == EXHIBITS
    assert record.header.cases[0].values["weights"].tolerance == Tolerance(rule="ulp", value=4.0)


def test_every_kind_of_line_comes_back(path: Path) -> None:
    same = Consensus(
        case="toy",
        stage="Q",
        precision=Precision.FLOAT64,
        clusters=(("numpy", "r"), ("julia",)),
        by_majority=("julia",),
        by_oracle=(),
        reference_is_outlier=False,
    )
    document = Examined(document="a.md", title="A", sha256="00")
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        for line in (*CELLS, *PAIRS, same, *EXHIBITS, document):
            writer.write(line)
        for line, words in (
            (same, "consensus, toy, Q, float64"),
            (EXHIBITS[0], "exhibit, toy, weights, r, one, float64"),
            (document, "document, a.md, 00"),
        ):
            with pytest.raises(RecordError, match=f"two results for one thing: {words}$"):
                writer.write(line)
        writer.footer(FOOTER)
    record = read_record(path)
    assert (record.cells, record.pairs, record.consensus) == (CELLS, PAIRS, (same,))
    assert (record.exhibits, record.documents) == (EXHIBITS, (document,))


def float_fields(kind: Any) -> set[str]:
    """The fields of floats of a type, and of all that it is made of."""
    fields: set[str] = set()
    todo, seen = [msgspec.inspect.type_info(kind)], set()
    while todo:
        node = todo.pop()
        if isinstance(node, msgspec.inspect.StructType) and node.cls not in seen:
            seen.add(node.cls)
            hints = get_type_hints(node.cls)
            fields |= {
                f"{node.cls.__name__}.{name}"
                for name, hint in hints.items()
                if float in (hint, *get_args(hint)) and name in node.cls.__struct_fields__
            }
            todo += [field.type for field in node.fields]
        todo += getattr(node, "types", ()) + getattr(node, "item_types", ())
        todo += [getattr(node, name) for name in ("item_type", "value_type") if hasattr(node, name)]
    return fields


def test_every_number_may_be_not_finite(path: Path) -> None:
    inf = math.inf
    measured = cell(
        limit=inf,
        worst=inf,
        ulp_error=inf,
        ulp_of_stage=inf,
        seconds=inf,
        stats=ErrorStats(count=1, max_abs=inf, max_rel=inf, max_ulp=inf, mean_abs=inf, rms=inf, used=inf),
        by_sample=(SampleVerdict(sample="s", verdict=Verdict.FAIL, used=inf, max_abs=-inf),),
    )
    far = BlockDifference(kind="number", published="1", produced="inf", units=inf)
    verdict = BlockVerdict(kind=BlockKind.DIFFERS, first=far)
    document = Examined(
        document="a.md",
        chunks=(ChunkLine(line=1, language="r", outcome="ran", seconds=inf),),
        blocks=(Block(line=2, chunk=1, language="r", verdict=verdict),),
        code_seconds=inf,
        run_seconds=inf,
        seconds=inf,
    )
    shown = msgspec.structs.replace(EXHIBITS[0], shape=(1,), values=(inf,))
    footer = Footer(partial=False, seconds=inf, start_up={"r": inf}, busy={"r": inf})
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        for line in (measured, shown, document):
            writer.write(line)
        writer.footer(footer)
    record = read_record(path)
    assert (record.cells, record.exhibits, record.documents) == ((measured,), (shown,), (document,))
    assert record.footer is not None
    assert msgspec.structs.replace(record.footer, counts={}, digest="") == footer
    # Whoever adds a field of floats adds it above.
    assert float_fields(Cell | Pair | Consensus | Exhibit | Examined | Footer) == {
        *("Cell.limit", "Cell.worst", "Cell.ulp_error", "Cell.ulp_of_stage", "Cell.seconds"),
        *("ErrorStats.max_abs", "ErrorStats.max_rel", "ErrorStats.max_ulp"),
        *("ErrorStats.mean_abs", "ErrorStats.rms", "ErrorStats.used"),
        *("SampleVerdict.used", "SampleVerdict.max_abs"),
        *("ChunkLine.seconds", "BlockDifference.units", "Exhibit.values"),
        *("Examined.code_seconds", "Examined.run_seconds", "Examined.seconds"),
        *("Footer.seconds", "Footer.start_up", "Footer.busy"),
    }


def test_an_exhibit_of_nan_comes_back(path: Path) -> None:
    shown = msgspec.structs.replace(EXHIBITS[0], shape=(1,), values=(math.nan,), show="curve")
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        writer.write(shown)
        writer.footer(FOOTER)
    (exhibit,) = read_record(path).exhibits
    assert math.isnan(exhibit.values[0])


def test_a_writer_whose_file_was_taken_away_before_its_first_line_ends(path: Path) -> None:
    with RecordWriter(path) as writer:
        writer.partial.unlink()
    assert list(path.parent.iterdir()) == []
