"""Scaled dot-product self-attention of four words, step by step."""

import torch


def Q(words, W_Q):
    return words @ W_Q


def K(words, W_K):
    return words @ W_K


def V(words, W_V):
    return words @ W_V


def scores(Q, K):
    return Q @ K.T


def maxs(scores):
    return scores.amax(dim=1, keepdim=True)


def weights(scores, maxs, K):
    return torch.softmax((scores - maxs) / K.shape[1] ** 0.5, dim=1)


def attention(weights, V):
    return weights @ V
