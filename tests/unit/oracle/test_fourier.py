"""Fast Fourier transforms are within their limits, of any length; what is wrong is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from harness.oracle.unknown import Unknown

Function = Callable[..., Any]

SIGNALS: dict[str, Callable[[int], np.ndarray]] = {
    "normal": lambda n: np.random.default_rng(n).normal(size=n),
    "constant": lambda n: np.full(n, 0.1),
    "impulse": lambda n: 0.3 * np.eye(n)[min(2, n - 1)],
    "sine": lambda n: np.sin(6 * np.pi * np.arange(n) / n),
    "alternating": lambda n: 0.3 * (-1.0) ** np.arange(n),
    "graded": lambda n: 10.0 ** np.linspace(0, -8, n),
}

RIGHT: dict[str, Function] = {
    "real": lambda x: np.real(np.fft.fft(x)),
    "imag": lambda x: np.fft.fft(x).imag,
    "abs": lambda x: np.abs(np.fft.rfft(x)),
    "power": lambda x: np.square(np.abs(np.fft.rfft(x, norm="ortho"))),
    "there and back": lambda x: np.fft.irfft(np.fft.rfft(x), x.shape[0]),
    "correlation": lambda x: np.fft.ifft(np.fft.fft(x) * np.conj(np.fft.fft(x))).real,
    "two axes": lambda x: np.fft.fft2(x[:12, None] * x[None, :9], norm="forward").real,
    "padded": lambda x: np.abs(np.fft.fftshift(np.fft.fft(x, 2 * x.shape[0]))),
    "derivative": lambda x: np.fft.ifft(1j * np.arange(x.shape[0]) * np.fft.fft(x)).imag,
    "quotient": lambda x: np.real((1 + np.fft.fft(x)) / (3 + 4j)),
}


@pytest.mark.parametrize("bits", [53, 24])
@pytest.mark.parametrize("signal", SIGNALS)
@pytest.mark.parametrize("name", RIGHT)
def test_numpy_itself_is_within_its_limit(share: Any, name: str, signal: str, bits: int) -> None:
    for n in (1, 2, 7, 12, 64, 97, 360):
        assert share(RIGHT[name], SIGNALS[signal](n), bits=bits) <= 0.7


def by_definition(x: np.ndarray) -> np.ndarray:
    n = len(x)
    matrix = np.exp(-2j * np.pi * (np.outer(np.arange(n), np.arange(n)) % n) / n)
    return np.abs(matrix @ x)[: n // 2 + 1]


def by_halves(x: np.ndarray) -> np.ndarray:
    """Cooley and Tukey."""
    if len(x) == 1:
        return x.astype(complex)
    even, odd = by_halves(x[::2]), by_halves(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(len(x) // 2) / len(x)) * odd
    return np.concatenate([even + turned, even - turned])


def by_chirps(x: np.ndarray) -> np.ndarray:
    """Bluestein, for any length, by transforms of powers of two."""
    n, size = len(x), 1 << (2 * len(x)).bit_length()
    chirp = np.exp(-1j * np.pi * (np.arange(n) ** 2 % (2 * n)) / n)
    other = np.zeros(size, dtype=complex)
    other[:n] = chirp.conj()
    other[size - n + 1 :] = chirp.conj()[1:][::-1]
    product = by_halves(np.concatenate([x * chirp, np.zeros(size - n)])) * by_halves(other)
    found = by_halves(product.conj()).conj() / size
    return np.abs(chirp * found[:n])[: n // 2 + 1]


@pytest.mark.parametrize("signal", SIGNALS)
def test_other_algorithms_are_granted(share: Any, signal: str) -> None:
    for n in (8, 128):
        halves = lambda x: np.abs(by_halves(x))[: len(x) // 2 + 1]  # noqa: E731
        assert share(RIGHT["abs"], SIGNALS[signal](n), by=halves) <= 0.7
    for n in (7, 31, 97):
        assert share(RIGHT["abs"], SIGNALS[signal](n), by=by_chirps) <= 0.7
        assert share(RIGHT["abs"], SIGNALS[signal](n), by=by_definition) <= 0.7


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: np.abs(np.fft.rfft(x.astype(np.float32))),
        lambda x: np.abs(np.fft.rfft(np.r_[x[1:], 0.0])),
        lambda x: np.abs(np.fft.rfft(x, norm="ortho")),
        lambda x: np.abs(np.fft.fft(x))[1 : len(x) // 2 + 2],
    ],
)
def test_what_is_wrong_is_beyond_the_limit(share: Any, wrong: Function) -> None:
    assert share(RIGHT["abs"], SIGNALS["normal"](360), by=wrong) > 1e3


def test_what_is_not_understood_of_complex_numbers_is_said() -> None:
    pytest.importorskip("flint")
    from harness.oracle.registry import arithmetic

    z = np.fft.fft(arithmetic(53).given(np.ones(4)))
    with pytest.raises(Unknown, match=r"numpy\.exp of complex numbers"):
        np.exp(z)
    with pytest.raises(Unknown, match=r"numpy\.sort of complex numbers"):
        np.sort(z)
