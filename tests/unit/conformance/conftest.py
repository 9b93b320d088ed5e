"""A reference, a client of the oracle, and a suite of one case."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from harness.conformance import oracle_asker
from harness.conformance.oracle import OracleClient
from harness.store.fixture_writer import write_fixture
from tests.unit.conformance.attention_suite import CASE, SOUND
from tests.unit.conformance.oracle_answers import LAUNCH, Workers


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "toy" / "toy.py"
    path.parent.mkdir()
    path.write_text("def a(x):\n    return x\n", encoding="utf-8")
    return path


@pytest.fixture
def client_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Workers], OracleClient]:
    def made(workers: Workers) -> OracleClient:
        monkeypatch.setattr(oracle_asker, "OracleWorker", workers)
        return OracleClient(LAUNCH, tmp_path / "cache", tmp_path / "logs", threading.Event())

    return made


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    case = tmp_path / "suite" / "attention"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE, encoding="utf-8")
    (case / "attention.py").write_text(SOUND, encoding="utf-8")
    (case / "attention.second.py").write_text(SOUND, encoding="utf-8")
    (case / "attention.third.py").write_text(SOUND, encoding="utf-8")
    draw = np.random.default_rng(3)
    write_fixture(
        tmp_path / "suite" / "fixtures" / "attention",
        version=1,
        title="two matrices",
        origin="draws",
        licence="MIT",
        generator=[{"kind": "data"}],
        arrays={"Q": draw.normal(size=(5, 3)), "K": draw.normal(size=(5, 3))},
        origins={"Q": "draws", "K": "draws"},
    )
    return tmp_path / "suite"
