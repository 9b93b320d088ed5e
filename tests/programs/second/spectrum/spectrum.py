"""Amplitude spectrum of two tones with a window, the discrete Fourier transform by hand."""

import numpy as np

fs = 128.0
N = 96
t = np.arange(N) / fs
signal = 1.5 * np.sin(2 * np.pi * 12 * t) + 0.7 * np.cos(2 * np.pi * 30.5 * t + 0.4) + 0.2 * t + 0.1


def dft(x):
    n = len(x)
    k = np.arange(n).reshape(-1, 1)
    W = np.exp(-2j * np.pi * k * np.arange(n) / n)
    return W @ x


def idft(X):
    return np.conj(dft(np.conj(X))) / len(X)


def hann(n):
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n)


# remove a straight line
slope, intercept = np.polyfit(t, signal, 1)
detrended = signal - (slope * t + intercept)

window = hann(N)
windowed = detrended * window
X = dft(windowed)

half = N // 2 + 1
freqs = np.arange(half) * fs / N
amplitude = np.abs(X[:half]) / window.sum()
amplitude[1:-1] *= 2
power_db = 20 * np.log10(amplitude + 1e-12)
phase = np.angle(X[:half])

# spectral peaks: larger than both neighbours and above a threshold
peaks = [i for i in range(1, half - 1)
         if amplitude[i] > amplitude[i - 1] and amplitude[i] > amplitude[i + 1] and amplitude[i] > 0.1]
peak_freqs = []
for i in peaks:
    # parabola through three points in decibels
    left, mid, right = power_db[i - 1], power_db[i], power_db[i + 1]
    delta = 0.5 * (left - right) / (left - 2 * mid + right)
    peak_freqs.append((i + delta) * fs / N)

energy_time = np.sum(windowed**2)
energy_freq = np.sum(np.abs(X) ** 2) / N
centroid = np.sum(freqs * amplitude) / np.sum(amplitude)

# low-pass at 20 Hz in the frequency domain
Y = X.copy()
full_freqs = np.minimum(np.arange(N), N - np.arange(N)) * fs / N
Y[full_freqs > 20] = 0
smooth = idft(Y).real
rms_smooth = np.sqrt(np.mean(smooth**2))

print("slope", slope, "intercept", intercept)
print("peaks at bins", peaks)
for i, f in zip(peaks, peak_freqs):
    print(f"{f:.8f} Hz amplitude {amplitude[i]:.8f} ({power_db[i]:.6f} dB) phase {phase[i]:.8f}")
print("energy", energy_time, energy_freq)
print("centroid", centroid)
print("rms of the low-passed signal", rms_smooth)
