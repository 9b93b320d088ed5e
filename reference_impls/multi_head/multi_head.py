"""Multi-head self-attention: every head attends on its own; the heads are concatenated and projected.

What each head holds has four axes: head, sequence, token, feature.
"""

import math

import numpy as np


def transpose(matrices):
    """Every matrix of a stack, transposed."""
    return np.swapaxes(matrices, -1, -2)


def linear_of_each_head(x, weight):
    return x @ transpose(weight)[:, np.newaxis]


def Q(x, query_weight):
    return linear_of_each_head(x, query_weight)


def K(x, key_weight):
    return linear_of_each_head(x, key_weight)


def V(x, value_weight):
    return linear_of_each_head(x, value_weight)


def scores(Q, K):
    return Q @ transpose(K)


def scaled(scores, K):
    return scores / math.sqrt(K.shape[-1])


def weights(scaled):
    e = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def head_outputs(weights, V):
    return weights @ V


def concat_heads(head_outputs):
    return np.concatenate(list(head_outputs), axis=-1)


def multihead_output(concat_heads, output_weight, output_bias):
    return concat_heads @ output_weight.T + output_bias
