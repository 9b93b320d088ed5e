"""A small network trained by hand-written gradients."""
import numpy as np

X = np.array([[0.1, 0.9, -0.3], [0.7, -0.2, 0.5], [-0.6, 0.4, 0.8], [0.3, 0.3, -0.9], [-0.8, -0.5, 0.2]])
y = np.array([0, 1, 1, 0, 2])
W1 = np.array([[0.21, -0.33, 0.14, 0.05], [0.42, 0.11, -0.27, 0.36], [-0.15, 0.24, 0.31, -0.08]])
b1 = np.zeros(4)
W2 = np.array([[0.12, -0.22, 0.31], [0.27, 0.18, -0.14], [-0.35, 0.07, 0.23], [0.16, -0.29, 0.02]])
b2 = np.zeros(3)
lr = 0.3
reg = 0.01


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def forward(X, W1, b1, W2, b2):
    hidden = np.tanh(X @ W1 + b1)
    probs = softmax(hidden @ W2 + b2)
    return hidden, probs


def loss_fn(probs, y, W1, W2):
    nll = -np.log(probs[np.arange(len(y)), y]).mean()
    return nll + 0.5 * reg * ((W1 ** 2).sum() + (W2 ** 2).sum())


losses = []
for epoch in range(40):
    hidden, probs = forward(X, W1, b1, W2, b2)
    losses.append(loss_fn(probs, y, W1, W2))
    delta = probs.copy()
    delta[np.arange(len(y)), y] -= 1
    delta /= len(y)
    dW2 = hidden.T @ delta + reg * W2
    db2 = delta.sum(axis=0)
    dh = (delta @ W2.T) * (1 - hidden ** 2)
    dW1 = X.T @ dh + reg * W1
    db1 = dh.sum(axis=0)
    W1 = W1 - lr * dW1
    b1 = b1 - lr * db1
    W2 = W2 - lr * dW2
    b2 = b2 - lr * db2

_, final = forward(X, W1, b1, W2, b2)
predicted = final.argmax(axis=1)
accuracy = (predicted == y).mean()
confidence = final.max(axis=1)
norm = np.sqrt((W1 ** 2).sum())

print("loss", losses[0], losses[-1])
print("predicted", predicted, "accuracy", accuracy)
print("confidence", confidence)
print("norm", norm)
