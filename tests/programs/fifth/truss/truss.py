"""A plane truss: displacements, bar forces, reactions, buckling."""
import numpy as np

# joints (m), bars (from, to, area cm2, second moment cm4), loads (kN)
joints = np.array([[0, 0], [3, 0], [6, 0], [9, 0], [1.5, 2.2], [4.5, 2.8], [7.5, 2.2]], dtype=float)
bars = [
    (0, 1, 12.0, 60.0),
    (1, 2, 12.0, 60.0),
    (2, 3, 12.0, 60.0),
    (0, 4, 16.0, 110.0),
    (4, 5, 16.0, 110.0),
    (5, 6, 16.0, 110.0),
    (6, 3, 16.0, 110.0),
    (4, 1, 8.0, 35.0),
    (1, 5, 8.0, 35.0),
    (5, 2, 8.0, 35.0),
    (2, 6, 8.0, 35.0),
]
E = 210e6  # kN/m2
RHO = 7850.0
loads = {4: (3.0, -18.0), 5: (0.0, -42.0), 6: (0.0, -25.0), 1: (0.0, -6.5)}
fixed = [0, 1, 7]  # both directions of joint 0, vertical of joint 3

ndof = 2 * len(joints)


def geometry(i, j):
    dx, dy = joints[j] - joints[i]
    length = np.hypot(dx, dy)
    return length, dx / length, dy / length


K = np.zeros((ndof, ndof))
for i, j, area, _ in bars:
    length, c, s = geometry(i, j)
    block = np.array([[c * c, c * s], [c * s, s * s]]) * E * area * 1e-4 / length
    at_i, at_j = slice(2 * i, 2 * i + 2), slice(2 * j, 2 * j + 2)
    K[at_i, at_i] += block
    K[at_j, at_j] += block
    K[at_i, at_j] -= block
    K[at_j, at_i] -= block

force = np.zeros(ndof)
for joint, (fx, fy) in loads.items():
    force[2 * joint] = fx
    force[2 * joint + 1] = fy

free = np.setdiff1d(np.arange(ndof), fixed)
u = np.zeros(ndof)
u[free] = np.linalg.solve(K[np.ix_(free, free)], force[free])
reaction = (K @ u - force)[fixed]

normal = np.zeros(len(bars))
stress = np.zeros(len(bars))
critical = np.zeros(len(bars))
mass = 0.0
for b, (i, j, area, inertia) in enumerate(bars):
    length, c, s = geometry(i, j)
    elongation = c * (u[2 * j] - u[2 * i]) + s * (u[2 * j + 1] - u[2 * i + 1])
    normal[b] = E * area * 1e-4 * elongation / length
    stress[b] = normal[b] / (area * 1e-4) / 1000  # MPa
    critical[b] = np.pi**2 * E * inertia * 1e-8 / length**2
    mass += RHO * area * 1e-4 * length

use = np.where(normal < 0, -normal / critical, 0.0)
worst = int(np.argmax(use))
energy = 0.5 * force @ u
sag = u[1::2].min() * 1000
frequency = np.sqrt(np.linalg.eigvalsh(K[np.ix_(free, free)])[:3] / (mass / len(joints))) / (2 * np.pi)
balance = np.abs(force[1::2].sum() + reaction[1:].sum())

np.set_printoptions(precision=12)
print("sag", sag, "mm; displacements", u[free] * 1000)
print("reactions", reaction)
print("normal", normal)
print("stress", stress.max(), stress.min(), np.abs(stress).mean())
print("buckling", use[worst], worst + 1)
print("energy", energy, "mass", mass)
print("frequencies", frequency)
print("balanced", balance < 1e-8)
