"""What a user of each language expects: shapes, dtypes, order, and refusals that name the language's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from harness.streams import julia, r, torch, versions
from harness.streams.errors import StreamError, StreamTypeError


def test_julia_fills_columns_first() -> None:
    matrix = julia.MersenneTwister(12).randn((51, 51))
    assert matrix.shape == (51, 51)
    np.testing.assert_array_equal(matrix.reshape(-1, order="F"), julia.MersenneTwister(12).randn(51 * 51))
    np.testing.assert_array_equal(matrix, julia.MersenneTwister(12).randn(51, 51))


def test_julia_without_a_shape_is_one_number() -> None:
    for g in (julia.MersenneTwister(1), julia.Xoshiro(1)):
        for number in (g.rand(), g.randn(), g.randexp(), g.rand(dtype="Float32"), g.randn(dtype="Float32")):
            assert isinstance(number, float)
        assert isinstance(g.rand(range(1, 7)), int)
        assert g.rand(2, dtype="Float32").dtype == np.float32
        assert g.rand(range(1, 7), 2, 3).dtype == np.int64
        assert g.rand(()).shape == ()


def test_julia_shuffles_any_array_in_its_own_order() -> None:
    letters = np.array(list("abcdef")).reshape(2, 3)
    ours = julia.Xoshiro(3).shuffle(letters)
    assert ours.shape == (2, 3)
    places = julia.Xoshiro(3).shuffle(np.arange(6))
    np.testing.assert_array_equal(ours.reshape(-1, order="F"), letters.reshape(-1, order="F")[places])
    assert julia.MersenneTwister(3).shuffle([]).size == 0


def test_julia_versions_agree_and_differ_where_they_should() -> None:
    old, new = julia.MersenneTwister(9), julia.MersenneTwister(9, "1.5")
    np.testing.assert_array_equal(old.rand(500), new.rand(500))
    assert old.rand(range(1000), 5).tolist() != new.rand(range(1000), 5).tolist()
    assert julia.MersenneTwister(9, "1.11").rand() != julia.MersenneTwister(9).rand()
    assert julia.Xoshiro(9, "1.10").rand() == julia.Xoshiro(9).rand()
    assert julia.Xoshiro(-1).rand() != julia.Xoshiro(0).rand()


def test_r_recycles_and_draws_nothing_where_r_does() -> None:
    s = r.set_seed(4)
    np.testing.assert_array_equal(s.runif(4, [0, 10], [1, 10]) == 10, [False, True, False, True])
    np.testing.assert_array_equal(s.rnorm(2, 3.0, 0.0), [3.0, 3.0])
    assert s.rexp(1, np.inf) == 0.0
    # two uniforms so far
    assert s.runif(1) == r.set_seed(4).runif(3)[2]


def test_r_warns_where_r_does() -> None:
    s = r.set_seed(4)
    draws = [
        partial(s.runif, 2, 1, 0),
        partial(s.rnorm, 2, 0, -1),
        partial(s.rexp, 2, -1),
        partial(s.rexp, 1, 0),
    ]
    for draw in draws:
        with pytest.warns(RuntimeWarning, match="NAs produced"):
            assert np.isnan(draw()).all()
    assert s.runif(1) == r.set_seed(4).runif(1)


def test_r_sample_of_one_number_is_sample_of_its_range() -> None:
    np.testing.assert_array_equal(r.set_seed(1).sample([5]), r.set_seed(1).sample(5))
    np.testing.assert_array_equal(r.set_seed(1).sample([7.5, 8.5], 2), np.array([7.5, 8.5])[[0, 1]])
    assert r.set_seed(1).sample(["only"]).tolist() == ["only"]
    assert r.set_seed(1).sample(1).tolist() == [1]


def test_r_takes_the_integer_part_of_a_seed() -> None:
    assert r.set_seed(1e6).runif(1) == r.set_seed(1000000).runif(1)
    assert r.set_seed(-3.9).runif(1) == r.set_seed(-3).runif(1)


def test_torch_keeps_the_other_half_of_a_pair() -> None:
    np.testing.assert_array_equal(
        np.concatenate([torch.Generator(5).randn(3), np.empty(0, np.float32)]),
        torch.Generator(5).randn(15)[:3],
    )
    g = torch.Generator(5)
    kept = [g.randn(3), g.randn((2, 2))]
    np.testing.assert_array_equal(np.concatenate([k.reshape(-1) for k in kept]), torch.Generator(5).randn(7))
    assert torch.Generator(5).randn(()).shape == ()


def test_torch_layers() -> None:
    parameters = torch.Generator(0).linear(3, 2)
    assert {name: (p.shape, p.dtype.name) for name, p in parameters.items()} == {
        "weight": ((2, 3), "float32"),
        "bias": ((2,), "float32"),
    }
    assert np.abs(parameters["weight"]).max() <= 1 / np.sqrt(3)
    assert list(torch.Generator(0).linear(3, 2, bias=False)) == ["weight"]
    np.testing.assert_array_equal(torch.Generator(0).embedding(10, 16), torch.Generator(0).randn((10, 16)))
    assert torch.manual_seed(-1).initial_seed() == 2**64 - 1


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: r.set_seed(2**31), "not a valid integer"),
    (lambda: r.set_seed(float("nan")), "not a valid integer"),
    (lambda: r.set_seed(1, "Super"), "reproduced are"),  # type: ignore[arg-type]
    (lambda: r.set_seed(1, normal_kind="Box-Muller"), "only Inversion"),  # type: ignore[arg-type]
    (lambda: r.set_seed(1, sample_kind="rejection"), "Rejection and Rounding"),  # type: ignore[arg-type]
    (lambda: r.set_seed(1).runif(-1), "invalid arguments"),
    (lambda: r.set_seed(1).sample(3, 4), "larger than the population"),
    (lambda: r.set_seed(1).sample([], 1), "invalid first argument"),
    (lambda: r.set_seed(1).sample(0.5), "invalid first argument"),
    (lambda: julia.MersenneTwister(-1), "DomainError"),
    (lambda: julia.Xoshiro(-1, "1.10"), "DomainError"),
    (lambda: julia.MersenneTwister(1, "1.4"), "1.5, 1.10 and 1.11"),  # type: ignore[arg-type]
    (lambda: julia.Xoshiro(1, "1.5"), "1.10 and 1.11"),  # type: ignore[arg-type]
    (lambda: julia.Xoshiro(1).rand(-1), "ArgumentError"),
    (lambda: julia.Xoshiro(1).rand(2**40, 2**40), "asks for"),
    (lambda: julia.Xoshiro(1).rand(range(0)), "empty range"),
    (lambda: julia.Xoshiro(1).rand(range(0, 10, 2)), "step 1"),
    (lambda: julia.Xoshiro(1).rand(range(2**63 + 1)), "not a range of Int64"),
    (lambda: julia.Xoshiro(1).randperm(-1), "ArgumentError"),
    (lambda: torch.Generator(2**64), "RuntimeError"),
    (lambda: torch.Generator(1, "NEON"), "DEFAULT, AVX2 and AVX512"),  # type: ignore[arg-type]
    (lambda: torch.Generator(1, version="1.0"), "between PyTorch 2.6 and 2.7"),  # type: ignore[arg-type]
    (lambda: torch.Generator(1).randn((2, -3)), "negative size"),
    (lambda: torch.Generator(1).normal_(3, 0.0, -1.0), "std >= 0"),
    (lambda: torch.Generator(1).uniform_(3, 1.0, 0.0), "from <= to"),
    (lambda: torch.Generator(1).uniform_(3, -3e38, 3e38), "overflow"),
    (lambda: torch.Generator(1).randint(3, 3, 1), "'from' < 'to'"),
    (lambda: torch.Generator(1).randint(0, 2**63, 1), "int64"),
    (lambda: torch.Generator(1).randperm(-1), "non-negative"),
    (lambda: torch.Generator(1).linear(0, 3), "in_features = 0"),
]
MISTAKEN: list[Callable[[], Any]] = [
    lambda: r.set_seed("1"),  # type: ignore[arg-type]
    lambda: r.set_seed(None),  # type: ignore[arg-type]
    lambda: r.set_seed(1).runif("3"),  # type: ignore[arg-type]
    lambda: julia.MersenneTwister(1.5),  # type: ignore[arg-type]
    lambda: julia.Xoshiro(1).rand(1.5),  # type: ignore[call-overload]
    lambda: julia.Xoshiro(1).rand(1, dtype="Float16"),  # type: ignore[call-overload]
    lambda: torch.Generator("1"),  # type: ignore[arg-type]
    lambda: torch.Generator(1).rand("3"),  # type: ignore[arg-type]
    lambda: torch.Generator(1).rand(3, "float16"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_refusals_name_what_the_language_does(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(StreamError, match=message):
        call()


@pytest.mark.parametrize("call", MISTAKEN)
def test_wrong_types(call: Callable[[], Any]) -> None:
    with pytest.raises(StreamTypeError):
        call()


def test_versions_report() -> None:
    rows = versions.report(42)
    assert {row.language for row in rows} == {"R", "Julia", "PyTorch", "NumPy"}
    assert all(row.values and not row.refused for row in rows)
    sample = {row.versions: row.values for row in rows if row.call == "set.seed(42); sample(10)"}
    assert len(sample) == len(set(sample.values())) == 2
    twister = {row.values for row in rows if row.call == "rand(MersenneTwister(42), 5)"}
    assert len(twister) == 2


def test_versions_report_of_a_seed_that_some_refuse() -> None:
    rows = versions.report(-1)
    refused = {row.language for row in rows if row.refused}
    assert refused == {"Julia", "NumPy"}
    assert all((row.values == ()) == bool(row.refused) for row in rows)
    assert any(row.language == "Julia" and row.values for row in rows)
