import torch


def scores(Q, K):
    return Q @ K.T


def weights(scores, K):
    return torch.softmax(scores / K.shape[1] ** 0.5, dim=1)


def output(weights, V):
    return weights @ V
