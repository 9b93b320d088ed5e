"""From the words of a sentence to its sentiment: attention, a linear layer, mean pooling, softmax.

Words are columns.
"""

import torch


def embeddings(table, tokens):
    return table[tokens].T


def x(embeddings):
    positions = torch.arange(embeddings.shape[1], dtype=embeddings.dtype)
    return torch.vstack([embeddings, positions])


def q(x, Q, Qb):
    return Q @ x + Qb


def k(x, K, Kb):
    return K @ x + Kb


def v(x, V, Vb):
    return V @ x + Vb


def e(q, k):
    return q.T @ k / q.numel() ** 0.5


def alpha(e):
    return torch.softmax(e, dim=1)


def z(v, alpha):
    return v @ alpha.T


def f(z, W, b):
    return W @ z + b


def pooled(f):
    return f.mean(dim=1, keepdim=True)


def p(pooled):
    return torch.softmax(pooled, dim=0)


def e_exact(q, k):
    d_k = k.shape[0]
    return q.T @ k / d_k**0.5


def alpha_exact(e_exact):
    return torch.softmax(e_exact, dim=1)


def z_exact(v, alpha_exact):
    return v @ alpha_exact.T


def p_exact(z_exact, W, b):
    return p(pooled(f(z_exact, W, b)))
