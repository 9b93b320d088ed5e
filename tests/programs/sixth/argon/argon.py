"""Nine atoms of argon in a flat box: velocity Verlet, in reduced units, and what one measures of it."""
import numpy as np

N_SIDE = 3
N = N_SIDE**2
BOX = 4.2
DT = 0.004
STEPS = 50
CUTOFF = BOX / 2

# a square lattice, every atom pushed a little from its place
grid = (np.arange(N_SIDE) + 0.5) * BOX / N_SIDE
x, y = np.meshgrid(grid, grid, indexing="ij")
pos = np.column_stack([x.ravel(), y.ravel()])
number = np.arange(N)
pos[:, 0] += 0.08 * np.sin(2.3 * number)
pos[:, 1] += 0.08 * np.cos(1.7 * number)

# velocities without drift, at temperature 0.8
vel = np.column_stack([np.cos(3.1 * number + 0.4), np.sin(4.7 * number)])
vel -= vel.mean(axis=0)
vel *= np.sqrt(0.8 * 2 * (N - 1) / (vel**2).sum())

SHIFT = 4 * (CUTOFF**-12 - CUTOFF**-6)


def minimum_image(d):
    return d - BOX * np.round(d / BOX)


def forces(pos):
    """Forces, potential energy and virial of all pairs nearer than the cutoff."""
    f = np.zeros_like(pos)
    energy = virial = 0.0
    for i in range(N - 1):
        for j in range(i + 1, N):
            d = minimum_image(pos[i] - pos[j])
            r2 = d @ d
            if r2 > CUTOFF**2:
                continue
            inv6 = 1 / r2**3
            energy += 4 * inv6 * (inv6 - 1) - SHIFT
            strength = 48 * inv6 * (inv6 - 0.5) / r2
            f[i] += strength * d
            f[j] -= strength * d
            virial += strength * r2
    return f, energy, virial


start = pos.copy()
f, potential, virial = forces(pos)
log = []
for step in range(STEPS):
    vel += 0.5 * DT * f
    pos = pos + DT * vel
    f, potential, virial = forces(pos)
    vel += 0.5 * DT * f
    kinetic = 0.5 * (vel**2).sum()
    temperature = kinetic / (N - 1)
    pressure = (N * temperature + virial / 2) / BOX**2
    msd = ((pos - start) ** 2).sum(axis=1).mean()
    log.append([kinetic, potential, temperature, pressure, msd])
log = np.array(log)
total = log[:, 0] + log[:, 1]
drift = np.abs(total - total[0]).max()

# second half: means, and error of the mean from five blocks
late = log[STEPS // 2:]
mean_temperature = late[:, 2].mean()
blocks = late[:, 3].reshape(5, -1).mean(axis=1)
pressure_error = blocks.std(ddof=1) / np.sqrt(5)
diffusion = np.polyfit(DT * np.arange(STEPS // 2, STEPS), late[:, 4], 1)[0] / 4

# radial distribution at the end
upper = np.triu_indices(N, 1)
apart = np.linalg.norm(minimum_image(pos[upper[0]] - pos[upper[1]]), axis=1)
counts, edges = np.histogram(apart, bins=6, range=(0.0, CUTOFF))
shell = np.pi * np.diff(edges**2)
g = 2 * counts / N / (shell * N / BOX**2)

print("energy %.9f drift %.9f" % (total[-1], drift))
print("kinetic %.9f potential %.9f" % (log[-1, 0], log[-1, 1]))
print("temperature %.9f" % mean_temperature)
print("pressure %.9f +- %.9f" % (blocks.mean(), pressure_error))
print("msd %.9f diffusion %.9f" % (log[-1, 4], diffusion))
print("g", np.round(g, 8))
