"""Writes libtorch.txt: tensors in libtorch's own print, which TorchScript uses and R's torch shares."""

from __future__ import annotations

import torch


@torch.jit.script
def show(name: str, x: torch.Tensor) -> None:
    print("%% " + name)
    print(x)


torch.manual_seed(1)
x = torch.rand(2, 3, 4)
y = torch.rand(2, 30)
print("%% torch", torch.__version__)
show("cube", x)
show("cube narrow_scale", x * 1e-3)
show("matrix", x[0])
show("wide", y)
show("wide scaled", y * 1e-4)
show("wide cube", torch.stack([y, y]))
show("vector", x[0, 0])
show("sci", torch.tensor([[1.0, 1e5], [3e-3, 4.0]]))
show("integers", torch.arange(3))
show("scalar", torch.tensor(0.5148857235908508))
show("special", torch.tensor([[1.0, float("nan")], [float("inf"), -float("inf")]]))
