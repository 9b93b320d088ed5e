"""A low-pass filter by the discrete Fourier transform."""

import torch


def spectrum(signal):
    return torch.fft.fft(signal)


def power(spectrum):
    return spectrum.real * spectrum.real + spectrum.imag * spectrum.imag


def kept(spectrum):
    place = torch.arange(len(spectrum))
    low = (place < 5) | (place > len(spectrum) - 5)
    return spectrum * low


def filtered(kept):
    return torch.fft.ifft(kept).real
