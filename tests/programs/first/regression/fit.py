"""Least squares of weight on height and age, by hand."""

import csv
import math

import numpy as np


def read_table(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    return {key: np.array([float(r[key]) for r in rows]) for key in rows[0]}


def design_matrix(*columns):
    n = len(columns[0])
    return np.column_stack([np.ones(n), *columns])


def ols(X, y):
    XtX = X.T @ X
    Xty = X.T @ y
    return np.linalg.solve(XtX, Xty), np.linalg.inv(XtX)


table = read_table("heights.csv")
height = table["height"]
age = table["age"]
weight = table["weight"]

height_c = height - height.mean()
age_c = age - age.mean()
X = design_matrix(height_c, age_c)
beta_hat, XtX_inv = ols(X, weight)

fitted = X @ beta_hat
residuals = weight - fitted
n, k = X.shape
sigma2 = np.sum(residuals**2) / (n - k)
std_err = np.sqrt(sigma2 * np.diag(XtX_inv))
t_values = beta_hat / std_err

ss_tot = np.sum((weight - weight.mean()) ** 2)
ss_res = np.sum(residuals**2)
r_squared = 1 - ss_res / ss_tot
adj_r2 = 1 - (1 - r_squared) * (n - 1) / (n - k)
log_lik = -n / 2 * (math.log(2 * math.pi) + math.log(ss_res / n) + 1)
aic = -2 * log_lik + 2 * (k + 1)

for name, b, s, t in zip(["(Intercept)", "height", "age"], beta_hat, std_err, t_values):
    print(f"{name:12s} {b:9.4f} {s:8.4f} {t:7.3f}")
print("R2", round(r_squared, 4), "adjusted", round(adj_r2, 4))
print("AIC", round(aic, 3))
