# latent factors with PyTorch: modules, autograd, SGD with a schedule
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
n_users, n_items, dim = 14, 9, 3

uu, ii = torch.meshgrid(torch.arange(n_users), torch.arange(n_items), indexing="ij")
rated = (5 * uu + 3 * ii) % 8 < 5
signal = 3.1 + 1.2 * torch.sin(0.9 * uu + 0.2) * torch.cos(1.3 * ii)
signal = signal + 0.6 * torch.sin(2.1 * ii) + 0.3 * torch.cos(uu.to(torch.float64))
table = (2 * signal).round().div(2).clamp(1.0, 5.0)
pairs = rated.nonzero()
r = table[rated]
is_test = torch.arange(len(r)) % 6 == 4
train_x, train_r = pairs[~is_test], r[~is_test]
test_x, test_r = pairs[is_test], r[is_test]


class Factors(nn.Module):
    def __init__(self, centre):
        super().__init__()
        self.centre = centre
        a = torch.arange(1, n_users + 1).unsqueeze(1) * (torch.arange(dim) + 1.7)
        b = torch.arange(1, n_items + 1).unsqueeze(1) * (torch.arange(dim) + 0.6)
        self.users = nn.Parameter(0.3 * torch.sin(a))
        self.items = nn.Parameter(0.3 * torch.cos(b))
        self.bu = nn.Parameter(torch.zeros(n_users))
        self.bi = nn.Parameter(torch.zeros(n_items))

    def forward(self, x):
        u, i = x[:, 0], x[:, 1]
        dots = torch.einsum("nd,nd->n", self.users[u], self.items[i])
        return self.centre + self.bu[u] + self.bi[i] + dots

    def ridge(self):
        return self.users.pow(2).mean() + self.items.pow(2).mean()


mu = train_r.mean()
model = Factors(mu)
optimiser = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.8)
schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: 1 / (1 + 0.02 * step))
criterion = nn.MSELoss()
reg = 0.05
trace = []
for step in range(60):
    optimiser.zero_grad()
    objective = criterion(model(train_x), train_r) + reg * model.ridge()
    objective.backward()
    optimiser.step()
    schedule.step()
    trace.append(objective.item())

with torch.no_grad():
    mse_train = criterion(model(train_x), train_r)
    guess = model(test_x)
    mse_test = criterion(guess, test_r)
    mae = nn.functional.l1_loss(guess, test_r)
    var0 = (test_r - mu).square().mean()
    r2 = 1 - mse_test / var0
    full = model(torch.cartesian_prod(torch.arange(n_users), torch.arange(n_items))).view(n_users, n_items)
    candidates = full.masked_fill(rated, float("-inf"))
    pick = candidates.max(dim=1).indices
    cosine = nn.functional.cosine_similarity(model.items[:, None, :], model.items[None, :, :], dim=2)
    nearest = (cosine - 2 * torch.eye(n_items)).max(dim=1).indices
    ranking = full.mean(dim=0).argsort(descending=True)
    user_bias, item_bias = model.bu.detach(), model.bi.detach()

rmse_train, rmse, rmse0 = (math.sqrt(v) for v in (mse_train, mse_test, var0))

torch.set_printoptions(precision=12, linewidth=200)
print("mean", mu.item(), "loss", trace[0], trace[-1])
print("biases", user_bias[:4].tolist(), item_bias[:4].tolist())
print("rmse", rmse_train, rmse, mae.item(), rmse0, r2.item())
print("offer", pick.tolist())
print("twin", nearest.tolist(), cosine[0, 1:4].tolist())
print("popular", ranking.tolist())
