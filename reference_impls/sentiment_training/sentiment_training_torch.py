"""Training by stochastic gradient descent, one review after the other.

Words are columns. The published gradient is written out; the exact one is autograd's.
"""

from itertools import pairwise

import torch


def embed(table, tokens):
    """The vectors of a sentence's words as columns, and below them each word's position, counted from 0."""
    positions = torch.arange(len(tokens), dtype=table.dtype)
    return torch.vstack([table[tokens].T, positions])


def sentences(table, tokens, offsets):
    bounds = offsets.tolist()
    return [embed(table, tokens[first:last]) for first, last in pairwise(bounds)]


def attention(q, k):
    return torch.softmax(q.T @ k / q.numel() ** 0.5, dim=1)


def cross_entropy(p, y):
    return -(y * torch.log(p)).sum()


def published_gradient(x, y, parameters):
    """Loss and published gradient: the first column of alpha serves every row, and there is no scale."""
    Q, Qb, K, Kb, V, Vb, W, b = parameters
    q, k, v = Q @ x + Qb, K @ x + Kb, V @ x + Vb
    alpha = attention(q, k)
    z = v @ alpha.T
    p = torch.softmax((W @ z + b).mean(dim=1, keepdim=True), dim=0)

    n = x.shape[1]
    dL_df = (p - y).expand(3, n) / n
    dL_dz = W.T @ dL_df
    dL_dv = dL_dz @ alpha
    first = alpha[:, 0]
    dL_de = dL_dz.T @ v @ (torch.diag(first) - torch.outer(first, first))
    dL_dq, dL_dk = k @ dL_de.T, q @ dL_de
    gradient = []
    for given, below in ((dL_dq, x), (dL_dk, x), (dL_dv, x), (dL_df, z)):
        gradient += [given @ below.T, given.sum(dim=1, keepdim=True)]
    return cross_entropy(p, y), gradient


def exact_gradient(x, y, parameters):
    leaves = [parameter.detach().requires_grad_() for parameter in parameters]
    Q, Qb, K, Kb, V, Vb, W, b = leaves
    alpha = attention(Q @ x + Qb, K @ x + Kb)
    z = (V @ x + Vb) @ alpha.T
    p = torch.softmax((W @ z + b).mean(dim=1, keepdim=True), dim=0)
    loss = cross_entropy(p, y)
    return loss.detach(), torch.autograd.grad(loss, leaves)


def train(table, tokens, offsets, labels, rate, epochs, parameters, loss_and_gradient, trained):
    """Loss after every epoch, and the parameters; the first ``trained`` of them are trained."""
    every = sentences(table, tokens, offsets)
    reviews = [x for x, label in zip(every, labels, strict=True) if label >= 0]
    targets = [torch.eye(3, dtype=table.dtype)[:, [label]] for label in labels[labels >= 0]]
    losses = torch.zeros(epochs.item(), dtype=table.dtype)
    rate = rate.item()
    for epoch in range(len(losses)):
        for x, y in zip(reviews, targets, strict=True):
            if x.shape[1] == 0:
                continue
            loss, gradient = loss_and_gradient(x, y, parameters)
            losses[epoch] += loss
            moved = [p - rate * g for p, g in zip(parameters[:trained], gradient[:trained], strict=True)]
            parameters = moved + parameters[trained:]
    return losses / len(reviews), parameters


def train_published(
    table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, Q, Qb, K, Kb, V, Vb, W, b
):
    corpus = (table, corpus_tokens, corpus_offsets, corpus_labels)
    losses, final = train(*corpus, rate, epochs, [Q, Qb, K, Kb, V, Vb, W, b], published_gradient, 6)
    return losses, *final[:6]


def train_published_all(
    table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, Q, Qb, K, Kb, V, Vb, W, b
):
    corpus = (table, corpus_tokens, corpus_offsets, corpus_labels)
    losses, final = train(*corpus, rate, epochs, [Q, Qb, K, Kb, V, Vb, W, b], published_gradient, 8)
    return losses, *final


def train_exact(table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, Q, Qb, K, Kb, V, Vb, W, b):
    corpus = (table, corpus_tokens, corpus_offsets, corpus_labels)
    losses, final = train(*corpus, rate, epochs, [Q, Qb, K, Kb, V, Vb, W, b], exact_gradient, 6)
    return losses, *final[:6]


def attention_published(table, corpus_tokens, corpus_offsets, corpus_labels, Q, Qb, K, Kb):
    """The attention weights of the sentences that were not trained on."""
    every = sentences(table, corpus_tokens, corpus_offsets)
    evaluated = [x for x, label in zip(every, corpus_labels, strict=True) if label < 0]
    return tuple(attention(Q @ x + Qb, K @ x + Kb) for x in evaluated)


attention_published_all = attention_published
attention_exact = attention_published
