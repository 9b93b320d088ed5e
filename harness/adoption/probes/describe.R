# Describe a value on a line of its own, for harness.adoption.facts; put in front of a program.
.harness_described <- function(number, value, most = 20000L) {
  quoted <- function(x) vapply(x, function(each) paste(deparse(each), collapse = ""), "")
  joined <- function(x) paste(x, collapse = "\037")
  line <- function(...) base::cat("\n\036adopt\t", paste(c(number, ...), collapse = "\t"), "\n", sep = "")
  value <- tryCatch(force(value), error = function(e) NULL)
  kind <- "array"
  more <- ""
  if (is.data.frame(value) && is.integer(attr(value, "row.names"))) return(line("frame", "", "", joined(c("data.frame", names(value))), ""))
  if (is.factor(value)) {
    kind <- "factor"
    value <- as.character(value)
  } else if (is.data.frame(value) || !(is.atomic(value) || is.list(value)) || is.null(value) || inherits(value, c("Date", "POSIXct"))) {
    return(line("other", "", "", class(value)[1L], ""))
  } else if (is.list(value)) {
    if (!length(value) || !all(vapply(value, function(each) is.numeric(each) && length(each) == 1L, NA))) return(line("other", "", "", "list", ""))
    kind <- "list"
    more <- if (is.null(names(value))) "" else joined(quoted(names(value)))
    value <- vapply(value, as.numeric, 0)
  }
  if (length(value) > most) return(line("large", "", "", length(value), ""))
  if (anyNA(value) && !is.numeric(value)) return(line("other", "", "", "NA", ""))
  type <- switch(typeof(value), double = "f", integer = "i", logical = "b", complex = "c", character = "U", "")
  if (type == "" || (type == "i" && anyNA(value))) return(line("other", "", "", typeof(value), ""))
  shape <- if (is.null(dim(value))) length(value) else dim(value)
  if (kind == "array" && inherits(value, "table")) kind <- "table"
  if (kind != "list") {
    # For each side: nothing, or its names.
    sides <- if (is.null(dim(value))) list(names(value)) else if (is.null(dimnames(value))) vector("list", length(dim(value))) else dimnames(value)
    more <- joined(vapply(sides, function(side) if (is.null(side)) "NULL" else paste0("c(", paste(quoted(as.vector(side)), collapse = ", "), ")"), ""))
    if (!length(unlist(sides))) more <- ""
  }
  if (is.null(dim(value)) && length(value) == 1L && kind != "list") kind <- if (nzchar(more)) kind else "scalar"
  flat <- as.vector(value)
  text <- switch(type,
    U = joined(gsub("[\t\n]", " ", flat)), c = paste(sprintf("%.17g %.17g", Re(flat), Im(flat)), collapse = " "),
    f = paste(ifelse(is.nan(flat), "nan", sprintf("%.17g", flat)), collapse = " "), paste(as.integer(flat), collapse = " ")
  )
  if (type == "f") text <- gsub("NA", "nan", gsub("Inf", "inf", text))
  line(kind, type, paste(shape, collapse = "x"), more, text)
}
