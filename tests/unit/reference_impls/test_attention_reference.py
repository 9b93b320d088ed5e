"""The NumPy references of the six attention cases: against print, exact balls, plain loops and each other."""

from __future__ import annotations

import json
import math
import runpy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from harness.model import Case, Precision
from harness.numerics.printed import hold_to_print
from harness.store.cases import load_case
from harness.store.fixtures import load_fixture

REPOSITORY = Path(__file__).parents[3]
SUITE = REPOSITORY / "reference_impls"
PEERS = REPOSITORY.parent / "shared" / "peers" / "attention.json"
CASES = (
    "four_word",
    "four_word_r_seed",
    "self_attention",
    "multi_head",
    "token_attention",
    "einsum_multi_head",
)

UNITS = 6
"""Units in the last place of a stage's largest value that it may be away from the true value."""

Values = dict[str, npt.NDArray[Any]]
Stages = Mapping[str, Callable[..., Any]]


def reference(name: str) -> Stages:
    return runpy.run_path(str(SUITE / name / f"{name}.py"))


def inputs(case: Case, dtype: str) -> Values:
    arrays = load_fixture(case, SUITE).arrays("default")
    return {name: a.astype(dtype) if a.dtype.kind == "f" else a for name, a in arrays.items()}


def chained(case: Case, given: Values) -> Values:
    functions = reference(case.name)
    values = dict(given)
    for stage in case.stages:
        values[stage.name] = np.asarray(functions[stage.name](*(values[name] for name in stage.inputs)))
    return {stage.name: values[stage.name] for stage in case.stages}


def in_balls(case: Case, given: Values) -> Values:
    """The same stages, with NumPy and math as the oracle has them."""
    from harness.oracle.oracle_source import OracleSource
    from harness.oracle.registry import balls

    kind = balls()
    source = OracleSource(str(SUITE / case.name / f"{case.name}.py")).within(kind)
    values: dict[str, Any] = {k: kind.given(a) if a.dtype.kind == "f" else a for k, a in given.items()}
    for stage in case.stages:
        values[stage.name] = source.call(stage.name, [values[name] for name in stage.inputs])[1]
    return {stage.name: values[stage.name].items for stage in case.stages}


def normal(*shape: int) -> npt.NDArray[np.float64]:
    return np.random.default_rng(math.prod(shape)).normal(size=shape)


@pytest.mark.parametrize("name", ["four_word", "four_word_r_seed", "self_attention"])
def test_prints_the_published_digits(name: str) -> None:
    case = load_case(SUITE / name)
    values = chained(case, inputs(case, "float64"))
    assert case.published
    for published in case.published:
        printed_number = hold_to_print(published.values, values[published.stage], decimals=published.decimals)
        assert not printed_number.problem
        assert printed_number.checked == values[published.stage].size
        assert printed_number.misprints == ()


@pytest.mark.parametrize(
    ("name", "peer", "half_a_digit"),
    [
        ("four_word", "cristina_numpy_four_words", 0.5e-8),
        ("four_word_r_seed", "r_attention_complete_vignette", 0.5e-6),
    ],
)
def test_agrees_with_what_others_published(name: str, peer: str, half_a_digit: float) -> None:
    if not PEERS.exists():
        pytest.skip("shared/peers/attention.json is not beside this checkout")
    facts = next(entry for entry in json.loads(PEERS.read_text()) if entry["id"] == peer)
    case = load_case(SUITE / name)
    values = chained(case, inputs(case, "float64"))
    assert np.array_equal(values["scores"], facts["scores"])
    assert np.abs(values["weights"] - facts["weights"]).max() <= half_a_digit
    assert np.abs(values["attention"] - facts["output"]).max() <= half_a_digit


@pytest.mark.parametrize("name", CASES)
def test_keeps_the_precision_it_is_given(name: str) -> None:
    case = load_case(SUITE / name)
    assert case.precisions[:2] == (Precision.FLOAT64, Precision.FLOAT32)
    for precision in case.precisions:
        for stage, array in chained(case, inputs(case, precision)).items():
            assert array.dtype == precision, stage


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("name", CASES)
def test_stays_within_a_few_units_of_the_true_value(name: str, precision: str) -> None:
    flint = pytest.importorskip("flint")
    case = load_case(SUITE / name)
    given = inputs(case, precision)
    with flint.ctx.workprec(200):
        balls = in_balls(case, given)
        values = chained(case, given)
        for stage, array in values.items():
            stated = case.values[stage].tolerance
            assert stated is None or stated.rule == "exact"
            finite = np.isfinite(array)
            ulp = float(np.spacing(np.abs(array[finite]).max()))
            limit = UNITS * ulp if stated is None else 0.0
            for computed, true in zip(array.flat, balls[stage].flat, strict=True):
                assert isinstance(true, flint.arb), stage
                if np.isfinite(computed):
                    assert float(true.rad()) < 1e-40, stage
                    assert float(abs(true - flint.arb(float(computed))).upper()) <= limit + 1e-40, stage
                else:
                    assert float(true.mid()) == computed, stage


def softmax(scores: list[float]) -> list[float]:
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def attend(
    x: npt.NDArray[np.float64], query: npt.NDArray[Any], key: npt.NDArray[Any], value: npt.NDArray[Any]
) -> npt.NDArray[np.float64]:
    """One head over one sequence, number by number; weights are outputs by inputs."""

    def dot(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> float:
        return math.fsum(float(p) * float(q) for p, q in zip(a, b, strict=True))

    def linear(weight: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        return np.array([[dot(token, row) for row in weight] for token in x])

    queries, keys, values = linear(query), linear(key), linear(value)
    root = math.sqrt(len(key))
    weights = [softmax([dot(q, k) / root for k in keys]) for q in queries]
    return np.array([[dot(np.array(row), column) for column in values.T] for row in weights])


def test_self_attention_equals_plain_loops_for_a_batch() -> None:
    case = load_case(SUITE / "self_attention")
    given: Values = {
        "x": normal(2, 4, 6),
        **{f"{w}_weight": normal(3, 6) + i for i, w in enumerate(("query", "key", "value"))},
        "head_x": normal(3, 5, 7),
        **{f"head_{w}_weight": normal(2, 7) - i for i, w in enumerate(("query", "key", "value"))},
    }
    values = chained(case, given)
    for prefix, outputs in (("", "outputs"), ("head_", "head_outputs")):
        weights = [given[f"{prefix}{w}_weight"] for w in ("query", "key", "value")]
        expected = np.stack([attend(sequence, *weights) for sequence in given[f"{prefix}x"]])
        np.testing.assert_allclose(values[outputs], expected, rtol=1e-12, atol=1e-13)


def test_multi_head_equals_plain_loops_for_a_batch() -> None:
    case = load_case(SUITE / "multi_head")
    batches, heads, size, features, width = 2, 3, 4, 6, 5
    given: Values = {
        "x": normal(batches, 7, features),
        "query_weight": normal(heads, size, features),
        "key_weight": normal(heads, size, features) + 0.5,
        "value_weight": normal(heads, size, features) - 0.5,
        "output_weight": normal(width, heads * size),
        "output_bias": normal(width),
    }
    values = chained(case, given)
    for b in range(batches):
        arrays = [
            attend(given["x"][b], *(given[f"{w}_weight"][h] for w in ("query", "key", "value")))
            for h in range(heads)
        ]
        side_by_side = np.array([[n for head in arrays for n in head[t]] for t in range(7)])
        expected = side_by_side @ given["output_weight"].T + given["output_bias"]
        np.testing.assert_allclose(values["concat_heads"][b], side_by_side, rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(values["multihead_output"][b], expected, rtol=1e-12, atol=1e-12)


def test_the_two_multi_head_cases_agree_on_one_input() -> None:
    einsum = load_case(SUITE / "einsum_multi_head")
    given = inputs(einsum, "float64")
    values = chained(einsum, given)
    other = chained(
        load_case(SUITE / "multi_head"),
        {
            "x": values["sentence_embed"][np.newaxis],
            **{f"{w}_weight": given[f"w_{w}"].swapaxes(1, 2) for w in ("query", "key", "value")},
            "output_weight": given["w_output"].T,
            "output_bias": np.zeros(16),
        },
    )
    np.testing.assert_allclose(other["multihead_output"][0], values["multihead_output"], rtol=1e-12)


def test_the_first_token_is_the_first_row() -> None:
    case = load_case(SUITE / "token_attention")
    given = inputs(case, "float64")
    values = chained(case, given)
    np.testing.assert_allclose(values["key_1"], values["keys"][0], rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(values["value_1"], values["values"][0], rtol=1e-13, atol=1e-14)
    weights = [given[f"w_{w}"] for w in ("query", "key", "value")]
    np.testing.assert_allclose(values["z1"], attend(values["sentence_embed"], *weights)[0], rtol=1e-12)


def test_a_masked_token_sees_itself_and_nothing_later() -> None:
    case = load_case(SUITE / "self_attention")
    given = inputs(case, "float64")
    weights = chained(case, given)["masked_weights"]
    changed = {**given, "x": given["x"].copy()}
    changed["x"][0, -1] += 1.0
    moved = chained(case, changed)["masked_weights"]
    assert np.array_equal(weights[0, :-1], moved[0, :-1])
    assert not np.array_equal(weights[0, -1], moved[0, -1])
    assert (np.triu(weights[0], 1) == 0).all()
    assert (np.diagonal(weights[0]) > 0).all()
