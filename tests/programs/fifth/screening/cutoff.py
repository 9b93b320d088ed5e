"""How well does a blood marker tell the ill from the well?"""
import numpy as np

n = 80
patient = np.arange(n)
ill = (patient * 7 % 20) < 7
marker = np.round(3.1 + 1.9 * ill + 1.6 * np.sin(2.3 * patient) + 0.7 * np.cos(0.9 * patient**2), 1)


def confusion(threshold):
    positive = marker >= threshold
    tp = np.sum(positive & ill)
    fp = np.sum(positive & ~ill)
    fn = np.sum(~positive & ill)
    tn = np.sum(~positive & ~ill)
    return tp, fp, fn, tn


cuts = np.unique(marker)[::-1]
tpr = [0.0]
fpr = [0.0]
youden = []
for c in cuts:
    tp, fp, fn, tn = confusion(c)
    tpr.append(tp / (tp + fn))
    fpr.append(fp / (fp + tn))
    youden.append(tp / (tp + fn) + tn / (tn + fp) - 1)
tpr = np.array(tpr)
fpr = np.array(fpr)

# area by trapezia, and its standard error after Hanley and McNeil
auc = np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2)
n_ill = ill.sum()
n_well = n - n_ill
q1 = auc / (2 - auc)
q2 = 2 * auc**2 / (1 + auc)
var_auc = (auc * (1 - auc) + (n_ill - 1) * (q1 - auc**2) + (n_well - 1) * (q2 - auc**2)) / (n_ill * n_well)
se_auc = np.sqrt(var_auc)

best = cuts[int(np.argmax(youden))]
tp, fp, fn, tn = confusion(best)
sens = tp / (tp + fn)
spec = tn / (tn + fp)
lr_plus = sens / (1 - spec)
lr_minus = (1 - sens) / spec


def wilson(hits, total, z=1.959963984540054):
    p = hits / total
    middle = (p + z**2 / (2 * total)) / (1 + z**2 / total)
    half = z * np.sqrt(p * (1 - p) / total + z**2 / (4 * total**2)) / (1 + z**2 / total)
    return middle - half, middle + half


sens_low, sens_high = wilson(tp, tp + fn)

# in a population where 4 % are ill
prevalence = 0.04
ppv = sens * prevalence / (sens * prevalence + (1 - spec) * (1 - prevalence))
npv = spec * (1 - prevalence) / (spec * (1 - prevalence) + (1 - sens) * prevalence)

# agreement with a second reader
second = marker + 0.4 * np.sin(patient) >= best
first = marker >= best
observed = np.mean(first == second)
chance = first.mean() * second.mean() + (1 - first.mean()) * (1 - second.mean())
kappa = (observed - chance) / (1 - chance)

# a probability from the marker, and how good it is
risk = 1 / (1 + np.exp(-(1.2 * marker - 5.4)))
brier = np.mean((risk - ill) ** 2)
base = ill.mean() * (1 - ill.mean())
skill = 1 - brier / base
edges = np.quantile(risk, [0.25, 0.5, 0.75])
group = np.searchsorted(edges, risk)
said = np.array([risk[group == g].mean() for g in range(4)])
seen = np.array([ill[group == g].mean() for g in range(4)])
calibration = np.mean(np.abs(said - seen))

np.set_printoptions(precision=12)
print("auc", auc, se_auc)
print("cut", best, tp, fp, fn, tn)
print("sens spec", sens, spec, "interval", sens_low, sens_high)
print("ratios", lr_plus, lr_minus)
print("predictive", ppv, npv)
print("kappa", observed, kappa)
print("brier", brier, skill)
print("calibration", said, seen, calibration)
