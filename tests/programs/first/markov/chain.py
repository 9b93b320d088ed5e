# Stationary distribution, absorption and simulation of a small weather chain
import numpy as np

states = ["sunny", "cloudy", "rainy", "snowy"]
observed = "SSCRSCCRRNSSSCRNNCSSRRCSCSNRCSSCRRSC"
codes = {"S": 0, "C": 1, "R": 2, "N": 3}
seq = [codes[ch] for ch in observed]


def count_transitions(seq, n_states):
    counts = np.zeros((n_states, n_states))
    for i, j in zip(seq[:-1], seq[1:]):
        counts[i, j] += 1
    return counts


counts = count_transitions(seq, 4)
smoothed = counts + 0.5
P = smoothed / smoothed.sum(axis=1, keepdims=True)

# stationary distribution from the left eigenvector
w, v = np.linalg.eig(P.T)
lead = np.argmin(np.abs(w - 1))
pi = np.real(v[:, lead])
pi = pi / pi.sum()

entropy_rate = -np.sum(pi[:, None] * P * np.log2(P))

# expected time until rain
others = [0, 1, 3]
Q = P[np.ix_(others, others)]
N = np.linalg.inv(np.eye(3) - Q)
hitting = N.sum(axis=1)

ll = np.sum(counts * np.log(P))
n_par = 4 * 3
bic = n_par * np.log(len(seq) - 1) - 2 * ll

P5 = np.linalg.matrix_power(P, 5)
start = np.array([1.0, 0, 0, 0])
after5 = start @ P5
tv = 0.5 * np.abs(after5 - pi).sum()

print("stationary", dict(zip(states, pi.round(4))))
print("entropy rate", entropy_rate)
print("hitting times", hitting)
print("BIC", bic)
print("after five days", after5, "distance", tv)
