# The program's calls, with those of r_hooks.R around them.

# An expression, and the sites of what it is made of.
with_parts <- function(e) {
  outer <- context_of$parts
  context_of$parts <- integer()
  done <- rewrite_inside(e)
  parts <- context_of$parts
  context_of$parts <- outer
  list(e = done, parts = parts)
}
rewrite_inside <- function(e, parts = TRUE) {
  # Functions inside of an expression, and what it is made of; what quotes its arguments is left alone.
  if (!is.call(e)) return(e)
  if (is_call(e, "function")) return(rewrite_function(e, ""))
  if (is_call(e, IN_TABLE)) return(in_table(e))
  if (is_call(e, WITH_FUNCTIONS)) return(functions_of(e))
  if (is_call(e, QUOTING)) return(e)
  if (is_call(e, c("{", "if", "for", "while", "repeat", "<-", "=", "<<-"))) {
    first <- state$sites
    lines <- mget(c("line", "until"), envir = context_of)
    done <- rewrite(e, FALSE)
    for (field in names(lines)) assign(field, lines[[field]], envir = context_of)
    # What is made in it is what its value is made of.
    if (state$sites > first) context_of$parts <- c(context_of$parts, seq(first + 1L, state$sites))
    return(done)
  }
  parts <- parts && is_call(e, STANDARD)
  for (i in seq_along(e)) {
    item <- e[[i]]
    if (missing(item) || !is.call(item)) next
    if (!parts || i == 1L || !is_part(item)) {
      e[[i]] <- rewrite_inside(item, parts)
      next
    }
    outer <- context_of$parts
    context_of$parts <- integer()
    done <- rewrite_inside(item, TRUE)
    text <- paste(deparse(item, width.cutoff = 200L), collapse = " ")
    if (nchar(text) > 48L) text <- paste0(substr(text, 1L, 45L), "...")
    number <- site("part", text, item, context_of$parts)
    context_of$parts <- c(outer, number)
    e[[i]] <- call(".hr_part", number, done)
  }
  e
}
# What is evaluated in a table: its columns are read and set by their names alone.
in_table <- function(e) {
  first <- state$sites
  lines <- mget(c("line", "until"), envir = context_of)
  name <- as.character(e[[1L]])
  if (length(e) < 3L || !is.null(names(e)) && nzchar(names(e)[2L])) return(e)
  outer <- context_of$table
  table <- e[[2L]]
  if (is.call(table)) e[[2L]] <- rewrite_inside(table)
  context_of$table <- if (is.name(table)) as.character(table) else ""
  labels <- if (is.null(names(e))) character(length(e)) else names(e)
  for (i in seq_along(e)[-(1:2)]) {
    item <- e[[i]]
    if (missing(item) || !is.call(item) || !wrappable(item)) next
    if (name %in% c("with", "within")) {
      if (i == 3L && !nzchar(labels[i])) e[[i]] <- if (is_call(item, c("{", "<-", "="))) rewrite(item, FALSE) else rewrite_inside(item)
    } else if (nzchar(labels[i]) && labels[i] != "select" || name == "subset" && i == 3L) {
      inner <- with_parts(item)
      column <- if (name == "transform") paste0(context_of$table, "$", labels[i]) else clean(deparse(item, width.cutoff = 48L)[1L])
      e[[i]] <- call(".hr_part", site("part", column, item, inner$parts), inner$e)
    }
  }
  context_of$table <- outer
  for (field in names(lines)) assign(field, lines[[field]], envir = context_of)
  # What is made in it is what the whole is made of.
  if (state$sites > first) context_of$parts <- c(context_of$parts, seq(first + 1L, state$sites))
  e
}
# Calls that look at how their arguments are written, but for functions.
functions_of <- function(e) {
  outer <- context_of$fields
  context_of$fields <- is_call(e, "setRefClass")
  for (i in seq_along(e)[-1L]) {
    item <- e[[i]]
    if (missing(item)) next
    if (is_call(item, "function")) e[[i]] <- rewrite_function(item, "")
    if (is_call(item, "list")) {
      for (k in seq_along(item)[-1L]) {
        if (is_call(item[[k]], "function")) item[[k]] <- rewrite_function(item[[k]], if (is.null(names(item))) "" else names(item)[k])
      }
      e[[i]] <- item
    }
  }
  context_of$fields <- outer
  e
}
rewrite_function <- function(e, name) {
  outer <- mget(c("fn", "control", "loops", "elements", "line", "until", "parts", "around", "beyond"), envir = context_of)
  context_of$around <- if (nzchar(context_of$fn)) c(context_of$fn, context_of$around) else character()
  context_of$beyond <- FALSE
  ref <- if (length(e) >= 4L) e[[4L]] else NULL
  if (!is.null(ref)) {
    context_of$line <- as.integer(ref)[1L]
    context_of$until <- as.integer(ref)[3L]
  }
  context_of$fn <- if (nzchar(name)) name else "function"
  context_of$parts <- integer()
  context_of$control <- integer()
  context_of$loops <- 0L
  context_of$elements <- list()
  formals <- e[[2L]]
  defaults <- list()
  looked_at <- any(LOOKED_AT %in% all.names(e[[3L]]))
  for (formal in names(formals)) {
    value <- formals[[formal]]
    at <- line_of_formal(formal)
    item <- list(name = formal, value = NULL)
    otherwise <- integer()
    if (formal != "..." && !missing(value) && (is.atomic(value) && !is.null(value) || is.call(value) && !looked_at && wrappable(value))) {
      otherwise <- item$otherwise <- site("default", formal, value, at = at)
      if (is.atomic(value)) item$value <- value
    }
    item$site <- site("param", formal, NULL, otherwise, at = at)
    if (length(otherwise) && is.call(value)) formals[[formal]] <- call(".hr_default", otherwise, item$site, rewrite_inside(value))
    defaults <- c(defaults, list(item))
  }
  attr(defaults, "written") <- list(formals = e[[2L]], body = e[[3L]])
  body <- rewrite(e[[3L]], TRUE)
  enter <- as.call(list(as.name(".hr_enter"), defaults))
  if (!any(c("UseMethod", "NextMethod", "callNextMethod", "standardGeneric") %in% all.names(e[[3L]]))) {
    e[[3L]] <- call("{", enter, body)
    if (length(formals)) e[[2L]] <- as.pairlist(formals)
  }
  for (field in names(outer)) assign(field, outer[[field]], envir = context_of)
  e
}
root_of <- function(target) {
  while (is.call(target)) target <- target[[2L]]
  if (is.character(target)) target else as.character(target)
}
# What elements are set of: a variable, or a column of one.
field_of <- function(target) {
  while (is_call(target, c("[", "[["))) {
    # A cell of a table, by its row and the column's name: t[i, "x"] is t$x[i], and t[["x"]][i] too.
    # No variable has the last index: in t[i, ] it is missing, and no value.
    at <- length(target)
    cell <- is_call(target, "[[") && at == 3L || at == 4L
    if (cell && is.character(target[[at]]) && is.name(target[[2L]])) return(paste0(target[[2L]], "$", target[[at]]))
    target <- target[[2L]]
  }
  if (is_call(target, "$") && is.name(target[[2L]])) paste0(target[[2L]], "$", target[[3L]]) else root_of(target)
}
rewrite_assignment <- function(e) {
  context_of$beyond <- is_call(e, "<<-")
  on.exit(context_of$beyond <- FALSE)
  target <- e[[2L]]
  value <- e[[3L]]
  if (is_call(value, "function")) {
    e[[3L]] <- rewrite_function(value, root_of(target))
    return(list(e))
  }
  # a <- b <- value
  if (is_call(value, c("<-", "=", "<<-"))) {
    e[[3L]] <- rewrite_assignment(value)[[1L]]
    return(list(e))
  }
  if (is.call(target) && !is_call(target, KNOWN_TARGETS)) {
    # A replacement function of the program's own: what it changes is looked at afterwards.
    if (is_call(value, c("{", "if", "for", "while")) || !is.name(target[[2L]]) || context_of$loops > 0L) return(list(e))
    inner <- if (wrappable(value)) with_parts(value) else list(e = value, parts = integer())
    e[3L] <- list(inner$e)
    return(list(e, call(".hr_after", site("set", as.character(target[[2L]]), call("c", value, target[[2L]]), inner$parts), as.character(target[[2L]]))))
  }
  reads <- if (is.call(target)) call("c", value, as.call(c(list(as.name("c")), as.list(target)[-(1:2)]))) else value
  after <- list()
  inner <- if (wrappable(value)) with_parts(value) else list(e = value, parts = integer())
  if (is.name(target) || is.character(target)) {
    if (!wrappable(value)) return(list(e))
    context_of$beyond <- is_call(e, "<<-")
    of <- if (context_of$fields && is_call(e, "<<-")) ".self$" else if (nzchar(context_of$table)) paste0(context_of$table, "$") else ""
    number <- site("set", paste0(of, as.character(target)), value, inner$parts)
  } else if (is_call(target, c("names", "colnames", "rownames", "attr", "levels", "class", "body"))) {
    return(list(e))
  } else if ((is_call(target, "$") || is_field(target)) && is.name(target[[2L]])) {
    number <- site("set", paste0(root_of(target), "$", as.character(target[[3L]])), value, inner$parts)
  } else {
    root <- field_of(target)
    key <- if (is_call(target, "[") && length(target) == 3L && is.name(target[[2L]])) target[[3L]]
    element <- if (is.character(key)) paste0("[\"", clean(key), "\"]") else ""
    number <- site("element", paste0(root, "[]"), reads, inner$parts, element, line_at(value, "element"))
    container <- site("container", root, reads)
    if (context_of$loops > 0L) context_of$elements[[root]] <- container
    else after <- list(call(".hr_after", container, root))
  }
  if (wrappable(value)) e[[3L]] <- call(".hr", number, inner$e)
  c(list(e), after)
}
tested <- function(e, name) {
  inner <- with_parts(e)
  number <- site("test", name, e, inner$parts)
  list(call = call(".hr", number, inner$e), number = number)
}
rewrite_shown <- function(e) {
  if (is_call(e, SHOWING)) {
    labels <- names(e)
    for (i in seq_along(e)[-1L]) {
      item <- e[[i]]
      if (missing(item) || (!is.null(labels) && nzchar(labels[i]))) next
      # After the first, round and its like take digits.
      if (i > 2L && is_call(e, c("round", "signif", "format", "formatC"))) next
      e[[i]] <- rewrite_shown(item)
    }
    return(e)
  }
  if (!(is.call(e) || is.name(e)) || identical(e, quote(...)) || !wrappable(e)) return(e)
  if (is_call(e, QUOTING) && !is_call(e, c(IN_TABLE, WITH_FUNCTIONS))) return(e)
  name <- if (is.name(e)) as.character(e) else "shown"
  inner <- with_parts(e)
  call(".hr_shown", site("shown", name, e, inner$parts), inner$e)
}
with_loop <- function(e, body_at, head, number) {
  outermost <- context_of$loops == 0L
  if (outermost) context_of$elements <- list()
  context_of$loops <- context_of$loops + 1L
  outer <- context_of$control
  context_of$control <- c(outer, number)
  body <- rewrite(e[[body_at]], FALSE)
  e[[body_at]] <- as.call(c(list(as.name("{")), head, list(body)))
  context_of$control <- outer
  context_of$loops <- context_of$loops - 1L
  after <- list()
  if (outermost) {
    for (root in names(context_of$elements)) {
      after <- c(after, list(call(".hr_after", context_of$elements[[root]], root)))
    }
    context_of$elements <- list()
  }
  c(list(e), after)
}
# A statement as one or more; `last` says that its value is a function's.
statements <- function(e, last) {
  if (!is.call(e)) {
    return(list(if (last && !is.null(e) && !missing(e)) call(".hr_ret", site("return", context_of$fn, e), e) else e))
  }
  if (is_call(e, "{")) return(list(rewrite(e, last)))
  if (is_call(e, c("<-", "=", "<<-"))) {
    done <- rewrite_assignment(e)
    if (last && length(done) > 1L) done <- list(done[[1L]])
    return(done)
  }
  if (is_call(e, "for")) {
    name <- as.character(e[[2L]])
    inner <- with_parts(e[[3L]])
    iterates <- site("iterates", "for", e[[3L]], inner$parts)
    number <- site("loop", name, e[[3L]], inner$parts)
    e[[3L]] <- call(".hr", iterates, inner$e)
    return(with_loop(e, 4L, list(call(".hr", number, as.name(name))), number))
  }
  if (is_call(e, "while")) {
    test <- tested(e[[2L]], "while")
    e[[2L]] <- test$call
    return(with_loop(e, 3L, list(), test$number))
  }
  if (is_call(e, "repeat")) return(with_loop(e, 2L, list(), integer()))
  if (is_call(e, "if")) {
    test <- if (wrappable(e[[2L]])) tested(e[[2L]], "if") else list(call = e[[2L]], number = integer())
    e[[2L]] <- test$call
    outer <- context_of$control
    context_of$control <- c(outer, test$number)
    e[[3L]] <- rewrite(e[[3L]], last)
    if (length(e) > 3L) {
      branch <- e[[4L]]
      e[[4L]] <- rewrite(branch, last)
    }
    context_of$control <- outer
    return(list(e))
  }
  if (is_call(e, "return")) {
    if (length(e) > 1L && wrappable(e[[2L]])) {
      inner <- with_parts(e[[2L]])
      e[[2L]] <- call(".hr_ret", site("return", context_of$fn, e[[2L]], inner$parts), inner$e)
    }
    return(list(e))
  }
  if (is_call(e, c("(", "local", "suppressWarnings", "suppressMessages", "invisible")) && !last) {
    return(list(rewrite_inside(e)))
  }
  if (is_call(e, c("cat", "print", "message", "writeLines"))) return(list(rewrite_shown(e)))
  if (is_call(e, c("library", "require", "stop", "next", "break", "function", "stopifnot", "UseMethod", "NextMethod"))) return(list(rewrite_inside(e)))
  inner <- with_parts(e)
  if (last && wrappable(e)) return(list(call(".hr_ret", site("return", context_of$fn, e, inner$parts), inner$e)))
  if (!wrappable(e)) return(list(inner$e))
  list(call(".hr_called", site("call", "call", e, inner$parts), inner$e))
}
rewrite <- function(e, last) {
  if (!is_call(e, "{")) {
    done <- statements(e, last)
    return(if (length(done) == 1L) done[[1L]] else as.call(c(list(as.name("{")), done)))
  }
  lines <- lines_of(e)
  made <- list(as.name("{"))
  for (i in seq_along(e)[-1L]) {
    if (!is.null(lines)) {
      context_of$line <- lines[1L, i]
      context_of$until <- lines[2L, i]
    }
    item <- e[[i]]
    made <- c(made, statements(item, last && i == length(e)))
  }
  as.call(made)
}
