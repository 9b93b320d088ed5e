import numpy as np

N_GROUPS = 3


def make_data():
    i = np.arange(12)
    g = i % 3
    east = 4.0 * g + np.sin(2.3 * i) + 0.2 * i
    north = 3.0 * (g == 1) + np.cos(1.9 * i)
    height = 50 + 10 * g + 6 * np.sin(0.7 * i)
    return np.stack([east, north, height])


data = make_data()
center = data.mean(axis=1, keepdims=True)
spread = data.std(axis=1, ddof=1, keepdims=True)
std_data = (data - center) / spread

gaps = std_data[:, :, None] - std_data[:, None, :]
distance = np.sqrt((gaps**2).sum(axis=0))
size = distance.shape[0]


def agglomerate(distance, k):
    """Lance and Williams' update of average linkage."""
    work = distance.copy()
    np.fill_diagonal(work, np.inf)
    weight = np.ones(len(work))
    owner = np.arange(len(work))
    joined_at = []
    while len(np.unique(owner)) > k:
        p, q = np.unravel_index(work.argmin(), work.shape)
        joined_at.append(work[p, q])
        fresh = (weight[p] * work[p] + weight[q] * work[q]) / (weight[p] + weight[q])
        work[p] = fresh
        work[:, p] = fresh
        work[p, p] = np.inf
        work[q] = np.inf
        work[:, q] = np.inf
        weight[p] = weight[p] + weight[q]
        owner[owner == q] = p
    return owner, np.array(joined_at)


owner, merge_heights = agglomerate(distance, N_GROUPS)
_, first_seen = np.unique(owner, return_index=True)
ordered = owner[np.sort(first_seen)]
groups = np.array([int(np.where(ordered == o)[0][0]) for o in owner])

member = (groups[:, None] == np.arange(N_GROUPS)).astype(float)
counts = member.sum(axis=0)
to_group = distance @ member
own = np.arange(size), groups
within = to_group[own] / np.maximum(counts[groups] - 1, 1)
averages = to_group / counts
averages[own] = np.inf
between = averages.min(axis=1)
width = np.where(counts[groups] > 1, (between - within) / np.maximum(between, within), 0.0)
mean_width = width.mean()

middles = std_data @ member / counts
wss = ((std_data - middles[:, groups]) ** 2).sum()
tss = (std_data**2).sum()
r2 = 1 - wss / tss

print("labels", groups.tolist())
print("heights", merge_heights.round(6).tolist())
print("silhouette", width.round(6).tolist(), round(float(mean_width), 6))
print("inertia", round(float(wss), 6))
print("explained", round(float(r2), 6))
