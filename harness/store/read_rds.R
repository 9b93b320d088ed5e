# Arguments: an .rds file, and a folder. Writes the numbers of each array into the folder, and prints what they are.
given <- commandArgs(trailingOnly = TRUE)
value <- readRDS(given[1L])
plain <- function(x) gsub("[\t\r\n]", " ", x)
tell <- function(...) cat(..., sep = "\t", "\n")
count <- 0L
store <- function(flat, ...) {
  count <<- count + 1L
  writeBin(flat, file.path(given[2L], count), endian = "little", ...)
  count
}
# The code point that no text has stands for what is missing.
words <- function(x) {
  x <- enc2utf8(as.vector(x))
  x[is.na(x)] <- "\U10FFFF"
  store(x, useBytes = TRUE)
}
keep <- function(name, x) {
  name <- plain(name)
  is_a <- paste(if (grepl("^[aeiou]", class(x)[1L])) "is an" else "is a", class(x)[1L])
  if (is.factor(x)) return(tell("category", name, is_a, words(as.character(x)), words(levels(x))))
  if (inherits(x, "Date")) {
    days <- as.double(unclass(x))
    if (any(days != floor(days), na.rm = TRUE)) return(tell("text", name, "is a Date with parts of a day"))
    return(tell("date", name, is_a, store(days)))
  }
  if (inherits(x, "POSIXt")) return(tell("time", name, is_a, store(round(as.double(as.POSIXct(x)) * 1e6))))
  if (is.character(x) && is.null(dim(x))) return(tell("words", name, is_a, words(x)))
  # The bits of integer64 are no double's.
  if (inherits(x, "integer64") || !(is.numeric(x) || is.logical(x) || is.complex(x))) {
    return(tell("text", name, is_a))
  }
  # A missing integer or logical has no place among NumPy's: it becomes a real, NaN.
  kind <- if (is.double(x)) "float64" else if (is.complex(x)) "complex128" else if (anyNA(x)) "float64" else if (is.logical(x)) "bool" else "int32"
  flat <- switch(kind, float64 = as.double(x), complex128 = as.complex(x), bool = as.integer(x), int32 = as.integer(x))
  size <- if (is.null(dim(x))) length(x) else dim(x)
  tell("array", name, kind, paste(size, collapse = " "), store(flat))
}
if (is.list(value) && !inherits(value, "POSIXlt")) {
  if (is.null(names(value)) || any(!nzchar(names(value)))) stop("the list has elements without a name")
  for (name in names(value)) keep(name, value[[name]])
} else {
  keep("array", value)
}
