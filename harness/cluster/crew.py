"""The Dask workers of a run: who came, what each can run, who is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec

from harness.cluster.archive import Archive
from harness.cluster.sessions import prepare
from harness.cluster.units import Common, Survey
from harness.model import Absent, RuntimeInfo
from harness.store.merge import summed, version_of


class Job(NamedTuple):
    """Units, by their places in the plan, that a Dask worker has, and the result that is to come."""

    places: tuple[int, ...]
    future: Any


class Known(NamedTuple):
    """The runtimes that any worker has, that are missing on all, that start on none; seconds of starting."""

    runtimes: dict[str, RuntimeInfo]
    absent: dict[str, Absent]
    failures: dict[str, str]
    start_up: dict[str, float]


class Member(msgspec.Struct, kw_only=True, eq=False):
    """A Dask worker: its address, how many jobs it runs at a time, and those it has, the oldest first.

    It is usable once there is a ``survey``; ``preparing`` is what it does before; ``refused`` says why not.
    """

    address: str
    slots: int
    preparing: Any = None
    survey: Survey | None = None
    refused: str = ""
    jobs: list[Job] = []

    @property
    def there(self) -> frozenset[str]:
        """The runtimes that it has."""
        return frozenset(self.survey.runtimes) if self.survey is not None else frozenset()

    @property
    def has_room(self) -> bool:
        """Whether it can have another job: one more than it runs waits for its turn there."""
        return len(self.jobs) <= self.slots


class Crew:
    """All Dask workers that are there.

    Parameters
    ----------
    client : distributed.Client
        The connection to the scheduler.
    common : Common
        The run.
    archive : Archive
        Its suite.
    notify : callable
        Called from any thread when a Dask worker has said what it can run.
    say : callable
        Called with what a user should know of them.
    """

    def __init__(
        self,
        client: Any,
        common: Common,
        archive: Archive,
        notify: Callable[[], None],
        say: Callable[[str], None],
    ) -> None:
        self.client = client
        self.common = common
        self.archive = archive
        self.notify = notify
        self.say = say
        self.members: dict[str, Member] = {}
        self.surveys: list[Survey] = []
        self.ever: set[frozenset[str]] = set()
        self.refusals: list[str] = []
        self._versions: dict[str, tuple[str, str]] = {}
        self._asked = 0

    def look(self) -> list[Member]:
        """Look who is there; those that came are asked what they can run, those that went are returned.

        Raises
        ------
        OSError
            The scheduler does not answer.
        """
        now: dict[str, int] = self.client.nthreads()
        gone = [member for address, member in self.members.items() if address not in now]
        for member in gone:
            del self.members[member.address]
        for address, slots in now.items():
            if address not in self.members:
                self.members[address] = Member(address=address, slots=max(1, slots))
                self._ask(self.members[address], None)
        for member in list(self.members.values()):
            self._hear(member)
        return gone

    def _ask(self, member: Member, archive: Archive | None) -> None:
        self._asked += 1
        member.preparing = self.client.submit(
            prepare,
            self.common,
            archive,
            workers=[member.address],
            pure=False,
            key=f"harness-prepare-{self.common.run}-{self._asked}",
        )
        member.preparing.add_done_callback(lambda future: self.notify())

    def _hear(self, member: Member) -> None:
        """Take what a Dask worker has said by now."""
        future = member.preparing
        if future is None or not future.done():
            return
        member.preparing = None
        if future.status != "finished":
            error = future.exception(timeout=10) if future.status == "error" else None
            missing = isinstance(error, ModuleNotFoundError)
            advice = ": install polyglot-harness[dask] there" if missing else ""
            self._refuse(member, f"{type(error).__name__}: {error}{advice}" if error else "it went away")
            return
        said = future.result(timeout=60)
        if said == "":
            self._ask(member, self.archive)
        elif isinstance(said, str):
            self._refuse(member, said)
        elif other := self._other_version(member, said):
            self._refuse(member, other)
        else:
            member.survey = said
            self.surveys.append(said)
            self.ever.add(member.there)

    def _refuse(self, member: Member, reason: str) -> None:
        member.refused = reason
        self.refusals.append(f"{member.address}: {reason}")
        self.say(f"the Dask worker {member.address} is not used: {reason}")

    def _other_version(self, member: Member, survey: Survey) -> str:
        """Say in what a worker differs from those before: a record has one version of each runtime."""
        for name, info in survey.runtimes.items():
            where, version = self._versions.get(name, (member.address, version_of(info)))
            if version != version_of(info):
                return f"its {name} is {version_of(info)}, and that of {where} is {version}"
        for name, info in survey.runtimes.items():
            self._versions.setdefault(name, (member.address, version_of(info)))
        return ""

    @property
    def usable(self) -> list[Member]:
        """Those that can run something."""
        return [member for member in self.members.values() if member.survey is not None]

    @property
    def is_preparing(self) -> bool:
        """Whether anybody has not said yet what it can run."""
        return any(member.preparing is not None for member in self.members.values())

    def eligible(self, runtimes: Iterable[str]) -> list[Member]:
        """Those that have all of these runtimes; where none ever had all, those that have most of them."""
        needed = frozenset(runtimes)
        most = max((len(needed & there) for there in self.ever), default=0)
        return [member for member in self.usable if len(needed & member.there) == most]

    def has_all(self, runtimes: Iterable[str]) -> bool:
        """Whether any worker has, or had, all of these runtimes."""
        needed = frozenset(runtimes)
        return any(needed <= there for there in self.ever)

    def known(self) -> Known:
        """What is known of the runtimes by now."""
        runtimes: dict[str, RuntimeInfo] = {}
        absent: dict[str, Absent] = {}
        failures: dict[str, str] = {}
        for survey in self.surveys:
            runtimes = survey.runtimes | runtimes
            absent = survey.absent | absent
            failures = survey.failures | failures
        failed = {name: reason for name, reason in failures.items() if name not in runtimes}
        return Known(
            runtimes,
            {name: each for name, each in absent.items() if name not in runtimes and name not in failed},
            failed,
            summed(survey.start_up for survey in self.surveys),
        )
