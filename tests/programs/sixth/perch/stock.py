"""Perch of the lake: growth, mortality, yield per recruit."""
import numpy as np
import pandas as pd

fish = pd.read_csv("perch.csv")  # years, mm, g
fish["cm"] = fish["length"] / 10
temperature = 11.5

# growth (Ford and Walford): mean length against that of the year before
mean_length = fish.groupby("age")["cm"].mean()
ages = mean_length.index.to_numpy()
at_age = mean_length.to_numpy()
slope, intercept = np.polyfit(at_age[:-1], at_age[1:], 1)
growth_k = -np.log(slope)
l_inf = intercept / (1 - slope)
t_zero = np.mean(ages + np.log(1 - at_age / l_inf) / growth_k)

# weight = a * length ** b
exponent, log_a = np.polyfit(np.log10(fish["cm"]), np.log10(fish["weight"]), 1)
condition = 100 * fish["weight"] / fish["cm"] ** 3
w_inf = 10**log_a * l_inf**exponent

# total mortality: the catch curve behind its peak, and Chapman and Robson's estimate
catch = fish.groupby("age").size().to_numpy()
peak = int(np.argmax(catch))
limb = slice(peak, None)
z_curve = -np.polyfit(ages[limb], np.log(catch[limb]), 1)[0]
coded = ages[limb] - ages[peak]
n = catch[limb].sum()
total = (coded * catch[limb]).sum()
survival = total / (n + total - 1)
z_robson = -np.log(survival) - (n - 1) * (n - 2) / (n * (total + 1) * (n + total - 1))
se_survival = np.sqrt(survival * (survival - (total - 1) / (n + total - 2)))

# Pauly's natural mortality
m_natural = 10 ** (-0.0066 - 0.279 * np.log10(l_inf) + 0.6543 * np.log10(growth_k) + 0.4634 * np.log10(temperature))
f_now = z_robson - m_natural
exploitation = f_now / z_robson


def yield_per_recruit(f, first=3, last=12):
    """Grams per fish that enters at age 1."""
    alive, caught = 1.0, 0.0
    for age in range(1, last + 1):
        fishing = f if age >= first else 0.0
        z = m_natural + fishing
        dead = alive * (1 - np.exp(-z))
        weight = w_inf * (1 - np.exp(-growth_k * (age + 0.5 - t_zero))) ** exponent
        caught += fishing / z * dead * weight
        alive -= dead
    return caught


effort = np.arange(0, 2.01, 0.1)
curve = np.array([yield_per_recruit(f) for f in effort])
f_max = effort[curve.argmax()]
steepness = np.diff(curve) / np.diff(effort)
f_01 = effort[np.argmax(steepness < 0.1 * steepness[0])]
lost = 1 - yield_per_recruit(f_now) / curve.max()

print("Linf %.8f K %.8f t0 %.8f" % (l_inf, growth_k, t_zero))
print("weight: a %.8f b %.8f winf %.6f" % (10**log_a, exponent, w_inf))
print("condition: %.8f, sd %.8f" % (condition.mean(), condition.std()))
print("Z: %.8f (curve), %.8f (Chapman and Robson)" % (z_curve, z_robson))
print("S: %.8f, se %.8f" % (survival, se_survival))
print("M: %.8f F: %.8f E: %.8f" % (m_natural, f_now, exploitation))
print("yield:", np.round(curve[::5], 6), "Fmax %.1f F0.1 %.1f" % (f_max, f_01), "lost %.8f" % lost)
