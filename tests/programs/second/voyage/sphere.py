import numpy as np

R = 6371.0088
KNOT = 1.852

table = np.genfromtxt("ports.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
names = table["port"]
latlon = np.radians(np.column_stack([table["lat"], table["lon"]]))
stay = table["days"]


def unit_vectors(ll):
    """Latitude and longitude in radians to points of the unit sphere."""
    lat, lon = ll.T
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)


def arc(u, v):
    """Angle between unit vectors, well conditioned for near points too."""
    return np.arctan2(np.linalg.norm(np.cross(u, v), axis=-1), np.sum(u * v, axis=-1))


V = unit_vectors(latlon)

# legs between consecutive ports
dist = R * arc(V[:-1], V[1:])
cumulative = np.insert(np.cumsum(dist), 0, 0.0)
hours_at_sea = dist / (14 * KNOT)
eta = np.zeros(len(table))
eta[1:] = np.cumsum(hours_at_sea + 24 * stay[:-1])

# course: direction of the next port in the local east and north axes
lat, lon = latlon[:-1].T
east = np.column_stack([-np.sin(lon), np.cos(lon), np.zeros(len(lon))])
north = np.cross(V[:-1], east)
e = np.einsum("ij,ij->i", east, V[1:])
n = np.einsum("ij,ij->i", north, V[1:])
heading = np.rad2deg(np.arctan2(e, n))
heading = np.where(heading < 0, heading + 360, heading)

whole = cumulative[-1]
nmi = whole / KNOT
straight = R * arc(V[0], V[-1])
ratio = whole / straight
worst = np.argmax(dist)

change = np.diff(heading)
change = (change + 180) % 360 - 180
sum_turn = np.abs(change).sum()

# distance table
D = R * arc(V[:, None, :], V[None, :, :])
upper = np.triu_indices(len(V), 1)
k = np.argmin(D[upper])
near_i, near_j = upper[0][k], upper[1][k]
dmin = D[upper].min()
dmax = D.max()

c = stay @ V
c /= np.linalg.norm(c)
c_lat = np.rad2deg(np.arcsin(c[2]))
c_lon = np.rad2deg(np.arctan2(c[1], c[0]))

for i in range(len(dist)):
    print(names[i], names[i + 1], dist[i].round(6), heading[i].round(6), cumulative[i + 1].round(6), eta[i + 1].round(5))
print("total", whole.round(6), "miles", nmi.round(6), "direct", straight.round(6), "detour", ratio.round(8))
print("longest leg from", names[worst])
print("turning", sum_turn.round(6))
print("nearest", names[near_i], names[near_j], dmin.round(6), "farthest", dmax.round(6))
print("centre", c_lat.round(8), c_lon.round(8))
