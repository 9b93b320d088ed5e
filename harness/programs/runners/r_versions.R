# Run versions of an R program, each in a process that starts from here: FOLDER SECONDS PROGRAM ARGUMENT...
# What each prints is behind a line with its number, and a line with how it ended is behind that.
local({
  given <- base::commandArgs(trailingOnly = TRUE)
  hooks <- attach(NULL, name = "versions", warn.conflicts = FALSE)
  hooks$commandArgs <- function(trailingOnly = FALSE) {
    own <- given[-(1:3)]
    if (trailingOnly) own else c("R", "--no-echo", "--no-restore", paste0("--file=", given[3L]), "--args", own)
  }
  options(device = function(...) grDevices::pdf(NULL))
  versions <- list.files(given[1L], full.names = TRUE)
  numbers <- as.integer(sub("[.].*", "", basename(versions)))
  limit <- as.numeric(given[2L])
  of_children <- function() sum(proc.time()[4:5])
  for (at in order(numbers)) {
    begun <- of_children()
    printed <- tempfile()
    job <- parallel::mcparallel({
      setTimeLimit(cpu = limit)
      sink(printed)
      source(versions[at], local = globalenv(), echo = FALSE, print.eval = TRUE, encoding = "UTF-8")
      sink()
      "ended"
    }, mc.set.seed = FALSE, silent = TRUE)
    came <- parallel::mccollect(job)[[1L]]
    # No other version may take much longer than the first, which is the program as it is.
    if (numbers[at] == 0L) limit <- min(limit, 0.5 + 4 * (of_children() - begun))
    lines <- if (file.exists(printed)) readLines(printed, warn = FALSE) else character()
    cat("\x1e", numbers[at], "\n", sep = "")
    writeLines(lines)
    cat("\n\x1f", if (identical(came, "ended")) 0L else 1L, "\n", sep = "")
    unlink(printed)
  }
})
