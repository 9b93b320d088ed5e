# What the rewritten program calls: each records a value, or that a call has begun or ended, and returns what it was given.

frame_of <- function(env) {
  found <- get0(".hr_f", envir = env, inherits = TRUE)
  if (is.null(found)) 0L else found
}
assign(".hr_f", 0L, envir = hooks)
counted <- function(site) {
  count <- state$counts[site] + 1L
  state$counts[site] <- count
  count
}
keep <- function(frame, site, value) {
  count <- counted(site)
  planned <- plan[[as.character(site)]]
  if (!is.null(planned) && count <= length(planned) && !is.null(planned[[count]])) {
    value <- restored(value, planned[[count]])
  }
  if (is_kept(site) && (count <= FIRST || count %% 64L < LAST)) record(frame, site, count, value)
  value
}
hooks$.hr <- function(site, value) {
  value <- value
  frame <- frame_of(parent.frame())
  state$current <- frame
  keep(frame, site, value)
}
hooks$.hr_shown <- hooks$.hr
hooks$.hr_part <- function(site, value) {
  value <- value
  count <- state$counts[site] + 1L
  state$counts[site] <- count
  if (count > PARTS && !length(plan)) return(value)
  frame <- frame_of(parent.frame())
  state$current <- frame
  planned <- plan[[as.character(site)]]
  # Of a trial, the results count.
  if (length(plan) && is.null(planned) && (is.null(state$kept) || !is_kept(site))) return(value)
  if (!is.null(planned) && count <= length(planned) && !is.null(planned[[count]])) {
    value <- restored(value, planned[[count]])
  }
  if (is_kept(site) && count <= PARTS && state$of_parts < PART_BYTES && !is.character(value)) {
    parts <- safe_parts_of(value)
    size <- sum(vapply(parts, function(part) length(part$bytes), 0))
    if (length(parts) && size <= SITE_BYTES) {
      state$of_parts <- state$of_parts + size
      write_raw(encoded(frame, site, count, parts))
    }
  }
  value
}
# What a parameter is where nothing is given for it, once it is looked at.
hooks$.hr_default <- function(otherwise, site, value) {
  value <- value
  if (is.function(value)) return(value)
  frame <- frame_of(parent.frame())
  keep(frame, site, keep(frame, otherwise, value))
}
hooks$.hr_ret <- function(site, value) {
  seen <- withVisible(value)
  frame <- frame_of(parent.frame())
  if (!is.function(seen$value)) seen$value <- keep(frame, site, seen$value)
  if (frame > 0L) state$current <- state$parents[frame]
  if (seen$visible) seen$value else invisible(seen$value)
}
# An event without a value: that a statement's calls have ended, or an argument that is evaluated later.
note <- function(frame, site) {
  count <- counted(site)
  if (count <= FIRST && is.null(state$kept)) write_line("E", site, frame, count, 0L)
}
hooks$.hr_called <- function(site, value) {
  seen <- withVisible(value)
  state$current <- frame <- frame_of(parent.frame())
  note(frame, site)
  if (seen$visible) seen$value else invisible(seen$value)
}
# What a name stands for, unless a function of the program computes it.
stored <- function(name, env) {
  computed <- exists(name, envir = env, inherits = FALSE) && bindingIsActive(name, env)
  if (!computed) tryCatch(get(name, envir = env), error = function(condition) NULL)
}
hooks$.hr_after <- function(site, name) {
  env <- parent.frame()
  steps <- strsplit(name, "$", fixed = TRUE)[[1L]]
  whole <- stored(steps[1L], env)
  plain <- if (is.object(whole) && !is.environment(whole) && !isS4(whole)) unclass(whole) else whole
  column <- is.matrix(plain) && !is.list(plain)
  value <- if (length(steps) == 1L) whole else if (is.environment(plain)) stored(steps[2L], plain) else tryCatch(
    if (column) plain[, steps[2L]] else plain[[steps[2L]]], error = function(condition) NULL
  )
  if (is.null(value)) return(invisible())
  kept <- keep(frame_of(env), site, value)
  if (!is.null(plan[[as.character(site)]])) {
    if (length(steps) > 1L) {
      if (column) whole[, steps[2L]] <- kept else whole[[steps[2L]]] <- kept
      kept <- whole
    }
    assign(steps[1L], kept, envir = env)
  }
  invisible()
}
# A function as it is written, for programs that look at that.
as_written <- function(fun) {
  given <- if (is.function(fun)) base::body(fun)
  known <- if (is_call(given, "{") && length(given) > 1L && is_call(given[[2L]], ".hr_enter")) attr(given[[2L]][[2L]], "written")
  if (is.null(known)) return(fun)
  as.function(c(as.list(known$formals), list(utils::removeSource(known$body))), envir = environment(fun))
}
hooks$body <- function(fun = sys.function(sys.parent())) base::body(as_written(fun))
# An argument of names, numbers and arithmetic: when it is looked at changes nothing.
ARITHMETIC <- c("+", "-", "*", "/", "^", "(", "[", "[[", "$", ":", "%*%", "%%", "%/%", ".hr_part", ".hr_shown")
harmless <- function(e) {
  if (is.name(e)) return(nzchar(as.character(e)))
  if (is.numeric(e)) return(TRUE)
  is_call(e, ARITHMETIC) && all(vapply(as.list(e)[-1L], function(item) is.character(item) || harmless(item), NA))
}
hooks$.hr_enter <- function(defaults) {
  env <- parent.frame()
  state$frames <- state$frames + 1L
  parent <- frame_of(parent.frame(2L))
  # A function's own definition is not its caller.
  state$parents[state$frames] <- parent
  write_line("F", state$frames, parent)
  assign(".hr_f", state$frames, envir = env)
  given <- if (length(defaults)) tryCatch(as.list(match.call(sys.function(-1L), sys.call(-1L), envir = parent.frame(2L)))[-1L], error = function(condition) list())
  for (item in defaults) {
    if (item$name == "...") {
      note(state$frames, item$site)
    } else if (do.call(base::missing, list(as.name(item$name)), envir = env)) {
      if (is.null(item$value)) next
      value <- keep(state$frames, item$site, keep(state$frames, item$otherwise, item$value))
      if (any(as.character(c(item$site, item$otherwise)) %in% names(plan))) assign(item$name, value, envir = env)
    } else if (harmless(given[[item$name]])) {
      value <- tryCatch(get(item$name, envir = env), error = function(condition) NULL)
      if (!is.null(value) && !is.function(value)) keep(state$frames, item$site, value)
    } else {
      note(state$frames, item$site)
    }
  }
  invisible()
}
