"""What is said of functions that have no counterpart."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.authoring.read_python import read_python
from harness.authoring.sources import unpaired


@pytest.mark.parametrize(
    ("ours", "theirs", "hint"),
    [
        ("__preprocessing", "mk_original_test", "NAME=FUNCTION"),
        ("f", "fit", "NAME=FUNCTION"),
        ("__mk_score", "score", "__mk_score=score"),
        ("vincenty", "vincentyInverse", "vincenty=vincentyInverse"),
    ],
)
def test_a_pair_is_proposed_only_of_names_that_are_alike(ours: str, theirs: str, hint: str) -> None:
    one, two = (read_python(Path(f"{name}.py"), f"def {name}(x):\n    return x\n") for name in (ours, theirs))
    assert f"--pair {hint} would say" in unpaired(one, two)
