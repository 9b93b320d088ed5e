"""The tray of coins again, with arrays."""
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

SHAPE = (36, 48)
TRAY = np.array(
    [[9, 8, 5.2, 190], [22, 9, 4.1, 170], [38, 10, 6.3, 205], [12, 26, 6.1, 180], [27, 24, 4.4, 210], [36, 28, 4.2, 165]]
)


def photograph():
    yy, xx = np.indices(SHAPE)
    scene = 60 + 0.5 * xx + 8 * np.sin(0.9 * xx) * np.cos(0.7 * yy)
    texture = 6 * np.sin(xx * yy)
    for cx, cy, r, bright in TRAY:
        disc = np.hypot(xx - cx, yy - cy) <= r
        scene = np.where(disc, bright + texture, scene)
    photo = np.clip(scene, 0, 255).astype(int)
    photo[17, 20] = 240
    photo[30, 3] = 230
    return photo


def despeckle(photo):
    out = photo.copy()
    out[1:-1, 1:-1] = ndimage.median_filter(photo, size=3)[1:-1, 1:-1]
    return out


def otsu(gray):
    p = np.bincount(gray.ravel(), minlength=256) / gray.size
    omega = np.cumsum(p)
    mu = np.cumsum(p * np.arange(256))
    with np.errstate(divide="ignore", invalid="ignore"):
        sigma_b = (mu[-1] * omega - mu) ** 2 / (omega * (1 - omega))
    sigma_b[~np.isfinite(sigma_b)] = 0
    sigma_b = sigma_b.round(9)
    return int(sigma_b.argmax()), sigma_b.max()


@dataclass
class Coin:
    number: int
    area: int
    x: float
    y: float
    light: float
    diameter: float
    edge: int
    roundness: float


def measure(number, mask, gray):
    yy, xx = np.nonzero(mask)
    n = len(xx)
    cov = np.cov(np.vstack([xx, yy]), bias=True)
    minor, major = np.sqrt(np.linalg.eigvalsh(cov))
    inner = ndimage.binary_erosion(mask)
    return Coin(
        number=number,
        area=n,
        x=xx.mean(),
        y=yy.mean(),
        light=gray[mask].mean(),
        diameter=2 * np.sqrt(n / np.pi),
        edge=n - inner.sum(),
        roundness=minor / major,
    )


photo = photograph()
gray = despeckle(photo)
level, separation = otsu(gray)
mask = gray > level
segments, count = ndimage.label(mask)
found = [measure(i, segments == i, gray) for i in range(1, count + 1)]
areas = np.array([coin.area for coin in found])
covered = areas.sum() / mask.size

print("threshold", level, "between", round(separation, 8), "coins", count)
for c in found:
    place = f"at {c.x:.6f} {c.y:.6f} light {c.light:.6f}"
    print(f"{c.number} area {c.area} {place} diameter {c.diameter:.6f} edge {c.edge} round {c.roundness:.8f}")
print(f"covered {covered:.8f}")
