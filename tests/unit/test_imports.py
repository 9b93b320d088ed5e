"""Every module can be imported where no runtime is installed, nor what only an extra brings."""

from __future__ import annotations

import json
import subprocess
import sys

RUNTIMES = ("torch", "rpy2", "juliacall", "jax", "jaxlib", "onnx", "onnxruntime")
OF_EXTRAS = ("numba", "llvmlite", "pyarrow", "matplotlib", "pandas", "distributed", "dask")
IMPORT_ALL = """
import importlib, json, pkgutil, sys
sys.modules.update(dict.fromkeys(json.loads(sys.argv[1])))
import harness
missing = {}
for module in pkgutil.walk_packages(harness.__path__, "harness."):
    if not module.name.endswith(".__main__"):
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            missing[module.name] = error.name
print(json.dumps(missing))
"""


def test_modules_need_no_runtime() -> None:
    absent = json.dumps([*RUNTIMES, *OF_EXTRAS])
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, absent], capture_output=True, text=True, check=True, timeout=120
    )
    missing: dict[str, str] = json.loads(done.stdout)
    packages = {(name.split(".")[1], absent_name) for name, absent_name in missing.items()}
    # What these two are is to be found out before they are imported.
    assert packages == {("cluster", "distributed"), ("numerics", "numba"), ("numerics", "llvmlite")}
    assert all(name.startswith(("harness.cluster.", "harness.numerics.compiled.")) for name in missing)
