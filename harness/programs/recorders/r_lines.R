# The lines of operators, functions and parameters, where a statement goes over several lines: R keeps only those of
# statements.

written <- function(e) paste(deparse(e, width.cutoff = 500L, control = "digits17"), collapse = " ")
# Of each expression in such a statement, how it is written, its line and that of what it does; and the parameters.
lines_in <- function(expressions) {
  data <- utils::getParseData(expressions)
  none <- list(key = character(), line = integer(), at = integer(), used = logical(), formals = NULL)
  if (is.null(data) || !nrow(data)) return(none)
  data <- data[data$token != "COMMENT", ]
  none$formals <- data[data$token == "SYMBOL_FORMALS", c("text", "line1")]
  row <- match(seq_len(max(data$id)), data$id)
  in_braces <- data$parent <= 0L | data$parent %in% data$parent[data$token == "'{'"]
  # The statement that each is in.
  own <- ifelse(in_braces, data$id, NA)
  repeat {
    open <- which(is.na(own))
    above <- own[row[data$parent[open]]]
    if (!length(open) || all(is.na(above))) break
    own[open] <- above
  }
  statement <- row[own]
  several <- !is.na(statement) & data$line1[statement] < data$line2[statement]
  nodes <- data[several & !data$terminal, ]
  texts <- if (nrow(nodes)) utils::getParseText(data, nodes$id) else character()
  # What has statements in it has lines of its own.
  for (i in which(!grepl("{", texts, fixed = TRUE))) {
    children <- data[data$parent == nodes$id[i], ]
    if (nrow(children) < 2L) next
    e <- tryCatch(parse(text = texts[i], keep.source = FALSE)[[1L]], error = function(condition) NULL)
    if (is.null(e)) next
    at <- children$line2[1L]
    if (nrow(children) == 3L && children$terminal[2L] && children$token[2L] != "'('") {
      # Of an operator its own line, or that of a name or number behind it.
      single <- sum(data$parent == children$id[3L]) < 2L
      at <- if (single || children$token[2L] == "PIPE") children$line1[3L] else children$line1[2L]
    }
    none$key <- c(none$key, written(e))
    none$line <- c(none$line, nodes$line1[i])
    none$at <- c(none$at, at)
  }
  none$used <- logical(length(none$key))
  none
}
# The line of what an expression does; of a part that is written twice, the next one.
line_at <- function(e, kind) {
  known <- context_of$lines
  if (!is.call(e) || context_of$until <= context_of$line || !length(known$key)) return(context_of$line)
  found <- which(known$key == written(e) & known$line >= context_of$line & known$line <= context_of$until & !known$used)
  if (!length(found)) return(context_of$line)
  if (kind == "part") context_of$lines$used[found[1L]] <- TRUE
  known$at[found[1L]]
}
line_of_formal <- function(name) {
  found <- with(context_of$lines$formals, line1[text == name & line1 >= context_of$line])
  if (length(found)) found[1L] else context_of$line
}
