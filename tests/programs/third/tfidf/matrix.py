import string
from collections import Counter

import numpy as np

CORPUS = """\
The sea was calm and the boat was slow. The men slept in the boat.
A storm came over the sea, and the slow boat turned back to the harbour.
In the harbour the men sold fish; fish was cheap, and bread was dear.
Bread and fish: the cook of the inn asked for bread, the men for fish and beer.
"""
SKIP = "the a and in was of to for".split()


class TextTable:
    def __init__(self, corpus):
        lines = corpus.strip().split("\n")
        bare = str.maketrans("", "", string.punctuation)
        self.bags = [Counter(line.lower().translate(bare).split()) for line in lines]
        for bag in self.bags:
            for word in SKIP:
                bag.pop(word, None)
        self.words = sorted(set().union(*self.bags))
        self.tf = np.array([[bag[w] for w in self.words] for bag in self.bags])

    def weigh(self):
        self.sizes = self.tf.sum(axis=1)
        appears = (self.tf > 0).sum(axis=0)
        self.rarity = 1 + np.log(self.tf.shape[0] / appears)
        return self.tf / self.sizes[:, None] * self.rarity


table = TextTable(CORPUS)
weighted = table.weigh()
norms = np.linalg.norm(weighted, axis=1, keepdims=True)
unit = weighted / norms
sim = unit @ unit.T

masked = sim.copy()
np.fill_diagonal(masked, -1)
nearest = masked.argmax(axis=1)
typical = [table.words[k] for k in weighted.argmax(axis=1)]

n_tokens = int(table.tf.sum())
p = table.tf.sum(axis=0) / n_tokens
bits = float(-(p * np.log2(p)).sum())
variety = (table.tf > 0).sum(axis=1) / table.sizes

print("words", len(table.words), n_tokens)
print("key", typical)
print("similar", sim.round(6).tolist())
print("best", nearest.tolist())
print("entropy", round(bits, 6))
print("richness", variety.round(6).tolist())
