import torch
from torch import nn

torch.set_default_dtype(torch.float64)

idx = torch.arange(120).reshape(40, 3)
features = torch.sin(0.37 * idx) + 0.1 * (idx % 7)
labels = (features[:, 0] * features[:, 1] + features[:, 2] > 0.3).double()

mean = features.mean(dim=0)
std = features.std(dim=0, unbiased=False)
inputs = (features - mean) / std


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 5)
        self.second = nn.Linear(5, 1)
        with torch.no_grad():
            self.first.weight.copy_(0.5 * torch.cos(torch.arange(15.0).reshape(3, 5)).T)
            self.first.bias.zero_()
            self.second.weight.copy_(0.5 * torch.sin(1 + torch.arange(5.0)).reshape(1, 5))
            self.second.bias.zero_()

    def forward(self, x):
        return self.second(torch.tanh(self.first(x))).squeeze(1)


net = Net()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.4)
weight_decay = 0.001
history = []

for epoch in range(30):
    optimizer.zero_grad()
    data_loss = criterion(net(inputs), labels)
    ridge = weight_decay * (net.first.weight.pow(2).sum() + net.second.weight.pow(2).sum())
    loss = data_loss + ridge
    history.append(loss.item())
    loss.backward()
    optimizer.step()

with torch.no_grad():
    p = torch.sigmoid(net(inputs))
predicted = (p > 0.5).double()
acc = (predicted == labels).double().mean().item()
tp = (predicted * labels).sum()
fp = (predicted * (1 - labels)).sum()
fn = ((1 - predicted) * labels).sum()
prec = (tp / (tp + fp)).item()
rec = (tp / (tp + fn)).item()
f_score = (2 * tp / (2 * tp + fp + fn)).item()
mse = ((p - labels) ** 2).mean().item()
out_w = net.second.weight.detach().flatten().tolist()

print("losses", history[0], history[10], history[-1])
print("weights", out_w)
print("accuracy", acc)
print("f1", prec, rec, f_score)
print("brier", mse)
