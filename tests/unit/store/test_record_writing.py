"""A record while it is written: what interrupts leave, places that cannot be written."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest

from harness.errors import RecordError
from harness.model import Footer, Verdict
from harness.store.lock import only_writer
from harness.store.record import RecordWriter, read_record
from tests.unit.store.record_lines import CELLS, FOOTER, HEADER, cell, pair, write


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


def test_folders_are_made_for_a_record(path: Path) -> None:
    assert read_record(write(path.parent / "a" / "b" / "results.jsonl")).cells == CELLS


def test_a_writer_whose_file_was_taken_away_before_its_first_line_ends(path: Path) -> None:
    with RecordWriter(path) as writer:
        writer.partial.unlink()
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("relative", [False, True], ids=["its folder", "the current folder"])
def test_a_folder_that_is_removed_meanwhile_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relative: bool
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    path = (Path("out") if relative else here / "out") / "results.jsonl"
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        writer.write(cell("before"))
        shutil.rmtree(here)
        writer.write(cell("after"))
        writer.footer(FOOTER)
    record = read_record(here / "out" / "results.jsonl")
    assert [restored.stage for restored in record.cells] == ["before", "after"]
    assert record.footer is not None
    assert [left.name for left in (here / "out").iterdir()] == ["results.jsonl"]


def test_a_folder_that_another_run_has_made_again_keeps_its_files(tmp_path: Path) -> None:
    path = tmp_path / "out" / "results.jsonl"
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        shutil.rmtree(path.parent)
        with RecordWriter(path) as other:
            other.header(HEADER)
            other.write(cell("theirs"))
            writer.footer(FOOTER)
            writer.__exit__(None, None, None)
            with pytest.raises(RecordError, match="another run is writing here"), RecordWriter(path):
                pass
            other.footer(FOOTER)
    assert [restored.stage for restored in read_record(path).cells] == ["theirs"]


def test_a_folder_that_another_command_keeps_gets_no_other_record(tmp_path: Path) -> None:
    path = tmp_path / "out" / "results.jsonl"
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        shutil.rmtree(path.parent)
        path.parent.mkdir()
        with only_writer(path.parent):
            write(path)
            with pytest.raises(RecordError, match="another run is writing here"):
                writer.footer(FOOTER)
    assert read_record(path).cells == CELLS


def test_a_lock_whose_folder_was_removed_and_made_again_is_lost(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with only_writer(out) as lock:
        lock.renew()
        shutil.rmtree(out)
        out.mkdir()
        with only_writer(out):
            with pytest.raises(RecordError, match="another run is writing here"):
                lock.renew()
            assert [left.name for left in out.iterdir()] == [".writing.lock"]
    # What was given up last was the second one's.
    assert list(out.iterdir()) == []


def test_a_lock_that_was_lost_does_not_end_that_of_another(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with contextlib.ExitStack() as other:
        with only_writer(out):
            shutil.rmtree(out)
            out.mkdir()
            other.enter_context(only_writer(out))
        with pytest.raises(RecordError, match="another run is writing here"), only_writer(out):
            pass


def test_a_lock_whose_folder_was_removed_is_renewed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with only_writer(out) as lock:
        shutil.rmtree(out)
        lock.renew()
        with pytest.raises(RecordError, match="another run is writing here"), only_writer(out):
            pass
    assert list(out.iterdir()) == []
