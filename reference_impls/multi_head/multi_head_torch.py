"""Multi-head self-attention: every head attends on its own; the heads are concatenated and projected.

What each head holds has four axes: head, sequence, token, feature.
"""

import torch
from torch.nn import functional as F


def linear_of_each_head(x, weight):
    return torch.stack([F.linear(x, head) for head in weight])


def Q(x, query_weight):
    return linear_of_each_head(x, query_weight)


def K(x, key_weight):
    return linear_of_each_head(x, key_weight)


def V(x, value_weight):
    return linear_of_each_head(x, value_weight)


def scores(Q, K):
    return Q @ K.transpose(-1, -2)


def scaled(scores, K):
    return scores / K.shape[-1] ** 0.5


def weights(scaled):
    return torch.softmax(scaled, dim=-1)


def head_outputs(weights, V):
    return weights @ V


def concat_heads(head_outputs):
    return torch.cat(list(head_outputs), dim=-1)


def multihead_output(concat_heads, output_weight, output_bias):
    return F.linear(concat_heads, output_weight, output_bias)
