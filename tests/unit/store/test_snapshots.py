"""Snapshots: every bit comes back, and what is damaged or no longer stands is refused with the reason."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from harness.errors import FixtureError
from harness.model import Case, Failure, Observation, Precision, RuntimeInfo, Source, Stage, Value, Verdict
from harness.store.provenance import Provenance, digest, file_hash, graph_hash
from harness.store.snapshots import Head, read_head, read_snapshot, snapshot_path, stale, write_snapshot

Observed = dict[tuple[str, str], Observation | Failure]

MADE_FROM = Provenance(source="s", reference="r", fixture="f", graph="g", protocol=1)
HEAD = Head(
    format=0,
    case="toy",
    implementation="r",
    precision=Precision.FLOAT64,
    fixture="toy",
    made_from=MADE_FROM,
    runtime=RuntimeInfo(runtime="r", language="R", version="4.2.2", dtypes=("float64",)),
    cpu="a processor",
    harness="0.1.0",
    recorded="2026-01-02",
    values="",
    base="",
)
PAYLOAD = np.array([0x7FF8000000001234, 0xFFF0000000000000, 0x8000000000000000, 1], np.uint64)
ODD: dict[str, Any] = {
    "special": PAYLOAD.view(np.float64),
    "scalar": np.array(-0.0),
    "empty": np.zeros((0, 3)),
    "columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "single": np.array([1.5, -2.5], np.float32),
    "whole": np.array([[1, -(2**60)]]),
    "truth": np.array([True, False, True]),
    "complex": np.array([1 + 2j, complex(np.nan, -0.0)]),
    "big_endian": np.array([1.0, 2.0], ">f8"),
}


def observed(arrays: dict[str, Any], sample: str = "default") -> Observed:
    return {
        (sample, name): failure
        if isinstance(failure, Failure)
        else Observation(outputs={name: failure}, seconds=2.0)
        for name, failure in arrays.items()
    }


def same_bits(ours: Observation | Failure, theirs: Observation | Failure) -> bool:
    assert isinstance(ours, Observation)
    assert isinstance(theirs, Observation)
    return all(
        (ours.outputs[name].shape, ours.outputs[name].dtype.newbyteorder("="), ours.outputs[name].tolist())
        == (array.shape, array.dtype.newbyteorder("="), array.tolist())
        or ours.outputs[name].tobytes() == np.asarray(array, order="C").tobytes()
        for name, array in theirs.outputs.items()
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return snapshot_path(tmp_path, "toy", "r", Precision.FLOAT64)


def test_every_bit_comes_back_and_says_that_it_is_replayed(path: Path) -> None:
    chained = observed(ODD)
    isolated = observed({**ODD, "scalar": np.array(0.0), "columns": np.ones((2, 3))})
    write_snapshot(path, HEAD, chained, isolated, {})
    snapshot = read_snapshot(path, None)
    for theirs, ours in ((chained, snapshot.chained), (isolated, snapshot.isolated)):
        assert list(ours) == list(theirs)
        for key, observation in ours.items():
            assert same_bits(observation, theirs[key]), key
            assert isinstance(observation, Observation)
            assert observation.source is Source.REPLAYED
            assert observation.seconds == 0.0
    assert digest(snapshot.chained) == digest(chained) == snapshot.head.values
    assert digest(snapshot.isolated) == digest(isolated) != snapshot.head.values


def test_the_reference_s_values_are_where_the_bytes_are_counted_from(path: Path, tmp_path: Path) -> None:
    values = np.random.default_rng(0).standard_normal((60, 60))
    close = values * (1 + 2.0**-52)
    reference = observed({"a": values, "b": values, "only": np.ones(2)})
    ours = observed({"a": close, "b": values[:2], "mine": np.ones(3)})
    size = write_snapshot(path, HEAD, ours, ours, reference)
    write_snapshot(tmp_path / "reference", HEAD, reference, reference, {})
    alone = write_snapshot(tmp_path / "alone", HEAD, ours, ours, {})
    assert size < alone / 4
    kept = read_snapshot(tmp_path / "reference", None)
    snapshot = read_snapshot(path, kept)
    assert digest(snapshot.chained) == digest(ours)
    assert digest(snapshot.isolated) == digest(ours)


def test_what_is_the_same_in_both_modes_is_kept_once(path: Path, tmp_path: Path) -> None:
    values = np.random.default_rng(1).standard_normal(4000)
    once = write_snapshot(path, HEAD, observed({"a": values}), observed({"a": values}), {})
    twice = write_snapshot(tmp_path / "twice", HEAD, observed({"a": values}), observed({"a": values + 1}), {})
    assert once < values.nbytes + 2000
    assert twice > 1.5 * once


def test_failures_are_kept_with_their_verdict_and_reason(path: Path) -> None:
    failure = Failure(verdict=Verdict.TIMEOUT, reason="too slow", detail="a traceback with a path")
    write_snapshot(path, HEAD, observed({"a": failure}), observed({"a": np.ones(2)}), {})
    snapshot = read_snapshot(path, None)
    assert snapshot.chained["default", "a"] == Failure(verdict=Verdict.TIMEOUT, reason="too slow")
    assert isinstance(snapshot.isolated["default", "a"], Observation)
    assert b"traceback" not in path.read_bytes()


def test_a_snapshot_of_another_reference_is_refused(path: Path, tmp_path: Path) -> None:
    reference, other = observed({"a": np.ones(3)}), observed({"a": np.ones(3) * 2})
    write_snapshot(path, HEAD, other, other, reference)
    write_snapshot(tmp_path / "other", HEAD, other, other, {})
    with pytest.raises(FixtureError, match="has been replaced"):
        read_snapshot(path, read_snapshot(tmp_path / "other", None))
    with pytest.raises(FixtureError, match="has been replaced"):
        read_snapshot(path, None)


def test_a_snapshot_that_is_cut_off_anywhere_is_refused(path: Path) -> None:
    write_snapshot(path, HEAD, observed(ODD), observed(ODD), {})
    data = path.read_bytes()
    for length in range(0, len(data), 37):
        path.write_bytes(data[:length])
        with pytest.raises(FixtureError, match="is not a whole snapshot"):
            read_snapshot(path, None)


def test_a_snapshot_with_a_changed_bit_anywhere_is_refused(path: Path) -> None:
    write_snapshot(path, HEAD, observed(ODD), observed(ODD), {})
    data = path.read_bytes()
    assert read_snapshot(path, None).head.cpu == "a processor"
    for place, byte in enumerate(data):
        path.write_bytes(data[:place] + bytes([byte ^ 1 << place % 8]) + data[place + 1 :])
        with pytest.raises(FixtureError):
            read_snapshot(path, None)
        with pytest.raises(FixtureError):
            read_head(path)


def without_digest(data: bytes) -> bytes:
    """A snapshot as it was written before whole files had a digest."""
    size = int.from_bytes(data[:8], "little")
    begin, end = data[8 : 8 + size], data[8 + size :]
    begin, count = re.subn(rb',\\"sha256\\":\\"[0-9a-f]{64}\\"', b"", begin)
    assert count == 1
    return len(begin).to_bytes(8, "little") + begin + end


def test_a_snapshot_without_a_digest_of_the_whole_file_is_read(path: Path) -> None:
    write_snapshot(path, HEAD, observed(ODD), observed(ODD), {})
    data = without_digest(path.read_bytes())
    path.write_bytes(data)
    assert digest(read_snapshot(path, None).chained) == digest(observed(ODD))
    size = write_snapshot(path, HEAD, observed(ODD), observed(ODD), {})
    assert path.read_bytes() == data
    assert size == len(data)
    for old, new in (
        (b'"U8"', b'"I8"'),
        (b'"recording"', b'"recordinh"'),
        (b"cpu", b"cpt"),
        (b"index", b"indey"),
    ):
        assert data.count(old) == 1 or old == b'"U8"'
        path.write_bytes(data.replace(old, new))
        with pytest.raises(FixtureError, match="is not a whole snapshot"):
            read_snapshot(path, None)


@pytest.mark.parametrize("content", [b"", b"text", b"\x02\x00\x00\x00\x00\x00\x00\x00{}"])
def test_another_file_is_no_snapshot(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    with pytest.raises(FixtureError, match="is not a whole snapshot"):
        read_head(path)


def test_a_newer_format_is_refused(path: Path) -> None:
    write_snapshot(path, HEAD, observed(ODD), observed(ODD), {})
    data = path.read_bytes()
    assert data.count(b'format\\":1') == 1
    path.write_bytes(data.replace(b'format\\":1', b'format\\":7'))
    with pytest.raises(FixtureError, match="format 7; this harness reads 1"):
        read_head(path)


def test_a_file_that_would_differ_in_its_date_alone_is_left(path: Path) -> None:
    later = msgspec.structs.replace(HEAD, recorded="2027-01-01")
    write_snapshot(path, HEAD, observed(ODD), observed(ODD), {})
    before = path.read_bytes()
    write_snapshot(path, later, observed(ODD), observed(ODD), {})
    assert path.read_bytes() == before
    write_snapshot(path, later, observed({**ODD, "scalar": np.array(1.0)}), observed(ODD), {})
    assert read_head(path).recorded == "2027-01-01"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"source": "x"}, "the source file has changed since 2026-01-02"),
        ({"fixture": "x"}, "the fixture has changed since 2026-01-02"),
        ({"graph": "x"}, "the graph of the case has changed since 2026-01-02"),
        ({"protocol": 2}, "the protocol (then version 1, now 2) has changed since 2026-01-02"),
        ({"source": "x", "fixture": "x"}, "the source file and the fixture have changed since 2026-01-02"),
        (
            {"beside": {"K.R": "x"}},
            "K.R (new, or not noted then) beside the source file has changed since 2026-01-02",
        ),
        (
            {"beside": dict.fromkeys("abcdef", "x"), "graph": "x"},
            "the graph of the case and a (new, or not noted then), b (new, or not noted then), c (new, or not"
            " noted then), d (new, or not noted then) and 2 more beside the source file have changed since",
        ),
        ({"reference": "x"}, ""),
        ({}, ""),
    ],
)
def test_what_has_changed_is_named(changed: dict[str, Any], reason: str) -> None:
    message = stale(HEAD, msgspec.structs.replace(MADE_FROM, **changed))
    assert message.startswith(reason)
    assert bool(message) == bool(reason)


def test_a_graph_is_its_inputs_and_stages_alone() -> None:
    value = Value(name="a", shape=("n",))
    case = Case(
        name="c",
        title="t",
        origin="o",
        fixture="f",
        inputs=(Value(name="x", shape=("n",)),),
        stages=(Stage(name="a", inputs=("x",), outputs=(value,)),),
    )
    base = graph_hash(case)

    def with_output(**changes: Any) -> str:
        stage = Stage(name="a", inputs=("x",), outputs=(msgspec.structs.replace(value, **changes),))
        return graph_hash(msgspec.structs.replace(case, stages=(stage,)))

    assert with_output(meaning="other", symbol="A", nan=True) == base
    assert graph_hash(msgspec.structs.replace(case, title="other", timeout=1.0)) == base
    assert len({base, with_output(shape=("m",)), with_output(dtype="int"), with_output(name="b")}) == 4


def test_line_ends_do_not_change_a_source(tmp_path: Path) -> None:
    (tmp_path / "unix").write_bytes(b"a\nb\n")
    (tmp_path / "dos").write_bytes(b"a\r\nb\r\n")
    (tmp_path / "other").write_bytes(b"a\nc\n")
    assert file_hash(tmp_path / "unix") == file_hash(tmp_path / "dos") != file_hash(tmp_path / "other")


FOLDER = Path(__file__).parents[3] / "fixtures" / "snapshots"


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the repository has no snapshots")
def test_the_snapshots_of_the_repository_are_whole_small_and_name_no_folder_of_a_machine() -> None:
    paths = sorted(FOLDER.rglob("*.safetensors"))
    assert paths
    assert sum(path.stat().st_size for path in paths) < 10_000_000
    for path in paths:
        head = read_head(path)
        assert path == snapshot_path(FOLDER, head.case, head.implementation, head.precision)
        reference = None if not head.base else read_snapshot(path.with_name(_of_the_reference(path)), None)
        snapshot = read_snapshot(path, reference)
        assert snapshot.chained.keys() == snapshot.isolated.keys()
        assert len(head.runtime.platform.split()) == 2
        said = [result.reason for result in snapshot.chained.values() if isinstance(result, Failure)]
        assert not [text for text in said if str(FOLDER.anchor) in text]


def _of_the_reference(path: Path) -> str:
    precision = path.name.split(".")[-2]
    return f"numpy.{precision}.safetensors"
