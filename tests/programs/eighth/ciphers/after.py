"""Breaks a Vigenère cipher. Rewritten with arrays: letters are the numbers 0 to 25."""
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PERCENT = dict(
    zip(
        "ETAOINSHRDLCUMWFGYPBVKJXQZ",
        [12.702, 9.056, 8.167, 7.507, 6.966, 6.749, 6.327, 6.094, 5.987, 4.253, 4.025, 2.782, 2.758, 2.406, 2.360,
         2.228, 2.015, 1.974, 1.929, 1.492, 0.978, 0.772, 0.153, 0.150, 0.095, 0.074],
    )
)
LENGTHS = range(3, 13)


@dataclass
class Column:
    letters: np.ndarray
    expected: np.ndarray

    def statistics(self):
        observed = np.bincount(self.letters, minlength=26)
        model = self.expected * self.letters.size
        rolled = np.array([np.roll(observed, -shift) for shift in range(26)])
        return ((rolled - model) ** 2 / model).sum(axis=1)

    def solve(self):
        stats = self.statistics()
        ranked = np.sort(stats)
        return int(stats.argmin()), ranked[0], ranked[1] / ranked[0]


def read_letters(path):
    return np.array([ALPHABET.index(c) for c in Path(path).read_text().upper() if c in ALPHABET])


def coincidence(letters):
    k = np.bincount(letters, minlength=26)
    return (k @ (k - 1)) / (k.sum() * (k.sum() - 1))


def repeats(letters, width=3):
    places = defaultdict(list)
    for start in range(letters.size - width + 1):
        places[tuple(letters[start : start + width])].append(start)
    return [later - earlier for p in places.values() for earlier, later in pairwise(p)]


def entropy(counts):
    p = np.array([c for c in counts if c], dtype=float)
    p /= p.sum()
    return float(-(p * np.log2(p)).sum())


def key_length(letters):
    averages = np.array([np.mean([coincidence(letters[j::k]) for j in range(k)]) for k in LENGTHS])
    chosen, record = 0, 0.0
    for k, value in zip(LENGTHS, averages):
        if value > 1.1 * record:
            chosen, record = k, value
    return chosen, record


def main():
    language = np.array([PERCENT[c] for c in ALPHABET])
    language /= language.sum()

    cipher = read_letters("cipher.txt")
    gaps = np.array(repeats(cipher))
    support = {k: int(np.count_nonzero(gaps % k == 0)) for k in LENGTHS}
    overall = coincidence(cipher)
    friedman = (language @ language - 1 / 26) / (overall - 1 / 26)
    period, strength = key_length(cipher)

    solved = [Column(cipher[j::period], language).solve() for j in range(period)]
    shifts, fits, ratios = map(np.array, zip(*solved))
    stream = np.resize(shifts, cipher.size)
    message = (cipher - stream) % 26

    single = np.bincount(message, minlength=26)
    double = Counter(pairwise(message.tolist()))
    first, joint = entropy(single), entropy(double.values())
    score = np.log10(language)[message].mean()
    share = single[[ALPHABET.index(v) for v in "AEIOU"]].sum() / cipher.size
    bits = np.log2(26)
    distance = bits * period / (bits - 1.5)

    word = "".join(ALPHABET[s] for s in shifts)
    common = sorted(((-count, ALPHABET[a] + ALPHABET[b]) for (a, b), count in double.items()))[:5]
    print(f"letters {cipher.size} repeats {gaps.size} votes {support[5]} {support[6]} {support[7]}")
    print(f"kappa {overall:.7f}, Friedman {friedman:.6f}, columns {strength:.7f}")
    print(f"key {word} length {period} worst margin {ratios.min():.6f} chi2 {fits.sum():.6f}")
    print(f"entropy {first:.7f} conditional {joint - first:.7f} likelihood {score:.6f}")
    print(f"vowels {share:.6f} unicity {distance:.5f}")
    print("pairs", " ".join(f"{pair} {-count}" for count, pair in common))
    print("".join(ALPHABET[m] for m in message[:60]))


if __name__ == "__main__":
    main()
