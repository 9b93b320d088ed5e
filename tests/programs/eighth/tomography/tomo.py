import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
n = 32
n_angles = 30

# A, a, b, x0, y0, phi
spec = torch.tensor([
    [1.0, 0.69, 0.92, 0, 0, 0],
    [-0.8, 0.6624, 0.8740, 0, -0.0184, 0],
    [-0.2, 0.1100, 0.3100, 0.22, 0, -18],
    [-0.2, 0.1600, 0.4100, -0.22, 0, 18],
    [0.1, 0.2100, 0.2500, 0, 0.35, 0],
    [0.1, 0.0460, 0.0460, 0, 0.1, 0],
    [0.1, 0.0460, 0.0460, 0, -0.1, 0],
    [0.1, 0.0460, 0.0230, -0.08, -0.605, 0],
    [0.1, 0.0230, 0.0230, 0, -0.606, 0],
    [0.1, 0.0230, 0.0460, 0.06, -0.605, 0],
])
coords = torch.linspace(-1, 1, n)
Y, X = torch.meshgrid(coords.flip(0), coords, indexing="ij")
dx = X[None] - spec[:, 3, None, None]
dy = Y[None] - spec[:, 4, None, None]
rot = torch.deg2rad(spec[:, 5])[:, None, None]
along = (dx * rot.cos() + dy * rot.sin()) / spec[:, 1, None, None]
across = (dy * rot.cos() - dx * rot.sin()) / spec[:, 2, None, None]
mask = (along**2 + across**2 <= 1).double()
image = torch.einsum("e,eij->ij", spec[:, 0], mask)

thetas = torch.linspace(0, math.pi, n_angles + 1)[:-1]
cos, sin = thetas.cos(), thetas.sin()
zero = torch.zeros_like(cos)
affine = torch.stack([torch.stack([cos, -sin, zero], -1), torch.stack([sin, cos, zero], -1)], -2)
grid = F.affine_grid(affine, [n_angles, 1, n, n], align_corners=True)


class Projector(torch.nn.Module):
    def forward(self, img):
        stack = img.expand(n_angles, 1, n, n)
        rotated = F.grid_sample(stack, grid, mode="bilinear", padding_mode="zeros", align_corners=True)
        return rotated.sum(dim=2).squeeze(1)

    def adjoint(self, sino):
        probe = torch.zeros(n, n, requires_grad=True)
        (g,) = torch.autograd.grad((self(probe) * sino).sum(), probe)
        return g


radon = Projector()
sino = radon(image)
photons = 50000 * torch.exp(-0.1 * sino)
noisy = 10 * (math.log(50000) - torch.log(photons.floor()))

# ramp filter in frequency space, from the kernel in space
size = 2 * n
h = torch.zeros(size)
h[0] = 0.25
odd = torch.arange(1, n, 2)
h[odd] = -1 / (math.pi * odd) ** 2
h[-odd] = h[odd]
ramp = torch.fft.rfft(h)
spectrum = torch.fft.rfft(noisy, n=size, dim=1)
q = torch.fft.irfft(spectrum * ramp, n=size, dim=1)[:, :n]
recon = radon.adjoint(q) * math.pi / n_angles
recon[X**2 + Y**2 > 1] = 0

v = torch.ones(n, n)
for _ in range(40):
    v = radon.adjoint(radon(v))
    lipschitz = v.norm()
    v /= lipschitz

est = torch.zeros(n, n, requires_grad=True)
optimizer = torch.optim.SGD([est], lr=1 / lipschitz.item())
losses = []
for epoch in range(60):
    optimizer.zero_grad()
    loss = F.mse_loss(radon(est), noisy, reduction="sum") / 2
    loss.backward()
    losses.append(loss.item())
    optimizer.step()
    with torch.no_grad():
        est.clamp_(min=0)
result = est.detach()

mse = F.mse_loss(result, image)
print("total %.6f sinogram %.6f %.6f photons %.4f" % (image.sum(), sino.max(), sino.norm(), photons.min()))
print("filter %.7f FBP %.7f centre %.7f" % (q.abs().max(), F.mse_loss(recon, image).sqrt(), recon[16, 16]))
print("L %.5f loss %.6f %.6f %.6f" % (lipschitz, losses[0], losses[10], losses[59]))
print("result %.7f psnr %.6f centre %.7f" % (mse.sqrt(), 10 * torch.log10(image.max() ** 2 / mse), result[16, 16]))
