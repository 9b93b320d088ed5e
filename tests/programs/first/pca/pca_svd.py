"""The same by singular values, after a rewrite without numpy's eigh."""

import numpy as np
from numpy.linalg import svd

measurements = np.array(
    [
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
)
THRESHOLD = 0.99


class PCA:
    def __init__(self, threshold):
        self.threshold = threshold

    def fit(self, data):
        self.n = data.shape[0]
        self.mean_ = data.mean(axis=0)
        centered = data - self.mean_
        self.scale_ = np.sqrt((centered**2).sum(axis=0) / (self.n - 1))
        self.z = centered / self.scale_
        _, s, vt = svd(self.z, full_matrices=False)
        signs = np.sign(vt[np.arange(len(vt)), np.abs(vt).argmax(axis=1)])
        self.components = vt * signs[:, None]
        self.variances = s**2 / (self.n - 1)
        self.ratio = self.variances / self.variances.sum()
        cumulative = np.cumsum(self.ratio)
        self.k = int(np.searchsorted(cumulative, self.threshold)) + 1
        return self

    def transform(self):
        return self.z @ self.components[: self.k].T


model = PCA(THRESHOLD).fit(measurements)
scores = model.transform()
kept = model.components[: model.k]
loadings = kept.T * np.sqrt(model.variances[: model.k])
h2 = np.square(loadings).sum(axis=1)
approx = scores @ kept
rmse = np.sqrt(((model.z - approx) ** 2).mean())
hotelling = (scores**2 / model.variances[: model.k]).sum(axis=1)
worst = int(hotelling.argmax())

print("explained", model.ratio)
print("kept", model.k)
print("communalities", h2)
print("rmse", rmse)
print("outlier", worst, hotelling[worst])
