"""Which words tell four short texts apart, and which texts are alike."""

import math
import re

texts = [
    "The sea was calm and the boat was slow. The men slept in the boat.",
    "A storm came over the sea, and the slow boat turned back to the harbour.",
    "In the harbour the men sold fish; fish was cheap, and bread was dear.",
    "Bread and fish: the cook of the inn asked for bread, the men for fish and beer.",
]
STOP = {"the", "a", "and", "in", "was", "of", "to", "for"}


def tokens(text):
    return [w for w in re.findall(r"[a-z]+", text.lower()) if w not in STOP]


docs = [tokens(t) for t in texts]
lengths = [len(d) for d in docs]
vocabulary = sorted({w for d in docs for w in d})

counts = []
for d in docs:
    row = {}
    for w in d:
        row[w] = row.get(w, 0) + 1
    counts.append(row)

df = {w: sum(1 for row in counts if w in row) for w in vocabulary}
idf = {w: math.log(len(docs) / df[w]) + 1 for w in vocabulary}

vectors = []
for row, n in zip(counts, lengths):
    vectors.append([row.get(w, 0) / n * idf[w] for w in vocabulary])


def cosine(u, v):
    dot = sum(x * y for x, y in zip(u, v))
    nu = math.sqrt(sum(x * x for x in u))
    nv = math.sqrt(sum(x * x for x in v))
    return dot / (nu * nv)


similarity = [[cosine(u, v) for v in vectors] for u in vectors]
best = []
for i, line in enumerate(similarity):
    others = [(s, j) for j, s in enumerate(line) if j != i]
    best.append(max(others)[1])

key = [vocabulary[max(range(len(v)), key=lambda k: v[k])] for v in vectors]
total = sum(lengths)
freq = [sum(row.get(w, 0) for row in counts) / total for w in vocabulary]
entropy = -sum(p * math.log2(p) for p in freq)
richness = [len(row) / n for row, n in zip(counts, lengths)]

print("words", len(vocabulary), total)
print("key", key)
print("similar", [[round(s, 6) for s in line] for line in similarity])
print("best", best)
print("entropy", round(entropy, 6))
print("richness", [round(r, 6) for r in richness])
