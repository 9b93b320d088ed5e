import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)


def make_data(count=24, size=8):
    idx = torch.arange(count)
    pos = 2 + (idx * 5) % 4
    target = idx % 3
    phase = torch.arange(size * size).double() * (1.3 + 0.07 * idx[:, None].double())
    X = 0.15 * torch.sin(phase).view(count, 1, size, size)
    for i in range(count):
        if target[i] != 1:
            X[i, 0, :, pos[i]] += 1
        if target[i] != 0:
            X[i, 0, pos[i], :] += 1
    return X, target


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.fc = nn.Linear(36, 3)
        with torch.no_grad():
            self.conv.weight.copy_((0.4 * torch.cos(torch.arange(36.0) * 0.9)).view(4, 1, 3, 3))
            self.conv.bias.zero_()
            self.fc.weight.copy_((0.2 * torch.sin(torch.arange(108.0) * 1.7)).view(36, 3).t())
            self.fc.bias.zero_()

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv(x)), 2)
        return self.fc(x.flatten(1))


X, target = make_data()
X_train, X_test = X[:18], X[18:]
y_train, y_test = target[:18], target[18:]
mu = X_train.mean()
sigma = X_train.std(unbiased=False)
X_train = (X_train - mu) / sigma
X_test = (X_test - mu) / sigma

net = Net()
groups = [
    {"params": [net.conv.weight, net.fc.weight], "weight_decay": 0.01},
    {"params": [net.conv.bias, net.fc.bias], "weight_decay": 0.0},
]
optimizer = torch.optim.SGD(groups, lr=0.1, momentum=0.8)
criterion = nn.CrossEntropyLoss()
history = []
for epoch in range(12):
    optimizer.zero_grad()
    logits = net(X_train)
    value = criterion(logits, y_train)
    value.backward()
    optimizer.step()
    history.append(value.item())

with torch.no_grad():
    out = F.softmax(net(X_test), dim=1)
    hits = (out.argmax(1) == y_test).double().mean()
    H = -(out * out.log()).sum(1)
    size_of = [p.norm().item() for p in net.parameters()]
    first = net.conv.weight[0, 0].flatten()

print("losses", *[f"{v:.9f}" for v in history])
print("norms", *[f"{v:.9f}" for v in size_of])
print(f"accuracy {hits:.4f} entropy", *[f"{v:.8f}" for v in H])
print("first kernel", *[f"{v:.8f}" for v in first])
