"""Scripts in R."""

from __future__ import annotations

import numpy as np

from harness.conformance import script_values
from harness.conformance.shown import Bounds, Call, Due, OtherSide, Shown, head, last_first, numbers, quoted
from harness.model import Array
from harness.numerics.missing import NA_BITS, NO_INTEGER

_CHECK = """
.done <- FALSE
.stop <- function(...) {
  cat(..., "\\n")
  quit(status = 1, runLast = FALSE)
}
.Last <- function() if (!.done) .stop("the process was ended before anything was returned")
.call <- function(name, inputs, output, outputs, due) {
  how <- if (exists(".how")) .how[[name]]
  if (!is.null(how)) return(.array(.called_as(name, how, inputs, output, outputs, due)))
  f <- get0(name, envir = .source, inherits = FALSE)
  if (!is.function(f)) .stop("there is no function", name)
  value <- do.call(f, inputs)
  has <- names(value)
  if (length(due) && is.list(value) && !is.null(has) && any(nzchar(has))) {
    if (!all(due %in% has))
      .stop("a list with", toString(has), "was returned, and", toString(due), "expected")
    value <- unclass(value)[[due[output]]]
  } else if (outputs > 1) {
    if (!is.list(value) || length(value) != outputs) .stop("a list of", outputs, "arrays is expected")
    value <- value[[output]]
  }
  .array(value)
}
.array <- function(value) {
  if (isS4(value) && methods::is(value, "Matrix")) value <- as.matrix(value)
  numbers <- is.numeric(value) || is.complex(value) || is.logical(value)
  if (!numbers || is.list(value)) .stop("an array is expected")
  # Integers have no NaN, and NA is handed on as one.
  if (is.integer(value) && anyNA(value)) storage.mode(value) <- "double"
  value
}
.shape <- function(value) if (is.null(dim(value))) length(value) else dim(value)
.flat <- function(value) as.vector(value, mode = if (is.complex(value)) "complex" else "numeric")
.pairs <- function(x) complex(real = x[c(TRUE, FALSE)], imaginary = x[c(FALSE, TRUE)])
.digits <- function(x) {
  if (is.complex(x)) sprintf("%.17g%+.17gi", Re(x), Im(x)) else sprintf("%.17g", x)
}
.index <- function(at, value) {
  paste(if (is.null(dim(value))) at else arrayInd(at, dim(value)), collapse = ", ")
}
"""

_FIT = """
if (typeof(.got) != "{type}") .stop("the type is", typeof(.got), "and {type} is expected")
if (!identical(as.integer(.shape(.got)), c({shape}))) {{
  .stop("the shape is", .shape(.got), "and", c({shape}), "is expected")
}}
"""

_SHAPE = """
if (!identical(as.integer(.shape(.got)), c({shape}))) {{
  .stop("the shape is", .shape(.got), "and", c({shape}), "is expected")
}}
"""

_PLAIN = ".a <- .flat(.got)\n.differ <- rep(FALSE, length(.a))\n"

_MISSING = """
.a <- .flat(.got)
.gone <- function(x) is.na(x) & !is.nan(x)
.differ <- .gone(.a) != .gone(.e)
.both <- .gone(.a) | .gone(.e)
.a[.both] <- 0
.e[.both] <- 0
"""

_TEXTS = """
.over <- !(.flat_texts(.got) == .e) %in% TRUE & !(is.na(.got) & is.na(.e)) & !.left_out
.nan <- .zero <- rep(FALSE, length(.e))
for (.at in head(which(.over), 10)) {
  cat(sprintf("at [%s], counted from 1: got %s, expected %s\n", .index(.at, .got),
              encodeString(.got[.at], quote = "'"), encodeString(.e[.at], quote = "'")))
}
cat(sprintf("%d of %d elements differ\n", sum(.over), sum(!.left_out)))
"""

_INSTANTS = """
.as <- function(x) _AS
cat("as a _KIND:", format(.as(.a[.at])), "and", format(.as(.e[.at])), "\n")
"""

_DISTANCE = """
.finite <- is.finite(.a) & is.finite(.e)
.error <- ifelse(.finite, abs((.a - .e) - .low), 0)
.alike <- function(x, y) (x == y) %in% TRUE | (is.na(x) & is.na(y))
.turned <- function(x, y) (x == 0 & y == 0 & 1 / x != 1 / y) %in% TRUE
.same <- .alike(Re(.a), Re(.e)) & .alike(Im(.a), Im(.e))
.nan <- is.na(.a) & .same
.error <- ifelse(.differ, Inf, .error)
.over <- (.error > .limit) | !(.finite | .same)
.zero <- .turned(Re(.a), Re(.e)) | .turned(Im(.a), Im(.e))
.over <- .over & !.left_out
.nan <- .nan & !.left_out
.zero <- .zero & !.left_out
.rank <- ifelse(.over & !.finite, Inf, ifelse(.left_out, -1, .error))
.at <- which.max(.rank)
.what <- sprintf("largest difference %.17g", .rank[.at])
if (.differ[.at]) {
  .what <- "missing on one side"
} else if (.over[.at] && !.finite[.at]) {
  .none <- is.na(.a[.at]) || is.na(.e[.at])
  .what <- if (.none) "not a number on one side" else "infinite on one side, or of another sign"
}
cat(sprintf("%s at [%s], counted from 1: got %s, expected %s\\n",
            .what, .index(.at, .got), .digits(.a[.at]), .digits(.e[.at])))
cat(sprintf("%d of %d elements are beyond their limit; the largest limit is %.3g\\n",
            sum(.over), sum(!.left_out), max(0, .limit[!.left_out])))
"""

_PRINTED = """
.a <- .flat(.got)
.over <- !((.least <= .a & .a <= .most) %in% TRUE) & !(is.na(.a) & is.na(.least)) & !.left_out
.nan <- .zero <- rep(FALSE, length(.a))
for (.at in head(which(.over), 10)) {
  cat(sprintf("%.17g at [%s], counted from 1, prints other digits\\n", .a[.at], .index(.at, .got)))
}
cat(sprintf("%d of %d printed numbers differ\\n", sum(.over), sum(!.left_out)))
"""

_END = """
.done <- TRUE
.wrong <- sum(.over)
if (any(.left_out) && {counted}) {{
  cat(sum(.left_out), "of", length(.left_out), "elements left out, and not compared here\\n")
}}
if (any(.nan) && !{nan}) {{
  .wrong <- .wrong + 1
  cat("NaN in", sum(.nan), if (sum(.nan) == 1) "place" else "places", "where the case expects none\\n")
}}
if (any(.zero) && {exact}) {{
  .wrong <- .wrong + 1
  cat("the sign of zero differs in", sum(.zero), if (sum(.zero) == 1) "place\\n" else "places\\n")
}}
quit(status = as.integer(.wrong > 0))
"""

_FOLDER = (
    'setwd(dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))))\n'
)

_LINES = 20
"""Lines of numbers in one expression: Rscript takes a time that grows with the square of their count."""

_TYPES = {"float": "double", "complex": "complex", "int": "integer", "bool": "logical"}


def write(shown: Shown) -> str:
    """Return the script in R."""
    shape = ", ".join(f"{size}L" for size in (shown.shape or (1,)))
    has_limit = "FALSE" if isinstance(shown.due, Bounds) else "TRUE"
    long: list[str] = []
    called, due = _called(shown.call, long), _due(shown, long)
    return "".join(
        [
            head(shown),
            _FOLDER if shown.files else "",
            ".source <- new.env()\n",
            _text(shown.source)
            if shown.unparsed
            else f"local({{\n{shown.source.rstrip()}\n}}, envir = .source)\n",
            _CHECK,
            script_values.r(shown),
            *long,
            f"\n.got <- {called}\n",
            _fit(shown, shape),
            due,
            _END.format(nan=_logical(shown.nan), exact=_logical(shown.exact), counted=has_limit),
        ]
    )


def _fit(shown: Shown, shape: str) -> str:
    """The type and the shape: of texts those that they stand for, of what may be missing any numbers."""
    if shown.form == "text":
        return f"\n.got <- .coded$texts(.got)\n{_SHAPE.format(shape=shape)}"
    if shown.form:
        return _SHAPE.format(shape=shape)
    return _FIT.format(type=_TYPES[shown.kind], shape=shape)


def _text(source: str) -> str:
    """Return statements that parse the source by itself, and evaluate it."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in source.splitlines())
    lines = ",\n".join(f'"{line}"' for line in escaped)
    return f'.text <- c(\n{lines}\n)\neval(parse(text = .text, encoding = "UTF-8"), .source)\n'


def _due(shown: Shown, long: list[str]) -> str:
    left = f"rep(FALSE, {int(np.prod(shown.shape, dtype=int))})"
    if shown.left_out is not None:
        left = f".flat({_literal(shown.left_out, long)}) > 0"
    lines = [f".left_out <- {left}"]
    if isinstance(shown.due, Bounds):
        lines += [
            f".least <- .flat({_literal(shown.due.least, long)})",
            f".most <- .flat({_literal(shown.due.most, long)})",
        ]
        return "\n".join(lines) + _PRINTED
    if shown.form == "text":
        return "\n".join([*lines, _due_texts(shown, long)]) + _TEXTS
    lines.append(f".limit <- .flat({_literal(shown.limit, long)})")
    if isinstance(shown.due, OtherSide):
        lines += [
            f".due <- {_called(shown.due.call, long)}",
            "if (!identical(.shape(.due), .shape(.got)))",
            '  .stop("the shapes are", .shape(.got), "and", .shape(.due))',
            ".e <- .flat(.due)",
            ".low <- 0",
        ]
    else:
        lines += [
            f".e <- .flat({_literal(_with_gaps(shown, shown.due.high), long)})",
            f".low <- .flat({_literal(shown.due.low, long)})",
        ]
    text = "\n".join(lines) + "\n" + (_MISSING if shown.form else _PLAIN) + _DISTANCE
    if shown.form in ("date", "time"):
        is_date = shown.form == "date"
        how = 'as.Date(x, origin = "1970-01-01")' if is_date else '.POSIXct(x / 1e6, tz = "UTC")'
        text += _INSTANTS.replace("_KIND", shown.form).replace("_AS", how)
    return text


def _with_gaps(shown: Shown, array: Array) -> Array:
    """Integers of which some may be missing, as doubles with NA."""
    if not shown.form or array.dtype != np.int64:
        return array
    floats = array.astype(np.float64)
    floats.reshape(-1).view(np.uint64)[(array == NO_INTEGER).reshape(-1)] = NA_BITS
    return floats


def _due_texts(shown: Shown, long: list[str]) -> str:
    """What is expected of texts: those of another stage, or as they are written here."""
    lines = [".flat_texts <- function(x) as.vector(x)"]
    if isinstance(shown.due, OtherSide):
        lines.append(f".e <- .flat_texts(.coded$texts({_called(shown.due.call, long)}))")
    else:
        assert isinstance(shown.due, Due)
        words = f"c({', '.join(quoted(shown.due.high, 'NA_character_'))})"
        if shown.due.high.ndim > 1:
            words = f"aperm(array({words}, dim = c({last_first(shown.due.high)})), {shown.due.high.ndim}:1)"
        lines.append(f".e <- .flat_texts({words})")
    return "\n".join(lines)


def _called(call: Call, long: list[str]) -> str:
    inputs = ",\n".join(f"  # {name}\n  {_literal(array, long)}" for name, array in call.inputs)
    which = f"{call.output + 1}, {call.outputs}, {_names(call.names)}"
    return f'.call("{call.function}", list(\n{inputs}\n), {which})'


def _names(names: tuple[str, ...]) -> str:
    return "c(" + ", ".join(f'"{name}"' for name in names) + ")"


def _literal(array: Array | None, long: list[str]) -> str:
    """Return an expression for an array; ``long`` gets the statements that have to stand before it."""
    if array is None:
        return "NULL"
    kind = {"b": "as.logical", "i": "as.integer", "u": "as.integer"}.get(array.dtype.kind, "as.numeric")
    if array.dtype.kind in "iu" and array.size and np.abs(array.astype(np.float64)).max() >= 2**31:
        kind = "as.numeric"
    lines = numbers(array, float.hex, "").split("\n")
    chunks = ["\n".join(lines[i : i + _LINES]) for i in range(0, len(lines), _LINES)]
    if len(chunks) > 1:
        name = f".numbers_{len(long) + 1}"
        texts = "".join(f'{name}[{i}] <- "{chunk}"\n' for i, chunk in enumerate(chunks, start=1))
        long.append(f"\n{name} <- character({len(chunks)})\n{texts}")
        vector = f'unlist(strsplit({name}, "\\\\s+"))'
    else:
        vector = f'strsplit("{chunks[0]}", "\\\\s+")[[1]]'
    vector = f"as.logical(as.integer({vector}))" if kind == "as.logical" else f"{kind}({vector})"
    if array.dtype.kind == "c":
        vector = f".pairs({vector})"
    if array.ndim < 2:
        return vector
    return f"aperm(array({vector}, dim = c({last_first(array)})), {array.ndim}:1)"


def _logical(value: bool) -> str:
    return "TRUE" if value else "FALSE"
