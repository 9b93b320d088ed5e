"""Scaled dot-product self-attention of four words, step by step."""

import math

import numpy as np


def Q(words, W_Q):
    return words @ W_Q


def K(words, W_K):
    return words @ W_K


def V(words, W_V):
    return words @ W_V


def scores(Q, K):
    return Q @ K.T


def maxs(scores):
    return scores.max(axis=1, keepdims=True)


def weights(scores, maxs, K):
    d_k = K.shape[1]
    e = np.exp((scores - maxs) / math.sqrt(d_k))
    return e / e.sum(axis=1, keepdims=True)


def attention(weights, V):
    return weights @ V
