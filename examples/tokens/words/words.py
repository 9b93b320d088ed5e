"""Words are runs of the letters a to z."""

import numpy as np


def folded(text):
    return np.where((text >= 65) & (text <= 90), text + 32, text)


def word(folded):
    numbers = {}
    result = np.zeros(len(folded), dtype=int)
    start = None
    for i in range(len(folded) + 1):
        letter = i < len(folded) and 97 <= folded[i] <= 122
        if letter and start is None:
            start = i
        if not letter and start is not None:
            spelling = tuple(folded[start:i].tolist())
            result[start:i] = numbers.setdefault(spelling, len(numbers) + 1)
            start = None
    return result


def counts(folded, word):
    begins = np.diff(word, prepend=0) != 0
    return np.bincount(word[begins & (word > 0)], minlength=word.max(initial=0) + 1)[1:]


def frequencies(counts):
    return counts / counts.sum()
