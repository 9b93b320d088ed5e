"""Distances between six sequences, and the tree of UPGMA."""
import math


def read_fasta(path):
    names, sequences = [], []
    for line in open(path):
        line = line.strip()
        if line.startswith(">"):
            names.append(line[1:].split()[0])
            sequences.append("")
        else:
            sequences[-1] += line
    return names, sequences


PURINES = "AG"


def compare(s, t):
    """Shares of transitions and of transversions."""
    transitions = transversions = 0
    for x, y in zip(s, t):
        if x == y:
            continue
        if (x in PURINES) == (y in PURINES):
            transitions += 1
        else:
            transversions += 1
    return transitions / len(s), transversions / len(s)


def kimura(p, q):
    return -0.5 * math.log(1 - 2 * p - q) - 0.25 * math.log(1 - 2 * q)


def jukes_cantor(p):
    return -3 / 4 * math.log(1 - 4 / 3 * p)


names, sequences = read_fasta("mt.fasta")
n, length = len(names), len(sequences[0])
gc = [(s.count("G") + s.count("C")) / length for s in sequences]

# lower triangles
P, Q, JC, K2P = [], [], [], []
for i in range(n):
    pairs = [compare(sequences[i], sequences[j]) for j in range(i)]
    P.append([p for p, q in pairs])
    Q.append([q for p, q in pairs])
    JC.append([jukes_cantor(p + q) for p, q in pairs])
    K2P.append([kimura(p, q) for p, q in pairs])
bias = sum(map(sum, P)) / sum(map(sum, Q))


def lowest_cell(table):
    best, x, y = math.inf, -1, -1
    for i, row in enumerate(table):
        for j, cell in enumerate(row):
            if cell < best:
                best, x, y = cell, i, j
    return best, x, y


def at(table, i, j):
    return table[i][j] if i > j else table[j][i]


def upgma(table, labels):
    """Join the two closest until one is left; each joining with its height and members."""
    table = [row[:] for row in table]
    clusters = [[i] for i in range(len(labels))]
    newick = list(labels)
    joined = []
    while len(clusters) > 1:
        closest, a, b = lowest_cell(table)
        a, b = min(a, b), max(a, b)
        joined.append((closest / 2, clusters[a], clusters[b]))
        m, k = len(clusters[a]), len(clusters[b])
        for c in range(len(clusters)):
            if c in (a, b):
                continue
            mean = (m * at(table, a, c) + k * at(table, b, c)) / (m + k)
            table[max(a, c)][min(a, c)] = mean
        for row in table[b + 1:]:
            del row[b]
        del table[b]
        newick[a] = "(%s,%s)" % tuple(sorted((newick[a], newick.pop(b))))
        clusters[a] = clusters[a] + clusters.pop(b)
    return joined, newick[0]


joined, tree = upgma(K2P, names)
heights = [height for height, _, _ in joined]

# what the tree says of each pair, and how well it says it
cophenetic = [[0.0] * i for i in range(n)]
for height, left, right in joined:
    for i in left:
        for j in right:
            cophenetic[max(i, j)][min(i, j)] = 2 * height
x = [d for row in K2P for d in row]
y = [d for row in cophenetic for d in row]
mx, my = sum(x) / len(x), sum(y) / len(y)
sxy = sum((a - mx) * (b - my) for a, b in zip(x, y))
r = sxy / math.sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))

human = names.index("human")
from_human = {name: at(K2P, human, i) for i, name in enumerate(names) if i != human}
nearest = min(from_human, key=from_human.get)
years = [13 * h / heights[-2] for h in heights]  # orang split off 13 million years ago

print("GC", *("%.8f" % share for share in gc))
print("Jukes and Cantor, largest %.8f, mean %.8f" % (max(map(max, JC[1:])), sum(map(sum, JC)) / len(x)))
print("Kimura, largest %.8f, mean %.8f" % (max(x), mx))
print("transitions per transversion %.8f" % bias)
print("heights", *("%.8f" % h for h in heights))
print("million years", *("%.6f" % t for t in years))
print("r %.8f, nearest to man: %s" % (r, nearest))
print(tree)
