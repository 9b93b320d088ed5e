"""Scaled dot-product self-attention of a batch of sequences, step by step, with a mask, and as one head."""

import math

import numpy as np


def transpose(matrices):
    """Every matrix of a batch, transposed."""
    return np.swapaxes(matrices, -1, -2)


def softmax(scores):
    """Softmax along the last axis."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def Q(x, query_weight):
    return x @ query_weight.T


def K(x, key_weight):
    return x @ key_weight.T


def V(x, value_weight):
    return x @ value_weight.T


def scores(Q, K):
    return Q @ transpose(K)


def scaled(scores, K):
    return scores / math.sqrt(K.shape[-1])


def weights(scaled):
    return softmax(scaled)


def row_sums(weights):
    return weights.sum(axis=-1)


def sharpened(scaled):
    return softmax(12 * scaled)


def outputs(weights, V):
    return weights @ V


def mask(scaled):
    size = scaled.shape[-1]
    return np.tri(size, dtype=scaled.dtype)


def masked_scores(scaled, mask):
    return np.where(mask == 0, -np.inf, scaled)


def masked_weights(masked_scores):
    return softmax(masked_scores)


def head_Q(head_x, head_query_weight):
    return head_x @ head_query_weight.T


def head_K(head_x, head_key_weight):
    return head_x @ head_key_weight.T


def head_V(head_x, head_value_weight):
    return head_x @ head_value_weight.T


def head_scores(head_Q, head_K):
    return head_Q @ transpose(head_K) / math.sqrt(head_K.shape[-1])


def head_weights(head_scores):
    return softmax(head_scores)


def head_outputs(head_weights, head_V):
    return head_weights @ head_V
