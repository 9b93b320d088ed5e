"""How far is a camera's picture of a colour chart from what the chart's maker has measured? (CIEDE2000)"""
import numpy as np

table = np.genfromtxt("patches.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
names = table["name"]
rgb = np.stack([table[c] for c in "rgb"], axis=1) / 255.0
reference = np.stack([table["L"], table["a"], table["bb"]], axis=1)

D65 = np.array([0.95047, 1.0, 1.08883])
D50 = np.array([0.96422, 1.0, 0.82521])
M = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])


def linear(v):
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def adapt(xyz, source, target):
    gain = (BRADFORD @ target) / (BRADFORD @ source)
    full = np.linalg.inv(BRADFORD) @ np.diag(gain) @ BRADFORD
    return xyz @ full.T


def lab(xyz, white):
    t = xyz / white
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


def ciede2000(one, two):
    L1, a1, b1 = one.T
    L2, a2, b2 = two.T
    cbar = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(cbar**7 / (cbar**7 + 25.0**7)))
    ap1, ap2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = np.hypot(ap1, b1), np.hypot(ap2, b2)
    h1 = np.degrees(np.arctan2(b1, ap1)) % 360
    h2 = np.degrees(np.arctan2(b2, ap2)) % 360
    dh = (h2 - h1 + 180) % 360 - 180
    dL, dC = L2 - L1, c2 - c1
    dH = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(dh / 2))
    Lm, cm = (L1 + L2) / 2, (c1 + c2) / 2
    hm = (h1 + h2) / 2
    hm = np.where(np.abs(h1 - h2) > 180, np.where(hm < 180, hm + 180, hm - 180), hm)

    def cosd(x):
        return np.cos(np.radians(x))

    T = 1 - 0.17 * cosd(hm - 30) + 0.24 * cosd(2 * hm) + 0.32 * cosd(3 * hm + 6) - 0.20 * cosd(4 * hm - 63)
    SL = 1 + 0.015 * (Lm - 50) ** 2 / np.sqrt(20 + (Lm - 50) ** 2)
    SC = 1 + 0.045 * cm
    SH = 1 + 0.015 * cm * T
    turn = 30 * np.exp(-(((hm - 275) / 25) ** 2))
    RC = 2 * np.sqrt(cm**7 / (cm**7 + 25.0**7))
    RT = -RC * np.sin(np.radians(2 * turn))
    return np.sqrt((dL / SL) ** 2 + (dC / SC) ** 2 + (dH / SH) ** 2 + RT * dC / SC * dH / SH)


def cct(xyz):
    x, y = xyz[0] / xyz.sum(), xyz[1] / xyz.sum()
    n = (x - 0.3320) / (0.1858 - y)
    return 449 * n**3 + 3525 * n**2 + 6823.3 * n + 5520.33


sharma = ciede2000(np.array([[50, 2.6772, -79.7751]]), np.array([[50, 0.0, -82.7485]]))[0]
print(f"Sharma's first pair {sharma:.6f}")

xyz65 = linear(rgb) @ M.T
measured = lab(adapt(xyz65, D65, D50), D50)
de = ciede2000(reference, measured)
de76 = np.linalg.norm(measured - reference, axis=1)
order = np.argsort(-de, kind="stable")
print("mean", f"{de.mean():.6f}", "median", f"{np.median(de):.6f}", "95 %", f"{np.percentile(de, 95):.6f}")
print("mean of 1976", f"{de76.mean():.6f}", "root mean square", f"{np.sqrt((de76**2).mean()):.6f}")
for i in order[:3]:
    print(names[i], f"{de[i]:.6f} {de76[i]:.6f}")

# exposure and white from the neutral patches, then once more
neutral = slice(18, 24)
Y = 100 * np.where(reference[:, 0] > 8, ((reference[:, 0] + 16) / 116) ** 3, reference[:, 0] / 903.3)
exposure = (Y[neutral] @ (100 * xyz65[neutral, 1])) / ((100 * xyz65[neutral, 1]) ** 2).sum()
cast = xyz65[neutral].mean(axis=0)
cast = cast / cast[1]
balanced = lab(adapt(xyz65 * exposure, cast, D50), D50)
after = ciede2000(reference, balanced)
chroma = np.hypot(balanced[neutral, 1], balanced[neutral, 2])
print("colour temperature", f"{cct(cast):.4f}", "exposure", f"{exposure:.7f}")
print("after", f"{after.mean():.6f}", "better", int((after < de).sum()), "neutral chroma", f"{chroma.max():.6f}")
