"""Sources whose stages take many samples at once, so that a call's way to the worker is paid once for all.

An implementation's own file is kept as it is; behind it comes, in its language, one function ``STAGE__each``
for each stage, which takes arrays with one more dimension, the first, calls the stage for each sample, and
returns what it returned, stacked likewise. Samples whose results differ in shape or type are an error there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from harness.model import Case, Implementation, Stage

SUFFIX = "__each"

_NUMPY = """

import numpy as numpy__


def stack__(parts):
    if len({(numpy__.shape(part), numpy__.asarray(part).dtype) for part in parts}) > 1:
        raise TypeError("samples differ in shape or dtype")
    return numpy__.stack(parts)


def each__(stage, *stacks):
    return [stage(*arrays) for arrays in zip(*stacks, strict=True)]
"""

_TORCH = """

import torch as torch__


def stack__(parts):
    if len({(part.shape, part.dtype) for part in parts}) > 1:
        raise TypeError("samples differ in shape or dtype")
    return torch__.stack(list(parts))


def each__(stage, *stacks):
    return [stage(*arrays) for arrays in zip(*stacks, strict=True)]
"""

_R = """
stack__ <- function(parts) {
  shape_of <- function(part) if (is.null(dim(part))) length(part) else dim(part)
  shape <- shape_of(parts[[1]])
  type <- typeof(parts[[1]])
  alike <- function(part) identical(shape_of(part), shape) && typeof(part) == type
  if (!all(vapply(parts, alike, TRUE))) stop("samples differ in shape or type")
  # R's arrays run down the first dimension: the samples are put last, and then moved to the front.
  aperm(array(unlist(parts), c(shape, length(parts))), c(length(shape) + 1, seq_along(shape)))
}

each__ <- function(stage, ...) {
  stacks <- list(...)
  count <- NROW(stacks[[1]])
  shapes <- lapply(stacks, function(stack) dim(stack)[-1])
  # A stack of scalars is a plain vector.
  last <- function(stack) if (is.null(dim(stack))) stack else aperm(stack, c(seq_along(dim(stack))[-1], 1))
  flat <- function(stack) matrix(last(stack), ncol = count)
  columns <- lapply(stacks, flat)
  sample_of <- function(column, shape, i) if (length(shape) > 1) array(column[, i], shape) else column[, i]
  lapply(seq_len(count), function(i) do.call(stage, Map(sample_of, columns, shapes, i)))
}
"""

_JULIA = """

# Nothing is compiled for the types of one stage: there is more to compile than to compute.
function stack__(parts::Vector{Any})
    first_one = parts[1]
    first_one isa Number && return identity.(parts)
    stack = Array{eltype(first_one)}(undef, length(parts), size(first_one)...)
    for (i, part) in enumerate(parts)
        alike = size(part) == size(first_one) && eltype(part) == eltype(first_one)
        alike || error("samples differ in shape or type")
        copyto!(selectdim(stack, 1, i), part)
    end
    return stack
end

function each__(@nospecialize(stage), @nospecialize(stacks...))
    count = size(stacks[1], 1)
    return Any[stage(Any[sample_of__(stack, i) for stack in stacks]...) for i in 1:count]
end

sample_of__(stack, i) = ndims(stack) == 1 ? stack[i] : copy(selectdim(stack, 1, i))
"""


def _python(stage: Stage, names: str) -> str:
    called = f"each__({stage.name}, {names})"
    if len(stage.outputs) == 1:
        body = f"stack__({called})"
    else:
        body = f"tuple(stack__(parts) for parts in zip(*{called}, strict=True))"
    return f"\n\ndef {stage.name}{SUFFIX}({names}):\n    return {body}\n"


def _r(stage: Stage, names: str) -> str:
    called = f"each__({stage.name}, {names})"
    if len(stage.outputs) == 1:
        body = f"stack__({called})"
    else:
        body = (
            f"{{\n  results <- {called}\n"
            "  lapply(seq_along(results[[1]]), function(j) stack__(lapply(results, `[[`, j)))\n}"
        )
    return f"\n{stage.name}{SUFFIX} <- function({names}) {body}\n"


def _julia(stage: Stage, names: str) -> str:
    called = f"each__({stage.name}, {names})"
    if len(stage.outputs) == 1:
        return f"\n{stage.name}{SUFFIX}({names}) = stack__({called})\n"
    body = f"tuple((stack__(Any[parts[j] for parts in results]) for j in 1:{len(stage.outputs)})...)"
    return f"\nfunction {stage.name}{SUFFIX}({names})\n    results = {called}\n    return {body}\nend\n"


_LANGUAGES: Mapping[str, tuple[str, Callable[[Stage, str], str]]] = {
    "numpy": (_NUMPY, _python),
    "torch": (_TORCH, _python),
    "r": (_R, _r),
    "julia": (_JULIA, _julia),
}
"""By runtime: what all stages need, and what makes one stage's function."""


def with_loops(case: Case, implementation: Implementation, folder: Path) -> Path:
    """Write an implementation's file with its looping stages behind it.

    Parameters
    ----------
    case : Case
        Whose stages there are.
    implementation : Implementation
        In one of the four languages.
    folder : Path
        Where to write it.

    Returns
    -------
    Path
        The file.
    """
    common, make = _LANGUAGES[implementation.runtime]
    stages = [make(stage, ", ".join(f"stack_{n}" for n in range(len(stage.inputs)))) for stage in case.stages]
    text = implementation.path.read_text(encoding="utf-8")
    path = folder / implementation.path.name
    path.write_text(text + common + "".join(stages), encoding="utf-8")
    return path
