"""Exponential smoothing, autocorrelation, and a Ljung-Box test of monthly sales."""

import numpy as np
from scipy import stats

sales = np.array(
    [
        112,
        118,
        132,
        129,
        121,
        135,
        148,
        148,
        136,
        119,
        104,
        118,
        115,
        126,
        141,
        135,
        125,
        149,
        170,
        170,
        158,
        133,
        114,
        140,
        145,
        150,
        178,
        163,
        172,
        178,
        199,
        199,
        184,
        162,
        146,
        166,
    ],
    dtype=float,
)
alpha, beta = 0.4, 0.15


def holt(y, alpha, beta):
    level = y[0]
    trend = y[1] - y[0]
    fit = np.empty(len(y))
    fit[0] = y[0]
    for t in range(1, len(y)):
        fit[t] = level + trend
        previous = level
        level = alpha * y[t] + (1 - alpha) * (level + trend)
        trend = beta * (level - previous) + (1 - beta) * trend
    return fit, level, trend


def autocorrelation(x, max_lag):
    x = x - x.mean()
    c0 = np.sum(x * x)
    return np.array([np.sum(x[lag:] * x[:-lag]) / c0 for lag in range(1, max_lag + 1)])


log_sales = np.log(sales)
fit, level, trend = holt(log_sales, alpha, beta)
errors = log_sales[1:] - fit[1:]
mse = np.mean(errors**2)
mape = 100 * np.mean(np.abs(np.exp(fit[1:]) - sales[1:]) / sales[1:])
forecast = np.exp(level + trend * np.arange(1, 7))

max_lag = 8
rho = autocorrelation(errors, max_lag)
n = len(errors)
Q = n * (n + 2) * np.sum(rho**2 / (n - np.arange(1, max_lag + 1)))
p_value = stats.chi2.sf(Q, max_lag)

trend_line = np.polyfit(np.arange(len(sales)), log_sales, 1)
growth = np.exp(trend_line[0] * 12) - 1
detrended = log_sales - np.polyval(trend_line, np.arange(len(sales)))
seasonal = detrended.reshape(3, 12).mean(axis=0)
seasonal = seasonal - seasonal.mean()

print("MSE", mse, "MAPE", mape)
print("forecast", forecast)
print("Ljung-Box", Q, p_value)
print("growth a year", growth)
print("seasonal", seasonal.round(4))
