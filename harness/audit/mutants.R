# Faults in the syntax tree of an R file: a source for r_source.py, run by the worker like any other.
# Text goes out as the numbers of its characters, since a worker returns arrays.

FIELD <- "\x1f"
RECORD <- "\x1e"
HELPER <- paste(
  "single_inside <- function(value) {",
  "  value[] <- readBin(writeBin(as.double(value), raw(), size = 4L), \"double\", n = length(value), size = 4L)",
  "  value",
  "}",
  sep = "\n"
)

text_of <- function(expression) paste(deparse(expression, width.cutoff = 500L), collapse = "\n")

short <- function(expression) substr(gsub("[[:space:]]+", " ", text_of(expression)), 1L, 120L)

head_of <- function(node) if (is.call(node) && is.name(node[[1L]])) as.character(node[[1L]]) else ""

binary <- function(node, name) head_of(node) == name && length(node) == 3L

edit <- function(fault, node) list(list(fault = fault, node = node))

single <- function(node, argument) {
  node[[argument]] <- call("single_inside", node[[argument]])
  node
}

renamed <- function(node, name) {
  node[[1L]] <- as.name(name)
  node
}

margin <- function(node) {
  if (is.numeric(node)) return(if (node == 1) 2 else node - 1)
  node[[length(node)]] <- node[[length(node)]] + 1
  node
}

calls_maximum <- function(node) any(c("max", "pmax") %in% all.names(node))

# What an expression's value is computed by: of a function, the last expression of its body.
value_of <- function(node) {
  if (head_of(node) == "function") return(value_of(node[[3L]]))
  if (head_of(node) == "{" && length(node) > 1L) value_of(node[[length(node)]]) else node
}

# The names whose value is a maximum, by an assignment or by what a function returns. A stage's parameters have
# the names of the stages that give them their values.
maxima_of <- function(node) {
  if (!is.call(node)) return(character())
  names <- character()
  if (defined(node) != "") {
    value <- value_of(node[[3L]])
    if (calls_maximum(value) && !"exp" %in% all.names(value)) names <- defined(node)
  }
  parts <- Filter(is.call, as.list(node))
  unique(c(names, unlist(lapply(parts, maxima_of))))
}

is_maximum <- function(node, maxima) calls_maximum(node) || any(all.vars(node) %in% maxima)

# The faults that one node can have.
edits_here <- function(node, maxima, exponent, body) {
  found <- list()
  name <- head_of(node)
  across <- c(rowSums = "colSums", colSums = "rowSums", rowMeans = "colMeans", colMeans = "rowMeans")
  if (name == "sqrt") found <- c(found, edit("SCALE", node[[2L]]))
  if (binary(node, "^") && identical(node[[3L]], 0.5)) found <- c(found, edit("SCALE", node[[2L]]))
  if (name %in% names(across)) found <- c(found, edit("AXIS", renamed(node, across[[name]])))
  if (name == "apply") {
    wrong <- node
    wrong[[3L]] <- margin(node[[3L]])
    found <- c(found, edit("AXIS", wrong))
  }
  shift <- exponent && binary(node, "-") && is_maximum(node[[3L]], maxima)
  # A softmax is the same wherever its argument is shifted to, as long as nothing overflows.
  if (shift) found <- c(found, edit("MAXIMUM", node[[2L]]), edit("MAXIMUM", renamed(node, "+")))
  if (binary(node, "+") && head_of(node[[2L]]) == "%*%") found <- c(found, edit("BIAS", node[[2L]]))
  if (name == "sweep") found <- c(found, edit("BIAS", node[[2L]]))
  if (name %in% c("%*%", "/", "exp", "log", "crossprod", "tcrossprod")) {
    found <- c(found, edit("SINGLE_INSIDE", single(node, 2L)))
  } else if (body && !head_of(node) %in% c("{", "list", "c", "for", "function") && is.call(node)) {
    found <- c(found, edit("SINGLE_INSIDE", call("single_inside", node)))
  }
  if (name %in% c("t", "aperm")) found <- c(found, edit("TRANSPOSE_REMOVED", node[[2L]]))
  if (name %in% c("crossprod", "tcrossprod")) found <- c(found, edit("TRANSPOSE_REMOVED", renamed(node, "%*%")))
  if (binary(node, "+")) found <- c(found, edit("SIGN", renamed(node, "-")))
  if (binary(node, "-") && !shift) found <- c(found, edit("SIGN", renamed(node, "+")))
  if (is.numeric(node) && length(node) == 1L && is.finite(node)) found <- c(found, edit("CONSTANT", node + 1))
  lapply(found, function(one) c(one, list(was = short(node), now = short(one$node))))
}

# All faults of an expression: each with the whole of it, changed. What is wrong in a maximum that is
# subtracted shows where the exponential overflows.
edits <- function(node, maxima, exponent = FALSE, body = FALSE, shift = FALSE) {
  found <- edits_here(node, maxima, exponent, body)
  if (shift) found <- lapply(found, function(one) replace(one, "fault", if (one$fault == "AXIS") "MAXIMUM" else one$fault))
  if (!is.call(node)) return(found)
  name <- head_of(node)
  parts <- seq_along(node)[-1L]
  if (name == "function") parts <- 3L
  if (name == "apply") parts <- setdiff(parts, 3L)
  for (i in parts) {
    if (identical(node[[i]], quote(expr = )) || is.null(node[[i]])) next
    last <- (name == "function") || (body && name == "{" && i == length(node))
    deeper <- name == "exp" || (exponent && name %in% c("-", "+", "*", "/", "("))
    inside <- shift || (exponent && i == 3L && binary(node, "-") && is_maximum(node[[3L]], maxima))
    for (one in edits(node[[i]], maxima, deeper, last, inside)) {
      whole <- node
      whole[[i]] <- one$node
      one$node <- whole
      found <- c(found, list(one))
    }
  }
  found
}

defined <- function(expression) {
  if (head_of(expression) %in% c("<-", "=") && is.name(expression[[2L]])) as.character(expression[[2L]]) else ""
}

# Records of fault, definition, line, what it was, what it is now, and the whole source.
mutants <- function(path) {
  parsed <- parse(intToUtf8(path), keep.source = TRUE, encoding = "UTF-8")
  lines <- vapply(attr(parsed, "srcref"), function(at) as.integer(at)[1L], 0L)
  texts <- vapply(as.list(parsed), text_of, "")
  maxima <- unique(unlist(lapply(as.list(parsed), maxima_of)))
  records <- character()
  for (i in seq_along(parsed)) {
    name <- defined(parsed[[i]])
    if (name == "") next
    for (one in edits(parsed[[i]], maxima)) {
      changed <- texts
      changed[i] <- text_of(one$node)
      source <- paste(c(changed, if (one$fault == "SINGLE_INSIDE") HELPER), collapse = "\n\n")
      records <- c(records, paste(one$fault, name, lines[i], one$was, one$now, source, sep = FIELD))
    }
  }
  utf8ToInt(enc2utf8(paste(records, collapse = RECORD)))
}

# Names of a definition's functions, and of those of its variables that are not its arguments.
names_in <- function(expression) {
  arguments <- if (head_of(expression[[3L]]) == "function") names(expression[[3L]][[2L]])
  used <- all.names(expression[[3L]], unique = TRUE)
  variables <- all.vars(expression[[3L]])
  union(setdiff(used, variables), setdiff(variables, arguments))
}

# Records of a definition and the names that it uses.
uses <- function(path) {
  parsed <- Filter(function(one) defined(one) != "", as.list(parse(intToUtf8(path), encoding = "UTF-8")))
  records <- vapply(parsed, function(one) paste(c(defined(one), names_in(one)), collapse = FIELD), "")
  utf8ToInt(enc2utf8(paste(records, collapse = RECORD)))
}
