"""Shards of a run, and the record that they make together: with NumPy alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from harness.conformance.plan import Plan, make_plan
from harness.conformance.run import run
from harness.conformance.shards import deal, shard_named, shard_of
from harness.errors import RecordError, UsageError
from harness.model import Cell, Header, Record
from harness.store.merge import merged
from tests.unit.conformance.attention_suite import CASE, SOUND

NAMES = ("attention", "far", "near", "third", "wrong")


@pytest.fixture
def cases(suite: Path) -> Path:
    """Five cases; one of them has an implementation that is off."""
    for name in NAMES:
        folder = suite / name
        folder.mkdir(exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
        text = CASE.replace('name = "attention"\ntitle', f'name = "{name}"\ntitle')
        (folder / "case.toml").write_text(text, encoding="utf-8")
        (folder / f"{name}.py").write_text(SOUND, encoding="utf-8")
        off = SOUND.replace("weights > 0.5", "weights < 0.5") if name == "wrong" else SOUND
        (folder / f"{name}.second.py").write_text(off, encoding="utf-8")
    return suite


def records(plan: Plan, of: int, earlier: Record | None = None) -> dict[Path, Record]:
    shards = [shard_of(plan, index, of, earlier) for index in range(1, of + 1)]
    return {Path(str(shard.shard.index)): run(shard, out=None) for shard in shards if shard.shard}


def without_times(cells: tuple[Cell, ...]) -> list[bytes]:
    return sorted(
        msgspec.json.encode(msgspec.structs.replace(cell, seconds=0.0, calls=None)) for cell in cells
    )


@pytest.mark.parametrize("of", [1, 3, 5])
def test_the_merged_record_is_that_of_the_whole_run_but_for_its_times(cases: Path, of: int) -> None:
    plan = make_plan(cases, precisions=("float64",))
    whole = run(plan, out=None)
    parts = records(plan, of)
    assert sorted(case.name for part in parts.values() for case in part.header.cases) == sorted(NAMES)
    if of > 1:
        assert all(part.header.left_out["cases"].of == len(NAMES) for part in parts.values())
    # The order in which the folders are named does not matter.
    together = merged(dict(reversed(parts.items())))
    assert without_times(together.cells) == without_times(whole.cells)
    assert {cell.verdict for cell in together.cells if cell.case == "wrong"} > {"PASS"}
    assert [cell.case for cell in together.cells] == sorted(cell.case for cell in together.cells)
    key = msgspec.json.encode
    assert sorted(map(key, together.pairs)) == sorted(map(key, whole.pairs))
    assert sorted(map(key, together.consensus)) == sorted(map(key, whole.consensus))
    again = msgspec.structs.replace(together.header, started=whole.header.started)
    assert again == whole.header
    assert together.footer is not None
    assert whole.footer is not None
    assert (together.footer.partial, together.footer.complaints) == (False, whole.footer.complaints)
    seconds = [part.footer.seconds for part in parts.values() if part.footer is not None]
    assert together.footer.seconds == pytest.approx(sum(seconds))


def test_the_longest_are_dealt_first_and_no_shard_is_empty() -> None:
    assert deal({"a": 5.0, "b": 1.0, "c": 4.0, "d": 3.0}, 2) == [["a", "b"], ["c", "d"]]
    assert deal({"a": 0.0, "b": 0.0, "c": 0.0}, 3) == [["a"], ["b"], ["c"]]


def test_times_of_an_earlier_run_balance_the_shards(cases: Path) -> None:
    plan = make_plan(cases, precisions=("float64",))
    whole = run(plan, out=None)
    assert whole.footer is not None
    slow = tuple(
        msgspec.structs.replace(cell, seconds=9.0 if cell.case == "near" else 0.0)
        for cell in whole.cells
        # A case that is new counts as the others do.
        if cell.case != "third"
    )
    footer = msgspec.structs.replace(whole.footer, busy={})
    earlier = msgspec.structs.replace(whole, cells=slow, footer=footer)
    first, second = (shard_of(plan, index, 2, earlier) for index in (1, 2))
    assert [planned.case.name for planned in first.cases] == ["near"]
    assert len(second.cases) == 4


@pytest.mark.parametrize("text", ["3", "0/2", "3/2", "1/0", "a/b", "-1/2", "1/2/3", ""])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no shard"):
        shard_named(text)


def test_more_shards_than_cases_are_refused(cases: Path) -> None:
    with pytest.raises(UsageError, match="a shard has one case at least, and there are 5 here"):
        shard_of(make_plan(cases), 6, 6)


def changed(header: Header, **changes: object) -> Header:
    return msgspec.structs.replace(header, **changes)


def as_another_version(header: Header) -> Header:
    info = msgspec.structs.replace(header.runtimes["numpy"], version="3.0")
    return changed(header, runtimes=header.runtimes | {"numpy": info})


def in_three(header: Header) -> Header:
    assert header.shard is not None
    return changed(header, shard=msgspec.structs.replace(header.shard, of=3))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda header: changed(header, harness="9"), "the harness there is .*, and here 9"),
        (lambda header: changed(header, shard=None), "is the record of a whole run"),
        (as_another_version, r"the version of numpy there is .*, and here 3\.0"),
        (in_three, "the number of shards there is 2, and here 3"),
    ],
)
def test_what_does_not_belong_together_is_refused(
    cases: Path, change: Callable[[Header], Header], words: str
) -> None:
    parts = records(make_plan(cases, precisions=("float64",)), 2)
    (first, one), (second, two) = parts.items()
    other = msgspec.structs.replace(two, header=change(two.header))
    with pytest.raises(RecordError, match=words) as caught:
        merged({first: one, second: other})
    assert caught.value.path == second


def test_a_changed_source_makes_another_run(cases: Path) -> None:
    plan = make_plan(cases, precisions=("float64",))
    first = run(shard_of(plan, 1, 2), out=None)
    (cases / "far" / "far.py").write_text(SOUND + "# later\n", encoding="utf-8")
    second = run(shard_of(make_plan(cases, precisions=("float64",)), 2, 2), out=None)
    with pytest.raises(RecordError, match="the content of sources, cases and fixtures there is"):
        merged({Path("1"): first, Path("2"): second})


def test_a_shard_that_is_missing_or_there_twice_is_refused(cases: Path) -> None:
    parts = records(make_plan(cases, precisions=("float64",)), 3)
    (_, one), (_, two), _ = parts.items()
    with pytest.raises(RecordError, match="missing 3/3"):
        merged({Path("1"): one, Path("2"): two})
    with pytest.raises(RecordError, match="is the shard 1/3, and so is a"):
        merged({Path("a"): one, Path("b"): one})


def test_a_part_that_did_not_end_makes_the_whole_partial(cases: Path) -> None:
    parts = records(make_plan(cases, precisions=("float64",)), 2)
    (first, one), (second, two) = parts.items()
    together = merged({first: one, second: msgspec.structs.replace(two, footer=None)})
    assert together.footer is not None
    assert (together.footer.partial, together.footer.reason) == (True, "shard 2/2: it has no last line")


def test_a_runtime_that_another_shard_needs_may_be_required_of_all(cases: Path) -> None:
    (cases / "suite.toml").write_text(
        '[[runtime]]\nid = "other"\nlanguage = "Other"\nsuffix = "_other.py"\n'
        'command = ["{python}", "-P", "{workers}/__main__.py", "numpy"]\n',
        encoding="utf-8",
    )
    shutil.copy(cases / "near" / "near.py", cases / "near" / "near_other.py")
    plan = make_plan(cases, precisions=("float64",))
    parts = {
        Path(str(index)): run(shard_of(plan, index, 5), out=None, require=("other",)) for index in range(1, 6)
    }
    assert [part.footer.complaints for part in parts.values() if part.footer is not None] == [()] * 5
    assert merged(parts).footer.complaints == ()  # type: ignore[union-attr]
