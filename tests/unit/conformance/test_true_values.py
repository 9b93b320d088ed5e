"""What the oracle is asked, and what is made of its answers, with a worker that notes what it is asked."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance import oracle_asker
from harness.conformance.oracle import OracleClient, asks, oracle
from harness.conformance.oracle_request import truth_from
from harness.conformance.plan import Plan
from harness.errors import WorkerError
from harness.model import (
    Absent,
    Case,
    Failure,
    Implementation,
    Mode,
    Observation,
    Precision,
    Stage,
    Tolerance,
    Truth,
    Verdict,
)
from harness.oracle.sampling import sample
from harness.runtimes.oracle_worker import TruthReply
from harness.runtimes.registry import Registry
from tests.unit.conformance.by_hand import EXACT, Observations, value
from tests.unit.conformance.oracle_answers import (
    LAUNCH,
    ClientOf,
    Workers,
    asked_of,
    case,
    kept,
    observed,
    parts,
    planned,
    reply,
)


def test_a_changed_source_fixture_or_tolerance_is_a_question_of_its_own(
    client_of: ClientOf, source: Path
) -> None:
    workers = Workers(*(reply() for _ in range(9)))
    client = client_of(workers)
    sound = planned(source)
    other = source.with_name("changed.py")
    other.write_text("def changed(): ...\n", encoding="utf-8")
    stages = case().stages
    loose = Tolerance(rule="absolute", value=9.0, reason="test")
    stated = msgspec.structs.replace(stages[1], outputs=(value("b", tolerance=loose),))
    for number, of in enumerate(
        (
            sound,
            msgspec.structs.replace(sound, reference=msgspec.structs.replace(sound.reference, path=other)),
            msgspec.structs.replace(sound, fixture=msgspec.structs.replace(sound.fixture, sha256="1")),
            planned(source, case(stages=(stages[0], stated, *stages[2:]))),
        ),
        1,
    ):
        for _ in range(2):
            asked_of(client, of, Mode.ISOLATED, observed(a=1.5))
            assert len(workers.asked) == number
    assert workers.loaded[1][0] == other


def test_a_whole_graph_is_asked_for_with_what_stands_in_for_stated_stages(
    client_of: ClientOf, source: Path, tmp_path: Path
) -> None:
    workers = Workers(reply(), reply())
    of = planned(source, samples="st")
    truths = asked_of(client_of(workers), of, Mode.CHAINED, observed("st", a=1.5))
    assert workers.started == [("oracle", LAUNCH, tmp_path / "logs" / "oracle.1.stderr")]
    assert workers.loaded == [(source, {"a": 1, "b": 1, "d": 2}, 120.0)]
    first, second = workers.asked
    assert {name: array.tolist() for name, array in first.arrays.items()} == {
        "x": [1.0, 1.0],
        "a": [1.5, 1.5],
        "a:limit": [0.5, 0.5],
    }
    assert second.arrays["x"].tolist() == [2.0, 2.0]
    assert second.arrays["a:limit"].tolist() == [0.75, 0.75]
    assert second.arrays["a:limit"].dtype == np.float64
    for request in (first, second):
        assert request.handle == "h1"
        assert [stage.name for stage in request.how.pop("stages")] == ["a", "b", "d"]
        assert {name: array.tolist() for name, array in request.how.pop("stated").items()}.keys() == {"a"}
        assert request.how == {
            "wanted": frozenset({"b", "d"}),
            "feed": True,
            "bits": 53,
            "balls": True,
            "deadline": 70.0,
            # All that is left for the last, and half of it before.
            "seconds": 15.0 if request is first else 30.0,
        }
    assert list(truths) == [("s", "b"), ("s", "d"), ("t", "b"), ("t", "d")]
    last = truths["t", "d"]
    assert isinstance(last, Truth)
    assert last.high.tolist() == [4.0, 5.0]
    assert kept(tmp_path) == 1


def test_each_stage_is_asked_for_on_the_values_that_it_was_given(client_of: ClientOf, source: Path) -> None:
    workers = Workers(reply())
    asked_of(client_of(workers), planned(source), Mode.ISOLATED, observed(a=1.5, b=2.5, c=3.5, d=4.5))
    assert workers.loaded == [(source, {"b": 1, "d": 2}, 120.0)]
    (request,) = workers.asked
    assert {name: array.tolist() for name, array in request.arrays.items()} == {
        "a": [1.5, 1.5],
        "b": [2.5, 2.5],
        "x": [1.0, 1.0],
    }
    assert [stage.name for stage in request.how["stages"]] == ["b", "d"]
    assert (request.how["feed"], request.how["stated"]) == (False, {})


def test_steps_that_others_may_be_off_are_of_the_precision(client_of: ClientOf, source: Path) -> None:
    """The last place of 1 is 2**-23 in float32, and 2**-7 in bfloat16."""
    steps = Tolerance(rule="ulp", value=2.0, reason="test")
    first, *others = case().stages
    stage = Stage(name="a", inputs=first.inputs, outputs=(value("a", tolerance=steps),))
    of = planned(source, of=case(stages=(stage, *others)))
    ones: Observations = {("s", "a"): Observation(outputs={"a": np.ones(2, dtype=np.float32)}, seconds=0.0)}
    workers = Workers(reply(), reply())
    client = client_of(workers)
    for precision, limit in ((Precision.FLOAT32, 2.0**-22), (Precision.BFLOAT16, 2.0**-6)):
        client.truths(of, precision, Mode.CHAINED, ones)
        assert workers.asked[-1].arrays["a:limit"].tolist() == [limit, limit]


def test_what_the_reference_did_not_return_is_not_given(client_of: ClientOf, source: Path) -> None:
    gone: Observations = {("s", "a"): Failure(verdict=Verdict.ERROR, reason="it raises")}
    workers = Workers(reply())
    asked_of(client_of(workers), planned(source), Mode.CHAINED, gone)
    assert list(workers.asked[0].arrays) == ["x"]
    assert workers.asked[0].how["stated"] == {}


@pytest.mark.parametrize(
    ("precision", "bits", "dtype"),
    [
        ("float64", 53, "float64"),
        ("float32", 24, "float32"),
        ("float16", 11, "float16"),
        ("bfloat16", 8, "float32"),
    ],
)
def test_limits_are_asked_for_in_the_bits_of_the_precision(
    client_of: ClientOf, source: Path, precision: str, bits: int, dtype: str
) -> None:
    workers = Workers(reply())
    client_of(workers).truths(planned(source), Precision(precision), Mode.CHAINED, {})
    assert workers.asked[0].how["bits"] == bits
    assert workers.asked[0].arrays["x"].dtype == dtype


def test_of_many_samples_three_are_computed_in_balls_as_well(client_of: ClientOf, source: Path) -> None:
    workers = Workers(*(reply() for _ in "abcdefgh"))
    asked_of(client_of(workers), planned(source, samples="abcdefgh"), Mode.CHAINED, {})
    # They are drawn once for all runs.
    assert [place for place, request in enumerate(workers.asked) if request.how["balls"]] == [2, 3, 4]


def test_a_sample_has_half_of_the_time_that_is_left_and_the_last_all(
    client_of: ClientOf, source: Path
) -> None:
    workers = Workers(reply(spent=12.0), reply(spent=0.5), reply(spent=7.5), reply())
    asked_of(client_of(workers), planned(source, samples="stuv"), Mode.CHAINED, {})
    assert [request.how["seconds"] for request in workers.asked] == [15.0, 9.0, 8.75, 10.0]


@pytest.mark.parametrize("place", [0, 1])
def test_an_answer_that_time_has_cut_short_is_not_kept(
    client_of: ClientOf, source: Path, tmp_path: Path, place: int
) -> None:
    workers = Workers(*(reply(cut=place == number) for number in range(2)))
    client, of = client_of(workers), planned(source, samples="st")
    truths = asked_of(client, of, Mode.CHAINED, {})
    assert kept(tmp_path) == 0
    # This run goes on with what it has.
    assert asked_of(client, of, Mode.CHAINED, {}) is truths
    assert len(workers.asked) == 2


def test_an_answer_is_asked_for_once_and_kept(client_of: ClientOf, source: Path, tmp_path: Path) -> None:
    workers = Workers(*(reply() for _ in range(4)), reply(values={"b": parts([2.0, 3.0])}))
    of = planned(source)
    client = client_of(workers)
    first = asked_of(client, of, Mode.CHAINED, {})
    assert asked_of(client, of, Mode.CHAINED, {}) is first
    assert (len(workers.asked), kept(tmp_path)) == (1, 1)
    again = asked_of(client_of(workers), of, Mode.CHAINED, {})
    assert list(again) == [("s", "b"), ("s", "d")]
    assert (len(workers.asked), kept(tmp_path)) == (1, 1)
    # Whatever else is asked is another question.
    client.truths(of, Precision.FLOAT32, Mode.CHAINED, {})
    client.truths(of, Precision.FLOAT64, Mode.ISOLATED, {})
    client.truths(of, Precision.FLOAT64, Mode.CHAINED, observed(a=1.5))
    other = planned(source, of=case(name="other", timeout=1.0, stages=case().stages[:2]))
    client.truths(other, Precision.FLOAT64, Mode.CHAINED, {})
    assert (len(workers.asked), kept(tmp_path), len(workers.started)) == (5, 5, 1)


def test_nothing_is_kept_where_the_folder_is_too_large_to_be_read(
    client_of: ClientOf, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.store.beside.MOST_FILES", 0)
    (source.with_name("data.csv")).touch()
    workers = Workers(reply(), reply(), reply())
    client, of = client_of(workers), planned(source)
    first = asked_of(client, of, Mode.CHAINED, {})
    assert asked_of(client, of, Mode.CHAINED, {}) is first
    assert (len(workers.asked), kept(tmp_path)) == (1, 0)
    other = planned(source, of=case(name="other"))
    assert asked_of(client, other, Mode.CHAINED, {}) is not first
    # What lies there is not read either.
    asked_of(client_of(workers), of, Mode.CHAINED, {})
    assert (len(workers.asked), kept(tmp_path)) == (3, 0)


def test_what_the_oracle_does_not_say_is_not_known(client_of: ClientOf, source: Path) -> None:
    workers = Workers(
        reply(values={"b": parts([1.0, 2.0])}, problems={"d": "no limit (line 3)"}),
        reply(values={"b": parts([1.0 + 0j, 2.0]), "d": parts([4.0, 5.0])}, problems={}, why={"d": "a < b"}),
    )
    truths = asked_of(client_of(workers), planned(source, samples="st"), Mode.CHAINED, {})
    first = truths["s", "b"]
    assert isinstance(first, Truth)
    assert first.why == ""
    assert truths["s", "d"] == Failure(verdict=Verdict.NOT_RUN, reason="no limit (line 3)")
    # Complex numbers, where real ones are declared.
    assert truths["t", "b"] == Failure(verdict=Verdict.NOT_RUN, reason="nothing was told")
    last = truths["t", "d"]
    assert isinstance(last, Truth)
    assert last.why == "a < b"
    assert len(truths) == 4


def test_complex_numbers_are_told_where_they_are_declared(client_of: ClientOf, source: Path) -> None:
    stage = Stage(name="b", inputs=("x",), outputs=(value("b", dtype="complex"),))
    workers = Workers(reply(values={"b": parts([1 + 2j, 3.0])}), reply(values={"b": parts([1.0, 3.0])}))
    of = planned(source, of=case(stages=(stage,)), samples="st")
    truths = asked_of(client_of(workers), of, Mode.CHAINED, {})
    first = truths["s", "b"]
    assert isinstance(first, Truth)
    assert first.high.tolist() == [1 + 2j, 3 + 0j]
    assert isinstance(truths["t", "b"], Failure)


GONE = WorkerError("it is gone")


def test_a_sample_that_ends_the_worker_takes_no_other_with_it(
    client_of: ClientOf, source: Path, tmp_path: Path
) -> None:
    workers = Workers(GONE, reply(spent=1.0), GONE, reply())
    client = client_of(workers)
    truths = asked_of(client, planned(source, samples="stuv"), Mode.CHAINED, {})
    lost = Failure(verdict=Verdict.NOT_RUN, reason="it is gone")
    for sample_name, is_lost in zip("stuv", (True, False, True, False), strict=True):
        for name in "bd":
            assert (truths[sample_name, name] == lost) is is_lost
    assert [request.handle for request in workers.asked] == ["h1", "h2", "h2", "h3"]
    assert [request.how["seconds"] for request in workers.asked] == [15.0, 15.0, 14.5, 29.0]
    assert [stderr.name for *_, stderr in workers.started] == [
        "oracle.1.stderr",
        "oracle.2.stderr",
        "oracle.3.stderr",
    ]
    assert workers.loaded == [(source, {"a": 1, "b": 1, "d": 2}, 120.0)] * 3
    assert client.start_up == {"oracle": 0.75}
    # It need not happen again.
    assert kept(tmp_path) == 0


def test_after_three_such_samples_of_a_case_no_more_is_asked(
    client_of: ClientOf, source: Path, tmp_path: Path
) -> None:
    workers = Workers(GONE, reply(), GONE, GONE, reply(), reply())
    client = client_of(workers)
    of = planned(source, samples="stuvw")
    truths = asked_of(client, of, Mode.CHAINED, {})
    # What is known of a sample stays known.
    assert {sample_name for (sample_name, _), of_it in truths.items() if isinstance(of_it, Truth)} == {"t"}
    reasons = {of_it.reason for of_it in truths.values() if isinstance(of_it, Failure)}
    assert reasons == {
        "it is gone",
        "the oracle failed in 3 samples and is asked no more: it is gone",
    }
    assert set(truths) == {(sample_name, name) for sample_name in "stuvw" for name in "bd"}
    assert (len(workers.asked), kept(tmp_path), workers.killed) == (4, 0, ["h3"])
    # Of this graph it is asked no more; of another it is.
    assert asked_of(client, of, Mode.CHAINED, {}) is truths
    other = planned(source, case(name="other"))
    assert isinstance(asked_of(client, other, Mode.CHAINED, {})["s", "b"], Truth)


@pytest.mark.parametrize("when", ["before", "at the second sample", "in an answer"])
def test_nothing_is_asked_once_the_run_is_stopped(
    client_of: ClientOf, source: Path, tmp_path: Path, when: str
) -> None:
    workers = Workers(reply(), GONE)
    client = client_of(workers)
    if when == "before":
        client.stop.set()
    else:
        worker = workers.start

        def start(*given: Any, **named: Any) -> Any:
            made = worker(*given, **named)
            ask = made.truth

            def truth(*of: Any, **how: Any) -> TruthReply:
                if when == "in an answer":
                    client.stop.set()
                    raise WorkerError("it was killed")
                answer: TruthReply = ask(*of, **how)
                client.stop.set()
                return answer

            made.truth = truth
            return made

        workers.start = start  # type: ignore[method-assign]
    truths = asked_of(client, planned(source, samples="st"), Mode.CHAINED, {})
    reason = "it was killed" if when == "in an answer" else "the run was stopped"
    unknown = Failure(verdict=Verdict.NOT_RUN, reason=reason)
    assert truths == {(sample_name, name): unknown for sample_name in "st" for name in "bd"}
    assert len(workers.started) == (0 if when == "before" else 1)
    assert (len(workers.asked), kept(tmp_path)) == (1 if when == "at the second sample" else 0, 0)


def test_without_an_oracle_or_a_numpy_reference_no_true_value_is_known(tmp_path: Path, source: Path) -> None:
    absent = Absent(runtime="oracle", language="Python", reason="no flint")
    stop = threading.Event()
    of = planned(source, samples="st")
    truths = asked_of(OracleClient(absent, tmp_path, tmp_path, stop), of, Mode.CHAINED, {})
    unknown = Failure(verdict=Verdict.NOT_RUN, reason="no flint")
    assert truths == {(sample_name, name): unknown for sample_name in "st" for name in "bd"}
    torch = msgspec.structs.replace(
        of, reference=Implementation(id="torch", runtime="torch", language="Python", path=source)
    )
    truths = asked_of(OracleClient(LAUNCH, tmp_path, tmp_path, stop), torch, Mode.CHAINED, {})
    assert {failure.reason for failure in truths.values() if isinstance(failure, Failure)} == {
        "the oracle evaluates NumPy, and the reference is no NumPy source"
    }
    assert len(truths) == 4


def test_an_answer_has_both_modes_and_says_how_long_it_took(
    client_of: ClientOf, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = Workers(reply(), reply(values={"b": parts([8.0, 9.0])}))
    client = client_of(workers)
    clock = iter([10.0, 12.5, 100.0, 101.0])
    monkeypatch.setattr("harness.conformance.oracle.time.perf_counter", lambda: next(clock))
    upstream = observed(a=1.5, b=2.5, c=3.5, d=4.5)
    answer = client.evaluate(planned(source), Precision.FLOAT64, upstream)
    chained, isolated = answer.chained["s", "b"], answer.isolated["s", "b"]
    assert isinstance(chained, Truth)
    assert isinstance(isolated, Truth)
    assert (chained.high.tolist(), isolated.high.tolist()) == ([2.0, 3.0], [8.0, 9.0])
    # Chained, only what stands in for a stated stage is given.
    assert [sorted(request.arrays) for request in workers.asked] == [["a", "a:limit", "x"], ["a", "b", "x"]]
    assert client.busy == {"oracle": 2.5}
    client.evaluate(planned(source), Precision.FLOAT64, dict(upstream))
    assert client.busy == {"oracle": 3.5}
    assert len(workers.asked) == 2


def test_all_implementations_of_a_case_share_one_answer(client_of: ClientOf, source: Path) -> None:
    workers = Workers(*(reply() for _ in range(4)))
    client, of, upstream = client_of(workers), planned(source), observed(a=1.5, b=2.0, c=1.0, d=1.0)
    answer = client.evaluate(of, Precision.FLOAT64, upstream)
    assert client.evaluate(of, Precision.FLOAT64, upstream) is answer
    assert client.evaluate(of, Precision.FLOAT64, dict(upstream)) is not answer
    assert client.evaluate(of, Precision.FLOAT32, upstream) is not answer


def test_around_a_sample_of_true_values_stand_those_of_the_reference(
    client_of: ClientOf, source: Path
) -> None:
    (rows,) = sample((100,))
    assert rows is not None
    single_stage = case(stages=(Stage(name="b", inputs=("x",), outputs=(value("b"),)),))
    drawn = np.linspace(1.0, 2.0, 100)[rows]
    workers = Workers(reply(values={"b": parts(drawn)}), reply(values={"b": parts(drawn)}))
    whole: Observations = {("s", "b"): Observation(outputs={"b": np.linspace(1.0, 2.0, 100)}, seconds=0.0)}
    answer = client_of(workers).evaluate(planned(source, of=single_stage, n=100), Precision.FLOAT64, whole)
    for truths in (answer.chained, answer.isolated):
        truth = truths["s", "b"]
        assert isinstance(truth, Truth)
        assert truth.high.tolist() == np.linspace(1.0, 2.0, 100).tolist()
        assert truth.sample == "64 of 100 elements"


def truth_of(limit: Sequence[float], **changes: Any) -> Truth:
    of = parts(np.ones(len(limit)), np.array(limit), **changes)
    return truth_from(of, "why")


@pytest.mark.parametrize(
    ("limit", "due", "dtype"),
    [
        ([0.5, 0.25], [0.5, 0.25], "float32"),
        # Rounded up, never down: the next float32 after 1 is 1 + 2**-23.
        ([1 + 2.0**-30, 1 - 2.0**-30], [1 + 2.0**-23, 1.0], "float32"),
        ([0.0, 1.0], [0.0, 1.0], "float32"),
        # The smallest normal float32, and what is smaller or too large for one.
        ([2.0**-126, 1.0], [2.0**-126, 1.0], "float32"),
        ([2.0**-127, 1.0], [2.0**-127, 1.0], "float64"),
        ([2.0**-127, 0.0], [2.0**-127, 0.0], "float64"),
        ([1e39, 1.0], [1e39, 1.0], "float64"),
        ([np.inf, 1.0], [np.inf, 1.0], "float64"),
        ([], [], "float32"),
    ],
)
def test_a_limit_is_float32_where_that_can_hold_it(limit: list[float], due: list[float], dtype: str) -> None:
    truth = truth_of(limit)
    assert (truth.limit.tolist(), str(truth.limit.dtype)) == (due, dtype)
    assert (truth.undecided, truth.reach, truth.why) == (None, None, "why")
    assert (truth.known, truth.sample) == (None, "")


def test_the_worst_error_is_the_largest() -> None:
    of = parts([1.0, 2.0])
    truth = truth_from([*of[:3], np.array([0.25, 4.0]), of[4]], "")
    assert (truth.worst, type(truth.worst)) == (4.0, float)
    assert (truth.high.tolist(), truth.low.tolist()) == ([1.0, 2.0], [1e-20, 2e-20])
    assert truth_from(parts(np.zeros(0)), "").worst == 0.0


def test_where_the_limit_is_nan_nothing_is_decided_and_the_radius_is_how_far_branches_lead() -> None:
    of = parts([1.0, 2.0, 3.0], np.array([0.5, np.nan, 0.25]))
    truth = truth_from([*of[:2], np.array([9.0, 7.0, 8.0]), *of[3:]], "a < b")
    assert truth.limit.tolist() == [0.5, 0.0, 0.25]
    assert truth.undecided is not None
    assert truth.reach is not None
    assert truth.undecided.tolist() == [False, True, False]
    assert np.array_equal(truth.reach, [np.nan, 7.0, np.nan], equal_nan=True)


def test_the_worker_ends_with_the_context(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: Path
) -> None:
    workers = Workers(reply())
    monkeypatch.setattr(oracle_asker, "OracleWorker", workers)
    stop = threading.Event()
    with oracle(LAUNCH, tmp_path / "cache", stop) as client:
        assert (client.launch, client.cache, client.stop) == (LAUNCH, tmp_path / "cache", stop)
        assert client.logs.is_dir()
        assert client.logs.name.startswith("harness-")
        asked_of(client, planned(source), Mode.CHAINED, {})
        assert (workers.killed, stop.is_set()) == ([], False)
    assert (workers.killed, stop.is_set()) == (["h1"], True)
    assert not client.logs.exists()
    with oracle(LAUNCH, tmp_path / "cache", stop) as client:
        client.kill()
    assert workers.killed == ["h1"]


def test_the_oracle_is_asked_where_any_tolerance_is_derived(source: Path) -> None:
    def plan(*cases: Case) -> Plan:
        several = tuple(planned(source, of=of) for of in cases)
        return Plan(suite=Path(), registry=Registry({}, Path()), cases=several)

    stated = case(stages=(Stage(name="a", inputs=("x",), outputs=(value("a", tolerance=EXACT),)),))
    assert asks(plan(stated, case()))
    assert not asks(plan(stated))
    assert not asks(plan())
