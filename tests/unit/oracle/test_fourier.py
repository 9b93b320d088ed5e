"""Fast Fourier transforms are within their limits, of any length; what is wrong is not."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
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
    "real, two axes": lambda x: np.abs(np.fft.rfft2(x[:12, None] * x[None, :9])),
    "there and back, all axes": lambda x: np.fft.irfftn(np.fft.rfftn(np.stack([x[:6], x[:6] / 2], axis=1))),
    "all axes": lambda x: np.fft.ifftn(np.fft.fftn(x[:6, None, None] * x[None, :4, None] * x[:2])).real,
    "padded": lambda x: np.abs(np.fft.fftshift(np.fft.fft(x, 2 * x.shape[0]))),
    "derivative": lambda x: np.fft.ifft(1j * np.arange(x.shape[0]) * np.fft.fft(x)).imag,
    "quotient": lambda x: np.real((1 + np.fft.fft(x)) / (3 + 4j)),
}


# In single precision it is the same code with another unit: one signal is among the fast tests.
IN_BITS = [
    *((signal, 53) for signal in SIGNALS),
    ("normal", 24),
    *(pytest.param(signal, 24, marks=pytest.mark.slow) for signal in SIGNALS if signal != "normal"),
]


@pytest.mark.parametrize(("signal", "bits"), IN_BITS)
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
    array = by_halves(product.conj()).conj() / size
    return np.abs(chirp * array[:n])[: n // 2 + 1]


@pytest.mark.parametrize("signal", SIGNALS)
def test_other_algorithms_are_granted(share: Any, signal: str) -> None:
    for n in (8, 128):
        halves = lambda x: np.abs(by_halves(x))[: len(x) // 2 + 1]  # noqa: E731
        assert share(RIGHT["abs"], SIGNALS[signal](n), by=halves) <= 0.7
    for n in (7, 31, 97):
        assert share(RIGHT["abs"], SIGNALS[signal](n), by=by_chirps) <= 0.7
        assert share(RIGHT["abs"], SIGNALS[signal](n), by=by_definition) <= 0.7


def terms_one_by_one(x: np.ndarray) -> np.ndarray:
    """By the definition, as R sums it: the first term, and then those at j and n - j together."""
    n = len(x)
    array = np.empty(n, dtype=complex)
    for k in range(n):
        terms = x * np.exp(-2j * np.pi * (np.arange(n) * k % n) / n)
        pairs = terms[1 : n // 2 + 1] + terms[: n // 2 : -1]
        array[k] = np.add.accumulate(np.concatenate([terms[:1], pairs]))[-1]
    return array


# Of 300 numbers between 1/2 and 1, those of which repeated addition errs most, of so many terms.
UNLUCKY = {997: 0.8728226905382057, 4001: 0.6921581859414916, 7919: 0.7221026475899611}


@pytest.mark.parametrize("n", UNLUCKY)
def test_alike_terms_of_a_large_prime_length_are_granted(share: Any, n: int) -> None:
    x = np.full(n, UNLUCKY[n])
    tone = x * np.exp(14j * np.pi * np.arange(n) / n)
    first = lambda x: np.fft.fft(x).real[:1]  # noqa: E731
    for by in (lambda x: np.add.accumulate(x)[-1:], lambda x: np.add.accumulate(x[::-1])[-1:]):
        assert share(first, x, by=by) <= 0.8
    seventh = lambda a, b: np.abs(np.fft.fft(a + 1j * b))[7:8]  # noqa: E731

    def turned(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        terms = (a + 1j * b) * np.exp(-14j * np.pi * np.arange(n) / n)
        return np.abs(np.add.accumulate(terms)[-1:])

    assert share(seventh, tone.real, tone.imag, by=turned) <= 0.8


@pytest.mark.parametrize("signal", SIGNALS)
def test_sums_of_terms_one_by_one_are_granted(share: Any, signal: str) -> None:
    for n in (101, 499):
        whole = lambda x: np.abs(np.fft.fft(x))  # noqa: E731
        assert share(whole, SIGNALS[signal](n), by=lambda x: np.abs(terms_one_by_one(x))) <= 0.7


# Six to eight seconds for each long signal.
@pytest.mark.parametrize("n", [97, *(pytest.param(n, marks=pytest.mark.slow) for n in (2 * 1009, 4001))])
def test_r_itself_is_within_its_limit_for_large_primes(share: Any, n: int, tmp_path: Path) -> None:
    if shutil.which("Rscript") is None:
        pytest.skip("there is no Rscript")
    signals = {**SIGNALS, "unlucky": lambda n: np.full(n, 0.7221026475899611)}

    def of_r(x: np.ndarray) -> np.ndarray:
        x.tofile(tmp_path / "x")
        code = f'x <- readBin("x", "double", {n}); y <- fft(x); writeBin(c(Re(y), Im(y)), "y")'
        subprocess.run(["Rscript", "--vanilla", "-e", code], cwd=tmp_path, check=True)
        return np.fromfile(tmp_path / "y").reshape(2, n)

    whole = lambda x: np.stack([np.fft.fft(x).real, np.fft.fft(x).imag])  # noqa: E731
    for draw in signals.values():
        assert share(whole, draw(n), by=of_r) <= 0.8


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
    with pytest.raises(Unknown, match=r"numpy\.tanh of complex numbers"):
        np.tanh(z)
    with pytest.raises(Unknown, match=r"numpy\.sort of complex numbers"):
        np.sort(z)
