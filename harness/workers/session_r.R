# The R half of session_r.py: three functions in an option, which no code that is evaluated can remove by chance.
# What they return is kept until the next call: it is read where it lies.
local({
  drawn <- character()
  place <- ""
  kept <- NULL
  keep <- function(value) {
    kept <<- value
    kept
  }
  strings <- function(values) enc2utf8(as.character(values))

  waits <- function(...) stop("it waits for a reader", call. = FALSE)

  # What a session needs: no device that opens a window, and a record of what was drawn.
  prepare <- function() {
    options(
      warn = 1, keep.source = TRUE, device = function(...) grDevices::pdf(NULL), menu.graphics = FALSE,
      editor = waits, browser = waits
    )
    # Editors that are called by their names do not ask for the option.
    attached <- as.environment("package:utils")
    for (name in intersect(c("vi", "vim", "emacs", "pico", "xemacs", "xedit"), ls(attached))) {
      unlockBinding(name, attached)
      assign(name, waits, envir = attached)
    }
    setHook("plot.new", function(...) drawn <<- c(drawn, "plot"))
    setHook("grid.newpage", function(...) drawn <<- c(drawn, "grid page"))
  }

  # Stand-ins are packages in source form; one is installed where the package itself is not.
  install <- function(folder, names) {
    used <- list()
    missing <- Filter(function(name) !nzchar(system.file(package = name)), names)
    missing <- Filter(function(name) dir.exists(file.path(folder, name)), missing)
    if (!length(missing)) return(used)
    library <- file.path(tempdir(), "stand-ins")
    dir.create(library)
    .libPaths(c(.libPaths(), library))
    for (name in missing) {
      described <- read.dcf(file.path(folder, name, "DESCRIPTION"))
      out <- system2(
        file.path(R.home("bin"), "R"),
        c("CMD", "INSTALL", "--no-docs", "--no-byte-compile", "--no-test-load", "-l", shQuote(library), shQuote(file.path(folder, name))),
        stdout = TRUE, stderr = TRUE
      )
      if (!is.null(attr(out, "status"))) {
        # Behind the error R tells what it removes.
        why <- c(grep("^ERROR: ", out, value = TRUE), utils::tail(out, 1L))[1L]
        stop("the stand-in for ", name, " cannot be installed: ", sub("^ERROR: ", "", why))
      }
      used[[name]] <- described[[1L, "Title"]]
    }
    used
  }

  open <- function(folder, names, path) {
    keep(tryCatch(
      {
        place <<- path
        prepare()
        used <- install(folder, names)
        list(character(), strings(names(used)), strings(used))
      },
      error = function(condition) list(strings(conditionMessage(condition)), character(), character())
    ))
  }

  line_of <- function(calls, file) {
    for (i in rev(seq_along(calls))) {
      ref <- attr(calls[[i]], "srcref")
      if (!is.null(ref) && identical(attr(ref, "srcfile")$filename, file)) return(as.integer(ref)[1L])
    }
    0L
  }

  # Blank lines before the code: its own lines then have the numbers that they have in the file.
  parsed <- function(code, file, line) {
    lines <- c(rep("", line - 1L), strsplit(code, "\n", fixed = TRUE)[[1L]])
    parse(text = lines, keep.source = TRUE, srcfile = srcfilecopy(file, lines), encoding = "UTF-8")
  }

  # Which statement comes next: if it never ends, it is the one that did not.
  tell <- function(ref) {
    if (!nzchar(place)) return()
    said <- paste0(as.integer(ref)[1L], " ", as.integer(ref)[3L], "\n")
    # R warns of every pipe.
    suppressWarnings(try(base::cat(said, file = place, append = TRUE), silent = TRUE))
  }

  show_value <- function(value) if (isS4(value)) methods::show(value) else print(value)

  # The call that R names in front of a message; nothing where that is one of ours.
  call_of <- function(condition) {
    call <- conditionCall(condition)
    if (!is.call(call)) return("")
    named <- deparse(call, nlines = 1L)[1L]
    if (grepl("^(eval|evalq|withVisible|withCallingHandlers|tryCatch|doTryCatch|show_value)\\(", named)) "" else named
  }

  evaluate <- function(code, file, line, keep_going, visible, last_only) {
    drawn <<- character()
    error <- character()
    at <- 0L
    warned <- calls <- character()
    note <- function(condition, line, kind) {
      if (length(error)) return()
      error <<- c(conditionMessage(condition), kind, call_of(condition))
      at <<- line
    }
    expressions <- tryCatch(parsed(code, file, line), error = function(condition) {
      place <- regmatches(conditionMessage(condition), regexec(":([0-9]+):[0-9]+: ", conditionMessage(condition)))[[1L]]
      note(condition, if (length(place)) as.integer(place[2L]) else 0L, "syntax")
      NULL
    })
    refs <- attr(expressions, "srcref")
    for (i in seq_along(expressions)) {
      tell(refs[[i]])
      inner <- 0L
      failed <- tryCatch(
        withCallingHandlers(
          {
            result <- withVisible(eval(expressions[[i]], globalenv()))
            if (visible && result$visible && (!last_only || i == length(expressions))) show_value(result$value)
            FALSE
          },
          warning = function(condition) {
            warned <<- c(warned, conditionMessage(condition))
            calls <<- c(calls, call_of(condition))
            tryInvokeRestart("muffleWarning")
          },
          error = function(condition) inner <<- line_of(sys.calls(), file)
        ),
        error = function(condition) {
          note(condition, if (inner > 0L) inner else as.integer(refs[[i]])[1L], class(condition)[1L])
          TRUE
        }
      )
      if (failed && !keep_going) break
    }
    keep(list(strings(error), at, strings(warned), strings(drawn), strings(calls)))
  }

  get_value <- function(text) {
    keep(tryCatch(
      {
        value <- eval(parse(text = text, keep.source = FALSE), globalenv())
        if (inherits(value, "torch_tensor")) value <- as.array(value)
        if (is.data.frame(value)) value <- data.matrix(value)
        is_array <- (is.numeric(value) || is.logical(value) || is.complex(value)) && !is.list(value) && !isS4(value)
        if (!is_array) stop("its value is of class ", class(value)[1L], ", and an array is expected")
        shape <- if (is.null(dim(value))) length(value) else dim(value)
        list(character(), as.vector(unclass(value)), as.integer(shape), typeof(value))
      },
      error = function(condition) list(strings(conditionMessage(condition)), NULL, NULL, NULL)
    ))
  }

  options(harness.session = list(open = open, evaluate = evaluate, get = get_value))
})
