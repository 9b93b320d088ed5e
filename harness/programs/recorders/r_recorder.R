# Run an R program and record it: Rscript --vanilla r_recorder.R TRACE PLAN PROGRAM ARGUMENT...
# The program's calls are rewritten: values pass through a function that records them and returns them as they are,
# or, where the plan says so, what another program had there. The format is that of python_recorder.py.
invisible(compiler::enableJIT(0L))
local({
  FIRST <- 2000L
  LAST <- 3L
  # Occurrences of what an expression is made of that are recorded, and bytes of them all.
  PARTS <- 100L
  PART_BYTES <- 64 * 2^20
  SITE_BYTES <- 16 * 2^20
  ALL_BYTES <- 192 * 2^20
  MOST_PARTS <- 64L
  given <- base::commandArgs(trailingOnly = TRUE)
  program <- given[3L]
  out <- file(given[1L], "wb", raw = TRUE)
  # Of a trial, the sites that are recorded; without it all are.
  is_kept <- function(site) is.null(state$kept) || isTRUE(state$kept[site])
  hooks <- attach(NULL, name = "recorder", warn.conflicts = FALSE)
  state <- new.env()
  state$sites <- 0L
  state$frames <- 0L
  state$current <- 0L
  state$total <- 0
  state$of_parts <- 0
  state$counts <- integer()
  state$bytes <- numeric()
  state$parents <- integer()
  state$held <- list()
  state$buffer <- list()
  state$buffered <- 0L
  state$flushed <- 0

  flush_out <- function() {
    if (length(state$buffer)) writeBin(unlist(state$buffer), out)
    state$buffer <- list()
    state$buffered <- 0L
  }
  write_raw <- function(bytes) {
    state$buffer[[length(state$buffer) + 1L]] <- bytes
    state$buffered <- state$buffered + length(bytes)
    # The program may be ended from outside.
    now <- proc.time()[[3L]]
    if (state$buffered > 65536L || length(state$buffer) > 200L || now - state$flushed > 0.5) {
      flush_out()
      if (now - state$flushed > 0.5) flush(out)
      state$flushed <- now
    }
  }
  write_line <- function(...) write_raw(charToRaw(paste0(paste(..., sep = "\t"), "\n")))
  clean <- function(text) gsub("[\t\n\r]", " ", text)

  # In this environment, whose names they share.
  own_path <- sub("^--file=", "", grep("^--file=", base::commandArgs(), value = TRUE)[1L])
  # R has blanks in it written otherwise.
  own_folder <- dirname(gsub("~+~", " ", own_path, fixed = TRUE))
  for (part in c("r_values.R", "r_plans.R", "r_hooks.R", "r_lines.R", "r_syntax.R", "r_rewrite.R")) {
    eval(parse(file.path(own_folder, part), keep.source = FALSE, encoding = "UTF-8"))
  }

  run_file <- function(path, env, echo) {
    lines <- readLines(path, warn = FALSE, encoding = "UTF-8")
    expressions <- parse(text = lines, keep.source = TRUE, srcfile = srcfilecopy(basename(path), lines), encoding = "UTF-8")
    own_functions(as.call(c(list(as.name("{")), as.list(expressions))))
    refs <- attr(expressions, "srcref")
    state$failed <- 0L
    outer <- mget(c("file", "line", "until", "lines"), envir = context_of)
    context_of$file <- basename(path)
    context_of$lines <- lines_in(expressions)
    for (i in seq_along(expressions)) {
      context_of$line <- state$line <- as.integer(refs[[i]])[1L]
      context_of$until <- as.integer(refs[[i]])[3L]
      e <- expressions[[i]]
      shown <- 0L
      bare <- !is_call(e, c("<-", "=", "<<-", "for", "while", "repeat", "if", "function", "cat", "library", "source", "invisible", "set.seed", "print", "stopifnot", "message", "suppressWarnings", "suppressMessages"))
      if (bare) shown <- site("shown", if (is.name(e)) as.character(e) else "shown", e)
      if (is_call(e, "source") && length(e) > 1L) {
        helper <- eval(e[[2L]], env)
        if (is.character(helper) && file.exists(helper)) {
          run_file(helper, env, FALSE)
          next
        }
      }
      for (statement in statements(e, FALSE)) {
        result <- withVisible(eval(statement, env))
        if (bare && result$visible) keep(0L, shown, result$value)
        if (echo && result$visible) {
          if (is.function(result$value)) print(as_written(result$value), useSource = FALSE)
          else if (isS4(result$value)) methods::show(result$value)
          else print(result$value)
        }
      }
    }
    for (field in names(outer)) assign(field, outer[[field]], envir = context_of)
  }
  finish <- function(message) {
    for (held in state$held) for (item in held) write_raw(item)
    for (number in which(state$counts > 0L)) write_line("O", number, state$counts[number])
    if (nzchar(message)) write_line("X", state$line, clean(message))
    write_line("Z")
    flush_out()
    close(out)
  }
  hooks$commandArgs <- function(trailingOnly = FALSE) {
    own <- given[-(1:3)]
    if (trailingOnly) own else c("R", "--no-echo", "--no-restore", paste0("--file=", program), "--args", own)
  }
  hooks$quit <- hooks$q <- function(save = "no", status = 0, runLast = TRUE) {
    finish(if (status != 0) paste("it ended itself with status", status) else "")
    base::quit("no", status, runLast)
  }

  options(keep.source = FALSE, device = function(...) grDevices::pdf(NULL))
  run <- function() {
    message_of <- ""
    tryCatch(
      run_file(program, globalenv(), TRUE),
      error = function(condition) {
        message_of <<- conditionMessage(condition)
        base::message("Error: ", message_of)
      }
    )
    finish(message_of)
    nzchar(message_of)
  }
  if (!length(plans)) base::quit("no", as.integer(run()))
  for (number in seq_along(plans)) {
    write_line("T", number)
    flush_out()
    flush(out)
    # A process of its own for each trial, which starts from here.
    job <- parallel::mcparallel({
      plan <- plans[[number]]
      setTimeLimit(cpu = state$seconds)
      run()
    }, mc.set.seed = FALSE, silent = TRUE)
    parallel::mccollect(job)
  }
  close(out)
  base::quit("no", 0L)
})
