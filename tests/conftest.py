"""What holds for every test."""

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def no_terminal_width() -> None:
    """Processes of pytest-xdist have a COLUMNS, and tables would be cut to it."""
    os.environ.pop("COLUMNS", None)
