"""What a script needs to call a stage that is no function of plain arrays: the workers' own code, and how."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness import workers
from harness.conformance.shown import Shown

_HERE = Path(workers.__file__).parent
_OURS = re.compile(r"^from harness\.workers\.\w+ import (?:\([^)]*\)|[^\n]*)\n", re.MULTILINE)

_PYTHON = """
import importlib as _importlib
import inspect as _inspect
import types as _types

# What makes values of arrays, and arrays of values.
_values = _types.ModuleType("values")
exec(_TEXT_OF_VALUES, _values.__dict__)
_values.number_of = lambda word: _values.MISSING if word == "NA" else float(word)
_values.MISSING = _numpy.array([_values.NA_BITS], dtype="uint64").view("float64")[0]


def _adapted(name, how):
    if "submodule" in how:
        make = globals().get(how["submodule"]["module"])
        return _values.submodule(make, how["submodule"])
    called = how.get("call") or name
    module, _, path = called.rpartition(":")
    owner, place = None, _importlib.import_module(module) if module else _types.SimpleNamespace(**globals())
    for part in path.split("."):
        owner, place = place, getattr(place, part, None)
    if not callable(place):
        _stop(f"there is no function {called}")
    static = _inspect.isclass(owner) and _inspect.getattr_static(owner, part)
    if _inspect.isclass(owner) and not isinstance(static, (staticmethod, classmethod)):
        place = _values.constructed(owner, part, how.get("construct", ()))
    return _values.adapted(place, how)


def _called_as(name, how, inputs, output, outputs, names):
    try:
        value = _adapted(name, how)(*inputs)
    except (_values.Refused, _values.Undeclared) as why:
        _stop(str(why))
    if "returns" in how:
        item = value[output] if outputs > 1 else value
        return item.array if isinstance(item, _values.Coded) else _array(item)
    if outputs > 1 or _values.named(value) is not None:
        value = _values.parts_of(value, names, whole=outputs == 1)[output]
    return _array(value)
"""


def python(shown: Shown) -> str:
    """The code in Python; empty where it is not needed."""
    if not shown.needs_values:
        return ""
    texts = [(_HERE / f"{name}.py").read_text(encoding="utf-8") for name in _MODULES]
    whole = "\n".join(
        _OURS.sub("", text).replace("from __future__ import annotations\n", "") for text in texts
    )
    assert "'''" not in whole
    quoted = f"r'''{whole}'''"
    return f"{_PYTHON.replace('_TEXT_OF_VALUES', quoted)}\n\n_HOW = {_plain(shown.hows)!r}\n"


_MODULES = ("value_codes", "values", "torch_modules")

_R = """
# What makes values of arrays, and arrays of values.
.coded <- _TEXT_OF_VALUES
.how <- _HOW
.called_as <- function(name, how, inputs, output, outputs, due) {
  if (!is.null(how$takes)) inputs <- .coded$take_all(how$takes, inputs)
  frame <- new.env(parent = .source)
  names <- sprintf("input_%d", seq_along(inputs))
  for (i in seq_along(inputs)) assign(names[i], inputs[[i]], envir = frame)
  called <- if (is.null(how$call)) name else how$call
  if (grepl("::", called, fixed = TRUE)) {
    head <- parse(text = called)[[1L]]
    call <- .coded$call_of(eval(head), head, inputs, names)
  } else {
    parts <- strsplit(called, "$", fixed = TRUE)[[1L]]
    f <- get0(parts[1L], envir = .source, inherits = FALSE)
    if (is.null(f)) .stop("there is no function", called)
    head <- as.name(parts[1L])
    if (length(parts) == 1L) call <- .coded$call_of(f, head, inputs, names)
    else {
      first <- unlist(how$construct) + 1L
      rest <- setdiff(seq_along(inputs), first)
      made <- as.call(c(list(call("$", head, quote(new))), lapply(names[first], as.name)))
      object <- eval(made, frame)
      assign("object", object, envir = frame)
      call <- as.call(c(list(call("$", quote(object), as.name(parts[2L]))), lapply(names[rest], as.name)))
    }
  }
  value <- eval(call, frame)
  if (is.null(value) && exists("object", envir = frame, inherits = FALSE)) value <- frame$object
  tryCatch(
    if (is.null(how$returns)) .coded$parts_of(value, due, outputs == 1)[[output]]
    else .coded$give_all(how$returns, value)[[output]],
    refused = function(why) .stop(conditionMessage(why))
  )
}
"""


def r(shown: Shown) -> str:
    """The code in R; empty where it is not needed."""
    if not shown.needs_values:
        return ""
    text = (_HERE / "values.R").read_text(encoding="utf-8")
    expression = text[text.index("local({") :].rstrip()
    return _R.replace("_TEXT_OF_VALUES", expression).replace("_HOW", _in_r(_plain(shown.hows)))


_JULIA = """
# What makes values of arrays, and arrays of values.
_TEXT_OF_VALUES
const HOW = _HOW
function called_as(name, inputs, output, outputs, due)
    how = HOW[string(name)]
    arrays = Any[input isa Number ? fill(input) : input for input in inputs]
    return try
        value = Values.adapted(how, string(name), Source, arrays)
        haskey(how, "returns") ? Values.give_all(how["returns"], value)[output] :
            Values.parts_of(value, due, outputs == 1)[output]
    catch why
        why isa Values.Refused || rethrow()
        stop(why.message)
    end
end
"""


def julia(shown: Shown) -> str:
    """The code in Julia; empty where it is not needed."""
    if not shown.needs_values:
        return ""
    text = (_HERE / "values.jl").read_text(encoding="utf-8")
    module = text[text.index("module Values") :].rstrip()
    return _JULIA.replace("_TEXT_OF_VALUES", module).replace("_HOW", _in_julia(_plain(shown.hows)))


def _plain(how: Any) -> Any:
    """As dictionaries, lists and scalars."""
    if isinstance(how, Mapping):
        return {str(key): _plain(value) for key, value in how.items()}
    if isinstance(how, Sequence) and not isinstance(how, str):
        return [_plain(value) for value in how]
    return how


def _in_r(how: Any) -> str:
    match how:
        case bool():
            return "TRUE" if how else "FALSE"
        case dict():
            return "list(" + ", ".join(f"`{key}` = {_in_r(value)}" for key, value in how.items()) + ")"
        case list():
            return "list(" + ", ".join(map(_in_r, how)) + ")"
        case int():
            return f"{how}L"
        case _:
            return json.dumps(how, ensure_ascii=False)


def _in_julia(how: Any) -> str:
    match how:
        case bool():
            return "true" if how else "false"
        case dict():
            inside = ", ".join(f"{_in_julia(key)} => {_in_julia(value)}" for key, value in how.items())
            return f"Dict{{String,Any}}({inside})"
        case list():
            return "Any[" + ", ".join(map(_in_julia, how)) + "]"
        case int():
            return str(how)
        case _:
            return json.dumps(how, ensure_ascii=False).replace("$", "\\$")
