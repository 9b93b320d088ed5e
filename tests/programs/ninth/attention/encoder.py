"""One attention block on short sentences, forward and one step of Adam for the head. NumPy only."""
import numpy as np

HEADS = 2
EPS = 1e-5
RATE, B1, B2 = 0.05, 0.9, 0.999


def load_weights(path):
    cells = {}
    with open(path) as handle:
        next(handle)
        for line in handle:
            name, i, j, value = line.strip().split(",")
            cells.setdefault(name, {})[int(i), int(j)] = float(value)
    weights = {}
    for name, entries in cells.items():
        shape = tuple(np.max(list(entries), axis=0) + 1)
        weights[name] = np.zeros(shape)
        for at, value in entries.items():
            weights[name][at] = value
    return weights


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layer_norm(x):
    mu = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return (x - mu) / np.sqrt(var + EPS)


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def positions(length, dim):
    table = np.zeros((length, dim))
    for pos in range(length):
        for i in range(0, dim, 2):
            angle = pos / 10000 ** (i / dim)
            table[pos, i] = np.sin(angle)
            table[pos, i + 1] = np.cos(angle)
    return table


def attend(x, w):
    dim = x.shape[1]
    size = dim // HEADS
    q, k, v = x @ w["query"], x @ w["key"], x @ w["value"]
    pieces, maps = [], []
    for h in range(HEADS):
        part = slice(h * size, (h + 1) * size)
        scores = q[:, part] @ k[:, part].T / np.sqrt(size)
        probs = softmax(scores)
        maps.append(probs)
        pieces.append(probs @ v[:, part])
    return np.concatenate(pieces, axis=1) @ w["out"], maps


def encode(tokens, w):
    x = w["embed"][tokens] + positions(len(tokens), w["embed"].shape[1])
    attended, maps = attend(layer_norm(x), w)
    x = x + attended
    x = x + gelu(layer_norm(x) @ w["up"]) @ w["down"]
    return x.mean(axis=0), maps


w = load_weights("weights.csv")
labels, sentences = [], []
for line in open("sentences.txt"):
    label, words = line.split("|")
    labels.append(int(label))
    sentences.append([int(t) for t in words.split()])
labels = np.array(labels)

pooled = []
entropy = 0.0
for tokens in sentences:
    vector, maps = encode(tokens, w)
    pooled.append(vector)
    entropy += np.mean([-(m * np.log(m)).sum(axis=1).mean() for m in maps])
pooled = np.array(pooled)
entropy /= len(sentences)

head = w["head"].copy()
m = np.zeros_like(head)
v = np.zeros_like(head)
losses = []
for step in range(1, 6):
    p = softmax(pooled @ head)
    losses.append(-np.log(p[np.arange(len(labels)), labels]).mean())
    delta = p.copy()
    delta[np.arange(len(labels)), labels] -= 1
    grad = pooled.T @ delta / len(labels)
    if step == 1:
        first_norm = np.sqrt((grad**2).sum())
    m = B1 * m + (1 - B1) * grad
    v = B2 * v + (1 - B2) * grad**2
    head -= RATE * (m / (1 - B1**step)) / (np.sqrt(v / (1 - B2**step)) + 1e-8)
final = softmax(pooled @ head)
hits = int((final.argmax(axis=1) == labels).sum())

print("pooled, first sentence:", np.round(pooled[0], 6))
print(f"mean attention entropy {entropy:.7f}")
print("losses", " ".join(f"{x:.7f}" for x in losses))
print(f"gradient norm {first_norm:.7f}, correct {hits}/{len(labels)}")
print("head after five steps\n", np.round(head, 6))
