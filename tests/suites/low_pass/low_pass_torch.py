"""A low-pass filter by the discrete Fourier transform."""

import torch


def spectrum(signal):
    transform = torch.fft.fft(signal)
    return transform.real, transform.imag


def power(real_part, imaginary_part):
    return real_part * real_part + imaginary_part * imaginary_part


def kept(real_part, imaginary_part):
    place = torch.arange(len(real_part))
    low = (place < 5) | (place > len(real_part) - 5)
    return real_part * low, imaginary_part * low


def filtered(kept_real, kept_imaginary):
    return torch.fft.ifft(torch.complex(kept_real, kept_imaginary)).real
