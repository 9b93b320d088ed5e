"""Runs of the harness that the tests of a session share, in however many processes they are."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

import msgspec
import pytest
from filelock import FileLock

from harness.conformance.plan import Plan
from harness.conformance.run import run
from harness.conformance.shards import content_of
from harness.conformance.warm import WarmWorkers
from harness.model import Absent, Footer, Record
from harness.pytest_plugin.settings import Settings
from harness.runtimes.oracle import ID as ORACLE
from harness.store.record import FILE, RecordWriter, read_record
from harness.store.record_line import Result
from harness.store.temporary import owned_prefix

FOLDER = "harness_conformance"
"""The key under which a process of pytest-xdist receives the shared folder."""

_Contents = dict[tuple[str, str], str]
"""The sha256 of what the cells of an implementation follow from, by the case's folder and its id."""

_FOLDER = pytest.StashKey[Path]()
_RUNS = pytest.StashKey["SessionRuns"]()


def shared_folder(config: pytest.Config) -> Path:
    """The folder for the runs of this session; the process that makes it removes it at its end."""
    if _FOLDER not in config.stash:
        shared = getattr(config, "workerinput", {}).get(FOLDER)
        folder = Path(shared or tempfile.mkdtemp(prefix=f"{owned_prefix()}pytest_"))
        if not shared:
            config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        config.stash[_FOLDER] = folder
    return config.stash[_FOLDER]


class SessionRuns:
    """Each plan is run once: the first process that asks runs it, the others wait and read its record."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self.settings = settings
        self._config = config
        self._known: dict[str, Record | Exception] = {}
        self._whole: Plan | None = None
        self._of_whole: _Contents = {}
        # What a run itself writes beside the sources is no change: contents after it stand for those before.
        self._before: dict[str, str] = {}
        self._warm: WarmWorkers | None = None

    @classmethod
    def of(cls, config: pytest.Config) -> SessionRuns:
        """The runs of this session.

        Raises
        ------
        UsageError
            There is no suite.
        """
        if _RUNS not in config.stash:
            config.stash[_RUNS] = cls(config, Settings.of(config))
        return config.stash[_RUNS]

    def announce(self, plan: Plan) -> None:
        """Set the plan that the session runs anyway; parts of it are then read from that run."""
        self._whole = plan
        self._of_whole = _contents(plan)

    def finished(self) -> list[Record]:
        """The records of this session's runs, of all processes."""
        return [read_record(path) for path in sorted(shared_folder(self._config).glob(f"*/{FILE}"))]

    def record(self, plan: Plan) -> Record:
        """Run a plan, or read its record; for a part of the session's plan, that whole plan is run.

        A plan of which a source, a case or a fixture has changed since is another one, and run by itself.

        Raises
        ------
        HarnessError
            As `run`; the same one again each time it is asked for.
        KeyboardInterrupt
            The run was interrupted.
        """
        out = None
        asked = self._of_whole if plan is self._whole else _contents(plan)
        if self._whole is not None and asked.items() <= self._of_whole.items():
            plan, asked, out = self._whole, self._of_whole, self.settings.out
        key = self._before.get(_key(asked), _key(asked))
        if key not in self._known:
            try:
                self._known[key] = self._shared(plan, shared_folder(self._config) / key, out)
            except Exception as error:
                self._known[key] = error
            after = _contents(plan)
            self._before[_key(after)] = key
            if plan is self._whole:
                self._of_whole = after
        known = self._known[key]
        if isinstance(known, Exception):
            raise known
        return known

    def _shared(self, plan: Plan, folder: Path, out: Path | None) -> Record:
        folder.mkdir(exist_ok=True)
        with FileLock(folder / "lock"):
            if (folder / FILE).is_file():
                return read_record(folder / FILE)
            here = {*plan.runtimes, ORACLE}
            require = tuple(name for name in self.settings.require if name in here)
            # Without a permanent folder no log is kept: a cell shows the end of what its worker printed.
            if self.settings.warm and self.settings.replay != "always":
                record = self._kept().run(plan, out=out, require=require)
            else:
                record = run(plan, out=out, require=require, replay=self.settings.replay)
            if record.footer is None or record.footer.partial:
                raise KeyboardInterrupt
            _write(record, record.footer, folder / FILE)
        return record

    def _kept(self) -> WarmWorkers:
        """Workers that end with this process of the session."""
        if self._warm is None:
            self._warm = WarmWorkers(self.settings.replay)
            self._config.add_cleanup(lambda: self._warm.__exit__(None, None, None) if self._warm else None)
        return self._warm


def _write(record: Record, footer: Footer, path: Path) -> None:
    """Put a whole record where the other processes of the session read it."""
    with RecordWriter(path) as writer:
        writer.header(record.header)
        lines: list[Result] = [*record.exhibits, *record.cells, *record.pairs, *record.consensus]
        for line in [*lines, *record.documents]:
            writer.write(line)
        writer.footer(footer)


def missing(record: Record, require: tuple[str, ...]) -> dict[str, Absent]:
    """The runtimes that are required and were not there."""
    return {absent.runtime: absent for absent in record.header.absent if absent.runtime in require}


def narrowed(plan: Plan, wanted: set[tuple[str, str]]) -> Plan:
    """The part of a plan that has these (case, implementation)."""
    cases = (
        msgspec.structs.replace(
            planned,
            implementations=tuple(
                implementation
                for implementation in planned.implementations
                if (planned.case.name, implementation.id) in wanted
            ),
        )
        for planned in plan.cases
    )
    return msgspec.structs.replace(plan, cases=tuple(case for case in cases if case.implementations))


def _contents(plan: Plan) -> _Contents:
    """The sha256 of all that each implementation's cells follow from, as it is now."""
    found: _Contents = {}
    for planned in plan.cases:
        now = msgspec.structs.replace(planned, beside=planned.beside.anew())
        for each in planned.implementations:
            alone = msgspec.structs.replace(now, implementations=(each,))
            part = msgspec.structs.replace(plan, cases=(alone,))
            found[str(planned.folder), each.id] = content_of(part)
    return found


def _key(contents: _Contents) -> str:
    return hashlib.sha256(repr(sorted(contents.items())).encode()).hexdigest()[:16]
