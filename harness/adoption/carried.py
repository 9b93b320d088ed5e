"""How a value leaves a stage's function as an array, and comes into the next as what the program has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.adoption.facts import Fact
from harness.adoption.relations import Relation
from harness.model import Given

_MOST_NAMES = 60
CARRIED: Mapping[str, frozenset[str]] = {
    "numpy": frozenset({"array", "scalar", "list", "tuple", "dict", "series", "tensor"}),
    "torch": frozenset({"array", "scalar", "list", "tuple", "dict", "series", "tensor"}),
    "r": frozenset({"array", "scalar", "table"}),
    "julia": frozenset({"array", "scalar", "tuple", "nested", "tuples"}),
}
"""Kinds of values that can come into a function; others only leave it."""


def is_carried(runtime: str, fact: Fact) -> bool:
    """Whether a value can be made again of its array."""
    return fact.array is not None and fact.kind in CARRIED[runtime] and len(fact.more) <= _MOST_NAMES


def given_of(fact: Fact) -> Given:
    """As what a function in Python is given it."""
    if fact.kind == "scalar" and fact.more != ("numpy",):
        return "scalar"
    is_flat = fact.array is not None and fact.array.ndim == 1
    return "list" if fact.kind == "list" and is_flat else ""


def leaving(runtime: str, fact: Fact, relation: Relation, written: str) -> str:
    """The expression that a function returns, in the reference's layout."""
    match runtime:
        case "r":
            return _laid_in_r(relation, _plain_in_r(fact, written))
        case "julia":
            return _laid_in_julia(relation, _plain_in_julia(fact, written))
        case _:
            return _laid_in_python(runtime, relation, _plain_in_python(runtime, fact, written))


def coming(runtime: str, fact: Fact, relation: Relation, name: str, kind: str, given: Given) -> list[str]:
    """The lines that make a program's own value of what its function is given.

    Parameters
    ----------
    runtime : str
        That of the program.
    fact : Fact
        What the value is to it.
    relation : Relation
        How it lies to the reference's.
    name : str
        The variable.
    kind : str
        The dtype's letter of the reference's array.
    given : str
        As what a function in Python is given it.
    """
    back = Relation(
        kind=relation.kind,
        own=relation.shape,
        shape=relation.own,
        order=relation.order,
        shift=-relation.shift,
    )
    match runtime:
        case "r":
            lines = _assigned(name, _laid_in_r(back, name), " <- ")
            return [*lines, *_own_in_r(fact, name, kind)]
        case "julia":
            lines = _assigned(name, _laid_in_julia(back, name), " = ")
            return [*lines, *_own_in_julia(fact, name, kind)]
        case _:
            return _own_in_python(runtime, fact, back, name, kind, given)


def _assigned(name: str, value: str, sign: str) -> list[str]:
    return [] if value == name else [f"{name}{sign}{value}"]


def _tuple(shape: Sequence[int]) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"


def _plain_in_python(runtime: str, fact: Fact, written: str) -> str:
    match fact.kind:
        case "dict":
            made = f"_numpy.array(list({written}.values()))"
        case "list" | "tuple":
            made = f"_numpy.array({written})"
        case "series":
            made = f"_numpy.array({written}.tolist())"
        case "tensor" if runtime == "numpy":
            return f"{written}.detach().numpy()"
        case _:
            return written
    return f"_torch.as_tensor({made})" if runtime == "torch" and not _is_text(fact) else made


def _is_text(fact: Fact) -> bool:
    return fact.array is not None and fact.array.dtype.kind == "U"


def _laid_in_python(runtime: str, relation: Relation, written: str) -> str:
    numbers = "_torch" if runtime == "torch" else "_numpy"
    match relation.kind:
        case "transposed":
            return f"{written}.T"
        case "reshaped":
            if relation.order == "F" and min(len(relation.own), len(relation.shape)) > 1:
                return f"{numbers}.reshape({written}.T, {_tuple(relation.shape[::-1])}).T"
            if relation.order == "F" and len(relation.own) > 1:
                return f"{numbers}.reshape({written}.T, {_tuple(relation.shape)})"
            if relation.order == "F" and len(relation.shape) > 1:
                return f"{numbers}.reshape({written}, {_tuple(relation.shape[::-1])}).T"
            return f"{numbers}.reshape({written}, {_tuple(relation.shape) if relation.shape else '()'})"
        case "shifted":
            return f"{written} {'+' if relation.shift > 0 else '-'} 1"
        case _:
            return written


def _own_in_python(runtime: str, fact: Fact, back: Relation, name: str, kind: str, given: Given) -> list[str]:
    own = fact.array.dtype.kind if fact.array is not None else "f"
    value = name
    if given == "list" and fact.kind != "list":
        value = f"_numpy.array({value})"
    if given == "list" and fact.kind == "list" and back.kind == "same":
        return []
    value = _laid_in_python(runtime, back, value)
    word = {"i": "int", "b": "bool", "f": "float", "c": "complex", "U": "str"}[own]
    is_other = own != kind and own in "ib"
    match fact.kind:
        case "scalar":
            if fact.more == ("numpy",):
                value = f"_numpy.{_numpy_type(own)}({value})" if is_other or given == "scalar" else value
            elif given != "scalar" or is_other or back.kind == "reshaped":
                value = f"{word}({value})"
        case "list":
            value = f"{_cast(value, word, is_other)}.tolist()"
        case "tuple":
            value = f"tuple({_cast(value, word, is_other)}.tolist())"
        case "dict":
            value = f"dict(zip([{', '.join(fact.more)}], {_cast(value, word, is_other)}.tolist()))"
        case "series":
            index = f", index=[{', '.join(fact.more)}]" if fact.more else ""
            value = f"_pandas.Series({_cast(value, word, is_other)}{index})"
        case "tensor":
            value = f"_torch.as_tensor({value})" if runtime == "numpy" else value
        case _:
            value = f"{value}.numpy()" if runtime == "torch" and kind != "U" else value
            value = _cast(value, word, is_other)
    return _assigned(name, value, " = ")


def _cast(value: str, word: str, is_other: bool) -> str:
    return f"{value}.astype({word})" if is_other else value


def _numpy_type(kind: str) -> str:
    return {"i": "int64", "b": "bool_", "f": "float64", "c": "complex128", "U": "str_"}[kind]


def _plain_in_r(fact: Fact, written: str) -> str:
    if fact.kind == "list":
        return f"unlist({written}, use.names = FALSE)"
    if fact.kind == "factor":
        return f"as.character({written})"
    array = fact.array
    if array is not None and array.ndim < 2:
        return f"as.vector({written})" if fact.more or fact.kind == "table" else written
    if fact.kind == "table":
        return f"unname(unclass({written}))"
    return f"unname({written})" if fact.more else written


def _laid_in_r(relation: Relation, written: str) -> str:
    own, shape = relation.own, relation.shape
    match relation.kind:
        case "transposed":
            return f"t({written})" if len(own) == 2 else f"aperm({written})"
        case "reshaped" if len(own) < 2 and len(shape) < 2:
            return written
        case "reshaped" if len(shape) < 2:
            turned = f"t({written})" if len(own) == 2 else f"aperm({written})"
            return f"as.vector({turned if relation.order == 'C' else written})"
        case "reshaped" if len(shape) == 2:
            by_row = ", byrow = TRUE" if relation.order == "C" and min(shape) > 1 else ""
            flat = f"t({written})" if relation.order == "C" and len(own) == 2 else written
            return f"matrix({flat}, {shape[0]}, {shape[1]}{by_row})"
        case "reshaped":
            if relation.order == "C":
                return f"aperm(array(aperm({written}), c({', '.join(map(str, shape[::-1]))})))"
            return f"array({written}, c({', '.join(map(str, shape))}))"
        case "shifted":
            return f"{written} {'+' if relation.shift > 0 else '-'} 1L"
        case _:
            return written


def _own_in_r(fact: Fact, name: str, kind: str) -> list[str]:
    array = fact.array
    lines: list[str] = []
    if array is None:
        return lines
    if array.dtype.kind == "b" and kind != "b":
        lines.append(f"{name} <- {name} != 0")
    if fact.more and array.ndim < 2 and fact.kind != "table":
        lines.append(f"names({name}) <- {fact.more[0]}")
    elif fact.more:
        lines.append(f"dimnames({name}) <- list({', '.join(fact.more)})")
    if fact.kind == "table" and array.ndim < 2:
        lines[-1:] = [f"{name} <- array({name}, {array.size}, list({', '.join(fact.more)}))"]
    return lines


def _plain_in_julia(fact: Fact, written: str) -> str:
    match fact.kind:
        case "scalar":
            return written
        case "nested":
            return f"permutedims(reduce(hcat, {written}))"
        case "tuples":
            return f"permutedims(reduce(hcat, collect.({written})))"
        case _:
            return f"collect({written})"


def _laid_in_julia(relation: Relation, written: str) -> str:
    own, shape = relation.own, relation.shape
    match relation.kind:
        case "transposed":
            return f"permutedims({written}, {_tuple(range(len(own), 0, -1))})"
        case "reshaped" if not own:
            return f"fill({written}, {', '.join(map(str, shape))})"
        case "reshaped" if not shape:
            return f"{written}[1]"
        case "reshaped":
            value = written
            if relation.order == "C" and len(own) > 1:
                value = f"permutedims({value}, {_tuple(range(len(own), 0, -1))})"
            if relation.order == "F" or len(shape) == 1:
                return f"vec({value})" if len(shape) == 1 else f"reshape({value}, {_tuple(shape)})"
            turned = f"reshape({value}, {_tuple(shape[::-1])})"
            return f"permutedims({turned}, {_tuple(range(len(shape), 0, -1))})"
        case "shifted":
            sign = "+" if relation.shift > 0 else "-"
            return f"{written} {'.' if own else ''}{sign} 1"
        case _:
            return written


def _own_in_julia(fact: Fact, name: str, kind: str) -> list[str]:
    array = fact.array
    if array is None:
        return []
    lines: list[str] = []
    own = array.dtype.kind
    word = {"i": "Int", "b": "Bool", "f": "Float64"}.get(own, "")
    if word and own != kind and kind in "fib":
        lines.append(f"{name} = {word}{'.' if array.ndim else ''}({name})")
    match fact.kind:
        case "nested":
            lines.append(f"{name} = [{name}[i, :] for i in 1:{array.shape[0]}]")
        case "tuples":
            lines.append(f"{name} = [Tuple({name}[i, :]) for i in 1:{array.shape[0]}]")
        case "tuple":
            lines.append(f"{name} = Tuple({name})")
        case _:
            pass
    return lines
