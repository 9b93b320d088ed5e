import numpy as np


def scores(Q, K):
    return Q @ K.T


def weights(scores, K):
    scaled = scores / np.sqrt(K.shape[1])
    e = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def output(weights, V):
    return weights @ V
