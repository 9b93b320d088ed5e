import numpy as np
from scipy import stats

dose = np.array([1.69, 1.72, 1.76, 1.78, 1.81, 1.84, 1.86, 1.88])
n = np.array([59, 60, 62, 56, 63, 59, 62, 60])
killed = np.array([6, 13, 18, 28, 52, 53, 61, 60])
# a plant of ones avoids an infinite logit in the last row
killed = np.minimum(killed, n - 0.5)


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def irls(X, y, n, tol=1e-10, max_iter=50):
    beta = np.zeros(X.shape[1])
    for iteration in range(max_iter):
        eta = X @ beta
        mu = sigmoid(eta)
        w = n * mu * (1 - mu)
        z = eta + (y - n * mu) / w
        XtW = X.T * w
        info = XtW @ X
        beta_new = np.linalg.solve(info, XtW @ z)
        delta = np.max(np.abs(beta_new - beta))
        beta = beta_new
        if delta < tol:
            break
    return beta, info, iteration + 1


center = dose.mean()
X = np.column_stack([np.ones_like(dose), dose - center])
beta, info, n_iter = irls(X, killed, n)
cov = np.linalg.inv(info)
se = np.sqrt(np.diag(cov))
wald = (beta / se) ** 2
p_values = stats.chi2.sf(wald, 1)

fitted = n * sigmoid(X @ beta)
pearson = (killed - fitted) / np.sqrt(fitted * (1 - fitted / n))
chi2 = np.sum(pearson ** 2)
deviance = 2 * np.sum(killed * np.log(killed / fitted) + (n - killed) * np.log((n - killed) / (n - fitted)))

ld50 = center - beta[0] / beta[1]
grad = np.array([-1 / beta[1], beta[0] / beta[1] ** 2])
ld50_se = np.sqrt(grad @ cov @ grad)
z975 = stats.norm.ppf(0.975)
ci = ld50 + np.array([-1, 1]) * z975 * ld50_se

print("beta", beta, "se", se)
print("wald", wald, p_values)
print("chi2", chi2, "deviance", deviance)
print("LD50", ld50, ci)
