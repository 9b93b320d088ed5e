# What calls of R read and do, where in the program they stand, and which of them a value can be taken from.

context_of <- new.env()
context_of$file <- basename(program)
context_of$fn <- ""
context_of$control <- integer()
context_of$loops <- 0L
context_of$elements <- list()
# The lines of the statement, from and to, and what is known of those in between.
context_of$line <- 1L
context_of$until <- 1L
context_of$lines <- list()
context_of$parts <- integer()
# Functions around it, from the inside; whether a variable of theirs is set; the table whose columns are
# named without it; and whether fields of an object are.
context_of$around <- character()
context_of$beyond <- FALSE
context_of$table <- ""
context_of$fields <- FALSE

is_call <- function(e, names) is.call(e) && is.name(e[[1L]]) && as.character(e[[1L]]) %in% names
# Of calls of `whole`, what is of names alone is not gone into: a column is not all of its table.
walk <- function(e, visit, whole = character()) {
  visit(e)
  if (is.call(e)) {
    if (is_call(e, whole) && of_names(e)) return()
    for (i in seq_along(e)) {
      if (i == 4L && is_call(e, "function")) next
      item <- e[[i]]
      if (!missing(item) && (is.call(item) || is.name(item) || is.atomic(item))) walk(item, visit, whole)
    }
  } else if (is.pairlist(e)) {
    for (item in as.list(e)) if (!missing(item) && !identical(item, quote(expr = ))) walk(item, visit, whole)
  }
}
of_names <- function(e) is.name(e) || is_call(e, "$") && of_names(e[[2L]])
# fit[["coef"]], which is fit$coef.
is_field <- function(e) is_call(e, "[[") && length(e) == 3L && is.character(e[[3L]]) && of_names(e[[2L]])
reads_of <- function(e) {
  found <- character()
  walk(e, function(node) {
    if (is.name(node)) found <<- c(found, as.character(node))
    else if (is_field(node)) found <<- c(found, paste0(clean(deparse(node[[2L]], width.cutoff = 200L)[1L]), "$", node[[3L]]))
    else if (is_call(node, "$")) found <<- c(found, clean(deparse(node, width.cutoff = 200L)[1L]))
  }, whole = "$")
  found <- unique(found)
  bare <- found[!grepl("$", found, fixed = TRUE)]
  if (nzchar(context_of$table)) found <- c(found, paste0(context_of$table, "$", bare))
  if (context_of$fields) found <- c(found, paste0(".self$", bare))
  found[nzchar(found) & !startsWith(found, ".hr") & !grepl(" ", found) & grepl("^[[:alpha:].]", found)]
}
operators_of <- function(e) {
  found <- character()
  walk(e, function(node) {
    if (is.call(node) && is.name(node[[1L]])) {
      name <- as.character(node[[1L]])
      if (name == "-" && length(node) == 2L) name <- "neg"
      found <<- c(found, name)
    } else if (is.call(node) && is_call(node[[1L]], c("::", ":::"))) {
      found <<- c(found, as.character(node[[1L]][[3L]]))
    } else if (is.numeric(node) && length(node) == 1L) found <<- c(found, paste0("#", format(node)))
  })
  unique(gsub("[[:space:]]", "", found))
}
site <- function(kind, name, e, parts = integer(), element = "", at = line_at(e, kind)) {
  state$sites <- number <- state$sites + 1L
  state$counts[number] <- 0L
  state$bytes[number] <- 0
  if (!is_kept(number)) return(number)
  write_line(
    "S", number, context_of$file, at, kind, clean(name), context_of$fn,
    paste(reads_of(e), collapse = " "), paste(operators_of(e), collapse = " "),
    paste(c(context_of$control, parts), collapse = " "),
    paste(context_of$around, collapse = " "), as.integer(context_of$beyond), element
  )
  number
}
# The first and last line of each statement in braces.
lines_of <- function(e) {
  refs <- attr(e, "srcref")
  if (is.null(refs)) NULL else vapply(refs, function(ref) as.integer(ref)[c(1L, 3L)], c(0L, 0L))
}
CONTEXT <- c(
  "environment", "parent.frame", "sys.call", "match.call", "sys.function", "nargs", "missing", "substitute",
  "match.arg", "UseMethod", "NextMethod", "Recall", "on.exit", "callNextMethod", "standardGeneric", "return"
)
# Functions that look at how parameters are written.
LOOKED_AT <- c("substitute", "match.arg", "formals", "sys.function", "deparse", "UseMethod", "NextMethod", "callNextMethod", "standardGeneric")
QUOTING <- c("~", "quote", "bquote", "substitute", "expression", "with", "within", "subset", "transform", "::", ":::",
  "aggregate", "lm", "glm", "nls", "curve", "setRefClass", "R6Class", "UseMethod", "library", "require")
KNOWN_TARGETS <- c("[", "[[", "$", "@", "names", "colnames", "rownames", "dim", "diag", "attr", "levels", "class", "body")
IN_TABLE <- c("with", "within", "transform", "subset")
WITH_FUNCTIONS <- c("aggregate", "setRefClass", "R6Class")
SHOWING <- c("cat", "print", "message", "sprintf", "format", "formatC", "paste", "paste0", "round", "signif", "toString", "writeLines")
wrappable <- function(e) !(is.call(e) && any(CONTEXT %in% all.names(e)))

# Functions that look at the values of their arguments only, not at how they are written.
STANDARD <- c("+", "-", "*", "/", "^", "%%", "%/%", "%*%", "%o%", "%in%", "(", "[", "[[", "$", "<", "<=", ">", ">=", "==", "!=",
  "&", "|", "!", "&&", "||", "c", "sum", "mean", "median", "sd", "var", "cor", "cov", "prod", "range", "min", "max", "pmin", "pmax",
  "sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "abs", "sign", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
  "sinh", "cosh", "tanh", "gamma", "lgamma", "beta", "lbeta", "choose", "factorial", "floor", "ceiling", "trunc", "round", "signif",
  "cumsum", "cumprod", "cummax", "cummin", "diff", "rev", "sort", "order", "rank", "which", "which.max", "which.min", "any", "all",
  "colMeans", "rowMeans", "colSums", "rowSums", "t", "crossprod", "tcrossprod", "solve", "diag", "det", "outer", "kronecker",
  "svd", "eigen", "qr", "qr.solve", "qr.Q", "qr.R", "chol", "chol2inv", "backsolve", "forwardsolve", "apply", "sapply", "vapply",
  "lapply", "mapply", "Map", "Reduce", "Filter", "do.call", "sweep", "scale", "rep", "rep_len", "seq", "head", "tail", "append",
  "matrix", "array", "cbind", "rbind", "unlist", "list", "ifelse", "is.na", "as.numeric", "as.double", "as.integer", "as.vector",
  "as.matrix", "as.logical", "Re", "Im", "Mod", "Arg", "Conj", "complex", "fft", "quantile", "pnorm", "qnorm", "dnorm", "pt", "qt",
  "dt", "pchisq", "qchisq", "dchisq", "pf", "qf", "df", "pbinom", "dbinom", "qbinom", "dpois", "ppois", "punif", "qunif", "dunif",
  "pexp", "dexp", "qexp", "pgamma", "dgamma", "qgamma", "pbeta", "dbeta", "qbeta", "tapply", "split", "unsplit", "tabulate", "cut",
  "findInterval", "embed", "upper.tri", "lower.tri", "norm", "nchar", "rle", "inverse.rle", "merge", "setdiff", "union", "intersect",
  "unique", "match", "Position", "invisible", "suppressWarnings", "identity", "drop", "aperm", "max.col", "row", "col", "approx",
  "spline", "splinefun", "approxfun", "optim", "optimize", "uniroot", "nlm", "crossprod", "stats", "vapply", "mad", "IQR", "weighted.mean")
# What they make is no data, or just what they were given.
NO_DATA <- c("(", ".", ":=", "$", "[[", ":", "list", "function", "numeric", "integer", "character", "logical", "vector", "length", "nrow", "ncol",
  "dim", "names", "seq_len", "seq_along", "NROW", "NCOL", "paste", "paste0", "sprintf", "format", "formatC", "identity", "c", "nchar",
  "function", "{", "if", "for", "while", "repeat", "<-", "=", "<<-", "~", "quote", "return", "next", "break", "strsplit", "is.null",
  "suppressWarnings", "invisible", "::", ":::", "@", "missing", "file", "Sys.time", "environment", "new.env", "nlevels", "levels")
is_part <- function(e) {
  if (!is.call(e) || !is.name(e[[1L]])) return(FALSE)
  name <- as.character(e[[1L]])
  if (name %in% NO_DATA || name %in% QUOTING || startsWith(name, ".hr") || !wrappable(e)) return(FALSE)
  if (name == "[") {
    return(any(vapply(as.list(e)[-(1:2)], function(item) {
      is.name(item) && !nzchar(as.character(item)) || is_call(item, c(":", "-", "<", "<=", ">", ">=", "==", "!=", "&", "|", "!", "which", "head", "order"))
    }, NA)))
  }
  if (name %in% c("-", "+") && length(e) == 2L) return(!is.numeric(e[[2L]]))
  length(e) > 1L
}
own_functions <- function(e) {
  walk(e, function(node) {
    if (is_call(node, c("<-", "=")) && is.name(node[[2L]]) && is_call(node[[3L]], "function") &&
      !any(c("substitute", "match.call", "sys.call", "eval", "quote", "deparse", "match.arg", "UseMethod", "missing") %in% all.names(node[[3L]]))) {
      STANDARD <<- c(STANDARD, as.character(node[[2L]]))
    }
  })
}
