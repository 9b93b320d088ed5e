"""Citric acid with sodium hydroxide: the curve, its end points, and what the burette tells."""
import numpy as np

KW = 1.0e-14
PKA = [3.13, 4.76, 6.40]
ka = 10 ** -np.array(PKA)
C_ACID, V_ACID = 0.0500, 20.0  # mol/L, mL
C_BASE = 0.1000


def fractions(h):
    """Shares of H3A, H2A-, HA2-, A3-."""
    terms = np.array([h**3, h**2 * ka[0], h * ka[0] * ka[1], ka[0] * ka[1] * ka[2]])
    return terms / terms.sum()


def charge(ph, v):
    h = 10**-ph
    total = V_ACID + v
    sodium = C_BASE * v / total
    acid = C_ACID * V_ACID / total
    alpha = fractions(h)
    mean_z = alpha[1] + 2 * alpha[2] + 3 * alpha[3]
    return h + sodium - KW / h - acid * mean_z


def solve(v, low=0.0, high=14.0):
    while high - low > 1e-13:
        mid = (low + high) / 2
        if charge(mid, v) > 0:
            low = mid
        else:
            high = mid
    return (low + high) / 2


volume = np.arange(0, 40.01, 0.5)
ph = np.array([solve(v) for v in volume])

# end point: where the slope is largest, between the points around it by the second derivative
slope = np.diff(ph) / np.diff(volume)
v_mid = (volume[1:] + volume[:-1]) / 2
bend = np.diff(slope) / np.diff(v_mid)
top = int(np.argmax(slope))
left, right = bend[top - 1], bend[top]
v_end = volume[top] + (volume[top + 1] - volume[top]) * left / (left - right)
titre = C_BASE * v_end / V_ACID / 3

# buffer capacity, per litre
beta = np.empty(len(ph))
for i, value in enumerate(ph):
    h = 10**-value
    a = fractions(h)
    z = np.arange(4)
    spread = (a * z**2).sum() - (a * z).sum() ** 2
    conc = C_ACID * V_ACID / (V_ACID + volume[i])
    beta[i] = np.log(10) * (h + KW / h + conc * spread)
best = volume[np.argmax(beta[volume < v_end])]

# Gran: behind the end point (v0 + v) 10^pH is a line
behind = volume > v_end + 1
gran = (V_ACID + volume[behind]) * 10 ** (ph[behind] - 14)
m, q = np.polyfit(volume[behind], gran, 1)
v_gran = -q / m
error = 100 * (v_gran - v_end) / v_gran

# indicator: phenolphthalein, pK 9.4
coloured = 1 / (1 + 10 ** (9.4 - ph))
turn = np.interp(0.25, coloured, volume)

print("pH at 0, 10, 20, 30, 40 mL:", ph[::20].round(8))
print("end point %.6f mL, acid %.8f mol/L" % (v_end, titre))
print("largest buffer capacity %.8f at %.1f mL, at the end %.8f" % (beta[volume < v_end].max(), best, beta[-1]))
print("Gran %.6f mL, slope %.8f, off by %.6f %%" % (v_gran, m, error))
print("pink from %.6f mL" % turn)
