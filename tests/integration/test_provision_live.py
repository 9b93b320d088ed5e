"""What is said to be found can be used, in a process started as the Provision says."""

from __future__ import annotations

import os
import subprocess
import sys

import msgspec
import pytest

from harness.runtimes import doctor
from harness.runtimes.provision.julia import find_julia
from harness.runtimes.provision.provision import Provision
from harness.runtimes.provision.r import find_r
from harness.runtimes.provision.torch import find_torch


def output(provision: Provision, script: str) -> str:
    if not provision.available:
        pytest.skip(f"{provision.runtime}: {provision.reason}")
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **provision.env},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[-2]


@pytest.mark.r
def test_r_computes_in_a_child() -> None:
    provision = find_r()
    script = "import rpy2.robjects as r; print(r.r('paste(getRversion(), sum(matrix(1:4, 2) %*% 1:2))')[0])"
    assert output(provision, script) == f"{provision.version} 17"


@pytest.mark.julia
def test_julia_computes_in_a_child() -> None:
    provision = find_julia()
    if provision.hosting == "process":
        pytest.skip(f"julia: {provision.reason}")
    # What is called once is interpreted in a second, and compiled in ten.
    provision = msgspec.structs.replace(provision, env={**provision.env, "PYTHON_JULIACALL_COMPILE": "min"})
    script = (
        "import juliacall; print(juliacall.Main.seval('string(VERSION, \" \", sum([1 3; 2 4] * [1, 2]))'))"
    )
    assert output(provision, script) == f"{provision.version} 17"


@pytest.mark.torch
def test_torch_computes_in_a_child() -> None:
    provision = find_torch()
    script = (
        "import torch; product = torch.tensor([[1, 3], [2, 4]]) @ torch.tensor([1, 2]);"
        "print(torch.__version__.partition('+')[0], int(product.sum()))"
    )
    # PyPI's wheel calls itself 2.13.0, and its module 2.13.0+cu130.
    assert output(provision, script) == f"{(provision.version or '').partition('+')[0]} 17"


def test_a_second_look_finds_the_same_and_imports_nothing() -> None:
    assert doctor.check() == doctor.check()
    script = (
        "import sys; from harness.runtimes import doctor; doctor.check();"
        "print(sorted({'rpy2', 'juliacall', 'juliapkg', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
