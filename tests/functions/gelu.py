"""The error of the erf inside PyTorch's functional.gelu, which is one kernel with an erf of its own."""

from __future__ import annotations

import math

import numpy as np
from flint import arb

from harness.oracle.balls import precision

COUNT = 400_000


def erf_in_gelu(seed: int) -> float:
    """How far it is off at most in float32, in units in the last place of erf(x / √2).

    x is between 0.5 and 6 in magnitude, half of it between -4.5 and -2.5: there the sum 1 + erf cancels, and
    nearer to 0 the product with x is rounded by more than erf is.
    """
    import torch

    rng = np.random.default_rng(seed)
    halves = rng.uniform(-6.0, 6.0, COUNT // 2), rng.uniform(-4.5, -2.5, COUNT // 2)
    x = np.concatenate(halves).astype(np.float32)
    x = x[np.abs(x) > 0.5]
    computed = torch.nn.functional.gelu(torch.from_numpy(x)).numpy().astype(np.float64)
    with precision(120):
        scaled = [arb(number) / arb(2).sqrt() for number in x.tolist()]
        true = np.array(
            [float(arb(number) * (-z).erfc() / 2) for number, z in zip(x.tolist(), scaled, strict=True)]
        )
    units = np.spacing(np.array([abs(math.erf(float(z))) for z in scaled], dtype=np.float32))
    return float(np.max(2.0 * np.abs(computed - true) / np.abs(x.astype(np.float64)) / units))


if __name__ == "__main__":
    print(erf_in_gelu(20261121))
