import math

import torch

torch.set_default_dtype(torch.float64)


def data():
    idx = torch.arange(24)
    x1 = (idx * 7).remainder(24) / 4 + 0.3 * torch.sin(idx.double())
    x2 = (idx * 11).remainder(24) / 5 + 0.2 * torch.cos(2 * idx.double())
    values = 18 + 4 * x1.sin() + 3 * (1.3 * x2).cos() + 0.8 * (17.0 * idx).sin()
    return torch.stack([x1, x2], dim=1), values


class Matern:
    def __init__(self, ell, amplitude):
        self.ell = ell
        self.amplitude = amplitude

    def __call__(self, a, b):
        diff = (a[:, None, :] - b[None, :, :]) / self.ell
        d = diff.pow(2).sum(-1).sqrt()
        s = math.sqrt(3.0) * d
        return self.amplitude**2 * (1.0 + s) * torch.exp(-s)


X, t = data()
shift = t.mean()
scale = t.std(unbiased=False)
target = (t - shift) / scale
n = X.shape[0]

kernel = Matern(ell=1.4, amplitude=1.1)
noise_var = 0.25**2
cov = kernel(X, X) + noise_var * torch.eye(n)
chol = torch.linalg.cholesky(cov)
weights = torch.cholesky_solve(target[:, None], chol)[:, 0]

fit = -0.5 * torch.dot(target, weights)
complexity = 0.5 * torch.logdet(cov)
evidence = fit - complexity - n / 2 * math.log(2 * math.pi)

# rows of the map from south to north, each from west to east
east = torch.linspace(0, 6, 5)
north = torch.linspace(0, 4.5, 4)
mapped = torch.cartesian_prod(north, east).flip(1)

cross = kernel(X, mapped)
pred = cross.T @ weights * scale + shift
v = torch.linalg.solve_triangular(chol, cross, upper=False)
pred_var = (kernel.amplitude**2 - v.pow(2).sum(dim=0)) * scale**2
width = 1.96 * (pred_var + noise_var * scale**2).sqrt()
exceed = int((pred - width > 15).sum())

# leave one out, each well predicted from the others
left = torch.empty(n)
left_var = torch.empty(n)
for i in range(n):
    keep = torch.arange(n) != i
    c = cov[keep][:, keep]
    k = cov[i, keep]
    sol = torch.linalg.solve(c, k)
    left[i] = sol @ target[keep]
    left_var[i] = cov[i, i] - sol @ k
std_res = (target - left) / left_var.sqrt()
mse = ((target - left) * scale).square().mean()
gain = 1 - mse / t.var(unbiased=False)

print("lml", evidence.item())
print("mean", *[round(p, 8) for p in pred.tolist()])
print("half", *[round(p, 8) for p in width.tolist()])
print("z", *[round(p, 8) for p in std_res.tolist()])
print("press", mse.item(), "q2", gain.item())
print("above", exceed)
