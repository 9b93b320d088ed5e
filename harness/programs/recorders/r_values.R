# Values as the trace has them: arrays of numbers, truth values and texts, parts of lists and tables by name.

quoted <- function(texts) {
  escaped <- gsub("\"", "\\\\\"", gsub("\\", "\\\\", enc2utf8(texts), fixed = TRUE))
  escaped <- gsub("[[:cntrl:]]", " ", escaped)
  charToRaw(paste0("[", paste0("\"", escaped, "\"", collapse = ","), "]"))
}
# A vector or list as R has it, past the methods that a program has written for its class.
own_value <- function(value) {
  if (!is.factor(value)) return(if (is.object(value)) unclass(value) else value)
  whole <- unclass(value)
  named <- attr(whole, "names")
  value <- attr(whole, "levels")[whole]
  attr(value, "names") <- named
  value
}
one <- function(value, path) {
  if (inherits(value, "integer64")) return(NULL)
  value <- own_value(value)
  dims <- dim(value)
  shape <- if (is.null(dims)) length(value) else dims
  scalar <- if (is.null(dims) && length(value) == 1L) 1L else 0L
  names <- if (is.null(dims) && !is.null(names(value)) && length(value) > 1L) names(value) else NULL
  kind <- typeof(value)
  bytes <- switch(kind,
    double = writeBin(as.vector(unclass(value)), raw(), endian = "little"),
    integer = if (anyNA(value)) { kind <- "double"; writeBin(as.double(value), raw(), endian = "little") }
      else writeBin(as.vector(unclass(value)), raw(), endian = "little"),
    logical = if (anyNA(value)) { kind <- "double"; writeBin(as.double(value), raw(), endian = "little") }
      else as.raw(as.vector(value)),
    complex = writeBin(as.vector(value), raw(), endian = "little"),
    character = quoted(as.vector(value)),
    NULL
  )
  if (is.null(bytes)) return(NULL)
  type <- c(double = "f8", integer = "i4", logical = "b1", complex = "c16", character = "s")[[kind]]
  shape <- if (scalar) "1" else paste(shape, collapse = "x")
  list(path = path, type = type, shape = shape, bytes = bytes, labels = labels_of(dims, dimnames(value)))
}
# What the rows and columns of a small matrix are called, as JSON.
labels_of <- function(dims, names) {
  if (length(dims) != 2L || is.null(names) || any(dims > MOST_PARTS)) return("")
  axes <- vapply(names, function(axis) if (is.null(axis)) "null" else rawToChar(quoted(axis)), "")
  paste0("[", paste(axes, collapse = ","), "]")
}
parts_of <- function(value, path = "", depth = 0L) {
  if (is.null(value) || is.function(value) || is.language(value) || is.environment(value)) return(list())
  if (is.atomic(value)) {
    part <- one(value, path)
    if (is.null(part)) return(list())
    value <- own_value(value)
    labels <- names(value)
    if (depth > 0L || is.null(labels) || length(value) < 2L || length(value) > 16L || anyDuplicated(labels)) return(list(part))
    # A vector with names is a table of one row as well.
    named <- lapply(which(nzchar(labels)), function(i) one(value[[i]], paste0(path, "[\"", labels[i], "\"]")))
    return(c(list(part), Filter(Negate(is.null), named)))
  }
  if (isS4(value)) {
    if (inherits(value, "Matrix")) return(parts_of(as.matrix(value), path, depth))
    return(list())
  }
  if (inherits(value, "torch_tensor")) return(parts_of(as.array(value), path, depth))
  if (!is.list(value) || depth >= 3L) return(list())
  plain <- unclass(value)
  if (!length(plain)) return(list())
  if (is.null(names(plain)) && is.null(dim(plain))) {
    counted_in <- c("factor", "Date", "POSIXt", "difftime")
    same <- vapply(plain, function(item) {
      typeof(item) %in% c("double", "integer") && !inherits(item, counted_in) && is.null(attr(item, "dim"))
    }, NA)
    if (all(same)) plain <- lapply(plain, own_value)
    if (all(same) && length(unique(lengths(plain))) == 1L && length(plain) > 1L) {
      stacked <- if (length(plain[[1L]]) == 1L) unlist(plain) else do.call(base::rbind, plain)
      return(parts_of(stacked, path, depth))
    }
  }
  found <- list()
  labels <- names(plain)
  for (i in seq_along(plain)) {
    if (length(found) >= MOST_PARTS) break
    step <- if (is.null(labels) || !nzchar(labels[i])) paste0("[[", i, "]]") else paste0("$", labels[i])
    found <- c(found, parts_of(plain[[i]], paste0(path, step), depth + 1L))
  }
  found
}
# Whatever a value does when it is looked at, its program goes on as if it had not been.
safe_parts_of <- function(value) tryCatch(suppressWarnings(parts_of(value)), error = function(condition) list())
encoded <- function(frame, site, count, parts) {
  pieces <- list(charToRaw(paste0("E\t", site, "\t", frame, "\t", count, "\t", length(parts), "\n")))
  for (part in parts) {
    head <- paste0("V\t", clean(part$path), "\t", part$type, "\tF\t", part$shape, "\t", length(part$bytes), "\t", part$labels, "\n")
    pieces <- c(pieces, list(charToRaw(head), part$bytes))
  }
  unlist(pieces)
}
# Whether a value without arrays of its own holds what it was made of: a spline as a function, an S4 object.
hands_on <- function(value) {
  if (!is.function(value)) return(isS4(value))
  !is.primitive(value) && !isNamespace(environment(value)) && isNamespace(parent.env(environment(value)))
}
record <- function(frame, site, count, value) {
  parts <- safe_parts_of(value)
  if (!length(parts)) {
    if (count <= FIRST && hands_on(value)) write_line("E", site, frame, count, 0L)
    return()
  }
  size <- sum(vapply(parts, function(part) length(part$bytes), 0))
  if (size > SITE_BYTES) return()
  used <- state$bytes[site]
  if (count > FIRST || used + size > SITE_BYTES || state$total + size > ALL_BYTES) {
    key <- as.character(site)
    state$held[[key]] <- utils::tail(c(state$held[[key]], list(encoded(frame, site, count, parts))), LAST)
    return()
  }
  state$bytes[site] <- used + size
  state$total <- state$total + size
  write_raw(encoded(frame, site, count, parts))
}
