"""Smallest-variance portfolio of four funds and its risk."""

import numpy as np

MONTHS = 36
names = ["steel", "sun", "bank", "bread"]


def price_path(j):
    steps = np.arange(MONTHS + 1)
    drift = 0.004 + 0.002 * j
    swing = (0.03 + 0.01 * j) * np.sin(steps * (1.1 + 0.37 * j)) + 0.02 * np.cos(steps * 0.53 + j)
    return 100 * np.exp(drift * steps + swing)


prices = np.column_stack([price_path(j) for j in range(len(names))])
returns = prices[1:] / prices[:-1] - 1
mean_ret = returns.mean(axis=0)
cov = np.cov(returns, rowvar=False)
vol = np.sqrt(np.diag(cov)) * np.sqrt(12)

ones = np.ones(len(names))
raw = np.linalg.solve(cov, ones)
weights = raw / raw.sum()
port_var = weights @ cov @ weights
contrib = weights * (cov @ weights) / port_var

port = returns @ weights
wealth = np.cumprod(1 + port)
high = np.maximum.accumulate(wealth)
drawdown = 1 - wealth / high
max_dd = drawdown.max()
when = int(drawdown.argmax()) + 1

annual_ret = wealth[-1] ** (12 / MONTHS) - 1
annual_vol = np.sqrt(port_var * 12)
sharpe = (annual_ret - 0.02) / annual_vol

var95 = -np.quantile(port, 0.05)
tail = port[port <= -var95]
shortfall = -tail.mean()

market = returns.mean(axis=1)
beta = np.array(
    [np.cov(returns[:, j], market)[0, 1] / market.var(ddof=1) for j in range(len(names))]
)

print("vol", vol)
print("weights", weights)
print("contributions", contrib)
print("drawdown", max_dd, when)
print("annual", annual_ret, annual_vol, sharpe)
print("risk", var95, shortfall)
print("beta", beta)
