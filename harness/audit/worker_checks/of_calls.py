"""Checks of calls: several outputs, errors with their kinds and lines, noise, time, deadlines."""

from __future__ import annotations

import time

import numpy as np

from harness.audit.worker_checks.bench import Bench, Check, words
from harness.audit.worker_checks.ends import NotOffered, wrong
from harness.errors import ImplementationError, WorkerCrashed, WorkerTimeout

CALL = "call"
ERRORS = "Error kinds"
TRANSPORT = "Transport"
DEADLINES = "Processes and deadlines"
SAID = "it went wrong"
PRINTED = "printed noise"
SLEEP = 0.2
"""Seconds that the function ``sleeps`` takes."""


def several(bench: Bench) -> None:
    """Several inputs and outputs keep their order."""
    a, b = np.arange(6.0).reshape(2, 3), np.array([7.0, 8.0])
    first, second = bench.call("two", a, b, outputs=2)
    if first.size != 2 or second.size != 6 or not np.array_equal(second.reshape(2, 3), a):
        wrong(f"two gave {words([first, second])} of {words([a, b])}, and the second comes first")


def none_in(bench: Bench) -> None:
    """A function without arguments is called without arrays."""
    (got,) = bench.call("constant")
    if got.size != 1 or got.item() != 2.5:
        wrong(f"constant gave {words([got])}, and 2.5 is expected")


def another_count(bench: Bench) -> None:
    """Another number of arrays than is asked for is an error of kind value."""
    bench.refused("two", np.ones(2), np.ones(2), kind="value", outputs=3)
    bench.refused("two", np.ones(2), np.ones(3), kind="value", outputs=1)


def no_array(bench: Bench) -> None:
    """A text is no array."""
    bench.refused("text", np.ones(2), kind="value")


def nothing(bench: Bench) -> None:
    """Nothing is no array."""
    bench.refused("void", np.ones(2), kind="value")


def raised(bench: Bench) -> str | None:
    """An error of the function is told, with its line, and the worker goes on."""
    remark = None
    for _ in range(3):
        error = bench.refused("boom", np.ones(2), kind="call")
        if SAID not in error.message:
            wrong(f"the message is {error.message!r}, and the function said {SAID!r}")
        if "\n" in error.message:
            wrong(f"the message has several lines: {error.message!r}")
        lines = bench.source.read_text(encoding="utf-8", errors="replace").splitlines()
        right = [number for number, line in enumerate(lines, 1) if SAID in line]
        if error.line is None:
            remark = "no line is told"
        elif right and error.line not in right:
            wrong(f"line {error.line} is told, and {SAID!r} stands in line {right[0]}")
        none_in(bench)
    return remark


def unknown(bench: Bench) -> str | None:
    """A function or a handle that was never loaded gives no result."""
    remarks = []
    for handle, stage in ((bench.loaded().handle, "never_loaded"), ("never given", "same")):
        try:
            got = bench.call_of(handle, stage, [np.ones(2)])
        except (ImplementationError, WorkerCrashed) as error:
            is_told = isinstance(error, ImplementationError) or "did not understand" in error.message
            remarks.append("an error" if is_told else "it ends")
        else:
            wrong(f"the call of {stage} by the handle {handle!r} gave {words(got)}")
    none_in(bench)
    return None if set(remarks) == {"an error"} else "; ".join(remarks)


def noise(bench: Bench) -> None:
    """What is printed goes to standard error, at once, and the reply stays whole."""
    sent = np.arange(3.0)
    for _ in range(3):
        (got,) = bench.call("noise", sent)
        if got.ravel().tolist() != sent.tolist():
            wrong(f"noise gave {words([got])} of {words([sent])}")
    none_in(bench)
    if PRINTED not in bench.worker().stderr_tail(1 << 20):
        wrong(f"{PRINTED!r} is not on standard error when the call has been answered")


def reads(bench: Bench) -> None:
    """A function that reads standard input does not take the next request."""
    try:
        bench.call("reads", np.ones(2), deadline=min(bench.patience, 10.0))
    except ImplementationError as error:
        if error.kind != "call":
            raise
    except WorkerTimeout:
        wrong("the function waits for what the harness will send: give it another standard input")
    none_in(bench)


def seconds(bench: Bench) -> None:
    """``seconds`` is the time in the function."""
    bench.needs("sleeps")
    for _ in range(2):
        begun = time.monotonic()
        _, told = bench.worker().call(
            bench.loaded().handle, "sleeps", [np.ones(2)], outputs=1, deadline=bench.patience
        )
        whole = time.monotonic() - begun
        # A clock of the processor would not count what is slept.
        if not 0.8 * SLEEP <= told <= whole:
            wrong(f"it says {told:.3g} s of a function that takes {SLEEP} s, in a call of {whole:.3g} s")


def hangs(bench: Bench) -> None:
    """A worker that does not answer is killed, and one that is started again answers."""
    bench.needs("hangs")
    pid = bench.worker().pid
    try:
        got = bench.call("hangs", np.ones(2), deadline=1.0)
    except WorkerTimeout:
        none_in(bench)
        if bench.worker().pid == pid:
            wrong("it lives on")
        return
    wrong(f"hangs gave {words(got)}, and never ends")


def by_name(bench: Bench) -> str | None:
    """A value that names what it has is taken by these names, or refused; never by position."""
    x = np.arange(3.0)
    try:
        first, second = bench.call("named", x, outputs=2, names=("first", "second"))
    except ImplementationError as error:
        if error.kind != "value":
            raise
        raise NotOffered(f"names are left out of account: {error.message}") from error
    if not (np.array_equal(first.ravel(), x) and np.array_equal(second.ravel(), x + 1)):
        wrong(f"named gave {words([first, second])}: by position, and not by name")
    return None


CHECKS = (
    Check("several inputs and outputs", CALL, several),
    Check("no inputs", CALL, none_in),
    Check("another number of outputs", CALL, another_count),
    Check("text where an array is due", CALL, no_array),
    Check("nothing where an array is due", CALL, nothing),
    Check("outputs by name", CALL, by_name),
    Check("an error in a function", ERRORS, raised),
    Check("an unknown function and handle", ERRORS, unknown),
    Check("noise on standard output", TRANSPORT, noise),
    Check("a function that reads", TRANSPORT, reads),
    Check("seconds", CALL, seconds),
    Check("a function that hangs", DEADLINES, hangs),
)
