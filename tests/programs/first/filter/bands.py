"""Band powers of a short signal: detrend, window, spectrum, smoothing."""
import numpy as np

fs = 64.0
t = np.arange(128) / fs
signal = (1.3 * np.sin(2 * np.pi * 6 * t) + 0.7 * np.cos(2 * np.pi * 13 * t + 0.4)
          + 0.25 * np.sin(2 * np.pi * 21.5 * t) + 0.02 * (np.arange(128) * 37 % 11) + 0.5 * t)


def detrend(x):
    k = np.arange(len(x))
    slope, intercept = np.polyfit(k, x, 1)
    return x - (slope * k + intercept)


def hann(n):
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n)


def band_power(freqs, psd, low, high):
    inside = (freqs >= low) & (freqs < high)
    return np.sum(psd[inside]) * (freqs[1] - freqs[0])


clean = detrend(signal)
window = hann(len(clean))
spectrum = np.fft.rfft(clean * window)
freqs = np.fft.rfftfreq(len(clean), d=1 / fs)
psd = np.abs(spectrum) ** 2 / (fs * np.sum(window ** 2))
psd[1:-1] *= 2

bands = {"theta": (4, 8), "alpha": (8, 14), "beta": (14, 30)}
powers = {name: band_power(freqs, psd, lo, hi) for name, (lo, hi) in bands.items()}
total = sum(powers.values())
relative = np.array([powers[b] / total for b in bands])
peak = freqs[np.argmax(psd)]
centroid = np.sum(freqs * psd) / np.sum(psd)

kernel = np.array([1, 4, 6, 4, 1]) / 16
smooth = np.convolve(clean, kernel, mode="same")
rms = np.sqrt(np.mean(smooth ** 2))
crossings = int(np.sum(np.diff(np.sign(smooth)) != 0))
phase = np.angle(spectrum[12], deg=True)

print("powers", powers)
print("relative", relative)
print("peak", peak, "centroid", centroid)
print("rms", rms, "crossings", crossings)
print("phase", phase)
