"""Scaled dot-product self-attention."""

import numpy as np


def Q(words, W_Q):
    return words @ W_Q


def K(words, W_K):
    return words @ W_K


def V(words, W_V):
    return words @ W_V


def scores(Q, K):
    return Q @ K.T


def weights(scores, K):
    e = np.exp((scores - scores.max(axis=1, keepdims=True)) / np.sqrt(K.shape[1]))
    return e / e.sum(axis=1, keepdims=True)


def attention(weights, V):
    return weights @ V
