"""Functions of complex arrays: NumPy's and other right ways are within the limit, faults not."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.balls import precision
from harness.oracle.registry import arithmetic, balls
from harness.oracle.unknown import NotUnderstood

Function = Callable[..., Any]


def draw(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def parts(function: Function) -> Function:
    """Real and imaginary parts of a function of two real arrays, that are those of one complex array."""

    def call(a: Any, b: Any) -> Any:
        result = function(a + 1j * b)
        return np.stack([result.real, result.imag])

    return call


def filled(z: Any) -> Any:
    result = np.zeros_like(z)
    result[0] = z[0] * 2.5
    result[1, 2] = z[1, 2] / 3.0
    result[2, :2] += 1j
    result *= 1.5 - 2j
    return result


RIGHT: dict[str, Function] = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "square": lambda z: z**2,
    "cube": lambda z: z**3,
    "seventh": lambda z: z**7,
    "root": lambda z: z**0.5,
    "power": lambda z: z ** (1.5 - 2j),
    "reciprocal": lambda z: 1 / z,
    "quotient": lambda z: (z + 1) / (z - 2j),
    "joined": lambda z: np.concatenate([z, z[:1] * 1j]),
    "turned": lambda z: np.exp(2j * np.pi * z.real / 7) * z,
    "running": lambda z: np.cumsum(z, axis=1),
    "matrices": lambda z: z @ z.conj().T,
    "outer": lambda z: np.outer(z, z),
    "padded": lambda z: np.pad(z * 3, 1),
    "chosen": lambda z: np.where(z.real > 0, z, z * 2j),
    "filled": filled,
}


@pytest.mark.parametrize("bits", [53, 24])
@pytest.mark.parametrize("name", RIGHT)
def test_numpy_itself_is_within_its_limit(share: Any, name: str, bits: int) -> None:
    for seed in range(4):
        scale = 10.0 ** (seed - 2)
        given = scale * draw(3, 4, seed=seed), scale * draw(3, 4, seed=seed + 9)
        assert share(parts(RIGHT[name]), *given, bits=bits) <= 0.8


def one_by_one(function: Callable[[complex], complex]) -> Function:
    return lambda z: np.array([function(complex(number)) for number in z.ravel()]).reshape(z.shape)


def by_angle(exponent: complex) -> Function:
    """A power as the exponential of a logarithm."""
    return lambda z: np.exp(exponent * np.log(z))


def by_size(z: np.ndarray) -> np.ndarray:
    return np.sqrt(np.abs(z)) * np.exp(1j * np.angle(z) / 2)


OTHERS: dict[str, tuple[Function, Function]] = {
    "exp": (np.exp, one_by_one(cmath.exp)),
    "log": (np.log, one_by_one(cmath.log)),
    "log by its size": (np.log, lambda z: np.log(np.abs(z)) + 1j * np.angle(z)),
    "sqrt": (np.sqrt, one_by_one(cmath.sqrt)),
    "sin": (np.sin, one_by_one(cmath.sin)),
    "cosh": (np.cosh, one_by_one(cmath.cosh)),
    "cube": (lambda z: z**3, by_angle(3)),
    "seventh": (lambda z: z**7, by_angle(7)),
    "seventh by squares": (lambda z: z**7, lambda z: (z * z) * (z * z) * (z * z) * z),
    "matrices": (lambda z: z @ z.T, lambda z: (z[:, None, :] * z[None]).sum(axis=-1)),
    "quotient": (lambda z: (z + 1) / (z - 2j), lambda z: (z + 1) * (1 / (z - 2j))),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_ways_are_granted(share: Any, name: str) -> None:
    function, by = OTHERS[name]
    for seed in range(20):
        given = draw(3, 4, seed=seed), draw(3, 4, seed=seed + 50)
        assert share(parts(function), *given, by=parts(by)) <= 0.8
    circle = np.linspace(-3.0, 3.0, 12).reshape(3, 4)
    assert share(parts(function), np.cos(circle), np.sin(circle), by=parts(by)) <= 0.8


WRONG: dict[str, tuple[Function, Function]] = {
    "conjugate": (np.exp, lambda z: np.exp(z.conj())),
    "degrees": (np.log, lambda z: np.log(np.abs(z)) + 1j * np.degrees(np.angle(z))),
    "the other root": (np.sqrt, lambda z: -np.sqrt(z)),
    "cosine of the size": (np.cos, lambda z: np.cos(np.abs(z)) + 0j),
    "narrow": (np.exp, lambda z: np.exp(z.astype(np.complex64)).astype(complex)),
    "not conjugated": (lambda z: z @ z.conj().T, lambda z: z @ z.T),
    "by parts": (lambda z: z**2, lambda z: z.real**2 + 1j * z.imag**2),
    "one row": (filled, lambda z: np.vstack([filled(z)[:2], filled(z)[2:] * 0])),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_beyond_the_limit(share: Any, name: str) -> None:
    right, wrong = WRONG[name]
    assert share(parts(right), draw(3, 4), draw(3, 4, seed=1), by=parts(wrong)) > 1e3


@pytest.mark.parametrize("function", [np.sqrt, np.log, np.angle])
def test_a_negative_zero_on_the_cut_is_undecided(function: Function) -> None:
    kind = arithmetic(53)
    above = function(kind.given(np.array([-4.0, 4.0])).astype(complex))
    below = function(np.conj(kind.given(np.array([-4.0, 4.0])).astype(complex)))
    imaginary = [
        getattr(angle, "imag", angle) if function is not np.angle else angle for angle in (above, below)
    ]
    assert imaginary[0].doubtful().tolist() == [False, False]
    assert imaginary[1].doubtful().tolist() == [True, False]
    assert imaginary[0].nearest()[0] == pytest.approx({np.sqrt: 2.0}.get(function, np.pi))


def test_elements_are_put_into_complex_arrays() -> None:
    for kind in (arithmetic(53), balls(53)):
        with precision(256):
            z = kind.given(np.zeros(4)).astype(complex)
            z[1] = 2 - 1j
            z[2:] = kind.given(np.array([5.0, 7.0])) * 1j
            z.real[0] = 3.0
            z[1] += 1.0
            assert z.nearest().tolist() == [3, 3 - 1j, 5j, 7j]
            z.imag = 0.5
            assert z.nearest().tolist() == [3 + 0.5j, 3 + 0.5j, 0.5j, 0.5j]


@pytest.mark.parametrize("function", [np.tanh, np.median, np.sort, np.arcsin])
def test_what_has_no_analysis_is_said(function: Function) -> None:
    z = arithmetic(53).given(np.ones(3)) * 1j
    with pytest.raises(NotUnderstood, match=f"numpy.{function.__name__} of complex numbers"):
        function(z)
