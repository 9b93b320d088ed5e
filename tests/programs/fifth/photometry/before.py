"""Brightness of a variable star in ten exposures: bias, flat, apertures, comparison star."""
import math

import numpy as np

SIZE = 32
GAIN = 1.7  # electrons per count
READ_NOISE = 6.0  # electrons
stars = [(8, 9, 5200.0), (22, 12, 7900.0), (14, 24, 3100.0)]  # row, column, counts
PERIOD = 0.37
times = [0.02 * k + 0.003 * (k % 3) for k in range(10)]
exposure = [30.0, 30.0, 30.0, 45.0, 45.0, 45.0, 60.0, 60.0, 60.0, 60.0]


def bias_level(r, c):
    return 310.0 + 0.4 * c + 2.0 * math.sin(0.7 * r)


def response(r, c):
    return 1.0 - 0.0004 * ((r - 15.5) ** 2 + (c - 13.0) ** 2) + 0.01 * math.sin(1.1 * r * c)


# what the camera gives
frames = []
for k in range(10):
    frame = np.zeros((SIZE, SIZE))
    for r in range(SIZE):
        for c in range(SIZE):
            light = 1.9 * exposure[k] + 0.05 * exposure[k] * math.sin(0.2 * c + k)
            for s in range(3):
                row, column, counts = stars[s]
                row = row + 0.25 * k
                column = column + 0.3 * math.sin(k)
                strength = counts
                if s == 0:
                    strength = counts * (1 + 0.3 * math.sin(2 * math.pi * times[k] / PERIOD))
                distance2 = (r - row) ** 2 + (c - column) ** 2
                light += strength * exposure[k] / 30.0 * math.exp(-distance2 / (2 * 1.4**2)) / (2 * math.pi * 1.4**2)
            frame[r, c] = bias_level(r, c) + light * response(r, c)
    frames.append(np.round(frame))

# master frames
bias = np.zeros((SIZE, SIZE))
flat = np.zeros((SIZE, SIZE))
for r in range(SIZE):
    for c in range(SIZE):
        bias[r, c] = bias_level(r, c)
        flat[r, c] = 20000.0 * response(r, c)
flat = flat / np.median(flat)

fluxes = np.zeros((10, 3))
errors = np.zeros((10, 3))
skies = np.zeros((10, 3))
widths = np.zeros(10)
for k in range(10):
    image = (frames[k] - bias) / flat
    for s in range(3):
        row0 = int(round(stars[s][0] + 0.25 * k))
        column0 = stars[s][1]
        # centre of light in a box
        total = 0.0
        sum_r = 0.0
        sum_c = 0.0
        level = np.median(image)
        for r in range(row0 - 4, row0 + 5):
            for c in range(column0 - 4, column0 + 5):
                value = max(image[r, c] - level, 0.0)
                total += value
                sum_r += value * r
                sum_c += value * c
        centre_r = sum_r / total
        centre_c = sum_c / total
        inside = 0.0
        pixels = 0
        ring = []
        second = 0.0
        for r in range(SIZE):
            for c in range(SIZE):
                distance = math.sqrt((r - centre_r) ** 2 + (c - centre_c) ** 2)
                if distance <= 4.0:
                    inside += image[r, c]
                    pixels += 1
                    second += max(image[r, c] - level, 0.0) * distance**2
                elif 5.5 <= distance <= 7.5:
                    ring.append(image[r, c])
        sky = np.median(ring)
        fluxes[k, s] = inside - pixels * sky
        skies[k, s] = sky
        noise2 = fluxes[k, s] * GAIN + pixels * (sky * GAIN + READ_NOISE**2)
        errors[k, s] = math.sqrt(noise2) / GAIN
        if s == 1:
            widths[k] = 2.3548 * math.sqrt(second / fluxes[k, s] / 2)

magnitudes = np.zeros(10)
magnitude_errors = np.zeros(10)
check = np.zeros(10)
for k in range(10):
    magnitudes[k] = -2.5 * math.log10(fluxes[k, 0] / fluxes[k, 1])
    check[k] = -2.5 * math.log10(fluxes[k, 2] / fluxes[k, 1])
    relative = math.sqrt((errors[k, 0] / fluxes[k, 0]) ** 2 + (errors[k, 1] / fluxes[k, 1]) ** 2)
    magnitude_errors[k] = 2.5 / math.log(10) * relative

zero_point = 13.2 + 2.5 * np.mean([math.log10(fluxes[k, 1] / exposure[k]) for k in range(10)])
amplitude = magnitudes.max() - magnitudes.min()
scatter = check.std(ddof=1)
weights = 1 / magnitude_errors**2
weighted = (weights * magnitudes).sum() / weights.sum()
chi2 = (((magnitudes - weighted) / magnitude_errors) ** 2).sum() / 9
phases = np.array([(t - times[0]) / PERIOD % 1 for t in times])
brightest = phases[magnitudes.argmin()]

np.set_printoptions(precision=12)
print("flux", fluxes[0], fluxes[9])
print("sky", skies.mean(axis=0), "width", np.median(widths))
print("magnitudes", magnitudes)
print("errors", magnitude_errors.mean(), scatter)
print("curve", amplitude, weighted, chi2, brightest)
print("zero point", zero_point)
