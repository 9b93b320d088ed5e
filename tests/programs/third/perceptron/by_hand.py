"""A small network for two classes, gradients by hand."""

import numpy as np

N, D, H = 40, 3, 5
grid = np.arange(N * D).reshape(N, D)
X = np.sin(0.37 * grid) + 0.1 * (grid % 7)
target = ((X[:, 0] * X[:, 1] + X[:, 2]) > 0.3).astype(float)

center = X.mean(axis=0)
width = X.std(axis=0)
Z = (X - center) / width

W1 = 0.5 * np.cos(np.arange(D * H).reshape(D, H))
b1 = np.zeros(H)
w2 = 0.5 * np.sin(1 + np.arange(H))
b2 = 0.0
rate = 0.4
decay = 0.001
losses = []


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


for epoch in range(30):
    hidden = np.tanh(Z @ W1 + b1)
    prob = sigmoid(hidden @ w2 + b2)
    entropy = -np.mean(target * np.log(prob) + (1 - target) * np.log(1 - prob))
    penalty = decay * (np.sum(W1**2) + np.sum(w2**2))
    losses.append(entropy + penalty)

    d_out = (prob - target) / N
    g_w2 = hidden.T @ d_out + 2 * decay * w2
    g_b2 = d_out.sum()
    d_hidden = np.outer(d_out, w2) * (1 - hidden**2)
    g_W1 = Z.T @ d_hidden + 2 * decay * W1
    g_b1 = d_hidden.sum(axis=0)

    W1 = W1 - rate * g_W1
    b1 = b1 - rate * g_b1
    w2 = w2 - rate * g_w2
    b2 = b2 - rate * g_b2

final = sigmoid(np.tanh(Z @ W1 + b1) @ w2 + b2)
guess = final > 0.5
accuracy = np.mean(guess == (target == 1))
true_pos = np.sum(guess & (target == 1))
precision = true_pos / np.sum(guess)
recall = true_pos / np.sum(target)
f1 = 2 * precision * recall / (precision + recall)
brier = np.mean((final - target) ** 2)

print("losses", losses[0], losses[10], losses[-1])
print("weights", w2)
print("accuracy", accuracy)
print("f1", precision, recall, f1)
print("brier", brier)
