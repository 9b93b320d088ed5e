"""A low-pass filter by the discrete Fourier transform."""

import numpy as np


def spectrum(signal):
    transform = np.fft.fft(signal)
    return transform.real, transform.imag


def power(real_part, imaginary_part):
    return real_part**2 + imaginary_part**2


def kept(real_part, imaginary_part):
    n = len(real_part)
    kept_real = real_part.copy()
    kept_imaginary = imaginary_part.copy()
    kept_real[5 : n - 4] = 0
    kept_imaginary[5 : n - 4] = 0
    return kept_real, kept_imaginary


def filtered(kept_real, kept_imaginary):
    return np.fft.ifft(kept_real + 1j * kept_imaginary).real
