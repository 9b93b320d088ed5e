"""Scaled dot-product self-attention of four words, step by step."""

import jax
import jax.numpy as jnp


def Q(words, W_Q):
    return words @ W_Q


def K(words, W_K):
    return words @ W_K


def V(words, W_V):
    return words @ W_V


def scores(Q, K):
    return Q @ K.T


def maxs(scores):
    return jnp.max(scores, axis=1, keepdims=True)


def weights(scores, maxs, K):
    return jax.nn.softmax((scores - maxs) / K.shape[1] ** 0.5, axis=1)


def attention(weights, V):
    return weights @ V
