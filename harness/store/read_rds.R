# Arguments: an .rds file, and a folder. Writes the numbers of each array into the folder, and prints what they are.
given <- commandArgs(trailingOnly = TRUE)
value <- readRDS(given[1L])
plain <- function(x) gsub("[\t\r\n]", " ", x)
tell <- function(...) cat(..., sep = "\t", "\n")
count <- 0L
keep <- function(name, x) {
  if (inherits(x, c("factor", "Date", "POSIXt")) || !(is.numeric(x) || is.logical(x) || is.complex(x))) {
    return(tell("text", plain(name), paste0("is a ", class(x)[1L])))
  }
  # A missing integer or logical has no place among NumPy's: it becomes a real, NaN.
  kind <- if (is.double(x)) "float64" else if (is.complex(x)) "complex128" else if (anyNA(x)) "float64" else if (is.logical(x)) "bool" else "int32"
  flat <- switch(kind, float64 = as.double(x), complex128 = as.complex(x), bool = as.integer(x), int32 = as.integer(x))
  count <<- count + 1L
  writeBin(flat, file.path(given[2L], count), endian = "little")
  size <- if (is.null(dim(x))) length(x) else dim(x)
  tell("array", plain(name), kind, paste(size, collapse = " "), count)
}
if (is.list(value)) {
  if (is.null(names(value)) || any(!nzchar(names(value)))) stop("the list has elements without a name")
  for (name in names(value)) keep(name, value[[name]])
} else {
  keep("array", value)
}
