"""Draws of NumPy's generators: of which of them a version may be the reason, and of which none is."""

from __future__ import annotations

import pytest

from harness.findings.generator_streams import are_of_all_versions
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, answers, chunk, left

MADE = "rng = np.random.default_rng(42)"


@pytest.mark.parametrize(
    ("code", "same"),
    [
        (f"{MADE}\nx = rng.integers(0, 2, (12, 3))", True),
        (f"{MADE}\nx = rng.choice(np.arange(len(y)), size=(2, max(3, 4)))\nrng.shuffle(x)", True),
        ("x = np.random.default_rng(seed=3).normal(size=9)", True),
        ("seed = 3\nr = default_rng(seed)\ns = default_rng(4)\nx = r.random(3) + s.uniform(size=3)", True),
        (f"{MADE}\nx = rng.geometric(0.2, 9)", False),
        (f"{MADE}\ny = rng.random(3)\nx = rng.binomial(100, 0.4)", False),
        ("x = np.random.default_rng(3).dirichlet([0.01, 0.02])", False),
        (f"{MADE}\nx = rng.integers(0, 50, 9, dtype=np.int8)", False),
        (f"{MADE}\nx = rng.integers(0, 50, 9, True, np.uint16)", False),
        (f"{MADE}\nx = rng.random(9, 'f4')", False),
        (f"{MADE}\nx = rng.permutation(y, axis=1)", False),
        (f"{MADE}\nx = norm.rvs(size=3, random_state=rng)", False),
        (f"{MADE}\nother = rng\nx = other.random(3)", False),
        (f"{MADE}\nx = rng.spawn(2)[0].random(3)", False),
        (f"{MADE}\ndraw = rng.normal\nx = draw(3)", False),
        ("rng = np.random.default_rng(np.random.PCG64(3))\nx = rng.random(3)", False),
        ("self.rng = np.random.default_rng(3)\nx = self.rng.random(3)", False),
        ("rng = np.random.Generator(np.random.MT19937(3))\nx = rng.random(3)", False),
        ("rng = np.random.default_rng(3) if x else None\nx = rng.random(3)", False),
        (f"{MADE}\nx = rng.random(f(g(h(i(3)))))", False),
    ],
)
def test_which_draws_are_the_same_in_all_versions(code: str, same: bool) -> None:
    """What is handed on, made of other things, or of other sizes of numbers, may draw anything."""
    assert are_of_all_versions(code, code) is same


@pytest.mark.parametrize(
    ("draw", "answer"),
    [
        ("x = rng.random(3)  # not rng.geometric(0.1)", Answer.WRONG),
        ("x = rng.rayleigh(size=3)", Answer.HERE),
        ("x = fitted(rng)", Answer.HERE),
    ],
)
def test_no_version_draws_other_numbers_than_all_do(draw: str, answer: Answer) -> None:
    chunks = [
        chunk(0, f"import numpy as np\n{MADE}\n{draw}"),
        chunk(1, "x", output="array([0.385, 0.396, 0.683])\n"),
    ]
    assert answers(Ran(chunks, [left(), left("array([0.774, 0.439, 0.859])\n")])) == [answer]


def test_what_is_drawn_elsewhere_leaves_a_generator_where_it_is() -> None:
    def said(between: str) -> Answer:
        chunks = [
            chunk(0, f"import numpy as np\n{MADE}"),
            chunk(1, between),
            chunk(2, "x = rng.random(3)\nx", output="array([0.385, 0.396, 0.683])\n"),
        ]
        return answers(Ran(chunks, [left(), left(), left("array([0.774, 0.439, 0.859])\n")]))[-1]

    assert said("len(rng.random(9))") is Answer.WRONG
    assert said("len(rng.geometric(0.1, 9))") is Answer.HERE
