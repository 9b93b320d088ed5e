"""Chain ladder with Mack's standard errors; the triangle as a pandas table."""
import numpy as np
import pandas as pd

claims = pd.read_csv("claims.csv")
premium = claims.groupby("accident")["premium"].first()
triangle = claims.pivot(index="accident", columns="delay", values="paid").cumsum(axis=1)
n = len(triangle)
known = triangle.notna()
diagonal = triangle.ffill(axis=1).iloc[:, -1]

factors = pd.Series(1.0, index=triangle.columns[:-1])
sigma2 = pd.Series(0.0, index=triangle.columns[:-1])
for d in range(n - 1):
    both = known[d + 1]
    c0, c1 = triangle.loc[both, d], triangle.loc[both, d + 1]
    factors[d] = c1.sum() / c0.sum()
    if d < n - 2:
        sigma2[d] = (c0 * (c1 / c0 - factors[d]) ** 2).sum() / (both.sum() - 1)
sigma2[n - 2] = min(sigma2[n - 3] ** 2 / sigma2[n - 4], sigma2[n - 4], sigma2[n - 3])

to_ultimate = factors[::-1].cumprod()[::-1]
full = triangle.copy()
for d in range(1, n):
    full[d] = full[d].fillna(full[d - 1] * factors[d - 1])
ultimate = full[n - 1]
reserve = ultimate - diagonal

# process and parameter error of every accident year
columns = [triangle.loc[known[d + 1], d].sum() for d in range(n - 1)]
mse = pd.Series(0.0, index=triangle.index)
for i, year in enumerate(triangle.index):
    for d in range(n - 1 - i, n - 1):
        ratio = sigma2[d] / factors[d] ** 2
        mse[year] += ultimate[year] ** 2 * ratio * (1 / full.loc[year, d] + 1 / columns[d])
se = np.sqrt(mse)

# years move together through the same factors
total_mse = mse.sum()
for i, year in enumerate(triangle.index):
    later = ultimate.iloc[i + 1 :].sum()
    common = sum(2 * sigma2[d] / factors[d] ** 2 / columns[d] for d in range(n - 1 - i, n - 1))
    total_mse += ultimate[year] * later * common
total_se = np.sqrt(total_mse)

# Bornhuetter-Ferguson with the loss ratio of the older half
old = triangle.index[: n // 2]
prior = ultimate[old].sum() / premium[old].sum()
cdf_now = pd.Series([*to_ultimate, 1.0][::-1], index=triangle.index)
bf_reserve = premium * prior * (1 - 1 / cdf_now)

report = pd.DataFrame({"paid": diagonal, "ultimate": ultimate, "reserve": reserve, "se": se, "bf": bf_reserve})
print("factors", factors.round(7).tolist())
print("sigma2 ", sigma2.round(6).tolist())
print(report.to_string(float_format="%.5f"))
print(f"reserve {reserve.sum():.5f} se {total_se:.5f} cv {total_se / reserve.sum():.7f}")
print(f"prior loss ratio {prior:.8f}, Bornhuetter-Ferguson {bf_reserve.sum():.5f}")
