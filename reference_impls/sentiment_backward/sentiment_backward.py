"""The gradient of the sentiment loss: as published, and exact for the published forward pass.

Words are columns, except in the gradients of queries and keys, where the article has them as rows. Every
exact stage pulls a gradient back through one step of the forward pass: its arguments are that step's, and the
gradient of the step's result.
"""

import math

import numpy as np

STEP = 2.0**-5


def softmax(scores, axis):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


# The forward pass


def x(table, tokens):
    embeddings = table[tokens].T
    positions = np.arange(embeddings.shape[1], dtype=embeddings.dtype)
    return np.vstack([embeddings, positions])


def q(x, Q, Qb):
    return Q @ x + Qb


def k(x, K, Kb):
    return K @ x + Kb


def v(x, V, Vb):
    return V @ x + Vb


def e(q, k):
    return q.T @ k / math.sqrt(q.size)


def alpha(e):
    return softmax(e, axis=1)


def z(v, alpha):
    return v @ alpha.T


def f(z, W, b):
    return W @ z + b


def pooled(f):
    return f.sum(axis=1, keepdims=True) / f.shape[1]


def p(pooled):
    return softmax(pooled, axis=0)


def loss(p, y):
    return -(y * np.log(p)).sum()


# The published gradient


def dL_dp(p, y):
    return p - y


def dp_df(z):
    n = z.shape[1]
    return np.ones((1, n), dtype=z.dtype) / n


def dL_df(dL_dp, dp_df):
    return dL_dp @ dp_df


def dL_dW(dL_df, z):
    return dL_df @ z.T


def dL_db(dL_df):
    return dL_df.sum(axis=1, keepdims=True)


def dL_dz(dL_df, W):
    return W.T @ dL_df


def dalpha_de(alpha):
    first = alpha[:, 0]
    return np.diag(first) - np.outer(first, first)


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
    return dL_dq.T.sum(axis=1, keepdims=True)


def dL_dKb(dL_dk):
    return dL_dk.T.sum(axis=1, keepdims=True)


def dL_dVb(dL_dv):
    return dL_dv.sum(axis=1, keepdims=True)


# The exact gradient


def dL_dp_exact(pooled, y):
    return p(pooled) - y


def dL_df_exact(f, dL_dp_exact):
    n = f.shape[1]
    return np.repeat(dL_dp_exact / n, n, axis=1)


def dL_dW_exact(z, W, b, dL_df_exact):
    return dL_df_exact @ z.T


def dL_db_exact(z, W, b, dL_df_exact):
    return dL_df_exact.sum(axis=1, keepdims=True)


def dL_dz_exact(z, W, b, dL_df_exact):
    return W.T @ dL_df_exact


def dL_dalpha_exact(v, alpha, dL_dz_exact):
    return dL_dz_exact.T @ v


def dL_dv_exact(v, alpha, dL_dz_exact):
    return dL_dz_exact @ alpha


def dL_de_exact(e, dL_dalpha_exact):
    weights = alpha(e)
    mean = (weights * dL_dalpha_exact).sum(axis=1, keepdims=True)
    return weights * (dL_dalpha_exact - mean)


def dL_dq_exact(q, k, dL_de_exact):
    return dL_de_exact @ k.T / math.sqrt(q.size)


def dL_dk_exact(q, k, dL_de_exact):
    return dL_de_exact.T @ q.T / math.sqrt(q.size)


def dL_dQ_exact(x, Q, Qb, dL_dq_exact):
    return dL_dq_exact.T @ x.T


def dL_dQb_exact(x, Q, Qb, dL_dq_exact):
    return dL_dq_exact.T.sum(axis=1, keepdims=True)


def dL_dK_exact(x, K, Kb, dL_dk_exact):
    return dL_dk_exact.T @ x.T


def dL_dKb_exact(x, K, Kb, dL_dk_exact):
    return dL_dk_exact.T.sum(axis=1, keepdims=True)


def dL_dV_exact(x, V, Vb, dL_dv_exact):
    return dL_dv_exact @ x.T


def dL_dVb_exact(x, V, Vb, dL_dv_exact):
    return dL_dv_exact.sum(axis=1, keepdims=True)


def gradient(x, y, Q, Qb, K, Kb, V, Vb, W, b):
    queries, keys, values = q(x, Q, Qb), k(x, K, Kb), v(x, V, Vb)
    scores = e(queries, keys)
    weights = alpha(scores)
    context = z(values, weights)
    classes = f(context, W, b)
    to_f = dL_df_exact(classes, dL_dp_exact(pooled(classes), y))
    to_z = dL_dz_exact(context, W, b, to_f)
    to_v = dL_dv_exact(values, weights, to_z)
    to_e = dL_de_exact(scores, dL_dalpha_exact(values, weights, to_z))
    to_q, to_k = dL_dq_exact(queries, keys, to_e), dL_dk_exact(queries, keys, to_e)
    return (
        dL_dQ_exact(x, Q, Qb, to_q),
        dL_dQb_exact(x, Q, Qb, to_q),
        dL_dK_exact(x, K, Kb, to_k),
        dL_dKb_exact(x, K, Kb, to_k),
        dL_dV_exact(x, V, Vb, to_v),
        dL_dVb_exact(x, V, Vb, to_v),
        dL_dW_exact(context, W, b, to_f),
        dL_db_exact(context, W, b, to_f),
    )


# The slope of the loss along four directions: in (Q, Qb), in (K, Kb), in (V, Vb) and in (W, b)


def loss_at(x, y, parameters):
    Q, Qb, K, Kb, V, Vb, W, b = parameters
    weights = alpha(e(q(x, Q, Qb), k(x, K, Kb)))
    return loss(p(pooled(f(z(v(x, V, Vb), weights), W, b))), y)


def slope_exact(
    dL_dQ_exact, dL_dQb_exact, dL_dK_exact, dL_dKb_exact, dL_dV_exact, dL_dVb_exact, dL_dW_exact, dL_db_exact,
    Q_step, Qb_step, K_step, Kb_step, V_step, Vb_step, W_step, b_step,
):  # fmt: skip
    return np.stack([
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

    return np.stack([slope(pair) for pair in range(4)])
