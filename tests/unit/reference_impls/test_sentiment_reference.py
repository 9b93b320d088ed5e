"""The NumPy references of sentiment_forward and _backward, against differences, loops, balls and print."""

from __future__ import annotations

import math
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from harness.model import Case
from harness.numerics.printed import hold_to_print
from harness.store.cases import load_case
from harness.store.fixtures import load_fixture

REPOSITORY = Path(__file__).parents[3]
SUITE = REPOSITORY / "reference_impls"
GLOVE = REPOSITORY.parent / "shared" / "glove" / "glove.6B.50d.first9163.txt"
PARAMETERS = ("Q", "Qb", "K", "Kb", "V", "Vb", "W", "b")
RIGHT = ("dL_dp", "dL_df", "dL_dW", "dL_db", "dL_dz", "dL_dalpha", "dL_dv", "dL_dV", "dL_dVb")
WRONG = ("dL_dq", "dL_dk", "dL_dQ", "dL_dK", "dL_dQb")

Values = dict[str, npt.NDArray[Any]]


def reference(name: str) -> dict[str, Callable[..., Any]]:
    return runpy.run_path(str(SUITE / name / f"{name}.py"))


def chained(case: Case, given: Values, until: str = "") -> Values:
    """Every stage's outputs, each fed with its own upstream."""
    functions, values = reference(case.name), dict(given)
    for stage in case.stages:
        if until and stage.name.startswith(until):
            continue
        returned = functions[stage.name](*(values[name] for name in stage.inputs))
        several = returned if isinstance(returned, tuple) else (returned,)
        for value, array in zip(stage.outputs, several, strict=True):
            values[value.name] = np.asarray(array)
    return values


def samples(case: Case, dtype: str = "float64", glove: Path | None = None) -> Iterator[tuple[str, Values]]:
    fixture = load_fixture(case, SUITE, glove=glove)
    for sample in fixture.samples:
        arrays = fixture.arrays(sample)
        yield sample, {name: a.astype(dtype) if a.dtype.kind == "f" else a for name, a in arrays.items()}


def random_sentence(words: int, seed: int) -> Values:
    """Four words of three features, with parameters so large that attention is far from even."""
    state = np.random.RandomState(seed)
    shapes = {"Q": (4, 4), "Qb": (4, 1), "K": (4, 4), "Kb": (4, 1), "V": (4, 4), "Vb": (4, 1)}
    values: Values = {name: state.standard_normal(shape) for name, shape in shapes.items()}
    values |= {"W": state.standard_normal((3, 4)), "b": state.standard_normal((3, 1))}
    values |= {f"{name}_step": state.standard_normal(values[name].shape) for name in PARAMETERS}
    values["table"] = state.standard_normal((9, 3))
    values["tokens"] = state.randint(9, size=words)
    values["y"] = np.eye(3)[:, [state.randint(3)]]
    return values


@pytest.fixture(scope="module")
def forward() -> Case:
    return load_case(SUITE / "sentiment_forward")


@pytest.fixture(scope="module")
def backward() -> Case:
    return load_case(SUITE / "sentiment_backward")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_forward_keeps_the_dtype_and_gives_probabilities(forward: Case, dtype: str) -> None:
    for sample, given in samples(forward, dtype):
        values = chained(forward, given)
        n = given["tokens"].size
        for name in forward.values:
            assert values[name].dtype == dtype, (sample, name)
        for name in ("alpha", "alpha_exact"):
            assert values[name].shape == (n, n)
            np.testing.assert_allclose(values[name].sum(axis=1), 1, rtol=1e-6)
        np.testing.assert_allclose(values["p"].sum(), 1, rtol=1e-6)
        assert np.array_equal(values["x"][-1], np.arange(n))


def test_the_scales_part_by_the_root_of_the_words(forward: Case) -> None:
    for sample, given in samples(forward):
        values = chained(forward, given)
        root = math.sqrt(given["tokens"].size)
        np.testing.assert_allclose(values["e_exact"], values["e"] * root, rtol=1e-13, err_msg=sample)


def test_red_is_as_printed(forward: Case) -> None:
    if not GLOVE.is_file():
        pytest.skip("the GloVe file is not beside the repository")
    (published,) = forward.published
    given = dict(samples(forward, glove=GLOVE))[published.sample]
    embeddings = chained(forward, given)["embeddings"]
    printed = hold_to_print(published.values, embeddings, float32=published.float32)
    assert (printed.checked, printed.misprints, printed.problem) == (25, (), "")


@pytest.mark.parametrize("words", [1, 2, 5])
def test_exact_gradient_is_the_slope_in_every_direction(words: int) -> None:
    functions, given = reference("sentiment_backward"), random_sentence(words, seed=words)
    x = functions["x"](given["table"], given["tokens"])
    parameters = [given[name] for name in PARAMETERS]
    gradients = functions["gradient"](x, given["y"], *parameters)
    step = 1e-5
    for place, (name, gradient) in enumerate(zip(PARAMETERS, gradients, strict=True)):
        slopes = np.empty_like(gradient)
        for index in np.ndindex(gradient.shape):
            losses = []
            for by in (step, -step):
                moved = [parameter.copy() for parameter in parameters]
                moved[place][index] += by
                losses.append(functions["loss_at"](x, given["y"], moved))
            slopes[index] = (losses[0] - losses[1]) / (2 * step)
        np.testing.assert_allclose(gradient, slopes, rtol=1e-6, atol=2e-9, err_msg=name)


@pytest.mark.parametrize("words", [1, 2, 5])
def test_what_is_right_in_the_published_gradient_is_right_everywhere(backward: Case, words: int) -> None:
    values = chained(backward, random_sentence(words, seed=10 + words), until="slope")
    for name in RIGHT:
        np.testing.assert_allclose(
            values[name], values[f"{name}_exact"], rtol=1e-12, atol=1e-14, err_msg=name
        )
    for name in ("dL_de", *WRONG):
        same = np.allclose(values[name], values[f"{name}_exact"], rtol=1e-3, atol=1e-14)
        assert same == (words == 1), name
    assert np.abs(values["dL_dKb_exact"]).max() < 1e-14
    assert (np.abs(values["dL_dKb"]).max() < 1e-14) == (words == 1)


def test_published_softmax_derivative_is_the_articles_double_loop(backward: Case) -> None:
    alpha = chained(backward, random_sentence(5, seed=3), until="slope")["alpha"]
    linear = alpha.ravel(order="F")
    looped = np.zeros_like(alpha)
    for column in range(len(alpha)):
        for row in range(len(alpha)):
            same = row == column
            looped[row, column] = linear[row] * (1 - linear[row]) if same else -linear[column] * linear[row]
    published = reference("sentiment_backward")["dalpha_de"](alpha)
    np.testing.assert_allclose(published, looped, rtol=1e-14, atol=1e-16)


def test_one_pass_gives_what_the_stages_give(backward: Case) -> None:
    values = chained(backward, random_sentence(4, seed=5), until="slope")
    for name in PARAMETERS:
        np.testing.assert_allclose(values[f"{name}_gradient"], values[f"dL_d{name}_exact"], rtol=1e-13)


def test_on_the_reviews_the_scale_is_what_is_lost(backward: Case) -> None:
    for sample, given in samples(backward):
        n = given["tokens"].size
        if not sample.startswith("review") or n < 2:
            continue
        values = chained(backward, given, until="slope")
        for name in WRONG:
            published, exact = values[name], values[f"{name}_exact"]
            lengths = np.linalg.norm(published), np.linalg.norm(exact)
            assert (published * exact).sum() / math.prod(lengths) > 0.999, (sample, name)
            assert lengths[0] / lengths[1] == pytest.approx(math.sqrt(51 * n), rel=0.02), (sample, name)


@pytest.mark.parametrize("name", ["sentiment_forward", "sentiment_backward"])
def test_stages_run_on_exact_balls(name: str) -> None:
    flint = pytest.importorskip("flint")
    case = load_case(SUITE / name)
    given = random_sentence(3, seed=8)
    balls = np.frompyfunc(lambda number: flint.arb(float(number)), 1, 1)
    exact = {key: array if array.dtype.kind == "i" else balls(array) for key, array in given.items()}
    with flint.ctx.workprec(200):
        floats, truth = chained(case, given), chained(case, exact)
        for value in case.values:
            true_values = [flint.arb(ball) for ball in truth[value].flat]
            assert max(float(ball.rad()) for ball in true_values) < 1e-45, value
            # large parameters: each difference of losses is taken from numbers some 1e3 times as large
            limit = 1e-11 if value == "slope_differences" else 1e-13
            expected = [float(ball.mid()) for ball in true_values]
            np.testing.assert_allclose(floats[value].ravel(), expected, rtol=1e-11, atol=limit, err_msg=value)
