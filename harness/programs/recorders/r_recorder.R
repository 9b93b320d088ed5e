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

  # ---- values ---------------------------------------------------------------------------------------

  quoted <- function(texts) {
    escaped <- gsub("\"", "\\\\\"", gsub("\\", "\\\\", enc2utf8(texts), fixed = TRUE))
    escaped <- gsub("[[:cntrl:]]", " ", escaped)
    charToRaw(paste0("[", paste0("\"", escaped, "\"", collapse = ","), "]"))
  }
  one <- function(value, path) {
    if (is.factor(value)) value <- as.character(value)
    dims <- dim(value)
    shape <- if (is.null(dims)) length(value) else dims
    scalar <- if (is.null(dims) && length(value) == 1L) 1L else 0L
    names <- if (is.null(dims) && !is.null(names(value)) && length(value) > 1L) names(value) else NULL
    kind <- typeof(value)
    if (inherits(value, "integer64")) return(NULL)
    bytes <- switch(kind,
      double = writeBin(as.vector(unclass(value)), raw(), endian = "little"),
      integer = if (anyNA(value)) { kind <- "double"; writeBin(as.double(value), raw(), endian = "little") }
        else writeBin(as.vector(unclass(value)), raw(), endian = "little"),
      logical = if (anyNA(value)) { kind <- "double"; writeBin(as.double(value), raw(), endian = "little") }
        else as.raw(as.vector(value)),
      complex = writeBin(as.vector(value), raw(), endian = "little"),
      character = quoted(as.vector(value)),
      NULL
    )
    if (is.null(bytes)) return(NULL)
    type <- c(double = "f8", integer = "i4", logical = "b1", complex = "c16", character = "s")[[kind]]
    list(path = path, type = type, shape = if (scalar) "1" else paste(shape, collapse = "x"), bytes = bytes)
  }
  parts_of <- function(value, path = "", depth = 0L) {
    if (is.null(value) || is.function(value) || is.language(value) || is.environment(value)) return(list())
    if (is.atomic(value)) {
      part <- one(value, path)
      if (is.null(part)) return(list())
      labels <- names(value)
      if (depth > 0L || is.null(labels) || length(value) < 2L || length(value) > 16L || anyDuplicated(labels)) return(list(part))
      # A vector with names is a table of one row as well.
      named <- lapply(which(nzchar(labels)), function(i) one(value[[i]], paste0(path, "[\"", labels[i], "\"]")))
      return(c(list(part), Filter(Negate(is.null), named)))
    }
    if (isS4(value)) {
      if (inherits(value, "Matrix")) return(parts_of(as.matrix(value), path, depth))
      return(list())
    }
    if (inherits(value, "torch_tensor")) return(parts_of(as.array(value), path, depth))
    if (!is.list(value) || depth >= 3L || !length(value)) return(list())
    plain <- unclass(value)
    if (is.null(names(plain)) && is.null(dim(plain))) {
      same <- vapply(plain, function(item) is.numeric(item) && is.null(dim(item)), NA)
      if (all(same) && length(unique(lengths(plain))) == 1L && length(plain) > 1L) {
        stacked <- if (length(plain[[1L]]) == 1L) unlist(plain) else do.call(base::rbind, plain)
        return(parts_of(stacked, path, depth))
      }
    }
    found <- list()
    labels <- names(plain)
    for (i in seq_along(plain)) {
      if (length(found) >= MOST_PARTS) break
      step <- if (is.null(labels) || !nzchar(labels[i])) paste0("[[", i, "]]") else paste0("$", labels[i])
      found <- c(found, parts_of(plain[[i]], paste0(path, step), depth + 1L))
    }
    found
  }
  encoded <- function(frame, site, count, parts) {
    pieces <- list(charToRaw(paste0("E\t", site, "\t", frame, "\t", count, "\t", length(parts), "\n")))
    for (part in parts) {
      head <- paste0("V\t", clean(part$path), "\t", part$type, "\tF\t", part$shape, "\t", length(part$bytes), "\n")
      pieces <- c(pieces, list(charToRaw(head), part$bytes))
    }
    unlist(pieces)
  }
  record <- function(frame, site, count, value) {
    parts <- parts_of(value)
    if (!length(parts)) return()
    size <- sum(vapply(parts, function(part) length(part$bytes), 0))
    if (size > SITE_BYTES) return()
    used <- state$bytes[site]
    if (count > FIRST || used + size > SITE_BYTES || state$total + size > ALL_BYTES) {
      key <- as.character(site)
      state$held[[key]] <- utils::tail(c(state$held[[key]], list(encoded(frame, site, count, parts))), LAST)
      return()
    }
    state$bytes[site] <- used + size
    state$total <- state$total + size
    write_raw(encoded(frame, site, count, parts))
  }

  # ---- values to put in -------------------------------------------------------------------------------

  read_plans <- function(path) {
    plans <- list()
    plan <- list()
    if (path == "-") return(plans)
    file <- file(path, "rb")
    on.exit(close(file))
    line_of <- function() {
      bytes <- raw()
      repeat {
        byte <- readBin(file, "raw", 1L)
        if (!length(byte) || byte == as.raw(10L)) break
        bytes <- c(bytes, byte)
      }
      rawToChar(bytes)
    }
    key <- NULL
    repeat {
      line <- line_of()
      if (!nzchar(line)) break
      words <- strsplit(line, "\t", fixed = TRUE)[[1L]]
      if (words[1L] == "L") {
        state$seconds <- as.numeric(words[2L])
        next
      }
      if (words[1L] == "K") {
        numbers <- as.integer(strsplit(words[2L], " ", fixed = TRUE)[[1L]])
        state$kept <- logical(max(numbers))
        state$kept[numbers] <- TRUE
        next
      }
      if (words[1L] == "T") {
        if (length(plans) || length(plan)) plans[[length(plans)]] <- plan
        plans[[length(plans) + 1L]] <- plan <- list()
        next
      }
      if (words[1L] == "P") {
        key <- words[2L]
        plan[[key]] <- list()
        next
      }
      size <- as.integer(words[6L])
      data <- readBin(file, "raw", size)
      n <- length(plan[[key]]) + 1L
      if (words[3L] == "-") {
        plan[[key]][n] <- list(NULL)
        next
      }
      shape <- as.integer(strsplit(words[5L], "x", fixed = TRUE)[[1L]])
      values <- switch(words[3L],
        f8 = readBin(data, "double", size / 8, endian = "little"),
        f4 = readBin(data, "double", size / 4, size = 4L, endian = "little"),
        i8 = {
          low <- readBin(data, "integer", size / 4, endian = "little")
          words2 <- matrix(low, 2L)
          unsigned <- ifelse(words2[1L, ] < 0, words2[1L, ] + 2^32, words2[1L, ])
          unsigned + words2[2L, ] * 2^32
        },
        b1 = as.logical(as.integer(data)),
        c16 = readBin(data, "complex", size / 16, endian = "little"),
        s = {
          text <- rawToChar(data)
          Encoding(text) <- "UTF-8"
          eval(parse(text = paste0("c(", substr(text, 2L, nchar(text) - 1L), ")")), baseenv())
        }
      )
      plan[[key]][[n]] <- list(values = values, shape = shape)
    }
    plans[[length(plans)]] <- plan
    plans
  }
  plans <- read_plans(given[2L])
  plan <- list()
  restored <- function(own, other) {
    values <- other$values
    if (is.factor(own)) return(own)
    if (is.integer(own) && is.numeric(values) && all(values == floor(values)) && all(abs(values) < 2^31)) {
      values <- as.integer(values)
    }
    if (is.logical(own) && is.numeric(values)) values <- as.logical(values)
    if (is.atomic(own) && length(own) == length(values)) {
      attributes(values) <- attributes(own)
      return(values)
    }
    if (is.list(own) && !is.data.frame(own) && length(own) == length(values)) {
      own[] <- as.list(values)
      return(own)
    }
    if (length(other$shape) > 1L) array(values, other$shape) else values
  }

  # ---- hooks ------------------------------------------------------------------------------------------

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
      parts <- parts_of(value)
      size <- sum(vapply(parts, function(part) length(part$bytes), 0))
      if (length(parts) && size <= SITE_BYTES) {
        state$of_parts <- state$of_parts + size
        write_raw(encoded(frame, site, count, parts))
      }
    }
    value
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
  hooks$.hr_after <- function(site, name) {
    env <- parent.frame()
    steps <- strsplit(name, "$", fixed = TRUE)[[1L]]
    whole <- tryCatch(get(steps[1L], envir = env), error = function(condition) NULL)
    column <- is.matrix(whole) && !is.data.frame(whole) && !is.list(whole)
    value <- if (length(steps) == 1L) whole else tryCatch(
      if (column) whole[, steps[2L]] else whole[[steps[2L]]], error = function(condition) NULL
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
        value <- keep(state$frames, item$site, item$value)
        if (!is.null(plan[[as.character(item$site)]])) assign(item$name, value, envir = env)
      } else if (harmless(given[[item$name]])) {
        value <- tryCatch(get(item$name, envir = env), error = function(condition) NULL)
        if (!is.null(value) && !is.function(value)) keep(state$frames, item$site, value)
      } else {
        note(state$frames, item$site)
      }
    }
    invisible()
  }

  # ---- rewriting --------------------------------------------------------------------------------------

  context_of <- new.env()
  context_of$file <- basename(program)
  context_of$fn <- ""
  context_of$control <- integer()
  context_of$loops <- 0L
  context_of$elements <- list()
  context_of$line <- 1L
  context_of$parts <- integer()
  # Functions around it, from the inside; whether a variable of theirs is set; the table whose columns are
  # named without it; and whether fields of an object are.
  context_of$around <- character()
  context_of$beyond <- FALSE
  context_of$table <- ""
  context_of$fields <- FALSE

  is_call <- function(e, names) is.call(e) && is.name(e[[1L]]) && as.character(e[[1L]]) %in% names
  # Of calls of `whole`, what is of names alone is not gone into: a column is not all of its table.
  walk <- function(e, visit, whole = character()) {
    visit(e)
    if (is.call(e)) {
      if (is_call(e, whole) && of_names(e)) return()
      for (i in seq_along(e)) {
        if (i == 4L && is_call(e, "function")) next
        item <- e[[i]]
        if (!missing(item) && (is.call(item) || is.name(item) || is.atomic(item))) walk(item, visit, whole)
      }
    } else if (is.pairlist(e)) {
      for (item in as.list(e)) if (!missing(item) && !identical(item, quote(expr = ))) walk(item, visit, whole)
    }
  }
  of_names <- function(e) is.name(e) || is_call(e, "$") && of_names(e[[2L]])
  # fit[["coef"]], which is fit$coef.
  is_field <- function(e) is_call(e, "[[") && length(e) == 3L && is.character(e[[3L]]) && of_names(e[[2L]])
  reads_of <- function(e) {
    found <- character()
    walk(e, function(node) {
      if (is.name(node)) found <<- c(found, as.character(node))
      else if (is_field(node)) found <<- c(found, paste0(clean(deparse(node[[2L]], width.cutoff = 200L)[1L]), "$", node[[3L]]))
      else if (is_call(node, "$")) found <<- c(found, clean(deparse(node, width.cutoff = 200L)[1L]))
    }, whole = "$")
    found <- unique(found)
    bare <- found[!grepl("$", found, fixed = TRUE)]
    if (nzchar(context_of$table)) found <- c(found, paste0(context_of$table, "$", bare))
    if (context_of$fields) found <- c(found, paste0(".self$", bare))
    found[nzchar(found) & !startsWith(found, ".hr") & !grepl(" ", found) & grepl("^[[:alpha:].]", found)]
  }
  operators_of <- function(e) {
    found <- character()
    walk(e, function(node) {
      if (is.call(node) && is.name(node[[1L]])) {
        name <- as.character(node[[1L]])
        if (name == "-" && length(node) == 2L) name <- "neg"
        found <<- c(found, name)
      } else if (is.call(node) && is_call(node[[1L]], c("::", ":::"))) {
        found <<- c(found, as.character(node[[1L]][[3L]]))
      } else if (is.numeric(node) && length(node) == 1L) found <<- c(found, paste0("#", format(node)))
    })
    unique(gsub("[[:space:]]", "", found))
  }
  site <- function(kind, name, e, parts = integer(), element = "") {
    state$sites <- number <- state$sites + 1L
    state$counts[number] <- 0L
    state$bytes[number] <- 0
    if (!is_kept(number)) return(number)
    write_line(
      "S", number, context_of$file, context_of$line, kind, clean(name), context_of$fn,
      paste(reads_of(e), collapse = " "), paste(operators_of(e), collapse = " "),
      paste(c(context_of$control, parts), collapse = " "),
      paste(context_of$around, collapse = " "), as.integer(context_of$beyond), element
    )
    number
  }
  lines_of <- function(e) {
    refs <- attr(e, "srcref")
    if (is.null(refs)) NULL else vapply(refs, function(ref) as.integer(ref)[1L], 0L)
  }
  CONTEXT <- c(
    "environment", "parent.frame", "sys.call", "match.call", "sys.function", "nargs", "missing", "substitute",
    "match.arg", "UseMethod", "NextMethod", "Recall", "on.exit", "callNextMethod", "standardGeneric", "return"
  )
  QUOTING <- c("~", "quote", "bquote", "substitute", "expression", "with", "within", "subset", "transform", "::", ":::",
    "aggregate", "lm", "glm", "nls", "curve", "setRefClass", "R6Class", "UseMethod", "library", "require")
  KNOWN_TARGETS <- c("[", "[[", "$", "@", "names", "colnames", "rownames", "dim", "diag", "attr", "levels", "class", "body")
  IN_TABLE <- c("with", "within", "transform", "subset")
  WITH_FUNCTIONS <- c("aggregate", "setRefClass", "R6Class")
  SHOWING <- c("cat", "print", "message", "sprintf", "format", "formatC", "paste", "paste0", "round", "signif", "toString", "writeLines")
  wrappable <- function(e) !(is.call(e) && any(CONTEXT %in% all.names(e)))

  # Functions that look at the values of their arguments only, not at how they are written.
  STANDARD <- c("+", "-", "*", "/", "^", "%%", "%/%", "%*%", "%o%", "%in%", "(", "[", "[[", "$", "<", "<=", ">", ">=", "==", "!=",
    "&", "|", "!", "&&", "||", "c", "sum", "mean", "median", "sd", "var", "cor", "cov", "prod", "range", "min", "max", "pmin", "pmax",
    "sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "abs", "sign", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
    "sinh", "cosh", "tanh", "gamma", "lgamma", "beta", "lbeta", "choose", "factorial", "floor", "ceiling", "trunc", "round", "signif",
    "cumsum", "cumprod", "cummax", "cummin", "diff", "rev", "sort", "order", "rank", "which", "which.max", "which.min", "any", "all",
    "colMeans", "rowMeans", "colSums", "rowSums", "t", "crossprod", "tcrossprod", "solve", "diag", "det", "outer", "kronecker",
    "svd", "eigen", "qr", "qr.solve", "qr.Q", "qr.R", "chol", "chol2inv", "backsolve", "forwardsolve", "apply", "sapply", "vapply",
    "lapply", "mapply", "Map", "Reduce", "Filter", "do.call", "sweep", "scale", "rep", "rep_len", "seq", "head", "tail", "append",
    "matrix", "array", "cbind", "rbind", "unlist", "list", "ifelse", "is.na", "as.numeric", "as.double", "as.integer", "as.vector",
    "as.matrix", "as.logical", "Re", "Im", "Mod", "Arg", "Conj", "complex", "fft", "quantile", "pnorm", "qnorm", "dnorm", "pt", "qt",
    "dt", "pchisq", "qchisq", "dchisq", "pf", "qf", "df", "pbinom", "dbinom", "qbinom", "dpois", "ppois", "punif", "qunif", "dunif",
    "pexp", "dexp", "qexp", "pgamma", "dgamma", "qgamma", "pbeta", "dbeta", "qbeta", "tapply", "split", "unsplit", "tabulate", "cut",
    "findInterval", "embed", "upper.tri", "lower.tri", "norm", "nchar", "rle", "inverse.rle", "merge", "setdiff", "union", "intersect",
    "unique", "match", "Position", "invisible", "suppressWarnings", "identity", "drop", "aperm", "max.col", "row", "col", "approx",
    "spline", "splinefun", "approxfun", "optim", "optimize", "uniroot", "nlm", "crossprod", "stats", "vapply", "mad", "IQR", "weighted.mean")
  # What they make is no data, or just what they were given.
  NO_DATA <- c("(", ".", ":=", "$", "[[", ":", "list", "function", "numeric", "integer", "character", "logical", "vector", "length", "nrow", "ncol",
    "dim", "names", "seq_len", "seq_along", "NROW", "NCOL", "paste", "paste0", "sprintf", "format", "formatC", "identity", "c", "nchar",
    "function", "{", "if", "for", "while", "repeat", "<-", "=", "<<-", "~", "quote", "return", "next", "break", "strsplit", "is.null",
    "suppressWarnings", "invisible", "::", ":::", "@", "missing", "file", "Sys.time", "environment", "new.env", "nlevels", "levels")
  is_part <- function(e) {
    if (!is.call(e) || !is.name(e[[1L]])) return(FALSE)
    name <- as.character(e[[1L]])
    if (name %in% NO_DATA || name %in% QUOTING || startsWith(name, ".hr") || !wrappable(e)) return(FALSE)
    if (name == "[") {
      return(any(vapply(as.list(e)[-(1:2)], function(item) {
        is.name(item) && !nzchar(as.character(item)) || is_call(item, c(":", "-", "<", "<=", ">", ">=", "==", "!=", "&", "|", "!", "which", "head", "order"))
      }, NA)))
    }
    if (name %in% c("-", "+") && length(e) == 2L) return(!is.numeric(e[[2L]]))
    length(e) > 1L
  }
  own_functions <- function(e) {
    walk(e, function(node) {
      if (is_call(node, c("<-", "=")) && is.name(node[[2L]]) && is_call(node[[3L]], "function") &&
        !any(c("substitute", "match.call", "sys.call", "eval", "quote", "deparse", "match.arg", "UseMethod", "missing") %in% all.names(node[[3L]]))) {
        STANDARD <<- c(STANDARD, as.character(node[[2L]]))
      }
    })
  }
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
      line <- context_of$line
      done <- rewrite(e, FALSE)
      context_of$line <- line
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
    line <- context_of$line
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
    context_of$line <- line
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
    outer <- mget(c("fn", "control", "loops", "elements", "line", "parts", "around", "beyond"), envir = context_of)
    context_of$around <- if (nzchar(context_of$fn)) c(context_of$fn, context_of$around) else character()
    context_of$beyond <- FALSE
    ref <- if (length(e) >= 4L) e[[4L]] else NULL
    if (!is.null(ref)) context_of$line <- as.integer(ref)[1L]
    context_of$fn <- if (nzchar(name)) name else "function"
    context_of$parts <- integer()
    context_of$control <- integer()
    context_of$loops <- 0L
    context_of$elements <- list()
    formals <- as.list(e[[2L]])
    defaults <- list()
    for (formal in names(formals)) {
      value <- formals[[formal]]
      constant <- formal != "..." && !missing(value) && is.atomic(value)
      defaults <- c(defaults, list(list(name = formal, site = site("param", formal, NULL), value = if (constant) value)))
    }
    body <- rewrite(e[[3L]], TRUE)
    enter <- as.call(list(as.name(".hr_enter"), defaults))
    if (!any(c("UseMethod", "NextMethod", "callNextMethod", "standardGeneric") %in% all.names(e[[3L]]))) {
      e[[3L]] <- call("{", enter, body)
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
      e[[3L]] <- inner$e
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
      number <- site("element", paste0(root, "[]"), reads, inner$parts, if (is.character(key)) paste0("[\"", clean(key), "\"]") else "")
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
      if (!is.null(lines)) context_of$line <- lines[i]
      item <- e[[i]]
      made <- c(made, statements(item, last && i == length(e)))
    }
    as.call(made)
  }

  # ---- running ----------------------------------------------------------------------------------------

  run_file <- function(path, env, echo) {
    lines <- readLines(path, warn = FALSE, encoding = "UTF-8")
    expressions <- parse(text = lines, keep.source = TRUE, srcfile = srcfilecopy(basename(path), lines), encoding = "UTF-8")
    own_functions(as.call(c(list(as.name("{")), as.list(expressions))))
    refs <- attr(expressions, "srcref")
    state$failed <- 0L
    outer <- mget(c("file", "line"), envir = context_of)
    context_of$file <- basename(path)
    for (i in seq_along(expressions)) {
      context_of$line <- state$line <- as.integer(refs[[i]])[1L]
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
          if (isS4(result$value)) methods::show(result$value) else print(result$value)
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
