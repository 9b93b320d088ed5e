# Prints what is known of the file that the first argument names; it is parsed, never run. The second is probe.R.
given <- commandArgs(trailingOnly = TRUE)
source(given[2L])
lines <- readLines(given[1L], warn = FALSE, encoding = "UTF-8")
parsed <- tryCatch(parse(text = lines, keep.source = TRUE, encoding = "UTF-8"), error = function(e) {
  # The lines after the first repeat the file's.
  said <- gsub("\t", " ", strsplit(conditionMessage(e), "\n", fixed = TRUE)[[1L]][1L])
  cat("error\t", sub("^<text>:([0-9]+):.*$|^.*$", "\\1", said), "\t", sub("^<text>:[0-9]+:[0-9]+: ", "", said), "\n", sep = "")
  quit(status = 0L)
})
refs <- attr(parsed, "srcref")
row <- function(...) cat(paste(c(...), collapse = "\t"), "\n", sep = "")
joined <- function(x) paste(x, collapse = "\037")
text_of <- function(e) gsub("[\t\n\037]", " ", paste(deparse(e, width.cutoff = 500L), collapse = " "))
assigned <- function(e) is.call(e) && length(e) == 3L && as.character(e[[1L]])[1L] %in% c("<-", "=")
is_function <- function(e) is.call(e) && identical(e[[1L]], as.symbol("function"))
defines <- function(e) assigned(e) && is.symbol(e[[2L]]) && (is_function(e[[3L]]) || getOption("harness.probe")$makes_function(e[[3L]]))
function_in <- function(e) if (is_function(e)) e else function_in(e[[2L]])
body_of <- function(e) if (is.call(e) && identical(e[[1L]], as.symbol("{"))) as.list(e)[-1L] else list(e)
own <- character()
for (e in as.list(parsed)) if (defines(e)) own <- c(own, as.character(e[[2L]]))

returned <- function(e) {
  if (is.call(e) && identical(e[[1L]], as.symbol("return")) && length(e) == 2L) e <- e[[2L]]
  if (is.call(e) && identical(e[[1L]], as.symbol("invisible")) && length(e) == 2L) e <- e[[2L]]
  if (is.symbol(e)) return(list(as.character(e), FALSE))
  if (assigned(e) && is.symbol(e[[2L]])) return(list(as.character(e[[2L]]), FALSE))
  if (is.call(e) && identical(e[[1L]], as.symbol("list"))) {
    keys <- names(e)[-1L]
    if (!is.null(keys) && all(nzchar(keys))) return(list(keys, TRUE))
    items <- as.list(e)[-1L]
    return(list(vapply(items, function(x) if (is.symbol(x)) as.character(x) else "", ""), FALSE))
  }
  list("", FALSE)
}
# What is taken by name of variables: d$age, d[["age"]].
taken <- function(e) {
  if (!is.call(e)) return(NULL)
  head <- as.character(e[[1L]])[1L]
  own <- NULL
  if (length(e) == 3L && is.symbol(e[[2L]])) {
    if (head == "$") own <- list(c(as.character(e[[2L]]), as.character(e[[3L]])))
    if (head == "[[" && is.character(e[[3L]])) own <- list(c(as.character(e[[2L]]), e[[3L]]))
  }
  there <- Filter(function(i) !identical(e[[i]], quote(expr = )), seq_along(e)[-1L])
  c(own, unlist(lapply(there, function(i) taken(e[[i]])), recursive = FALSE))
}
count <- 0L
only <- TRUE
found <- character()
is_own <- function(e) is.call(e) && is.symbol(e[[1L]]) && as.character(e[[1L]]) %in% own
passed <- function(e, key) {
  if (is.symbol(e)) return(joined(c("name", as.character(e), "", key)))
  if (is_own(e)) return(joined(c("name", call_of(e, ""), "", key)))
  if (is.call(e) && identical(e[[1L]], as.symbol("$")) && is.symbol(e[[2L]])) return(joined(c("item", as.character(e[[2L]]), as.character(e[[3L]]), key)))
  if (is.call(e) && identical(e[[1L]], as.symbol("[[")) && is.symbol(e[[2L]]) && is.character(e[[3L]])) return(joined(c("item", as.character(e[[2L]]), e[[3L]], key)))
  if (is.numeric(e) || (is.call(e) && identical(e[[1L]], as.symbol("-")) && length(e) == 2L && is.numeric(e[[2L]]))) return(joined(c("number", sub("L$", "", text_of(e)), "", key)))
  value_of(e, "")
  joined(c("other", text_of(e), "", key))
}
call_of <- function(e, target) {
  keys <- names(e)
  if (is.null(keys)) keys <- rep("", length(e))
  there <- Filter(function(i) !identical(e[[i]], quote(expr = )), seq_along(e)[-1L])
  given <- vapply(there, function(i) passed(e[[i]], keys[i]), "")
  count <<- count + 1L
  if (!nzchar(target)) target <- paste0("#", count)
  found <<- c(found, paste(c(as.character(e[[1L]]), target, given), collapse = "\t"))
  target
}
value_of <- function(e, target) {
  if (is_own(e)) return(call_of(e, target))
  if (!is.symbol(e)) only <<- FALSE
  if (is.call(e) && !identical(e[[1L]], as.symbol("function"))) for (i in seq_along(e)[-1L]) if (!identical(e[[i]], quote(expr = ))) value_of(e[[i]], "")
}
statement_of <- function(e) {
  if (defines(e)) return(invisible())
  head <- if (is.call(e)) as.character(e[[1L]])[1L] else ""
  if (assigned(e)) value_of(e[[3L]], if (is.symbol(e[[2L]])) as.character(e[[2L]]) else "")
  else if (head %in% c("for", "while", "repeat", "library", "require", "source")) { if (!head %in% c("library", "require")) only <<- FALSE }
  else if (head == "if") { only <<- FALSE; for (each in body_of(e[[3L]])) statement_of(each) }
  else if (head %in% c("return", "invisible") && length(e) == 2L) value_of(e[[2L]], "")
  else value_of(e, "")
}
# The variables that statements set, by what is on the left of an assignment, loops' own ones too.
own_sets <- function(statements) {
  sets <- function(e) {
    if (!is.call(e)) return(NULL)
    head <- as.character(e[[1L]])[1L]
    own <- if (head %in% c("<-", "=", "<<-", "for")) all.vars(e[[2L]])[1L]
    c(own, unlist(lapply(Filter(function(i) !identical(e[[i]], quote(expr = )), seq_along(e)[-1L]), function(i) sets(e[[i]]))))
  }
  unlist(lapply(statements, sets))
}
block <- function(name, statements, lines) {
  only <<- TRUE
  rows <- character()
  for (i in seq_along(statements)) {
    found <<- character()
    statement_of(statements[[i]])
    if (length(found)) rows <- c(rows, paste("call", name, lines[i], found, sep = "\t"))
  }
  row("block", name, as.integer(only && length(rows) > 0L))
  for (e in statements) if (assigned(e) && is.symbol(e[[2L]]) && sum(own_sets(statements) == as.character(e[[2L]])) == 1L) row("constant", name, as.character(e[[2L]]), text_of(e[[3L]]))
  for (each in rows) cat(each, "\n", sep = "")
}
for (i in seq_along(parsed)) {
  e <- parsed[[i]]
  if (!defines(e)) next
  f <- function_in(e[[3L]])
  args <- f[[2L]]
  optional <- vapply(args, function(a) !identical(a, quote(expr = )), NA)
  parts <- body_of(f[[3L]])
  last <- if (length(parts)) returned(parts[[length(parts)]]) else list("", FALSE)
  line <- as.integer(refs[[i]])[1L]
  row("function", as.character(e[[2L]]), line, joined(names(args)), joined(as.integer(optional)), joined(last[[1L]]), as.integer(last[[2L]]), joined(ifelse(optional, vapply(args, text_of, ""), "")))
  for (each in unique(taken(f[[3L]]))) if (each[1L] %in% names(args)) row("key", as.character(e[[2L]]), each[1L], each[2L])
  block(as.character(e[[2L]]), parts, rep(line, length(parts)))
}
block("", as.list(parsed), vapply(refs, function(r) as.integer(r)[1L], 0L))
getOption("harness.probe")$statements(paste(lines, collapse = "\n"))
