# Describes a value in lines of text, as harness/workers/describe_value.py: path, kind, dtype, missing, words.
described_value_ <- function(value, path = character()) {
  word <- sprintf("a %s", class(value)[1L])
  kind <- "other"
  dtype <- "float"
  gaps <- FALSE
  parts <- list()
  sparse <- isS4(value) && methods::is(value, "Matrix")
  if (is.factor(value)) kind <- "category"
  else if (inherits(value, "Date")) kind <- "date"
  else if (inherits(value, "POSIXct")) kind <- "time"
  else if (is.character(value)) kind <- "text"
  else if (is.numeric(value) || is.logical(value) || is.complex(value) || sparse) {
    kind <- "array"
    dtype <- if (is.integer(value)) "int" else if (is.logical(value)) "bool" else if (is.complex(value)) "complex" else "float"
  } else if (is.list(value) && length(value) > 0L && length(value) <= 20L && length(path) <= 6L) {
    has <- names(value)
    kind <- if (!is.null(has) && all(nzchar(has))) "names" else "list"
    parts <- as.list(unclass(value))
    attributes(parts) <- NULL
    names(parts) <- if (kind == "names") has else as.character(seq_along(parts))
  }
  if (kind %in% c("category", "date", "time", "text")) gaps <- anyNA(value)
  if (kind == "array" && !sparse && dtype != "complex") gaps <- any(is.na(value) & !is.nan(value))
  line <- paste(paste(path, collapse = "\035"), kind, dtype, as.integer(gaps), word, sep = "\037")
  inner <- Map(function(part, name) described_value_(part, c(path, name)), parts, names(parts))
  paste(c(line, unlist(inner)), collapse = "\n")
}
