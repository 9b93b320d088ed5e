"""Largest errors that others published, in units in the last place, by function, precision and source."""

from __future__ import annotations

from collections.abc import Mapping

_GLIBC = {
    # The GNU C Library's manual, "Known Maximum Errors in Math Functions", x86_64: float32, float64.
    "exp": (1, 1),
    "exp2": (1, 1),
    "expm1": (1, 1),
    "log": (1, 1),
    "log2": (1, 2),
    "log10": (2, 2),
    "log1p": (1, 1),
    "cbrt": (1, 4),
    "sin": (1, 1),
    "cos": (1, 1),
    "tan": (1, 0),
    "arcsin": (1, 1),
    "arccos": (1, 1),
    "arctan": (1, 1),
    "sinh": (2, 2),
    "cosh": (2, 2),
    "tanh": (2, 2),
    "arcsinh": (2, 2),
    "arccosh": (2, 2),
    "arctanh": (2, 2),
    "erf": (1, 1),
    "erfc": (3, 5),
    "gamma": (8, 9),
    "gammaln": (7, 4),
    "arctan2": (2, 0),
    "hypot": (1, 1),
    "power": (1, 1),
}

_NUMPY_FLOAT32 = {"exp": 2.52, "log": 3.83, "sin": 1.49, "cos": 1.49}
"""The descriptions of numpy/numpy#13134 and #13368, of its own AVX2 and AVX-512 versions."""

_NUMPY_FLOAT16 = {
    # The description of numpy/numpy#23351, of the AVX512-FP16 versions.
    "arccos": 2.535,
    "arccosh": 2.086,
    "arcsin": 3.055,
    "arcsinh": 1.506,
    "arctan": 2.605,
    "arctanh": 1.875,
    "cbrt": 1.57,
    "cos": 1.428,
    "cosh": 1.326,
    "exp2": 1.331,
    "exp": 1.273,
    "expm1": 0.5294,
    "log": 1.8,
    "log10": 1.27,
    "log1p": 1.882,
    "log2": 1.797,
    "sin": 1.875,
    "sinh": 2.049,
    "tan": 2.264,
    "tanh": 3.0,
}

_GLADMAN = {"sin": 0.516, "cos": 0.516, "arctan2": 0.524, "hypot": 0.792, "sqrt": 0.5}
"""Gladman, Innocente, Mather, Ozaki and Zimmermann, August 2026: GNU libc 2.44, float64."""


def published(function: str, precision: str) -> Mapping[str, float]:
    """What is known of a function, by its source."""
    errors: dict[str, float] = {}
    if function in _GLIBC and precision in ("float32", "float64"):
        # 0 stands for less than one.
        errors["glibc_manual"] = float(_GLIBC[function][precision == "float64"])
    for name, source, of in (
        ("numpy_simd", _NUMPY_FLOAT32, "float32"),
        ("numpy_fp16", _NUMPY_FLOAT16, "float16"),
        ("gladman_glibc", _GLADMAN, "float64"),
    ):
        if precision == of and function in source:
            errors[name] = source[function]
    return errors
