"""Which Dask workers are used, and for what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from harness.model import Absent, Precision, RuntimeInfo

pytest.importorskip("distributed")

from harness.cluster.archive import Archive
from harness.cluster.crew import Crew
from harness.cluster.dispatch import Dispatcher
from harness.cluster.units import Answer, Common, Survey, Unit
from harness.errors import ClusterError

COMMON = Common(
    run="1",
    harness="1",
    archive="00",
    suite="suite",
    here="suite",
    fixtures="fixtures",
    glove="",
    runtimes=("numpy", "r"),
    replay="never",
    strict=False,
)
ARCHIVE = Archive("suite", "00", b"")


def survey(*, r: str = "", numpy: str = "2.0") -> Survey:
    there = {"numpy": numpy, **({"r": r} if r else {})}
    return Survey(
        runtimes={
            name: RuntimeInfo(runtime=name, language=name, version=version) for name, version in there.items()
        },
        failures={},
        absent={} if r else {"r": Absent(runtime="r", language="R", reason="not found")},
        start_up=dict.fromkeys(there, 1.0),
    )


class Done:
    """A future that has ended."""

    status = "finished"

    def __init__(self, value: object) -> None:
        self.value = value

    def done(self) -> bool:
        return True

    def result(self, timeout: float) -> object:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value

    def add_done_callback(self, call: Callable[[Done], None]) -> None:
        call(self)


class Raised(Done):
    status = "error"

    def exception(self, timeout: float) -> object:
        return self.value


class Client:
    """Stands in for Dask's: each Dask worker answers at once with what the test says."""

    status = "running"

    def __init__(self, **says: Any) -> None:
        self.says = says
        self.submitted: list[tuple[str, Unit]] = []
        self.given: list[bool] = []
        self.units: Callable[[str, Unit], Done] = lambda address, unit: Done(Answer())

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.says, 1)

    def submit(
        self, function: Callable[..., Any], common: Common, what: Any, *, workers: list[str], **_: Any
    ) -> Done:
        (address,) = workers
        if isinstance(what, tuple):
            self.submitted += [(address, unit) for unit in what]
            done = self.units(address, what[0])
            answered = isinstance(done.value, Answer)
            return Done((1.0, [done.value] * len(what))) if answered else done
        self.given.append(what is not None)
        said = self.says[address]
        if said == "":
            self.says[address] = survey()
        return Raised(said) if isinstance(said, Exception) else Done(said)

    def cancel(self, futures: object, force: bool) -> None:
        pass


def unit(case: str, *runtimes: str) -> Unit:
    return Unit(
        case=case,
        precision=Precision.FLOAT64,
        implementations=runtimes,
        samples=("default",),
        fixture="00",
        runtimes=runtimes,
        weight=1,
    )


def crew_of(client: Client) -> tuple[Crew, list[str]]:
    said: list[str] = []
    crew = Crew(client, COMMON, ARCHIVE, lambda: None, said.append)
    crew.look()
    return crew, said


def test_another_version_of_a_runtime_is_not_used() -> None:
    crew, said = crew_of(Client(a=survey(r="4.2"), b=survey(r="4.3"), c=survey(r="4.2")))
    assert [member.address for member in crew.usable] == ["a", "c"]
    assert said == ["the Dask worker b is not used: its r is 4.3, and that of a is 4.2"]


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("it has harness 0, and this is 1: install the same", "it has harness 0"),
        (ModuleNotFoundError("No module named 'harness'"), r"install polyglot-harness\[dask\] there"),
        (ValueError("no"), "ValueError: no"),
    ],
)
def test_what_cannot_run_anything_is_not_used(says: object, words: str) -> None:
    client = Client(a=says)
    with pytest.raises(ClusterError, match=f"(?s)no Dask worker that can be used.*{words}"):
        list(Dispatcher(client, COMMON, ARCHIVE, [unit("one", "numpy")], wait=0.0).results())
    assert not client.submitted


def test_the_suite_is_sent_where_it_is_not() -> None:
    client = Client(a="", b=survey())
    crew, _ = crew_of(client)
    crew.look()
    assert client.given == [False, False, True]
    assert len(crew.usable) == 2


def test_units_go_where_most_of_their_runtimes_are() -> None:
    client = Client(a=survey(), b=survey(r="4.2"))
    units = [unit("one", "numpy"), unit("two", "numpy", "r"), unit("three", "numpy", "julia")]
    answered = dict(Dispatcher(client, COMMON, ARCHIVE, units, wait=0.0).results())
    assert sorted(answered) == [0, 1, 2]
    assert [address for address, given in client.submitted if given.case == "two"] == ["b"]
    crew, _ = crew_of(client)
    known = crew.known()
    assert (set(known.runtimes), known.absent, known.start_up["numpy"]) == ({"numpy", "r"}, {}, 2.0)


def test_what_raises_there_is_an_error_and_not_run_again() -> None:
    client = Client(a=survey())
    client.units = lambda address, given: (
        Raised(ValueError("broken")) if given.case == "one" else Done(Answer())
    )
    units = [unit("one", "numpy"), unit("two", "numpy")]
    answered = dict(Dispatcher(client, COMMON, ARCHIVE, units, wait=0.0).results())
    assert {place: answer.failure for place, answer in answered.items()} == {0: "ValueError: broken", 1: ""}
    assert len(client.submitted) == 2


def test_a_result_that_is_lost_is_asked_for_once_more() -> None:
    client = Client(a=survey())
    client.units = lambda address, given: Done(OSError("gone"))
    ((_, answer),) = Dispatcher(client, COMMON, ARCHIVE, [unit("one", "numpy")], wait=0.0).results()
    assert answer.failure == "the Dask workers that ran it were lost: a and a"
    assert len(client.submitted) == 2
