"""Was it dry, changeable or wet? A hidden Markov model of who came with an umbrella, and one round of Baum and Welch."""
import numpy as np

states = ["dry", "changeable", "wet"]
symbols = ["none", "folded", "open"]
pi = np.array([0.5, 0.3, 0.2])
A = np.array([[0.70, 0.25, 0.05],
              [0.20, 0.60, 0.20],
              [0.10, 0.35, 0.55]])
B = np.array([[0.80, 0.18, 0.02],
              [0.30, 0.55, 0.15],
              [0.05, 0.25, 0.70]])
seen = np.array([(3 * t * t + t // 4 + t) % 7 % 3 for t in range(30)])
T = len(seen)


def forward(pi, A, B, seen):
    """Scaled forward probabilities."""
    alpha = np.zeros((T, len(pi)))
    scale = np.zeros(T)
    for t in range(T):
        alpha[t] = pi * B[:, seen[0]] if t == 0 else (alpha[t - 1] @ A) * B[:, seen[t]]
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    return alpha, scale


def backward(A, B, seen, scale):
    beta = np.ones((T, len(A)))
    for t in range(T - 2, -1, -1):
        beta[t] = A @ (B[:, seen[t + 1]] * beta[t + 1]) / scale[t + 1]
    return beta


def viterbi(pi, A, B, seen):
    best = np.log(pi) + np.log(B[:, seen[0]])
    came_from = []
    for symbol in seen[1:]:
        ways = best[:, None] + np.log(A)
        came_from.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + np.log(B[:, symbol])
    path = [int(best.argmax())]
    for back in reversed(came_from):
        path.append(int(back[path[-1]]))
    return path[::-1], best.max()


alpha, scale = forward(pi, A, B, seen)
loglik = np.log(scale).sum()
beta = backward(A, B, seen, scale)
gamma = alpha * beta
path, path_score = viterbi(pi, A, B, seen)
agree = np.mean(gamma.argmax(axis=1) == path)
expected_days = gamma.sum(axis=0)

# one round of Baum and Welch
xi = np.zeros((3, 3))
for t in range(T - 1):
    xi += alpha[t][:, None] * A * B[:, seen[t + 1]] * beta[t + 1] / scale[t + 1]
new_A = xi / xi.sum(axis=1, keepdims=True)
new_B = np.column_stack([gamma[seen == s].sum(axis=0) for s in range(3)])
new_B /= new_B.sum(axis=1, keepdims=True)
new_pi = gamma[0]
better = np.log(forward(new_pi, new_A, new_B, seen)[1]).sum()

# tomorrow, and in the long run
tomorrow = alpha[-1] @ A @ B
values, vectors = np.linalg.eig(A.T)
stationary = np.real(vectors[:, np.argmin(abs(values - 1))])
stationary /= stationary.sum()
aic = 2 * (2 + 6 + 6) - 2 * loglik

print("log-likelihood %.9f, after one round %.9f" % (loglik, better))
print("path", "".join(states[s][0] for s in path), "%.9f" % path_score, "agree %.6f" % agree)
print("days", np.round(expected_days, 8))
print("A", np.round(new_A, 8).tolist())
print("B", np.round(new_B, 8).tolist())
print("pi", np.round(new_pi, 8))
print("tomorrow", np.round(tomorrow, 8), "long run", np.round(stationary, 8))
print("AIC %.8f" % aic)
