"""Computed tomography of the modified Shepp-Logan phantom (Toft): the system matrix, filtered back
projection with the kernel of Ramachandran and Lakshminarayanan, and Landweber's iteration."""
import numpy as np

SIZE, VIEWS = 32, 30
ELLIPSES = [  # intensity, half axes, centre, degrees
    (1.0, 0.69, 0.92, 0.0, 0.0, 0),
    (-0.8, 0.6624, 0.8740, 0.0, -0.0184, 0),
    (-0.2, 0.11, 0.31, 0.22, 0.0, -18),
    (-0.2, 0.16, 0.41, -0.22, 0.0, 18),
    (0.1, 0.21, 0.25, 0.0, 0.35, 0),
    (0.1, 0.046, 0.046, 0.0, 0.1, 0),
    (0.1, 0.046, 0.046, 0.0, -0.1, 0),
    (0.1, 0.046, 0.023, -0.08, -0.605, 0),
    (0.1, 0.023, 0.023, 0.0, -0.606, 0),
    (0.1, 0.023, 0.046, 0.06, -0.605, 0),
]


def phantom(n):
    image = np.zeros((n, n))
    axis = np.linspace(-1, 1, n)
    for value, a, b, x0, y0, phi in ELLIPSES:
        c, s = np.cos(np.radians(phi)), np.sin(np.radians(phi))
        for i, y in enumerate(axis[::-1]):
            for j, x in enumerate(axis):
                u = (x - x0) * c + (y - y0) * s
                v = (y - y0) * c - (x - x0) * s
                if (u / a) ** 2 + (v / b) ** 2 <= 1:
                    image[i, j] += value
    return image


def system(n, angles):
    """one row per ray: how much of each pixel lies on it, by bilinear interpolation"""
    centre = (n - 1) / 2
    steps = np.arange(n) - centre
    matrix = np.zeros((len(angles) * n, n * n))
    for k, theta in enumerate(angles):
        c, s = np.cos(theta), np.sin(theta)
        for d, t in enumerate(steps):
            ray = matrix[k * n + d]
            for along in steps:
                col = t * c - along * s + centre
                row = t * s + along * c + centre
                j, i = int(np.floor(col)), int(np.floor(row))
                fj, fi = col - j, row - i
                for ii, wi in ((i, 1 - fi), (i + 1, fi)):
                    for jj, wj in ((j, 1 - fj), (j + 1, fj)):
                        if 0 <= ii < n and 0 <= jj < n:
                            ray[ii * n + jj] += wi * wj
    return matrix


def ramlak(n):
    kernel = np.zeros(2 * n - 1)
    for m in range(-(n - 1), n):
        if m == 0:
            kernel[m + n - 1] = 0.25
        elif m % 2:
            kernel[m + n - 1] = -1 / (np.pi * m) ** 2
    return kernel


def rmse(x, y):
    return np.sqrt(np.mean((x - y) ** 2))


truth = phantom(SIZE)
angles = np.arange(VIEWS) * np.pi / VIEWS
A = system(SIZE, angles)
sinogram = (A @ truth.ravel()).reshape(VIEWS, SIZE)
counts = 5e4 * np.exp(-sinogram / 10)
dose = counts.min()
projections = -10 * np.log(np.floor(counts) / 5e4)

kernel = ramlak(SIZE)
filtered = np.array([np.convolve(p, kernel)[SIZE - 1 : 2 * SIZE - 1] for p in projections])
backprojected = (A.T @ filtered.ravel()).reshape(SIZE, SIZE) * np.pi / VIEWS
inside = np.add.outer(np.linspace(-1, 1, SIZE) ** 2, np.linspace(-1, 1, SIZE) ** 2) <= 1
fbp = np.where(inside, backprojected, 0.0)

power = np.ones(SIZE * SIZE)
for _ in range(40):
    power = A.T @ (A @ power)
    norm = np.linalg.norm(power)
    power = power / norm
relax = 1.0 / norm

x = np.zeros(SIZE * SIZE)
b = projections.ravel()
history = []
for step in range(60):
    misfit = A @ x - b
    history.append(0.5 * misfit @ misfit)
    x = np.maximum(x - relax * (A.T @ misfit), 0.0)
iterative = x.reshape(SIZE, SIZE)

psnr = 20 * np.log10(truth.max() / rmse(iterative, truth))
print(f"mass {truth.sum():.6f} sinogram {sinogram.max():.6f} {np.linalg.norm(sinogram):.6f} fewest {dose:.4f}")
print(f"filtered {np.abs(filtered).max():.7f} fbp {rmse(fbp, truth):.7f} middle {fbp[16, 16]:.7f}")
print(f"norm {norm:.5f} misfit {history[0]:.6f} {history[10]:.6f} {history[-1]:.6f}")
print(f"landweber {rmse(iterative, truth):.7f} psnr {psnr:.6f} middle {iterative[16, 16]:.7f}")
