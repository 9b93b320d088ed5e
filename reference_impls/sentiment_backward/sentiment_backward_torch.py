"""The gradient of the sentiment loss: as published, and exact for the published forward pass.

Words are columns, except in the gradients of queries and keys, where the article has them as rows. The exact
stages are autograd's: each pulls a gradient back through one step of the forward pass; ``gradient`` is one
backward pass through all of them.
"""

import torch

STEP = 2.0**-5


def pull_back(step, arguments, place, gradient):
    """The gradient of one argument of a step, given the gradient of its result."""
    leaves = [argument.detach().requires_grad_() for argument in arguments]
    (pulled,) = torch.autograd.grad(step(*leaves), leaves[place], gradient)
    return pulled


# The forward pass


def x(table, tokens):
    embeddings = table[tokens].T
    positions = torch.arange(embeddings.shape[1], dtype=embeddings.dtype)
    return torch.vstack([embeddings, positions])


def linear(x, weights, bias):
    return weights @ x + bias


def q(x, Q, Qb):
    return linear(x, Q, Qb)


def k(x, K, Kb):
    return linear(x, K, Kb)


def v(x, V, Vb):
    return linear(x, V, Vb)


def e(q, k):
    return q.T @ k / q.numel() ** 0.5


def alpha(e):
    return torch.softmax(e, dim=1)


def z(v, alpha):
    return v @ alpha.T


def f(z, W, b):
    return linear(z, W, b)


def pooled(f):
    return f.mean(dim=1, keepdim=True)


def p(pooled):
    return torch.softmax(pooled, dim=0)


def loss(p, y):
    return -(y * torch.log(p)).sum()


# The published gradient


def dL_dp(p, y):
    return p - y


def dp_df(z):
    n = z.shape[1]
    return torch.full((1, n), 1 / n, dtype=z.dtype)


def dL_df(dL_dp, dp_df):
    return dL_dp @ dp_df


def dL_dW(dL_df, z):
    return dL_df @ z.T


def dL_db(dL_df):
    return dL_df.sum(dim=1, keepdim=True)


def dL_dz(dL_df, W):
    return W.T @ dL_df


def dalpha_de(alpha):
    first = alpha[:, 0]
    return torch.diag(first) - torch.outer(first, first)


def dL_dalpha(dL_dz, v):
    return dL_dz.T @ v


def dL_de(dL_dalpha, dalpha_de):
    return dL_dalpha @ dalpha_de


def dL_dq(dL_de, k):
    return dL_de @ k.T


def dL_dk(dL_de, q):
    return dL_de.T @ q.T


def dL_dv(dL_dz, alpha):
    return dL_dz @ alpha


def dL_dQ(dL_dq, x):
    return dL_dq.T @ x.T


def dL_dK(dL_dk, x):
    return dL_dk.T @ x.T


def dL_dV(dL_dv, x):
    return dL_dv @ x.T


def dL_dQb(dL_dq):
    return dL_dq.T.sum(dim=1, keepdim=True)


def dL_dKb(dL_dk):
    return dL_dk.T.sum(dim=1, keepdim=True)


def dL_dVb(dL_dv):
    return dL_dv.sum(dim=1, keepdim=True)


# The exact gradient


def dL_dp_exact(pooled, y):
    leaf = pooled.detach().requires_grad_()
    (pulled,) = torch.autograd.grad(loss(p(leaf), y), leaf)
    return pulled


def dL_df_exact(f, dL_dp_exact):
    return pull_back(pooled, (f,), 0, dL_dp_exact)


def dL_dW_exact(z, W, b, dL_df_exact):
    return pull_back(f, (z, W, b), 1, dL_df_exact)


def dL_db_exact(z, W, b, dL_df_exact):
    return pull_back(f, (z, W, b), 2, dL_df_exact)


def dL_dz_exact(z, W, b, dL_df_exact):
    return pull_back(f, (z, W, b), 0, dL_df_exact)


def dL_dalpha_exact(v, alpha, dL_dz_exact):
    return pull_back(z, (v, alpha), 1, dL_dz_exact)


def dL_dv_exact(v, alpha, dL_dz_exact):
    return pull_back(z, (v, alpha), 0, dL_dz_exact)


def dL_de_exact(e, dL_dalpha_exact):
    return pull_back(alpha, (e,), 0, dL_dalpha_exact)


def dL_dq_exact(q, k, dL_de_exact):
    return pull_back(e, (q, k), 0, dL_de_exact).T


def dL_dk_exact(q, k, dL_de_exact):
    return pull_back(e, (q, k), 1, dL_de_exact).T


def dL_dQ_exact(x, Q, Qb, dL_dq_exact):
    return pull_back(q, (x, Q, Qb), 1, dL_dq_exact.T)


def dL_dQb_exact(x, Q, Qb, dL_dq_exact):
    return pull_back(q, (x, Q, Qb), 2, dL_dq_exact.T)


def dL_dK_exact(x, K, Kb, dL_dk_exact):
    return pull_back(k, (x, K, Kb), 1, dL_dk_exact.T)


def dL_dKb_exact(x, K, Kb, dL_dk_exact):
    return pull_back(k, (x, K, Kb), 2, dL_dk_exact.T)


def dL_dV_exact(x, V, Vb, dL_dv_exact):
    return pull_back(v, (x, V, Vb), 1, dL_dv_exact)


def dL_dVb_exact(x, V, Vb, dL_dv_exact):
    return pull_back(v, (x, V, Vb), 2, dL_dv_exact)


def gradient(x, y, Q, Qb, K, Kb, V, Vb, W, b):
    leaves = [parameter.detach().requires_grad_() for parameter in (Q, Qb, K, Kb, V, Vb, W, b)]
    return torch.autograd.grad(loss_at(x, y, leaves), leaves)


# The slope of the loss along four directions: in (Q, Qb), in (K, Kb), in (V, Vb) and in (W, b)


def loss_at(x, y, parameters):
    Q, Qb, K, Kb, V, Vb, W, b = parameters
    weights = alpha(e(q(x, Q, Qb), k(x, K, Kb)))
    return loss(p(pooled(f(z(v(x, V, Vb), weights), W, b))), y)


def slope_exact(
    dL_dQ_exact, dL_dQb_exact, dL_dK_exact, dL_dKb_exact, dL_dV_exact, dL_dVb_exact, dL_dW_exact, dL_db_exact,
    Q_step, Qb_step, K_step, Kb_step, V_step, Vb_step, W_step, b_step,
):  # fmt: skip
    return torch.stack([
        (dL_dQ_exact * Q_step).sum() + (dL_dQb_exact * Qb_step).sum(),
        (dL_dK_exact * K_step).sum() + (dL_dKb_exact * Kb_step).sum(),
        (dL_dV_exact * V_step).sum() + (dL_dVb_exact * Vb_step).sum(),
        (dL_dW_exact * W_step).sum() + (dL_db_exact * b_step).sum(),
    ])  # fmt: skip


def slope_differences(
    x, y, Q, Qb, K, Kb, V, Vb, W, b, Q_step, Qb_step, K_step, Kb_step, V_step, Vb_step, W_step, b_step
):
    parameters = [Q, Qb, K, Kb, V, Vb, W, b]
    steps = [Q_step, Qb_step, K_step, Kb_step, V_step, Vb_step, W_step, b_step]

    def moved(pair, by):
        there = list(parameters)
        for i in (2 * pair, 2 * pair + 1):
            there[i] = parameters[i] + by * steps[i]
        return loss_at(x, y, there)

    def slope(pair):
        near = moved(pair, STEP) - moved(pair, -STEP)
        far = moved(pair, 2 * STEP) - moved(pair, -2 * STEP)
        return (8 * near - far) / (12 * STEP)

    return torch.stack([slope(pair) for pair in range(4)])
