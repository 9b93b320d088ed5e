"""Records that are no records: what is wrong, in which line, what to do."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.model import Verdict, outcome_of
from harness.store.record import read_record
from tests.unit.store.record_lines import CELLS, PAIRS, edit, put, refused, write

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


# Lines: 0 header, 1 to 3 cells, 4 and 5 pairs, 6 footer, 7 the nothing after the last line break.
BROKEN: dict[str, tuple[Callable[[list[bytes]], None], int | None, str]] = {
    "empty": (lambda lines: lines.clear(), None, "is empty"),
    "text": (put(0, b'{"kind":"header"', b"hello"), 1, "is not a record"),
    "other JSON": (lambda lines: lines.insert(0, b"[1,2]"), 1, "is not a record"),
    "JSON number": (lambda lines: lines.insert(0, b"3"), 1, "is not a record"),
    "deep JSON": (lambda lines: lines.insert(0, b"[" * 100_000), 1, "is not a record"),
    "other kind": (put(0, b'"kind":"header"', b'"kind":"event"'), 1, "is not a record"),
    "no header": (lambda lines: lines.__delitem__(0), 1, "is not a record"),
    "no schema": (put(0, b'"schema":4', b'"schem":1'), 1, "is not a record"),
    "schema is text": (put(0, b'"schema":4', b'"schema":"1"'), 1, "is not a record"),
    "schema is true": (put(0, b'"schema":4', b'"schema":true'), 1, "is not a record"),
    "schema of zero": (put(0, b'"schema":4', b'"schema":0'), 1, "is not a record"),
    "newer schema": (
        put(0, b'"schema":4', b'"schema":5,"new":[]'),
        1,
        "has the schema 5; this harness reads up to 4",
    ),
    "unknown field of the header": (put(0, b'"cores":2', b'"kores":2'), 1, "unknown field `kores`"),
    "wrong type in the header": (put(0, b'"cores":2', b'"cores":"2"'), 1, "Expected `int`, got `str`"),
    "unknown field": (put(1, b'"limit"', b'"limits"'), 2, "unknown field `limits`"),
    "missing field": (put(2, b'"case":"toy",', b""), 3, "missing required field `case`"),
    "unknown verdict": (put(3, b'"FAIL"', b'"BAD"'), 4, "Invalid enum value 'BAD' - at `$.verdict`"),
    "unknown kind": (put(4, b'"pair"', b'"pear"'), 5, "Invalid value 'pear' - at `$.kind`"),
    "number as text": (put(1, b'"samples":1', b'"samples":"1"'), 2, "Expected `int`, got `str`"),
    "text where a number is expected": (
        put(1, b'"limit":4.5e-16', b'"limit":"nan"'),
        2,
        "got `str` - at `$.limit`",
    ),
    "NaN as the wrong field": (put(1, b'"samples":1', b'"samples":"NaN"'), 2, "at `$.samples`"),
    "bare NaN": (put(1, b'"limit":4.5e-16', b'"limit":NaN'), 2, "malformed"),
    "huge number": (put(1, b'"limit":4.5e-16', b'"limit":1e999'), 2, "out of range"),
    "null": (put(1, b'"seconds":0.001', b'"seconds":null'), 2, "got `null`"),
    "not UTF-8": (put(3, b"script", b"s\xffript"), 4, "is not a line of a record"),
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
        put(3, b'"FAIL"', b'"PASS"'),
        7,
        "its footer counts 1 FAIL, 2 PASS, its lines are 3 PASS",
    ),
    "line gone": (
        lambda lines: lines.__delitem__(1),
        6,
        "its footer counts 1 FAIL, 2 PASS, its lines are 1 FAIL, 1 PASS",
    ),
    "other counts": (put(6, b'"PASS":2', b'"PASS":3'), 7, "its footer counts 1 FAIL, 3 PASS"),
    "counts of nothing": (put(6, b'"PASS":2', b'"PASS":2,"GOOD":0'), 7, "its footer counts"),
    "other number": (
        put(1, b'"limit":4.5e-16', b'"limit":4.5e-15'),
        7,
        "was changed after it was written",
    ),
    "other header": (put(0, b'"cores":2', b'"cores":3'), 7, "was changed after it was written"),
    "pair gone": (lambda lines: lines.__delitem__(4), 6, "was changed after it was written"),
    "lines swapped": (lambda lines: lines.insert(1, lines.pop(2)), 7, "was changed after it was written"),
    "space": (put(1, b'"samples":1', b'"samples": 1'), 7, "was changed after it was written"),
    "no longer partial": (
        put(6, b'"partial":false', b'"partial":true'),
        7,
        "was changed after it was written",
    ),
    "other digest": (put(6, b'"digest":"', b'"digest":"0'), 7, "was changed after it was written"),
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
    edit(put(0, b'"schema":4,"harness":"0.1.0"', b'"schema":9,"harness":"4.0"'))(path)
    assert refused(path).advice == "read it with harness 4.0 or newer"


def test_a_newer_record_that_names_no_harness(path: Path) -> None:
    write(path)
    edit(put(0, b'"schema":4,"harness":"0.1.0"', b'"schema":5,"harness":""'))(path)
    assert refused(path).advice == "read it with a newer harness"
    edit(put(0, b'"harness":"",', b""))(path)
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
            "has the schema 5; this harness reads up to 4",
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


def test_what_to_do_about_a_record_that_was_changed(path: Path) -> None:
    write(path)
    edit(put(1, b'"seconds":0.001', b'"seconds":0.002'))(path)
    record_error = refused(path)
    assert record_error.message == (
        "was changed after it was written: its lines do not give the digest in its footer"
    )
    assert (record_error.line, record_error.advice) == (7, "run again")
    edit(put(1, b'"verdict":"PASS"', b'"verdict":"FAIL"'))(path)
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
