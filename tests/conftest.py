"""What holds for every test."""

import os
import signal

import pytest


@pytest.fixture(scope="session", autouse=True)
def no_terminal_width() -> None:
    """Processes of pytest-xdist have a COLUMNS, and tables would be cut to it."""
    os.environ.pop("COLUMNS", None)


@pytest.fixture(scope="session", autouse=True)
def interrupts() -> None:
    """A shell starts what runs in its background deaf to Ctrl-C, and so would be all that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
