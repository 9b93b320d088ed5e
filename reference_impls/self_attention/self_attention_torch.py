"""Scaled dot-product self-attention of a batch of sequences, step by step, with a mask, and as one head."""

import torch
from torch.nn import functional as F


def Q(x, query_weight):
    return F.linear(x, query_weight)


def K(x, key_weight):
    return F.linear(x, key_weight)


def V(x, value_weight):
    return F.linear(x, value_weight)


def scores(Q, K):
    return Q @ K.transpose(-1, -2)


def scaled(scores, K):
    return scores / K.shape[-1] ** 0.5


def weights(scaled):
    return torch.softmax(scaled, dim=-1)


def row_sums(weights):
    return weights.sum(dim=-1)


def sharpened(scaled):
    return torch.softmax(12 * scaled, dim=-1)


def outputs(weights, V):
    return weights @ V


def mask(scaled):
    return torch.ones_like(scaled[0]).tril()


def masked_scores(scaled, mask):
    return scaled.masked_fill(mask == 0, -torch.inf)


def masked_weights(masked_scores):
    return torch.softmax(masked_scores, dim=-1)


def head_Q(head_x, head_query_weight):
    return F.linear(head_x, head_query_weight)


def head_K(head_x, head_key_weight):
    return F.linear(head_x, head_key_weight)


def head_V(head_x, head_value_weight):
    return F.linear(head_x, head_value_weight)


def head_scores(head_Q, head_K):
    return head_Q @ head_K.transpose(-1, -2) / head_K.shape[-1] ** 0.5


def head_weights(head_scores):
    return torch.softmax(head_scores, dim=-1)


def head_outputs(head_weights, head_V):
    return head_weights @ head_V
