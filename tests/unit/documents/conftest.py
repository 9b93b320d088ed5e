"""Writes documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.documents.written import Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def put(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return put
