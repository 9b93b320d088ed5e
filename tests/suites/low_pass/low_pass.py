"""A low-pass filter by the discrete Fourier transform."""

import numpy as np


def spectrum(signal):
    return np.fft.fft(signal)


def power(spectrum):
    return spectrum.real**2 + spectrum.imag**2


def kept(spectrum):
    frequency = np.arange(len(spectrum))
    return spectrum * ((frequency < 5) | (frequency > len(spectrum) - 5))


def filtered(kept):
    return np.fft.ifft(kept).real
