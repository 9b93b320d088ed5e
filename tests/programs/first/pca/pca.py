import numpy as np

rng_data = [
    [5.1, 3.5, 1.4, 0.2],
    [4.9, 3.0, 1.4, 0.2],
    [4.7, 3.2, 1.3, 0.2],
    [7.0, 3.2, 4.7, 1.4],
    [6.4, 3.2, 4.5, 1.5],
    [6.9, 3.1, 4.9, 1.5],
    [6.3, 3.3, 6.0, 2.5],
    [5.8, 2.7, 5.1, 1.9],
    [7.1, 3.0, 5.9, 2.1],
    [5.0, 3.6, 1.4, 0.3],
]
X = np.array(rng_data)
n, p = X.shape


def standardize(X):
    mu = X.mean(axis=0)
    sd = X.std(axis=0, ddof=1)
    return (X - mu) / sd


def fix_sign(V):
    # largest entry of each column is positive
    idx = np.argmax(np.abs(V), axis=0)
    return V * np.sign(V[idx, np.arange(V.shape[1])])


Z = standardize(X)
R = Z.T @ Z / (n - 1)
eigval, eigvec = np.linalg.eigh(R)
order = np.argsort(eigval)[::-1]
eigval = eigval[order]
eigvec = fix_sign(eigvec[:, order])

explained = eigval / eigval.sum()
cumulative = np.cumsum(explained)
n_keep = int(np.sum(cumulative < 0.99)) + 1
scores = Z @ eigvec[:, :n_keep]
loadings = eigvec[:, :n_keep] * np.sqrt(eigval[:n_keep])
communalities = (loadings**2).sum(axis=1)

reconstructed = scores @ eigvec[:, :n_keep].T
error = np.sqrt(np.mean((Z - reconstructed) ** 2))
t2 = np.sum(scores**2 / eigval[:n_keep], axis=1)
outlier = int(np.argmax(t2))

print("explained", explained.round(4))
print("kept", n_keep)
print("communalities", communalities)
print("rmse", error)
print("outlier", outlier, t2[outlier])
