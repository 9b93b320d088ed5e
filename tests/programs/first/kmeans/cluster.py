import numpy as np

points = np.array(
    [
        [1.02, 2.11],
        [1.48, 1.83],
        [5.03, 8.21],
        [8.07, 8.05],
        [1.13, 0.61],
        [9.08, 11.12],
        [8.21, 2.04],
        [10.14, 2.33],
        [9.27, 3.08],
        [0.52, 1.41],
        [7.61, 9.44],
        [6.83, 8.78],
    ]
)
k = 3
max_iter = 20


def squared_distances(data, centers):
    diff = data[:, None, :] - centers[None, :, :]
    return (diff**2).sum(axis=2)


def assign(data, centers):
    return np.argmin(squared_distances(data, centers), axis=1)


def update(data, labels, k):
    return np.array([data[labels == j].mean(axis=0) for j in range(k)])


mins = points.min(axis=0)
ranges = points.max(axis=0) - mins
scaled = (points - mins) / ranges

centroids = scaled[[0, 3, 6]].copy()
inertia_history = []
for it in range(max_iter):
    labels = assign(scaled, centroids)
    new_centroids = update(scaled, labels, k)
    shift = np.sqrt(((new_centroids - centroids) ** 2).sum())
    centroids = new_centroids
    d2 = squared_distances(scaled, centroids)
    inertia = d2[np.arange(len(scaled)), labels].sum()
    inertia_history.append(inertia)
    if shift < 1e-9:
        break

sizes = np.bincount(labels, minlength=k)
centers = centroids * ranges + mins

# mean silhouette
n = len(points)
dist = np.sqrt(squared_distances(scaled, scaled))
sil = np.zeros(n)
for i in range(n):
    own = labels == labels[i]
    a = dist[i, own].sum() / (own.sum() - 1)
    b = min(dist[i, labels == j].mean() for j in range(k) if j != labels[i])
    sil[i] = (b - a) / max(a, b)
score = sil.mean()

print("sizes:", sizes)
print("centers:\n", centers.round(3))
print("inertia:", inertia)
print("silhouette:", score)
