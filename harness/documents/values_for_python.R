function(wanted, mark) {
  most <- 20000L
  stop_here <- function() stop("not carried", call. = FALSE)
  text <- function(value) {
    value <- enc2utf8(value)
    for (pair in list(c("\\", "\\\\"), c("\"", "\\\""), c("\n", "\\n"), c("\r", "\\r"), c("\t", "\\t"))) {
      value <- gsub(pair[1L], pair[2L], value, fixed = TRUE)
    }
    if (any(grepl("[[:cntrl:]]", value))) stop_here()
    paste0("\"", value, "\"")
  }
  number <- function(value) {
    shown <- sprintf("hex(\"%a\")", value)
    ifelse(is.na(value), "nan", ifelse(is.infinite(value), ifelse(value > 0, "hex(\"inf\")", "hex(\"-inf\")"), shown))
  }
  items <- function(values) {
    if (length(values) > most) stop_here()
    if (is.factor(values)) values <- as.character(values)
    if (is.object(values)) stop_here()
    shown <- switch(typeof(values),
      logical = ifelse(values, "True", "False"),
      integer = as.character(values),
      double = number(as.vector(values)),
      character = text(as.vector(values)),
      stop_here()
    )
    if (typeof(values) != "double") shown[is.na(values)] <- "None"
    as.vector(shown)
  }
  row <- function(values) paste0("[", paste(items(values), collapse = ", "), "]")
  code <- function(value) {
    if (is.null(value)) return("None")
    if (is.data.frame(value)) {
      columns <- vapply(value, row, "")
      named <- is.character(attr(value, "row.names"))
      rows <- if (named) row(rownames(value)) else "None"
      return(paste0("table({", paste0(text(names(value)), ": ", columns, collapse = ", "), "}, ", rows, ")"))
    }
    if (!is.null(dim(value)) && !is.list(value) && !is.object(value)) {
      shape <- paste0("[", paste(dim(value), collapse = ", "), "]")
      return(paste0("array(", row(as.vector(value)), ", ", shape, ")"))
    }
    if (is.list(value) && !is.object(value)) {
      parts <- vapply(value, code, "")
      if (is.null(names(value))) return(paste0("[", paste(parts, collapse = ", "), "]"))
      return(paste0("{", paste0(text(names(value)), ": ", parts, collapse = ", "), "}"))
    }
    if (length(value) == 1L) items(value) else row(value)
  }
  for (name in wanted) {
    shown <- tryCatch(code(get(name, envir = globalenv())), error = function(condition) NULL)
    if (!is.null(shown)) cat("\n", mark, name, " ", shown, "\n", sep = "")
  }
}
