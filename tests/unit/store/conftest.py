from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

CASE = """\
[case]
name = "toy"
title = "Toy"
origin = "made up"
fixture = "toy"
precisions = ["float64", "float32"]

[inputs]
x = ["n", "d"]
W = ["d", "d"]
rate = { shape = [], meaning = "step" }
tokens = { shape = ["n"], dtype = "int" }

[[stage]]
name = "last"
inputs = ["first", "losses"]
shape = ["n", 3]
symbol = "L"
tolerance = { rule = "ulp", value = 4, reason = "one product" }

[[stage]]
name = "first"
inputs = ["x", "W"]
shape = ["n", "d"]
meaning = "a product"
nan = true
tolerance = { rule = "exact" }

[[stage]]
name = "fit"
inputs = ["first", "rate", "tokens"]
outputs = [
    { name = "losses", shape = ["epochs"], tolerance = { rule = "relative", value = 1e-9, reason = "long" } },
    { name = "final", shape = ["n", "d"], tolerance = { rule = "absolute", value = 0, reason = "short" } },
    { name = "mask", shape = ["n"], dtype = "bool", tolerance = { rule = "exact" } },
]

[[identity]]
id = "same"
left = "first"
right = "final"
tolerance = { rule = "relative", value = 1e-9, reason = "algebra" }

[[known_divergence]]
id = "not-same"
identity = "same"
cause = "a quirk"
evidence = "1e-3"
measure = "norm"
at_least = 1e-4
at_most = 1e-2
ends_when = "never"

[[known_divergence]]
id = "off"
stage = "last"
implementation = "julia*"
cause = "a quirk"
evidence = "1e-3"
measure = "norm"
at_least = 1e-4
at_most = 1e-2
ends_when = "never"

[[published]]
stage = "last"
source = "a book"
values = [["0.50", "1e3", "-2"], "..."]

[[published]]
stage = "losses"
source = "a paper"
values = ["NaN", "1.0", "..."]
decimals = 2
fixture = "toy*"
"""


@pytest.fixture
def toy() -> str:
    return CASE


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    folder.mkdir()
    return folder


@pytest.fixture
def put_case(suite: Path) -> Callable[[str], Path]:
    def put(text: str = CASE) -> Path:
        folder = suite / "toy"
        folder.mkdir(exist_ok=True)
        (folder / "case.toml").write_text(text, encoding="utf-8")
        return folder

    return put


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Of a record that is to be written."""
    return tmp_path / "out" / "results.jsonl"
