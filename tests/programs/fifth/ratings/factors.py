"""Matrix factorisation of film ratings; gradients written out."""
import numpy as np

USERS, FILMS, RANK = 14, 9, 3
LEARNING_RATE, MOMENTUM, PENALTY = 0.04, 0.8, 0.05
EPOCHS = 60

# who rated what: every (u, i) but some, on a scale of 1 to 5 in halves
user, film, stars = [], [], []
for u in range(USERS):
    for i in range(FILMS):
        if (5 * u + 3 * i) % 8 < 5:
            taste = 3.1 + 1.2 * np.sin(0.9 * u + 0.2) * np.cos(1.3 * i) + 0.6 * np.sin(2.1 * i) + 0.3 * np.cos(u)
            user.append(u)
            film.append(i)
            stars.append(np.clip(np.round(2 * taste) / 2, 1, 5))
user, film, stars = np.array(user), np.array(film), np.array(stars)
held = np.arange(len(stars)) % 6 == 4
u_fit, i_fit, y_fit = user[~held], film[~held], stars[~held]
u_test, i_test, y_test = user[held], film[held], stars[held]
mean = y_fit.mean()

P = 0.3 * np.sin(np.outer(np.arange(USERS) + 1, np.arange(RANK) + 1.7))
Q = 0.3 * np.cos(np.outer(np.arange(FILMS) + 1, np.arange(RANK) + 0.6))
bias_u = np.zeros(USERS)
bias_i = np.zeros(FILMS)


def predict(u, i):
    return mean + bias_u[u] + bias_i[i] + (P[u] * Q[i]).sum(axis=1)


speed = {"P": np.zeros_like(P), "Q": np.zeros_like(Q), "u": np.zeros_like(bias_u), "i": np.zeros_like(bias_i)}
losses = []
for epoch in range(EPOCHS):
    error = predict(u_fit, i_fit) - y_fit
    n = len(error)
    loss = (error**2).sum() / n + PENALTY * ((P**2).mean() + (Q**2).mean())
    losses.append(loss)

    grad_P = 2 * PENALTY * P / P.size
    grad_Q = 2 * PENALTY * Q / Q.size
    np.add.at(grad_P, u_fit, 2 * error[:, None] * Q[i_fit] / n)
    np.add.at(grad_Q, i_fit, 2 * error[:, None] * P[u_fit] / n)
    grad_u = np.bincount(u_fit, weights=2 * error / n, minlength=USERS)
    grad_i = np.bincount(i_fit, weights=2 * error / n, minlength=FILMS)

    rate = LEARNING_RATE * 10 / (1 + 0.02 * epoch)
    for key, value, grad in (("P", P, grad_P), ("Q", Q, grad_Q), ("u", bias_u, grad_u), ("i", bias_i, grad_i)):
        speed[key] = MOMENTUM * speed[key] + grad
        value -= rate * speed[key]

fitted = predict(u_fit, i_fit)
forecast = predict(u_test, i_test)
rmse_fit = np.sqrt(np.mean((fitted - y_fit) ** 2))
rmse_test = np.sqrt(np.mean((forecast - y_test) ** 2))
mae_test = np.mean(np.abs(forecast - y_test))
naive = np.sqrt(np.mean((mean - y_test) ** 2))
explained = 1 - rmse_test**2 / naive**2

scores = mean + bias_u[:, None] + bias_i[None, :] + P @ Q.T
seen = np.zeros((USERS, FILMS), dtype=bool)
seen[user, film] = True
open_scores = np.where(seen, -np.inf, scores)
offer = open_scores.argmax(axis=1)
unit = Q / np.linalg.norm(Q, axis=1, keepdims=True)
likeness = unit @ unit.T
twin = (likeness - 2 * np.eye(FILMS)).argmax(axis=1)
popular = np.argsort(-scores.mean(axis=0), kind="stable")

np.set_printoptions(precision=12)
print("mean", mean, "loss", losses[0], losses[-1])
print("biases", bias_u[:4], bias_i[:4])
print("rmse", rmse_fit, rmse_test, mae_test, naive, explained)
print("offer", offer)
print("twin", twin, likeness[0, 1:4])
print("popular", popular)
