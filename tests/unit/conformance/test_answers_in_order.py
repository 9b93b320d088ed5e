"""Items with their true values, in order and beside the run; and what an answer follows from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from harness.conformance import answers as answers_module
from harness.conformance import truth_keys
from harness.conformance.answers import with_truth
from harness.conformance.evaluator import OracleAnswer
from harness.conformance.gather import FinishedUnit
from harness.conformance.plan import PlannedCase
from harness.model import Failure, Implementation, Mode, Precision, Stage, Verdict
from tests.unit.conformance.by_hand import EXACT, value
from tests.unit.conformance.oracle_answers import case, observed, planned


def unit(of: PlannedCase, name: str, refusal: Failure | None = None) -> FinishedUnit:
    return FinishedUnit(
        planned=of,
        implementation=Implementation(id=name, runtime=name, language="", path=of.reference.path),
        precision=Precision.FLOAT32,
        refusal=refusal,
        chained={},
        isolated={},
        reference={},
        upstream=observed(a=1.5),
    )


class Telling:
    """In the place of an `OracleClient`: what it is asked, by whom, and what it says."""

    def __init__(self, said: Callable[[PlannedCase], OracleAnswer]) -> None:
        self.said = said
        self.asked: list[tuple[Any, ...]] = []
        self.threads: list[threading.Thread] = []

    def evaluate(self, of: PlannedCase, precision: Precision, upstream: Any) -> OracleAnswer:
        self.threads.append(threading.current_thread())
        self.asked.append((of.case.name, precision, upstream))
        return self.said(of)


def named_answer(of: PlannedCase) -> OracleAnswer:
    why = Failure(verdict=Verdict.NOT_RUN, reason=of.case.name)
    return OracleAnswer(chained={("s", "b"): why}, isolated={})


STATED = case(name="stated", stages=(Stage(name="a", inputs=("x",), outputs=(value("a", tolerance=EXACT),)),))


def test_items_come_in_their_order_with_what_was_told_of_them(source: Path) -> None:
    of = planned(source)
    refusal = Failure(verdict=Verdict.NOT_RUN, reason="no R")
    items = [
        unit(of, "numpy"),
        unit(of, "r", refusal),
        unit(planned(source, of=STATED), "julia"),
        unit(planned(source, of=case(name="other")), "torch"),
    ]
    client: Any = Telling(named_answer)
    answered = list(with_truth(items, client))
    assert [item for item, _ in answered] == items
    assert [answer.chained for _, answer in answered] == [
        named_answer(of).chained,
        {},
        {},
        named_answer(planned(source, of=case(name="other"))).chained,
    ]
    assert [answer.isolated for _, answer in answered] == [{}] * 4
    (first, second) = client.asked
    assert (first[:2], second[:2]) == (("toy", "float32"), ("other", "float32"))
    assert first[2] is items[0].upstream


def test_what_is_there_comes_at_once(source: Path) -> None:
    """An item without a question does not wait for the next one."""

    def items() -> Iterator[FinishedUnit]:
        yield unit(planned(source, of=STATED), "numpy")
        raise KeyboardInterrupt

    answered = with_truth(items(), Telling(named_answer))  # type: ignore[arg-type]
    item, _ = next(answered)
    assert item.implementation.id == "numpy"
    with pytest.raises(KeyboardInterrupt):
        next(answered)


def test_one_thread_at_a_time_asks_the_oracle_beside_the_run(source: Path) -> None:
    everything = threading.Event()

    def said(of: PlannedCase) -> OracleAnswer:
        assert everything.wait(60)
        return named_answer(of)

    def items() -> Iterator[FinishedUnit]:
        for name in ("numpy", "r", "julia"):
            yield unit(planned(source), name)
        everything.set()

    client: Any = Telling(said)
    assert [item.implementation.id for item, _ in with_truth(items(), client)] == ["numpy", "r", "julia"]
    assert len(set(client.threads)) == 1
    assert client.threads[0] is not threading.current_thread()
    assert client.threads[0].name.startswith("oracle")


def test_where_the_harness_fails_all_that_was_asked_for_is_an_error(source: Path) -> None:
    def fails(_: PlannedCase) -> OracleAnswer:
        raise ValueError("ragged")

    ((_, answer),) = with_truth([unit(planned(source, samples="st"), "r")], Telling(fails))  # type: ignore[arg-type]
    error = Failure(verdict=Verdict.ERROR, reason="a fault in the harness: ValueError: ragged")
    assert (
        answer.chained
        == answer.isolated
        == {(sample_name, name): error for sample_name in "st" for name in "bd"}
    )


def test_a_run_that_waits_says_so_every_five_seconds(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    answers = iter([1, 1, 0, 0])

    def wait(futures: Any, timeout: float) -> Any:
        waits.append(timeout)
        pending = next(answers)
        if not pending:
            futures[0].result()
        return SimpleNamespace(not_done=set(futures) if pending else set())

    monkeypatch.setattr(answers_module, "wait", wait)
    asked = threading.Event()

    def said(of: PlannedCase) -> OracleAnswer:
        assert asked.wait(60)
        return named_answer(of)

    def items() -> Iterator[FinishedUnit]:
        yield unit(planned(source), "numpy")
        yield unit(planned(source), "r")

    waiting: list[str] = []

    def on_wait(item: FinishedUnit) -> None:
        waiting.append(item.implementation.id)
        asked.set()

    answered = list(with_truth(items(), Telling(said), on_wait))  # type: ignore[arg-type]
    assert [item.implementation.id for item, _ in answered] == ["numpy", "r"]
    assert waiting == ["numpy", "numpy"]
    assert waits == [5.0, 5.0, 5.0, 5.0]


def test_a_run_that_ends_does_not_wait_for_the_oracle(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_module, "SILENCE", 0.01)
    released = threading.Event()

    def said(of: PlannedCase) -> OracleAnswer:
        assert released.wait(60)
        return named_answer(of)

    def interrupted(_: FinishedUnit) -> None:
        raise KeyboardInterrupt

    client: Any = Telling(said)
    items = [unit(planned(source, of=case(name=name)), "r") for name in ("first", "second")]
    with pytest.raises(KeyboardInterrupt):
        list(with_truth(items, client, interrupted))
    assert not released.is_set()
    released.set()
    client.threads[0].join()
    # What was not begun is not begun any more.
    assert [name for name, *_ in client.asked] == ["first"]


def test_an_answer_is_for_all_that_it_follows_from(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    helper = source.with_name("helper.py")
    helper.write_text("ONE = 1\n", encoding="utf-8")
    content = truth_keys.content_hash
    seen = [content(planned(source))]
    assert content(planned(source)) == seen[0]
    helper.write_text("ONE = 2\n", encoding="utf-8")
    seen.append(content(planned(source)))
    source.write_text("# changed\n", encoding="utf-8")
    of = planned(source)
    seen.append(content(of))
    fixture = of.fixture
    for other in (
        msgspec.structs.replace(of, fixture=msgspec.structs.replace(fixture, sha256="1")),
        msgspec.structs.replace(of, fixture=msgspec.structs.replace(fixture, samples={"t": {}})),
        planned(source, of=case(stages=case().stages[:2])),
        planned(source, of=case(inputs=(value("x", shape=("m",)),))),
        planned(source, of=case(stages=(case().stages[1],))),
        planned(
            source,
            of=case(
                stages=(
                    Stage(name="a", inputs=("x",), outputs=(value("a", tolerance=EXACT),)),
                    *case().stages[1:],
                )
            ),
        ),
    ):
        seen.append(content(other))
    monkeypatch.setattr("harness.conformance.truth_keys.np.__version__", "9.9")
    seen.append(content(of))
    monkeypatch.setattr("harness.conformance.truth_keys.platform.python_version", lambda: "9.9")
    seen.append(content(of))
    monkeypatch.setattr("harness.conformance.truth_keys.platform.machine", lambda: "another")
    seen.append(content(of))
    info = msgspec.structs.replace(truth_keys.oracle_info(), libraries={"python-flint": "9.9"})
    monkeypatch.setattr(truth_keys, "oracle_info", lambda: info)
    seen.append(content(of))
    monkeypatch.setattr(truth_keys, "_sources", lambda: ())
    seen.append(content(of))
    assert len(set(seen)) == len(seen) == 14
    key = truth_keys.key_of
    asked = [
        key(seen[0], Precision.FLOAT64, Mode.CHAINED, {}),
        key(seen[1], Precision.FLOAT64, Mode.CHAINED, {}),
        key(seen[0], Precision.FLOAT32, Mode.CHAINED, {}),
        key(seen[0], Precision.FLOAT64, Mode.ISOLATED, {}),
        key(seen[0], Precision.FLOAT64, Mode.CHAINED, observed(a=1.0)),
        key(seen[0], Precision.FLOAT64, Mode.CHAINED, observed(a=1.5)),
    ]
    assert len(set(asked)) == 6
    assert key(seen[0], Precision.FLOAT64, Mode.CHAINED, {}) == asked[0]


def test_all_code_that_decides_what_is_true_is_known() -> None:
    package = Path(answers_module.__file__).parents[1]
    sources = {path.relative_to(package).as_posix() for path in truth_keys._sources()}
    assert {"workers/python_source.py", "numerics/tolerance.py", "oracle/facade.py"} <= sources
    assert all(path.is_file() for path in truth_keys._sources())
    assert {name.partition("/")[0] for name in sources} == {"oracle", "workers", "numerics"}
