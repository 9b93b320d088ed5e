"""A low-pass filter by NumPy's fast Fourier transform."""

import numpy as np

YEARS = 8


def spectrum(number):
    return np.fft.fft(number)


def power(spectrum):
    half = len(spectrum) // 2
    return np.abs(spectrum[1 : half + 1]) ** 2


def period(power):
    return 2.0 * len(power) / (np.argmax(power) + 1)


def passed(spectrum):
    result = spectrum.copy()
    first = len(spectrum) // YEARS + 1
    result[first : len(spectrum) - first + 1] = 0
    return result


def smooth(passed):
    return np.fft.ifft(passed).real
