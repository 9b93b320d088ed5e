"""Blur a small grey image, find its edges with Sobel's masks, threshold after Otsu."""

import math

WIDTH, HEIGHT = 18, 14


def make_image():
    """A bright disc on a ramp."""
    image = []
    for y in range(HEIGHT):
        row = []
        for x in range(WIDTH):
            value = 20 + 3 * x + 2 * y
            if (x - 8) ** 2 + (y - 6) ** 2 <= 16:
                value += 110
            row.append(value % 256)
        image.append(row)
    return image


def convolve(image, mask):
    """Correlation with a 3 x 3 mask; the border is repeated."""
    h, w = len(image), len(image[0])
    out = []
    for y in range(h):
        row = []
        for x in range(w):
            acc = 0.0
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    yy = min(max(y + dy, 0), h - 1)
                    xx = min(max(x + dx, 0), w - 1)
                    acc += mask[dy + 1][dx + 1] * image[yy][xx]
            row.append(acc)
        out.append(row)
    return out


def otsu(histogram):
    """The level that separates two classes best."""
    total = sum(histogram)
    mean_all = sum(i * c for i, c in enumerate(histogram)) / total
    best_level, best_score = 0, -1.0
    weight = 0.0
    partial = 0.0
    for level, c in enumerate(histogram):
        weight += c / total
        partial += level * c / total
        if weight == 0 or weight >= 1:
            continue
        score = (mean_all * weight - partial) ** 2 / (weight * (1 - weight))
        if score > best_score:
            best_level, best_score = level, score
    return best_level, best_score


GAUSS = [[1 / 16, 2 / 16, 1 / 16], [2 / 16, 4 / 16, 2 / 16], [1 / 16, 2 / 16, 1 / 16]]
SOBEL_X = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]
SOBEL_Y = [[-1, -2, -1], [0, 0, 0], [1, 2, 1]]

image = make_image()
blurred = convolve(image, GAUSS)
gx = convolve(blurred, SOBEL_X)
gy = convolve(blurred, SOBEL_Y)
magnitude = [[math.hypot(a, b) for a, b in zip(ra, rb)] for ra, rb in zip(gx, gy)]
direction = [[math.degrees(math.atan2(b, a)) for a, b in zip(ra, rb)] for ra, rb in zip(gx, gy)]

peak = max(max(row) for row in magnitude)
histogram = [0] * 32
for row in magnitude:
    for m in row:
        histogram[min(int(m / peak * 32), 31)] += 1
level, separation = otsu(histogram)
threshold = (level + 1) / 32 * peak

edge = [[m >= threshold for m in row] for row in magnitude]
edge_count = sum(map(sum, edge))
xs = [x for y in range(HEIGHT) for x in range(WIDTH) if edge[y][x]]
ys = [y for y in range(HEIGHT) for x in range(WIDTH) if edge[y][x]]
centre = (sum(xs) / edge_count, sum(ys) / edge_count)
mean_magnitude = sum(map(sum, magnitude)) / (WIDTH * HEIGHT)

for row in edge:
    print("".join("#" if e else "." for e in row))
print(f"peak {peak:.9f} mean {mean_magnitude:.9f}")
print(f"threshold {threshold:.9f} separation {separation:.9f}")
print(f"edge pixels {edge_count}, centre {centre[0]:.6f} {centre[1]:.6f}")
print(f"direction at (12, 6): {direction[6][12]:.6f}, at (8, 2): {direction[2][8]:.6f}")
