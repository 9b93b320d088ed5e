"""Which fault can be made in which state of which worker, and what must come out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from harness.model import Mode, Verdict

CHAINED, ISOLATED = Mode.CHAINED, Mode.ISOLATED
PASS, FAIL, ERROR, TIMEOUT, NOT_RUN = (
    Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.TIMEOUT, Verdict.NOT_RUN,
)  # fmt: skip
Place = tuple[str, Mode]

STATES = ("starting", "idle", "receiving", "mid-call", "sending", "shutdown")
NOT_THE_PROTOCOL = "the worker's reply is not the protocol"
WORDS = {
    # A language may catch the signal, and end by itself.
    "kill": "was killed by SIGKILL",
    "segv": "was killed by SIGSEGV|ended with exit code",
    "stop": "did not answer within",
    "term": "was killed by SIGTERM|ended with exit code",
    "exit0": "ended with exit code 0",
    "grandchild": "was killed by SIGKILL",
    "closed_replies": "closed its pipes",
    "closed_requests": "closed its pipes",
    "flood_replies": NOT_THE_PROTOCOL,
    "flood_stderr": "prints without end",
    "memory": "",
    "half": "did not answer within",
    "long_line": NOT_THE_PROTOCOL,
    "huge_arrays": NOT_THE_PROTOCOL,
    "foreign": NOT_THE_PROTOCOL,
    "wrong_id": NOT_THE_PROTOCOL,
    "text_id": NOT_THE_PROTOCOL,
    "unknown_key": NOT_THE_PROTOCOL,
    "both": NOT_THE_PROTOCOL,
    "neither": NOT_THE_PROTOCOL,
    "wrong_type": NOT_THE_PROTOCOL,
    "unknown_kind": NOT_THE_PROTOCOL,
    "another_array": NOT_THE_PROTOCOL,
    "another_shape": "shape",
    "another_value": "",
    "false_facts": NOT_THE_PROTOCOL,
    "import_raises": "no luck|ended with exit code 1",
    "import_hangs": "did not answer within 180 s: hello",
    "source_raises": "no luck",
    "source_hangs": "did not answer within 120 s: load",
}
"""Every fault, and a pattern of the reason that is given."""
MADE_UP = {
    "half", "long_line", "huge_arrays", "foreign", "wrong_id", "text_id", "unknown_key", "both", "neither",
    "wrong_type", "unknown_kind", "another_array",
}  # fmt: skip
"""Replies that the injector writes in the worker's place."""
DEADLY = {"kill", "segv", "term", "exit0", "grandchild"}
WAITED_FOR = {"stop", "half", "import_hangs", "source_hangs"}
ONLY_IN = {
    "memory": {"starting", "mid-call"},
    "another_shape": {"sending"},
    "another_value": {"sending"},
    "false_facts": {"starting"},
    "import_raises": {"starting"},
    "import_hangs": {"starting"},
    "source_raises": {"starting"},
    "source_hangs": {"starting"},
}


class Worker(NamedTuple):
    """A worker of the matrix.

    Attributes
    ----------
    name : str
        In the matrix.
    runtime : str
        The harness's id of its runtime.
    language : str
        Of its sources, in `tests.faults.sources`.
    hosting : str
        What ``HARNESS_JULIA_HOSTING`` is set to.
    flags : tuple of str
        Added behind the program's name.
    preload : str
        Where code can run before the language is there: an option that takes a file, the variable of
        options, or a package; nothing where there is no such place.
    late : bool
        Whether its start takes so long that faults are made at the last call: nothing restarts it then.
    as_numpy : bool
        Whether replies are made up in one state alone: it answers by the code of NumPy's worker, for which
        they are made up in all, and each start takes seconds of processor time.
    """

    name: str
    runtime: str
    language: str
    hosting: str = ""
    flags: tuple[str, ...] = ()
    preload: str = ""
    late: bool = False
    as_numpy: bool = False

    @property
    def in_python(self) -> bool:
        """Whether its process is one of Python."""
        return bool(self.preload) and not self.preload.startswith("-") and not self.preload.isupper()


WORKERS = {
    worker.name: worker
    for worker in (
        Worker("numpy", "numpy", "numpy", preload="numpy"),
        Worker("torch", "torch", "torch", preload="torch", late=True, as_numpy=True),
        Worker("r", "r", "r", preload="rpy2"),
        Worker("julia", "julia", "julia", "process", ("--compile=min", "-O0"), "-L"),
        Worker("juliacall", "julia", "julia", "juliacall", preload="juliacall", late=True, as_numpy=True),
        Worker("node", "node", "node", preload="NODE_OPTIONS"),
        Worker("octave", "octave", "octave"),
    )
}


class Trial(NamedTuple):
    """One fault, in one state of one worker."""

    worker: str
    state: str
    fault: str

    @property
    def id(self) -> str:
        """The name of its runtime and implementation in a suite."""
        return "-".join(self)

    @property
    def target(self) -> tuple[str, int]:
        """The stage, and which call of it, at which the fault is made, or after which."""
        if self.state == "idle":
            return ("less", 2 if WORKERS[self.worker].late else 1)
        return ("less", 2) if WORKERS[self.worker].late else ("more", 1)


def seen_as(trial: Trial) -> str:
    """The fault that a trial comes to."""
    # Julia reports the signal, and then neither ends nor answers.
    julia = WORKERS[trial.worker].language == "julia"
    hangs = julia and trial.fault == "segv" and trial.state != "starting"
    return "stop" if hangs else trial.fault


class Expected(NamedTuple):
    """What must come out of a trial: verdicts, a complaint or none, and what the command would return."""

    cells: dict[Place, Verdict]
    words: str
    complaint: str
    code: int


def trials() -> Iterator[Trial]:
    """Every combination that is possible."""
    for worker in WORKERS.values():
        for state in STATES:
            for fault in WORDS:
                if possible(worker, state, fault):
                    yield Trial(worker.name, state, fault)


def possible(worker: Worker, state: str, fault: str) -> bool:
    """Whether a fault can be made."""
    if worker.as_numpy and fault in MADE_UP and state != "sending":
        return False
    if worker.language == "octave" and fault == "term" and state not in ("starting", "mid-call"):
        # Octave ends when what it reads or writes is there, and not before.
        return False
    if state == "starting" and not worker.preload and fault in ("exit0", "import_raises", "import_hangs"):
        return False
    if fault == "exit0" and state not in ("starting", "mid-call"):
        # Code that ends the process has to run: a signal's handler, which Python alone calls while it waits.
        return worker.in_python
    return state in ONLY_IN.get(fault, STATES)


ORDER: tuple[Place, ...] = (
    ("twice", CHAINED), ("more", CHAINED), ("less", CHAINED), ("more", ISOLATED), ("less", ISOLATED),
)  # fmt: skip
"""The calls of a worker; a stage that reads the fixture alone is not called twice."""


def expected(trial: Trial) -> Expected:
    """What must come out of a trial."""
    fault, state = seen_as(trial), trial.state
    verdict = TIMEOUT if fault in WAITED_FOR else FAIL if fault.startswith("another_") else ERROR
    if fault == "another_array":
        verdict = ERROR
    words = WORDS[fault]
    if state == "starting" and fault == "source_raises":
        return _of_cells({place: ERROR for place in ORDER if place not in ORDER[1:3]}, words, NOT_RUN)
    if state == "starting" and fault not in ("closed_requests", "source_hangs"):
        return _of_cells(dict.fromkeys(ORDER, verdict), words)
    place = _place(trial)
    if place is not None and (state, fault) == ("sending", "flood_replies"):
        # What is announced is made up by the flood, and only the next reply is seen to be none.
        cells = dict.fromkeys(_all(), PASS) | {place: FAIL}
        if WORKERS[trial.worker].late:
            return Expected(cells, "beyond the limit", f"worker failed: {trial.id}.*({words})", 4)
        return Expected(cells | {("less", CHAINED): ERROR}, f"beyond the limit|{words}", "", 4)
    if place is not None:
        # Octave drops sizes of 1 at the end of what it is sent.
        mended = (trial.worker, fault) == ("octave", "another_shape")
        return _of_cells(
            {place: verdict}, words, NOT_RUN if verdict is not FAIL else PASS if mended else FAIL
        )
    if (state, fault) == ("shutdown", "closed_requests"):
        # Nothing more was to be written.
        return Expected(dict.fromkeys(_all(), PASS), "", "", 0)
    return Expected(dict.fromkeys(_all(), PASS), "", f"worker failed: {trial.id}.*({words})", 4)


def _place(trial: Trial) -> Place | None:
    """The call that fails; None where all were over."""
    late = WORKERS[trial.worker].late
    if trial.state == "starting":
        return ORDER[0]
    if trial.state == "shutdown" or (trial.state == "idle" and (late or seen_as(trial) in DEADLY)):
        return None
    if trial.state == "idle":
        return ("more", ISOLATED)
    at = 4 if late else 1
    if trial.fault == "closed_requests" and trial.state != "receiving":
        # The reply still comes, and the next request cannot be written.
        at += 1
    return ORDER[at] if at < len(ORDER) else None


def _of_cells(failing: dict[Place, Verdict], words: str, follows: Verdict = NOT_RUN) -> Expected:
    """Verdicts where some calls fail: chained stages that would read their outputs follow."""
    cells = dict.fromkeys(_all(), PASS) | failing
    chained = [stage for stage, mode in failing if mode is CHAINED]
    for stage, mode in ORDER[1:3]:
        if mode is CHAINED and chained and (stage, mode) not in failing:
            before = ("twice", "more", "less").index(chained[0])
            if ("twice", "more", "less").index(stage) > before:
                cells[stage, mode] = follows
    cells["twice", ISOLATED] = cells["twice", CHAINED]
    worst = set(failing.values())
    return Expected(cells, words, "", 4 if worst & {ERROR, TIMEOUT} else 1)


def _all() -> Iterator[Place]:
    for stage in ("twice", "more", "less"):
        for mode in (CHAINED, ISOLATED):
            yield stage, mode
