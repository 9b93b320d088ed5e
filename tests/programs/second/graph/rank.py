"""PageRank and shortest paths of a small road network."""

import heapq

import numpy as np

# from, to, length
ROADS = """
A B 4
A C 2
C B 1
B D 5
C D 8
C E 10
D E 2
D F 6
E F 3
F G 1
G A 9
E A 12
B G 11
""".split("\n")

graph = {}
for line in ROADS:
    if line.strip():
        src, dst, length = line.split()
        graph.setdefault(src, {})[dst] = float(length)

nodes = sorted(set(graph) | {d for out in graph.values() for d in out})
index = {name: i for i, name in enumerate(nodes)}
n = len(nodes)


def dijkstra(source):
    dist = {name: float("inf") for name in nodes}
    previous = {}
    dist[source] = 0.0
    heap = [(0.0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, w in graph.get(u, {}).items():
            if d + w < dist[v]:
                dist[v] = d + w
                previous[v] = u
                heapq.heappush(heap, (dist[v], v))
    return dist, previous


def route(previous, target):
    path = [target]
    while path[-1] in previous:
        path.append(previous[path[-1]])
    return path[::-1]


def pagerank(links, damping=0.85, tol=1e-13):
    rank = np.full(n, 1 / n)
    for iteration in range(1, 1000):
        new = np.full(n, (1 - damping) / n)
        for u, outs in links.items():
            share = rank[index[u]] / len(outs)
            for v in outs:
                new[index[v]] += damping * share
        if np.abs(new - rank).sum() < tol:
            break
        rank = new
    return new


all_dist = [list(dijkstra(name)[0].values()) for name in nodes]
from_a, prev_a = dijkstra("A")
path = route(prev_a, "F")
eccentricity = [max(row) for row in all_dist]
diameter = max(eccentricity)
radius = min(eccentricity)
closeness = [(n - 1) / sum(row) for row in all_dist]
average_path = sum(map(sum, all_dist)) / (n * (n - 1))

ranks = pagerank(graph)
order = [nodes[i] for i in np.argsort(-ranks)]
out_degree = [len(graph[u]) for u in nodes]
in_degree = [sum(u in out for out in graph.values()) for u in nodes]
total_length = sum(w for out in graph.values() for w in out.values())

for i, name in enumerate(nodes):
    print(f"{name} rank {ranks[i]:.10f} closeness {closeness[i]:.8f} out {out_degree[i]} in {in_degree[i]} "
          f"from A {from_a[name]:.1f} ecc {eccentricity[i]:.1f}")
print("order", " ".join(order))
print("A to F:", " ".join(path))
print(f"diameter {diameter} radius {radius} average {average_path:.8f} roads {total_length}")
