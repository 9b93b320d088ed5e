"""A small convolutional network by hand: bars and crosses, told apart."""
import numpy as np

SIDE, CLASSES, FILTERS, K = 8, 3, 4, 3


def picture(i):
    """0: upright bar, 1: level bar, 2: cross; moved about and not quite clean."""
    kind, where = i % CLASSES, 2 + (i * 5) % 4
    img = 0.15 * np.sin(np.arange(SIDE * SIDE) * (1.3 + 0.07 * i)).reshape(SIDE, SIDE)
    if kind in (0, 2):
        img[:, where] += 1
    if kind in (1, 2):
        img[where, :] += 1
    return img, kind


images, labels = map(np.array, zip(*[picture(i) for i in range(24)]))
train, test = slice(0, 18), slice(18, 24)
pixel_mean = images[train].mean()
pixel_std = images[train].std()
images = (images - pixel_mean) / pixel_std

kernels = 0.4 * np.cos(np.arange(FILTERS * K * K) * 0.9).reshape(FILTERS, K, K)
bias = np.zeros(FILTERS)
dense = 0.2 * np.sin(np.arange(FILTERS * 9 * CLASSES) * 1.7).reshape(FILTERS * 9, CLASSES)
offset = np.zeros(CLASSES)


def convolve(x, kernels, bias):
    n = len(x)
    size = SIDE - K + 1
    out = np.zeros((n, FILTERS, size, size))
    for r in range(size):
        for c in range(size):
            patch = x[:, r : r + K, c : c + K]
            out[:, :, r, c] = np.tensordot(patch, kernels, axes=([1, 2], [1, 2])) + bias
    return out


def pool(x):
    n, f, h, w = x.shape
    blocks = x.reshape(n, f, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, f, h // 2, w // 2, 4)
    return blocks.max(axis=-1), blocks.argmax(axis=-1)


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


LR, MOMENTUM, DECAY, EPOCHS = 0.1, 0.8, 0.01, 12
params = [kernels, bias, dense, offset]
moving = [np.zeros_like(p) for p in params]
losses = []
for epoch in range(EPOCHS):
    x, y = images[train], labels[train]
    n = len(x)
    # forward
    conv = convolve(x, kernels, bias)
    relu = np.maximum(conv, 0)
    pooled, which = pool(relu)
    flat = pooled.reshape(n, -1)
    scores = flat @ dense + offset
    probs = softmax(scores)
    loss = -np.log(probs[np.arange(n), y]).mean()
    losses.append(loss)
    # backward
    d_scores = probs.copy()
    d_scores[np.arange(n), y] -= 1
    d_scores /= n
    d_dense = flat.T @ d_scores
    d_offset = d_scores.sum(axis=0)
    d_pooled = (d_scores @ dense.T).reshape(pooled.shape)
    d_relu = np.zeros_like(relu)
    for r in range(pooled.shape[2]):
        for c in range(pooled.shape[3]):
            for q in range(4):
                hit = which[:, :, r, c] == q
                d_relu[:, :, 2 * r + q // 2, 2 * c + q % 2] = d_pooled[:, :, r, c] * hit
    d_conv = d_relu * (conv > 0)
    d_kernels = np.zeros_like(kernels)
    for r in range(K):
        for c in range(K):
            window = x[:, r : r + conv.shape[2], c : c + conv.shape[3]]
            d_kernels[:, r, c] = np.einsum("nfhw,nhw->f", d_conv, window)
    d_bias = d_conv.sum(axis=(0, 2, 3))
    grads = [d_kernels, d_bias, d_dense, d_offset]
    # momentum; weights decay, offsets do not
    for i, (p, g) in enumerate(zip(params, grads)):
        if i % 2 == 0:
            g = g + DECAY * p
        moving[i] = MOMENTUM * moving[i] + g
        p -= LR * moving[i]

final = softmax(pool(np.maximum(convolve(images[test], kernels, bias), 0))[0].reshape(6, -1) @ dense + offset)
accuracy = (final.argmax(axis=1) == labels[test]).mean()
entropy = -(final * np.log(final)).sum(axis=1)
norms = [np.sqrt((p**2).sum()) for p in params]

print("losses", " ".join(f"{v:.9f}" for v in losses))
print("norms", " ".join(f"{v:.9f}" for v in norms))
print("accuracy %.4f" % accuracy, "entropy", " ".join(f"{v:.8f}" for v in entropy))
print("first kernel", " ".join(f"{v:.8f}" for v in kernels[0].ravel()))
