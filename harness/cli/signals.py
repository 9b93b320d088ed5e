"""Signals that ask the process to end: it does so in order, as after Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from harness.errors import Terminated

NAMES = ("SIGTERM", "SIGHUP")


@contextmanager
def deferrable() -> Iterator[Callable[[], None]]:
    """Let Ctrl-C and the signals that are handled wait, from a moment within the block until it has ended.

    Yields
    ------
    defer : callable
        Makes them wait; called again, it does nothing.
    """
    received: list[int] = []
    handlers: dict[int, Callable[[int, FrameType | None], object]] = {}

    def note(number: int, _frame: FrameType | None) -> None:
        received.append(number)

    def defer() -> None:
        for name in ("SIGINT", *NAMES):
            number = getattr(signal, name, None)
            handler = None if number is None else signal.getsignal(number)
            if number is None or handler is note or not callable(handler):
                continue
            # Known before it is replaced: a signal may come between the two.
            handlers[number] = handler
            try:
                signal.signal(number, note)
            except ValueError:
                # Not in the main thread.
                del handlers[number]
                break

    try:
        yield defer
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for number in received[:1]:
        handlers[number](number, None)


@contextmanager
def deferred() -> Iterator[None]:
    """Let Ctrl-C and the signals that are handled wait until the block has ended."""
    with deferrable() as defer:
        defer()
        yield


@contextmanager
def ending() -> Iterator[list[int]]:
    """Raise `Terminated` at the first of these signals, in the main thread; its number is in the list.

    Later ones are ignored, so that the clean-up is not cut short. A signal that whoever started the process
    has it ignore, as ``nohup`` does, stays ignored.
    """
    received: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        if not received:
            received.append(number)
            raise Terminated(number)

    ours = []
    for name in NAMES:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            try:
                signal.signal(number, end)
            except ValueError:
                # Not in the main thread, which alone handles signals.
                break
            ours.append(number)
    try:
        yield received
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
