"""From the words of a sentence to its sentiment: attention, a linear layer, mean pooling, softmax.

Words are columns.
"""

import jax
import jax.numpy as jnp


def embeddings(table, tokens):
    return jnp.take(table, tokens, axis=0).T


def x(embeddings):
    positions = jnp.arange(embeddings.shape[1], dtype=embeddings.dtype)
    return jnp.vstack([embeddings, positions])


def q(x, Q, Qb):
    return Q @ x + Qb


def k(x, K, Kb):
    return K @ x + Kb


def v(x, V, Vb):
    return V @ x + Vb


def e(q, k):
    return q.T @ k / q.size**0.5


def alpha(e):
    return jax.nn.softmax(e, axis=1)


def z(v, alpha):
    return v @ alpha.T


def f(z, W, b):
    return W @ z + b


def pooled(f):
    return f.mean(axis=1, keepdims=True)


def p(pooled):
    return jax.nn.softmax(pooled, axis=0)


def e_exact(q, k):
    d_k = k.shape[0]
    return q.T @ k / d_k**0.5


def alpha_exact(e_exact):
    return jax.nn.softmax(e_exact, axis=1)


def z_exact(v, alpha_exact):
    return v @ alpha_exact.T


def p_exact(z_exact, W, b):
    return p(pooled(f(z_exact, W, b)))
