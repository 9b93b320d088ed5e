"""One winter day in a three-layer wall: Crank-Nicolson on control volumes.

From outside to inside: brick, insulation, plaster.  Temperatures in degrees Celsius.
"""
import numpy as np

LAYERS = [  # thickness m, conductivity W/mK, density kg/m3, heat capacity J/kgK
    (0.24, 0.68, 1700.0, 840.0),
    (0.10, 0.035, 30.0, 1400.0),
    (0.02, 0.51, 1200.0, 1000.0),
]
H_OUT, H_IN = 25.0, 7.7
T_IN = 20.0
DX = 0.02
DT = 600.0
STEPS = 144


def grid():
    k, c = [], []
    for thick, cond, rho, heat in LAYERS:
        cells = int(round(thick / DX))
        k += [cond] * cells
        c += [rho * heat] * cells
    return np.array(k), np.array(c)


def outside(t):
    return -2.0 + 5.0 * np.sin(2 * np.pi * (t / 86400.0 - 0.375))


k, c = grid()
n = len(k)

# conductance between neighbours: two half cells in series, and the two films
g = np.zeros(n + 1)
g[1:-1] = 2 * k[:-1] * k[1:] / (k[:-1] + k[1:]) / DX
g[0] = 1 / (1 / H_OUT + DX / (2 * k[0]))
g[-1] = 1 / (1 / H_IN + DX / (2 * k[-1]))

A = np.zeros((n, n))
for i in range(n):
    A[i, i] = -(g[i] + g[i + 1])
    if i > 0:
        A[i, i - 1] = g[i]
    if i < n - 1:
        A[i, i + 1] = g[i + 1]
A /= (c * DX)[:, None]


def forcing(t):
    b = np.zeros(n)
    b[0] = g[0] * outside(t)
    b[-1] = g[-1] * T_IN
    return b / (c * DX)


left = np.eye(n) - DT / 2 * A
right = np.eye(n) + DT / 2 * A

T = np.linalg.solve(A, -forcing(0.0))
history = [T]
for step in range(STEPS):
    t = step * DT
    rhs = right @ T + DT / 2 * (forcing(t) + forcing(t + DT))
    T = np.linalg.solve(left, rhs)
    history.append(T)
history = np.array(history)

flux = g[-1] * (T_IN - history[:, -1])
surface = T_IN - flux / H_IN
loss = DT * (flux[:-1] + flux[1:]).sum() / 2 / 3.6e6
r_total = 1 / H_OUT + sum(layer[0] / layer[1] for layer in LAYERS) + 1 / H_IN
u_value = 1 / r_total

brick = history[:, :12]
damping = np.ptp(brick[:, -1]) / np.ptp(brick[:, 0])
coldest = history[:, 0].argmin() * DT / 3600
stored = ((history[-1] - history[0]) * c * DX).sum() / 1000

print("u", u_value)
print("start", *history[0])
print("end", *history[-1])
print("flux", flux.min(), flux.max(), flux.mean())
print("surface", surface.min())
print("loss", loss)
print("damping", damping, coldest)
print("stored", stored)
