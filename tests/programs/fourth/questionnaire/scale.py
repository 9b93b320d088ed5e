"""Item analysis of an eight-item questionnaire (answers 1 to 5, three items reversed)."""

import numpy as np
import pandas as pd
from scipy import stats

REVERSED = ["q2", "q5", "q6"]


def load(path):
    frame = pd.read_csv(path, index_col="person")
    frame[REVERSED] = 6 - frame[REVERSED]
    return frame


def cronbach(items):
    k = items.shape[1]
    item_var = items.var(axis=0, ddof=1).sum()
    total_var = items.sum(axis=1).var(ddof=1)
    return k / (k - 1) * (1 - item_var / total_var)


def corrected_item_total(items):
    total = items.sum(axis=1)
    out = {}
    for name in items.columns:
        rest = total - items[name]
        out[name] = np.corrcoef(items[name], rest)[0, 1]
    return pd.Series(out)


data = load("answers.csv")
n, k = data.shape
alpha = cronbach(data)
deleted = pd.Series({q: cronbach(data.drop(columns=q)) for q in data.columns})
rit = corrected_item_total(data)
difficulty = (data.mean() - 1) / 4

# Split half, odd against even items, stepped up
odd = data.iloc[:, 0::2].sum(axis=1)
even = data.iloc[:, 1::2].sum(axis=1)
r_half = odd.corr(even)
spearman_brown = 2 * r_half / (1 + r_half)
guttman = 2 * (1 - (odd.var() + even.var()) / (odd + even).var())

score = data.sum(axis=1)
sem = score.std() * np.sqrt(1 - alpha)
t_score = 50 + 10 * (score - score.mean()) / score.std()
percentile = 100 * (score.rank(method="average") - 0.5) / n
true_score = score.mean() + alpha * (score - score.mean())
band = stats.norm.ppf(0.975) * sem
clear = ((score - score.mean()).abs() > band).sum()

# upper and lower 27 percent
m = int(round(0.27 * n))
ordered = data.loc[score.sort_values(kind="stable").index]
discrimination = (ordered.tail(m).mean() - ordered.head(m).mean()) / 4

print("alpha %.8f" % alpha)
print("without", *deleted.round(8))
print("item-total", *rit.round(8))
print("difficulty", *difficulty.round(8))
print("halves %.8f %.8f %.8f" % (r_half, spearman_brown, guttman))
print("sem %.8f band %.8f" % (sem, band))
print("t", *t_score.round(6))
print("percentile", *percentile.round(6))
print("true", *true_score.round(6))
print("discrimination", *discrimination.round(8))
print("clear", clear)
