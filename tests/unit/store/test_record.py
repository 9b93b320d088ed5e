"""What is written to a record comes back, and is what the published schema says."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.errors import RecordError
from harness.model import (
    Basis,
    CallTimes,
    Case,
    Cell,
    Consensus,
    ErrorStats,
    Examined,
    Exhibit,
    Footer,
    Pair,
    Precision,
    Record,
    SampleVerdict,
    Stage,
    Tolerance,
    Value,
    Verdict,
    WrongElement,
)
from harness.model.article import Block, BlockDifference, BlockKind, BlockVerdict, ChunkLine
from harness.store.record import RecordWriter, read_record
from harness.store.record_schema import schema
from tests.unit.store.record_lines import CELLS, EXHIBITS, FOOTER, HEADER, PAIRS, cell, pair, write

PUBLISHED = Path(__file__).parents[3] / "docs" / "record.schema.json"


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
        wrong=(WrongElement(index=(0,), actual="1", due="2", limit=inf),),
        calls=CallTimes(first=inf, later=inf),
    )
    # Printed texts that look like such numbers stay texts.
    far = BlockDifference(kind="number", published="NaN", produced="Infinity", units=inf)
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
        *("SampleVerdict.used", "SampleVerdict.max_abs", "WrongElement.limit"),
        *("CallTimes.first", "CallTimes.later"),
        *("ChunkLine.seconds", "BlockDifference.units", "Exhibit.values"),
        *("Examined.code_seconds", "Examined.run_seconds", "Examined.seconds"),
        *("Footer.seconds", "Footer.start_up", "Footer.busy", "Footer.first"),
    }


def test_an_exhibit_of_nan_comes_back(path: Path) -> None:
    shown = msgspec.structs.replace(EXHIBITS[0], shape=(1,), values=(math.nan,), show="curve")
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        writer.write(shown)
        writer.footer(FOOTER)
    (exhibit,) = read_record(path).exhibits
    assert math.isnan(exhibit.values[0])
