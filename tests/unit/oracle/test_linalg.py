"""Linear algebra: backward stable methods are within their limits for nasty matrices, others are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from harness.oracle.unknown import Unknown

Function = Callable[..., Any]


def with_condition(n: int, kappa: float, seed: int = 0) -> np.ndarray:
    left, _, right = np.linalg.svd(np.random.default_rng(seed).normal(size=(n, n)))
    return (left * np.geomspace(1.0, 1.0 / kappa, n)) @ right


def matrices() -> Iterator[tuple[str, np.ndarray]]:
    rng = np.random.default_rng(1)
    for n in (1, 2, 3, 5, 12):
        yield f"normal {n}", rng.normal(size=(n, n))
    yield "graded columns", rng.normal(size=(5, 5)) * 10.0 ** np.arange(0, 10, 2)
    yield "graded rows", rng.normal(size=(5, 5)) * 10.0 ** np.arange(0, 10, 2)[:, None]
    for n in (4, 6):
        yield f"Hilbert {n}", 1.0 / (np.arange(n)[:, None] + np.arange(n) + 1)
    yield "Vandermonde", np.vander(np.linspace(0.1, 1.0, 6))
    for kappa in (1e3, 1e6, 1e10):
        yield f"condition {kappa:g}", with_condition(6, kappa)
    yield "alternating", np.eye(5) + 0.1 * (-1.0) ** (np.arange(5)[:, None] + np.arange(5))
    yield "identity", np.eye(4)
    yield "triangular", np.triu(rng.normal(size=(6, 6))) + 3 * np.eye(6)
    yield "threefold eigenvalue", np.ones((4, 4)) + 0.1 * np.eye(4)
    yield "growth", 2 * np.eye(10) - np.tril(np.ones((10, 10))) + np.pad(np.ones((9, 1)), ((0, 1), (9, 0)))


MATRICES = dict(matrices())

ALIKE = ("threefold eigenvalue", "identity", "growth", "alternating")
"""Matrices with vectors that are not determined."""


def right_side(a: np.ndarray) -> np.ndarray:
    return np.random.default_rng(2).normal(size=(len(a), 2))


def half(a: np.ndarray) -> np.ndarray:
    return a[:, : max(1, a.shape[1] // 2)]


def lstsq(a: Any, b: Any) -> Any:
    return np.linalg.lstsq(half(a), b, rcond=None)[0]


def by_qr(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    q, r = np.linalg.qr(a)
    return np.linalg.solve(r, q.T @ b)


GENERAL: dict[str, tuple[Function, Function | None]] = {
    "solve": (np.linalg.solve, None),
    "solve for a vector": (lambda a, b: np.linalg.solve(a, b[:, 0]), None),
    "solve by the inverse": (np.linalg.solve, lambda a, b: np.linalg.inv(a) @ b),
    "solve by qr": (np.linalg.solve, by_qr),
    "inv": (lambda a, b: np.linalg.inv(a), None),
    "det": (lambda a, b: np.linalg.det(a), None),
    "slogdet": (lambda a, b: np.linalg.slogdet(a)[1], None),
    "svdvals": (lambda a, b: np.linalg.svd(a, compute_uv=False), None),
    "spectral norm": (lambda a, b: np.linalg.norm(a, 2), None),
    "lstsq": (lstsq, None),
    "lstsq by qr": (lstsq, lambda a, b: by_qr(half(a), b)),
    "lstsq by pinv": (lstsq, lambda a, b: np.linalg.pinv(half(a)) @ b),
    "lstsq, wide": (lambda a, b: np.linalg.lstsq(half(a.T).T, half(b.T).T, rcond=None)[0], None),
    "pinv": (lambda a, b: np.linalg.pinv(half(a)), None),
    "|R|": (lambda a, b: np.abs(np.linalg.qr(a)[1]), None),
    "|Q|": (lambda a, b: np.abs(np.linalg.qr(a)[0]), None),
    "|U|": (lambda a, b: np.abs(np.linalg.svd(half(a), full_matrices=False)[0]), None),
}


@pytest.mark.parametrize(
    ("name", "matrix"), [(f, a) for f in GENERAL for a in MATRICES if f != "|U|" or a not in ALIKE]
)
def test_stable_methods_are_within_their_limits(share: Any, name: str, matrix: str) -> None:
    function, by = GENERAL[name]
    a = MATRICES[matrix]
    assert share(function, a, right_side(a), by=by) <= 0.7


@pytest.mark.parametrize("scale", [1e-14, 1e-9, 2.0**-30, 1e14, 1e-100])
def test_a_determinant_may_be_the_exponential_of_a_sum_of_logarithms(share: Any, scale: float) -> None:
    rng = np.random.default_rng(3)
    given = [np.array([[2.1, 1.3], [1.0, 3.7]]), *(rng.normal(size=(n, n)) for n in (1, 2, 3, 3))]
    shares = [share(np.linalg.det, scale * a) for a in given]
    assert 0.01 < max(shares) < 0.7
    assert share(np.linalg.det, scale * given[0], by=lambda a: np.linalg.det(a) * (1 + 1e-12)) > 1.0


def test_a_determinant_below_the_smallest_number_is_off_by_what_is_lost() -> None:
    pytest.importorskip("flint")
    from harness.oracle.registry import arithmetic

    lost: Any = np.linalg.det(arithmetic(53).given(1e-100 * np.diag([1.0, 2.0, 3.0, 4.0, 5.0])))
    assert lost.value == 0.0
    assert 0.0 < lost.limit() < 1e-320


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("name", ["cholesky", "eigvalsh", "|V|", "solve by cholesky"])
def test_symmetric_ones_too(share: Any, name: str, matrix: str) -> None:
    a = MATRICES[matrix]
    b = right_side(a)
    if name in ("cholesky", "solve by cholesky"):
        a = a @ a.T
        a = a + 1e-9 * np.abs(a).max() * np.eye(len(a))
        a = (a + a.T) / 2
        if name == "cholesky":
            assert share(np.linalg.cholesky, a) <= 0.7
            return

        def by(a: np.ndarray, b: np.ndarray) -> np.ndarray:
            lower = np.linalg.cholesky(a)
            return np.linalg.solve(lower.T, np.linalg.solve(lower, b))

        assert share(np.linalg.solve, a, b, by=by) <= 0.7
        return
    a = a + a.T
    if name == "eigvalsh":
        assert share(np.linalg.eigvalsh, a) <= 0.7
    elif matrix not in ALIKE:
        assert share(lambda a: np.abs(np.linalg.eigh(a)[1]), a) <= 0.7


BY_DSYEVR = [-15.29894298348038, -12.28277321230117, -0.06564183390901412, 9.647358029690489]
"""What R 4.2.2 and LAPACK 3.11 return by eigen(S, symmetric = TRUE) for this matrix: 30 u |S| off."""

SYMMETRIC = np.array([[-4.0, 2, 8, 1], [2, -7, -5, -8], [8, -5, -4, 6], [1, -8, 6, -3]])


@pytest.mark.parametrize("values", [np.linalg.eigvalsh, lambda s: np.linalg.eigh(s)[0]])
def test_eigenvalues_by_dsyevr_are_within_their_limits(share: Any, values: Function) -> None:
    eigenvalues = np.array(BY_DSYEVR)
    size = 2.0**-53 * np.abs(eigenvalues).max()
    assert 0.2 < share(values, SYMMETRIC, by=lambda s: eigenvalues) <= 0.7
    assert share(values, SYMMETRIC, by=lambda s: eigenvalues + 150.0 * size) > 1.0


def test_positive_eigenvalues_have_half_the_limit_for_dsyevr(share: Any) -> None:
    positive = SYMMETRIC + 20.0 * np.eye(4)
    size = 2.0**-53 * np.linalg.eigvalsh(positive)[-1]
    assert share(np.linalg.eigvalsh, positive, by=lambda s: np.linalg.eigvalsh(s) + 80.0 * size) > 1.0


def test_vectors_by_dsyevr_turn_by_its_perturbation_over_the_gap(share: Any) -> None:
    swap, u = np.array([[0.0, 1.0], [1.0, 0.0]]), 2.0**-53

    def turned(angle: float) -> Function:
        first = np.array([np.cos(np.pi / 4 + angle), np.sin(np.pi / 4 + angle)])
        return lambda s: np.stack([first, first[::-1]], axis=-1)

    def vectors(s: Any) -> Any:
        return np.abs(np.linalg.eigh(s)[1])

    # The eigenvalues are 1 and -1, so that the gap is 2.
    assert 0.3 < share(vectors, swap, by=turned(60 * u / 2)) <= 0.7
    assert share(vectors, swap, by=turned(400 * u / 2)) > 1.0


def test_what_dgesdd_takes_for_zero_is_within_the_limit(share: Any) -> None:
    u = 2.0**-53
    bidiagonal = np.eye(3) + 190.0 * u * np.eye(3, k=1)
    values = GENERAL["svdvals"][0]
    assert 0.5 < share(lambda a: values(a, None), bidiagonal, by=lambda a: np.ones(3)) <= 0.7
    assert share(lambda a: values(a, None), bidiagonal, by=lambda a: np.ones(3) * (1 + 400 * u)) > 1.0


def test_lengths_of_vectors_drift(share: Any) -> None:
    n = 25
    graded = np.diag(10.0 ** -np.arange(0.0, 5.0, 0.2)) + 1e-9 * np.random.default_rng(6).normal(size=(n, n))
    graded = graded + graded.T
    for vectors in (lambda a: np.abs(np.linalg.svd(a)[0]), lambda a: np.abs(np.linalg.eigh(a)[1])):
        longer = 1.0 + 15 * 2.0**-53
        assert share(vectors, graded, by=lambda a, f=vectors, c=longer: f(a) * c) <= 0.7
        assert share(vectors, graded, by=lambda a, f=vectors: f(a) * (1.0 + 1e-14)) > 1.0


def normal_equations(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    a = half(a)
    return np.linalg.solve(a.T @ a, a.T @ b)


def test_normal_equations_are_beyond_the_limit_of_least_squares(share: Any) -> None:
    a = with_condition(10, 1e12)
    assert share(lstsq, a, right_side(a), by=normal_equations) > 5


def narrow(function: Function) -> Function:
    return lambda *arrays: function(*(array.astype(np.float32).astype(np.float64) for array in arrays))


@pytest.mark.parametrize("name", ["solve", "inv", "det", "slogdet", "svdvals", "lstsq", "pinv", "|R|"])
def test_inputs_that_were_rounded_to_float32_are_beyond_the_limit(share: Any, name: str) -> None:
    a = with_condition(6, 10.0)
    assert share(GENERAL[name][0], a, right_side(a), by=narrow(GENERAL[name][0])) > 1e3


def test_transposing_and_a_wrong_factor_are_beyond_the_limit(share: Any) -> None:
    a = with_condition(6, 10.0) + np.eye(6)
    b = right_side(a)
    assert share(np.linalg.solve, a, b, by=lambda a, b: np.linalg.solve(a.T, b)) > 1e6
    a = a @ a.T
    assert share(np.linalg.cholesky, a, by=lambda a: np.linalg.cholesky(a).T) > 1e6
    assert share(np.linalg.eigvalsh, a, by=lambda a: np.linalg.eigvalsh(a)[::-1]) > 1e6


def test_errors_of_the_inputs_are_carried_on(share: Any) -> None:
    a, b = with_condition(6, 1e6), right_side(np.eye(6))
    assert share(lambda a, b: np.linalg.solve(a / 3 * 3, b), a, b) <= 0.7
    assert share(lambda a: np.linalg.inv(a / 7), a) <= 0.7
    assert share(lambda a: np.linalg.det(a / 7), a) <= 0.7
    assert share(lambda a: np.linalg.svd(a / 7, compute_uv=False), a) <= 0.7
    assert share(lambda a, b: np.linalg.lstsq((a / 7)[:, :3], b / 3, rcond=None)[0], a, b) <= 0.7
    spd = a @ a.T + np.eye(6)
    assert share(lambda a: np.linalg.cholesky(a / 7), spd) <= 0.7
    assert share(lambda a: np.linalg.eigvalsh(a / 7), spd) <= 0.7


def test_a_numerically_singular_matrix_has_no_bound() -> None:
    pytest.importorskip("flint")
    from harness.oracle.registry import arithmetic

    rounded = arithmetic(24)
    a = rounded.given(with_condition(6, 1e8))
    for result in (np.linalg.solve(a, np.ones(6)), np.linalg.inv(a), np.linalg.slogdet(a)[1]):
        assert np.isinf(result.worst).all()
        assert np.isnan(result.probable()).all()
    assert np.isfinite(np.linalg.det(a).worst)


def test_residuals_rank_and_singular_values_of_lstsq(share: Any) -> None:
    pytest.importorskip("flint")
    from harness.oracle.registry import arithmetic

    a, b = np.random.default_rng(3).normal(size=(9, 4)), right_side(np.eye(9))
    assert share(lambda a, b: np.linalg.lstsq(a, b, rcond=None)[1], a, b) <= 0.7
    assert share(lambda a, b: np.linalg.lstsq(a, b, rcond=None)[3], a, b) <= 0.7
    assert np.linalg.lstsq(arithmetic(53).given(a), b, rcond=None)[2] == 4


def test_a_rank_is_told_unless_a_singular_value_is_near_the_threshold() -> None:
    pytest.importorskip("flint")
    from harness.oracle.registry import arithmetic, balls

    low = np.outer(np.arange(1.0, 5.0), np.ones(4)) + np.outer(np.ones(4), np.arange(4.0))
    for make in (balls().given, arithmetic(53).given):
        assert np.linalg.matrix_rank(make(np.eye(4))) == 4
        assert np.linalg.matrix_rank(make(low)) == 2
        with pytest.raises(Unknown, match="the rank is undecidable"):
            np.linalg.matrix_rank(make(np.diag([1.0, 1e-15, 1.0, 1.0])))


@pytest.mark.parametrize("function", [np.linalg.inv, np.linalg.cholesky, np.linalg.slogdet])
def test_a_singular_matrix_has_no_true_value(function: Function) -> None:
    pytest.importorskip("flint")
    from harness.oracle.registry import balls

    with pytest.raises(Unknown, match=r"singular|positive definite|not decided"):
        function(balls().given(np.ones((3, 3))))


def test_stacks_of_matrices(share: Any) -> None:
    a = np.random.default_rng(4).normal(size=(2, 3, 4, 4))
    b = np.random.default_rng(5).normal(size=(3, 4, 2))
    assert share(np.linalg.inv, a) <= 0.7
    assert share(np.linalg.solve, a, b) <= 0.7
    assert share(np.linalg.det, a) <= 0.7
