"""The NumPy reference of sentiment_training, against sentiment_backward's stages, one step at a time."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from harness.store.cases import load_case
from harness.store.fixtures import load_fixture

SUITE = Path(__file__).parents[3] / "reference_impls"
CORPUS = ("table", "corpus_tokens", "corpus_offsets", "corpus_labels")
PARAMETERS = ("Q", "Qb", "K", "Kb", "V", "Vb", "W", "b")

Values = dict[str, npt.NDArray[Any]]
Gradient = Callable[[dict[str, Any], Values], list[Any]]


@pytest.fixture(scope="module")
def training() -> dict[str, Callable[..., Any]]:
    return runpy.run_path(str(SUITE / "sentiment_training" / "sentiment_training.py"))


@pytest.fixture(scope="module")
def stages() -> dict[str, Callable[..., Any]]:
    return runpy.run_path(str(SUITE / "sentiment_backward" / "sentiment_backward.py"))


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Values:
    monkeypatch.delenv("HARNESS_GLOVE", raising=False)
    case = load_case(SUITE / "sentiment_training")
    arrays = load_fixture(case, SUITE).arrays("epochs_0100")
    return arrays | {"table": arrays["table"].astype(np.float64)}


def train(stage: Callable[..., Any], given: Values, epochs: int) -> tuple[npt.NDArray[Any], ...]:
    inputs = [given[name] for name in (*CORPUS, "rate")]
    returned: tuple[npt.NDArray[Any], ...] = stage(
        *inputs, np.array([epochs]), *(given[name] for name in PARAMETERS)
    )
    return returned


def published(stages: dict[str, Any], v: Values) -> list[Any]:
    dL_df = stages["dL_df"](stages["dL_dp"](v["p"], v["y"]), stages["dp_df"](v["z"]))
    dL_dz = stages["dL_dz"](dL_df, v["W"])
    dL_de = stages["dL_de"](stages["dL_dalpha"](dL_dz, v["v"]), stages["dalpha_de"](v["alpha"]))
    dL_dq, dL_dk = stages["dL_dq"](dL_de, v["k"]), stages["dL_dk"](dL_de, v["q"])
    dL_dv = stages["dL_dv"](dL_dz, v["alpha"])
    return [
        *(stages["dL_dQ"](dL_dq, v["x"]), stages["dL_dQb"](dL_dq)),
        *(stages["dL_dK"](dL_dk, v["x"]), stages["dL_dKb"](dL_dk)),
        *(stages["dL_dV"](dL_dv, v["x"]), stages["dL_dVb"](dL_dv)),
        *(stages["dL_dW"](dL_df, v["z"]), stages["dL_db"](dL_df)),
    ]


def exact(stages: dict[str, Any], v: Values) -> list[Any]:
    return list(stages["gradient"](v["x"], v["y"], *(v[name] for name in PARAMETERS)))


def plain_descent(
    stages: dict[str, Any], given: Values, epochs: int, gradient: Gradient, trained: int
) -> tuple[npt.NDArray[Any], ...]:
    at = {name: given[name] for name in PARAMETERS}
    sentences = np.split(given["corpus_tokens"], given["corpus_offsets"][1:-1])
    labelled = [(t, label) for t, label in zip(sentences, given["corpus_labels"], strict=True) if label >= 0]
    losses = []
    for _ in range(epochs):
        total = 0.0
        for tokens, label in labelled:
            if tokens.size == 0:
                continue
            v: Values = {**at, "x": stages["x"](given["table"], tokens), "y": np.eye(3)[:, [label]]}
            v["q"], v["k"], v["v"] = (stages[n.lower()](v["x"], v[n], v[f"{n}b"]) for n in "QKV")
            v["alpha"] = stages["alpha"](stages["e"](v["q"], v["k"]))
            v["z"] = stages["z"](v["v"], v["alpha"])
            v["p"] = stages["p"](stages["pooled"](stages["f"](v["z"], v["W"], v["b"])))
            total += stages["loss"](v["p"], v["y"])
            moves = zip(PARAMETERS[:trained], gradient(stages, v)[:trained], strict=True)
            at |= {name: at[name] - given["rate"] * slope for name, slope in moves}
        losses.append(total / len(labelled))
    return np.array(losses), *(at[name] for name in PARAMETERS[:trained])


VARIANTS = [
    pytest.param("train_published", published, 6, id="published"),
    pytest.param("train_published_all", published, 8, id="published_all"),
    pytest.param("train_exact", exact, 6, id="exact"),
]


@pytest.mark.parametrize(("stage", "gradient", "trained"), VARIANTS)
def test_training_is_one_step_after_the_other(
    training: dict[str, Any],
    stages: dict[str, Any],
    given: Values,
    stage: str,
    gradient: Gradient,
    trained: int,
) -> None:
    # large parameters and steps, so that attention and its gradients matter
    state = np.random.RandomState(4)
    strong = given | {
        name: 10 * given[name] + 0.1 * state.standard_normal(given[name].shape) for name in PARAMETERS
    }
    for values, rate in ((given, 0.001), (strong, 0.0003)):
        values = values | {"rate": np.array([rate])}
        got = train(training[stage], values, 3)
        due = plain_descent(stages, values, 3, gradient, trained)
        for ours, theirs in zip(got, due, strict=True):
            assert ours.shape == theirs.shape
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("stage", "gradient", "trained"), VARIANTS)
def test_a_review_without_words_adds_nothing_but_counts(
    training: dict[str, Any], given: Values, stage: str, gradient: Gradient, trained: int
) -> None:
    offsets, labels = given["corpus_offsets"], given["corpus_labels"]
    emptied = given | {
        "corpus_offsets": np.insert(offsets, 5, offsets[5]),
        "corpus_labels": np.insert(labels, 5, 1),
    }
    with_all = train(training[stage], given, 2)
    with_empty = train(training[stage], emptied, 2)
    np.testing.assert_allclose(with_empty[0], with_all[0] * 39 / 40, rtol=1e-13)
    for ours, theirs in zip(with_empty[1:], with_all[1:], strict=True):
        assert np.array_equal(ours, theirs)


def test_training_lowers_the_loss_and_leaves_its_inputs_alone(
    training: dict[str, Any], given: Values
) -> None:
    before = {name: array.copy() for name, array in given.items()}
    for stage in ("train_published", "train_published_all", "train_exact"):
        losses = train(training[stage], given, 30)[0]
        assert losses[0] == pytest.approx(np.log(3), abs=2e-3)
        assert losses[-1] < losses[0] - 0.005
    assert all(np.array_equal(given[name], array) for name, array in before.items())


def test_exact_training_never_moves_the_keys_bias(training: dict[str, Any], given: Values) -> None:
    assert np.abs(train(training["train_exact"], given, 30)[4]).max() < 1e-18
    assert np.abs(train(training["train_published"], given, 30)[4]).max() > 1e-5


def test_attention_is_of_the_unlabelled_sentences(training: dict[str, Any], given: Values) -> None:
    parameters = [given[name] for name in ("Q", "Qb", "K", "Kb")]
    attention = training["attention_published"](*(given[name] for name in CORPUS), *parameters)
    lengths = np.diff(given["corpus_offsets"])[given["corpus_labels"] < 0]
    assert [weights.shape for weights in attention] == [(n, n) for n in lengths]
    for weights in attention:
        np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-14)


@pytest.mark.slow
def test_published_gradient_diverges_when_all_is_trained(training: dict[str, Any], given: Values) -> None:
    losses, *parameters = train(training["train_published_all"], given, 560)
    assert np.isfinite(losses[:553]).all()
    assert np.isnan(losses[553:]).all()
    assert all(np.isnan(parameter).all() for parameter in parameters)
