"""Training by stochastic gradient descent, review by review: with the published gradient and the exact one.

Words are columns of x. Below the word vectors stand each word's position and a one, so that a weight matrix
and its bias are one matrix, [Q Qb], and queries, keys and values one product.

Mean pooling makes all columns of dL/dz the same, u = W'(p - y) / n, and so all rows of dL/dalpha, r = u'v.
With s the sums of alpha's columns, dL/d[V Vb] = u (x s)'. As published, where one matrix dalpha/de serves
every row, all rows of dL/de are the same too: t = a * (r - a'r), a being alpha's first column. Then
dL/d[Q Qb] is (k t)(x 1)' and dL/d[K Kb] is (q 1)(x t)': each gradient is a column times a row.

While W stands still, the values matter only through W v, three rows instead of 51: see ``descend_classes``.
"""

from typing import NamedTuple

import numpy as np

CLASSES = np.eye(3)


def sentences(table, tokens, offsets):
    """Every sentence's x."""
    return [
        np.vstack([table[words].T, np.arange(words.size), np.ones(words.size)])
        for words in np.split(tokens, offsets[1:-1])
    ]


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def attention(q, k):
    return softmax(q.T @ k / q.size**0.5)


def mean_loss(probabilities, targets):
    """Cross entropy after every epoch; a class that is ruled out, log 0, spoils its epoch, as published."""
    return -(targets * np.log(probabilities)).sum(axis=(1, 2)) / len(targets)


# The published gradient, with W and b frozen


class Review(NamedTuple):
    """What does not change from one epoch to the next, and room for what does."""

    place: int
    target: np.ndarray
    x: np.ndarray
    n: int
    scale: float
    share: np.ndarray  # of each word in the mean
    stack: np.ndarray  # q over k over W v over x
    sums: np.ndarray  # rows 1, t, s: what the stack's columns are summed with


def review(place, x, target):
    length, n = x.shape
    d = length - 1
    stack = np.vstack([np.empty((2 * d + 3, n)), x])
    return Review(place, target, x, n, (d * n) ** 0.5, np.full(n, 1 / n), stack, np.ones((3, n)))


def descend_classes(reviews, targets, weights, b, gram, rate, epochs):
    """Loss after every epoch; trains ``weights``, [Q Qb] over [K Kb] over W [V Vb], in place; gram: W W'."""
    d = (len(weights) - 3) // 2
    left = np.zeros((len(weights), 3))
    visits = [review(i, x, y) for i, (x, y) in enumerate(zip(reviews, targets, strict=True)) if x.size]
    probabilities = np.ones((epochs, len(reviews), 3))
    for epoch in range(epochs):
        for place, target, x, n, scale, share, stack, sums in visits:
            np.dot(weights, x, out=stack[: 2 * d + 3])
            q, k, classes = stack[:d], stack[d : 2 * d], stack[2 * d : 2 * d + 3]

            # one column for each query: alpha transposed, whose columns are quicker to sum
            alpha = k.T.dot(q)
            alpha /= scale
            alpha -= alpha.max(axis=0)
            np.exp(alpha, out=alpha)
            alpha /= sums[0].dot(alpha)
            s = alpha.dot(share)
            logits = classes.dot(s) + b
            p = np.exp(logits - np.logaddexp.reduce(logits))
            probabilities[epoch, place] = p

            step = rate * (p - target)
            r = step.dot(classes) / n
            first = alpha[0]
            sums[1] = first * (r - first.dot(r))
            sums[2] = s
            summed = stack.dot(sums.T)
            left[:d, 0] = summed[d : 2 * d, 1]
            left[d : 2 * d, 1] = summed[:d, 0]
            left[2 * d :, 2] = gram.dot(step)
            weights -= left.dot(summed[2 * d + 3 :].T)
    return mean_loss(probabilities, targets)


def train_published(
    table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, Q, Qb, K, Kb, V, Vb, W, b
):
    reviews, targets = labelled(table, corpus_tokens, corpus_offsets, corpus_labels)
    values, gram = np.hstack([V, Vb]), W @ W.T
    weights = np.vstack([np.hstack([Q, Qb]), np.hstack([K, Kb]), W @ values])
    losses = descend_classes(reviews, targets, weights, b[:, 0], gram, rate[0], epochs[0])
    d = len(Q)
    # values only ever move by W' times something, and W values by W W' times that
    values = values - W.T @ np.linalg.solve(gram, W @ values - weights[2 * d :])
    return losses, *split(np.vstack([weights[: 2 * d], values]))


# Any gradient, with W and b trained at a rate of their own


def published_gradient(x, q, k, u, r, alpha):
    first = alpha[:, 0]
    t = first * (r - first @ r)
    columns = [k @ t, q.sum(axis=1), u]
    rows = [x.sum(axis=1), x @ t, x @ alpha.sum(axis=0)]
    return np.vstack([np.outer(column, row) for column, row in zip(columns, rows, strict=True)])


def exact_gradient(x, q, k, u, r, alpha):
    dL_de = alpha * (r - (alpha @ r)[:, None]) / q.size**0.5
    return np.vstack([k @ dL_de.T @ x.T, q @ dL_de @ x.T, np.outer(u, x @ alpha.sum(axis=0))])


def descend(reviews, targets, parameters, rate, class_rate, epochs, gradient):
    """Loss after every epoch, and the trained parameters."""
    Q, Qb, K, Kb, V, Vb, W, b = parameters
    weights = np.vstack([np.hstack([Q, Qb]), np.hstack([K, Kb]), np.hstack([V, Vb])])
    b = b[:, 0]
    probabilities = np.ones((epochs, len(reviews), 3))
    for epoch in range(epochs):
        for place, (x, target) in enumerate(zip(reviews, targets, strict=True)):
            n = x.shape[1]
            if n == 0:
                continue
            q, k, v = (weights @ x).reshape(3, -1, n)
            alpha = attention(q, k)
            context = v @ alpha.sum(axis=0) / n
            p = softmax(W @ context + b)
            probabilities[epoch, place] = p
            u = (p - target) @ W / n
            weights = weights - rate * gradient(x, q, k, u, u @ v, alpha)
            W = W - class_rate * np.outer(p - target, context)
            b = b - class_rate * (p - target)
    return mean_loss(probabilities, targets), *split(weights), W, b[:, None]


def train_published_all(
    table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, Q, Qb, K, Kb, V, Vb, W, b
):
    reviews, targets = labelled(table, corpus_tokens, corpus_offsets, corpus_labels)
    parameters = (Q, Qb, K, Kb, V, Vb, W, b)
    with np.errstate(all="ignore"):  # it may diverge: infinities and NaN are its result
        return descend(reviews, targets, parameters, rate[0], rate[0], epochs[0], published_gradient)


def train_exact(table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, Q, Qb, K, Kb, V, Vb, W, b):
    reviews, targets = labelled(table, corpus_tokens, corpus_offsets, corpus_labels)
    parameters = (Q, Qb, K, Kb, V, Vb, W, b)
    return descend(reviews, targets, parameters, rate[0], 0.0, epochs[0], exact_gradient)[:-2]


def labelled(table, tokens, offsets, labels):
    """The reviews that have a label, and their one-hot targets."""
    every = sentences(table, tokens, offsets)
    reviews = [x for x, label in zip(every, labels, strict=True) if label >= 0]
    return reviews, CLASSES[labels[labels >= 0]]


def split(weights):
    """Q, Qb, K, Kb, V and Vb of [Q Qb] over [K Kb] over [V Vb]."""
    return tuple(part for block in np.vsplit(weights, 3) for part in (block[:, :-1], block[:, -1:]))


# The attention weights of the sentences that were not trained on


def attention_published(table, corpus_tokens, corpus_offsets, corpus_labels, Q, Qb, K, Kb):
    every = sentences(table, corpus_tokens, corpus_offsets)
    evaluated = [x for x, label in zip(every, corpus_labels, strict=True) if label < 0]
    queries, keys = np.hstack([Q, Qb]), np.hstack([K, Kb])
    return tuple(attention(queries @ x, keys @ x) for x in evaluated)


attention_published_all = attention_published
attention_exact = attention_published
