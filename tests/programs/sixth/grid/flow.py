"""Load flow of a net of five buses by Gauss and Seidel; then what its lines carry and lose."""
import numpy as np

BASE = 100.0  # MVA
SLACK, PV, PQ = 1, 2, 3

#        bus  type   V     Pgen  Qgen  Pload  Qload   (MW, MVAr)
buses = np.array([
    [1, SLACK, 1.06, 0, 0, 0, 0],
    [2, PV, 1.045, 40, 0, 20, 10],
    [3, PQ, 1.0, 0, 0, 45, 15],
    [4, PQ, 1.0, 0, 0, 40, 5],
    [5, PQ, 1.0, 0, 0, 60, 10],
])
#        from to  r     x     half of the line's charging
lines = np.array([
    [1, 2, 0.02, 0.06, 0.030],
    [1, 3, 0.08, 0.24, 0.025],
    [2, 3, 0.06, 0.18, 0.020],
    [2, 4, 0.06, 0.18, 0.020],
    [2, 5, 0.04, 0.12, 0.015],
    [3, 4, 0.01, 0.03, 0.010],
    [4, 5, 0.08, 0.24, 0.025],
])
n = len(buses)


def admittances(lines, n):
    y_bus = np.zeros((n, n), dtype=complex)
    for start, end, r, x, half in lines:
        i, j = int(start) - 1, int(end) - 1
        y = 1 / complex(r, x)
        y_bus[i, j] -= y
        y_bus[j, i] -= y
        y_bus[i, i] += y + 1j * half
        y_bus[j, j] += y + 1j * half
    return y_bus


y_bus = admittances(lines, n)
kind = buses[:, 1].astype(int)
p = (buses[:, 3] - buses[:, 5]) / BASE
q = (buses[:, 4] - buses[:, 6]) / BASE
given = buses[:, 2]
v = given.astype(complex)
q_max = 0.4

worst = []
for sweep in range(60):
    before = v.copy()
    for i in range(n):
        if kind[i] == SLACK:
            continue
        others = y_bus[i] @ v - y_bus[i, i] * v[i]
        if kind[i] == PV:
            q[i] = -np.imag(np.conj(v[i]) * (y_bus[i] @ v))
            q[i] = min(q[i], q_max)
        v[i] = ((p[i] - 1j * q[i]) / np.conj(v[i]) - others) / y_bus[i, i]
        if kind[i] == PV:
            v[i] = given[i] * v[i] / abs(v[i])
    worst.append(abs(v - before).max())
sweeps = next(s for s, w in enumerate(worst, 1) if w < 1e-6)

magnitude = abs(v)
angle = np.degrees(np.angle(v))
s_bus = v * np.conj(y_bus @ v)
slack_mw = s_bus[0].real * BASE
slack_mvar = s_bus[0].imag * BASE

flows = np.zeros((len(lines), 2), dtype=complex)
for row, (start, end, r, x, half) in enumerate(lines):
    i, j = int(start) - 1, int(end) - 1
    y = 1 / complex(r, x)
    there = (v[i] - v[j]) * y + v[i] * 1j * half
    back = (v[j] - v[i]) * y + v[j] * 1j * half
    flows[row] = v[i] * there.conjugate(), v[j] * back.conjugate()
lost = flows.sum(axis=1)
loss_mw = lost.real.sum() * BASE
loading = abs(flows).max(axis=1) * BASE
heaviest = int(loading.argmax())
drop = (magnitude[0] - magnitude) / magnitude[0] * 100

for i in range(n):
    print("bus %d %.8f %.7f" % (i + 1, magnitude[i], angle[i]))
print("sweeps", sweeps, "Q2 %.7f" % (q[1] * BASE))
print("slack %.7f %.7f" % (slack_mw, slack_mvar))
print("from", np.round(flows[:, 0].real * BASE, 6))
print("loading", np.round(loading, 6), "heaviest", heaviest + 1)
print("loss %.7f MW, largest drop %.7f %%" % (loss_mw, drop.max()))
