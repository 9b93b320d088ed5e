"""Scaled dot-product self-attention of a batch of sequences, step by step, with a mask, and as one head."""

import jax
import jax.numpy as jnp


def linear(x, weight):
    """Linear's weight is outputs by inputs."""
    return jnp.einsum("btd,hd->bth", x, weight)


def dots(Q, K):
    return jnp.einsum("bik,bjk->bij", Q, K)


def Q(x, query_weight):
    return linear(x, query_weight)


def K(x, key_weight):
    return linear(x, key_weight)


def V(x, value_weight):
    return linear(x, value_weight)


def scores(Q, K):
    return dots(Q, K)


def scaled(scores, K):
    return scores / K.shape[-1] ** 0.5


def weights(scaled):
    return jax.nn.softmax(scaled, axis=-1)


def row_sums(weights):
    return weights.sum(axis=-1)


def sharpened(scaled):
    return jax.nn.softmax(12 * scaled, axis=-1)


def outputs(weights, V):
    return weights @ V


def mask(scaled):
    return jnp.tril(jnp.ones_like(scaled[0]))


def masked_scores(scaled, mask):
    return jnp.where(mask == 0, -jnp.inf, scaled)


def masked_weights(masked_scores):
    return jax.nn.softmax(masked_scores, axis=-1)


def head_Q(head_x, head_query_weight):
    return linear(head_x, head_query_weight)


def head_K(head_x, head_key_weight):
    return linear(head_x, head_key_weight)


def head_V(head_x, head_value_weight):
    return linear(head_x, head_value_weight)


def head_scores(head_Q, head_K):
    return dots(head_Q, head_K) / head_K.shape[-1] ** 0.5


def head_weights(head_scores):
    return jax.nn.softmax(head_scores, axis=-1)


def head_outputs(head_weights, head_V):
    return head_weights @ head_V
