"""Describe a value on a line of its own, for `harness.adoption.facts`; put in front of a program."""

from collections.abc import Callable
from typing import Any


def _harness_described(number: int, make: Callable[[], Any], most: int = 20000) -> None:
    import numbers
    import sys

    import numpy

    def kind_of(value: Any) -> tuple[str, Any, list[str]]:
        name, module = type(value).__name__, type(value).__module__.partition(".")[0]
        made: tuple[str, Any, list[str]] = ("other", None, [f"a {name}"])
        if module == "torch" and hasattr(value, "detach"):
            made = "tensor", value.detach().cpu().numpy(), [str(value.dtype)]
        elif module == "pandas" and name == "Series":
            plain = type(value.index).__name__ == "RangeIndex"
            made = "series", numpy.array(value.tolist()), [] if plain else [repr(key) for key in value.index]
        elif type(value) is numpy.ndarray:
            made = "array", value, []
        elif isinstance(value, str):
            made = "scalar", numpy.array(str(value)), ["str"]
        elif isinstance(value, (numbers.Number, numpy.generic)):
            made = "scalar", numpy.array(value), [module if module == "numpy" else name]
        elif isinstance(value, (list, tuple, range)):
            made = "tuple" if isinstance(value, tuple) else "list", numpy.array(value), []
        elif isinstance(value, dict) and value and all(map(is_number, value.values())):
            made = "dict", numpy.array(list(value.values())), [repr(key) for key in value]
        elif columns := frame(value):
            made = "frame", None, columns
        return made

    def is_number(value: Any) -> bool:
        return isinstance(value, (numbers.Number, numpy.generic))

    def frame(value: Any) -> list[str]:
        """The sort of a table and its columns; empty for anything else."""
        if type(value).__name__ == "DataFrame" and type(value.index).__name__ == "RangeIndex":
            names = list(value.columns)
            return ["DataFrame", *names] if all(isinstance(each, str) for each in names) else []
        if type(value) is dict and value and all(isinstance(each, str) for each in value):
            is_table = all(isinstance(each, (numpy.ndarray, list)) for each in value.values())
            return ["dict", *value] if is_table else []
        return []

    array: Any = None
    try:
        kind, array, more = kind_of(make())
        if array is not None and array.dtype.kind not in "fiubcU":
            kind, array, more = "other", None, [f"{kind} of objects"]
        if array is not None and array.size > most:
            kind, array, more = "large", None, [str(array.size)]
    except Exception:
        kind, array, more = "other", None, ["something that cannot be described"]
    letter = shape = text = ""
    if array is not None:
        flat = array.reshape(-1).tolist()
        letter = array.dtype.kind.replace("u", "i")
        shape = "x".join(str(size) for size in array.shape)
        if letter == "U":
            text = "\x1f".join(each.replace("\t", " ").replace("\n", " ") for each in flat)
        elif letter == "c":
            text = " ".join(f"{each.real!r} {each.imag!r}" for each in flat)
        else:
            text = " ".join(repr(int(each) if letter in "ib" else float(each)) for each in flat)
    fields = [str(number), kind, letter, shape, "\x1f".join(more), text]
    sys.stdout.write("\n\x1eadopt\t" + "\t".join(fields) + "\n")
