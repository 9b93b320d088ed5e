"""From the words of a sentence to its sentiment: attention, a linear layer, mean pooling, softmax.

Words are columns.
"""

import math

import numpy as np


def softmax(scores, axis):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def embeddings(table, tokens):
    return table[tokens].T


def x(embeddings):
    positions = np.arange(embeddings.shape[1], dtype=embeddings.dtype)
    return np.vstack([embeddings, positions])


def q(x, Q, Qb):
    return Q @ x + Qb


def k(x, K, Kb):
    return K @ x + Kb


def v(x, V, Vb):
    return V @ x + Vb


def e(q, k):
    return q.T @ k / math.sqrt(q.size)


def alpha(e):
    return softmax(e, axis=1)


def z(v, alpha):
    return v @ alpha.T


def f(z, W, b):
    return W @ z + b


def pooled(f):
    return f.sum(axis=1, keepdims=True) / f.shape[1]


def p(pooled):
    return softmax(pooled, axis=0)


def e_exact(q, k):
    d_k = k.shape[0]
    return q.T @ k / math.sqrt(d_k)


def alpha_exact(e_exact):
    return alpha(e_exact)


def z_exact(v, alpha_exact):
    return z(v, alpha_exact)


def p_exact(z_exact, W, b):
    return p(pooled(f(z_exact, W, b)))
