"""A small suite: one case, implementations good and bad, and a runtime that is not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from harness.store.fixture_writer import write_fixture

CASE = """
[case]
name = "toy"
title = "Twice x, and one"
origin = "made up"
fixture = "toy"

[inputs]
x = ["n"]

[[stage]]
name = "twice"
inputs = ["x"]
shape = ["n"]
tolerance = { rule = "exact" }

[[stage]]
name = "more"
inputs = ["twice"]
shape = ["n"]
tolerance = { rule = "exact" }

[[stage]]
name = "last"
inputs = ["more"]
shape = ["n"]
tolerance = { rule = "exact" }

[[known_divergence]]
id = "known-offset"
stage = "more"
implementation = "numpy.known"
cause = "it adds three"
evidence = "measured"
measure = "absolute"
at_least = 2
at_most = 2
ends_when = "it adds one"

[[known_divergence]]
id = "gone-offset"
stage = "last"
implementation = "numpy.healed"
cause = "it was said to differ"
evidence = "measured"
measure = "absolute"
at_least = 2
at_most = 2
ends_when = "never"
"""
SOUND = (
    "def twice(x):\n    return 2 * x\n\n\ndef more(twice):\n    return twice + 1\n\n\n"
    "def last(more):\n    return -more\n"
)
SOURCES = {
    "toy.py": "import os\nimport pathlib\n\n"
    "with pathlib.Path(__file__).with_name('runs').open('a') as file:\n"
    "    file.write(f'{os.getpid()}\\n')\n\n\n" + SOUND,
    "toy.same.py": SOUND,
    "toy.healed.py": SOUND,
    "toy.wrong.py": SOUND.replace("twice + 1", "twice + 1.5"),
    "toy.known.py": SOUND.replace("twice + 1", "twice + 3"),
    "toy.raises.py": SOUND.replace("return twice + 1", "raise ValueError('it went wrong')"),
    "toy.gone": "",
}
RUNTIME = """
[[runtime]]
id = "gone"
language = "Gone"
suffix = ".gone"
command = ["there-is-no-such-program"]
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> Path:
    case = pytester.path / "suite" / "toy"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE, encoding="utf-8")
    for name, source in SOURCES.items():
        (case / name).write_text(source, encoding="utf-8")
    (pytester.path / "suite" / "suite.toml").write_text(RUNTIME, encoding="utf-8")
    write_fixture(
        pytester.path / "suite" / "fixtures" / "toy",
        version=1,
        title="three numbers",
        origin="made up",
        licence="MIT",
        generator=[{"kind": "literal", "arrays": {"x": [1.0, 2.5, -3.0]}}],
        arrays={"x": np.array([1.0, 2.5, -3.0])},
        origins={"x": "made up"},
    )
    pytester.makeini("[pytest]\nconformance_suite = suite\n")
    return pytester.path / "suite"


@pytest.fixture
def runs(suite: Path) -> Callable[[], int]:
    """How often the harness ran: each run has a worker of its own, which loads the reference."""
    path = suite / "toy" / "runs"
    return lambda: len(set(path.read_text(encoding="utf-8").split())) if path.exists() else 0
