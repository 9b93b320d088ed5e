"""A case with one thing wrong is refused, with the line and what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import CaseError, ExitCode
from harness.store.cases import load_case

Put = Callable[..., Path]


def assert_refused(put_case: Put, text: str, where: str | None, message: str, advice: str) -> None:
    """Of this text; `where` stands in the line that the error names."""
    folder = put_case(text)
    with pytest.raises(CaseError) as caught:
        load_case(folder)
    error = caught.value
    assert message in error.message
    assert advice in error.advice
    assert error.path == folder / "case.toml"
    assert error.exit_code is ExitCode.USAGE
    if where is not None:
        assert error.line is not None
        assert where in text.split("\n")[error.line - 1]
