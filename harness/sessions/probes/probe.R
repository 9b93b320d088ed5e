# Functions for detectors, in an option: the document's own names stay free.
local({
  words <- function(names) paste(unique(names), collapse = " ")

  # Whether a condition holds for a part; an empty index, as in m[, 1], cannot even be handed to it.
  some <- function(e, condition) {
    for (i in seq_along(e)) if (!identical(e[[i]], quote(expr = )) && condition(e[[i]])) return(TRUE)
    FALSE
  }
  is_function <- function(e) is.call(e) && identical(e[[1L]], as.symbol("function"))

  # Names that an expression sets, reads at top level, and reads inside of functions.
  names_in <- function(expression) {
    sets <- reads <- inner <- character()
    base_of <- function(target) {
      while (is.call(target) && !is.symbol(target)) target <- target[[2L]]
      as.character(target)
    }
    visit <- function(e) {
      if (missing(e)) return(invisible())
      if (is.symbol(e)) {
        reads <<- c(reads, as.character(e))
      } else if (is.call(e)) {
        head <- if (is.symbol(e[[1L]])) as.character(e[[1L]]) else ""
        if (head %in% c("<-", "=", "<<-") && length(e) == 3L) {
          sets <<- c(sets, base_of(e[[2L]]))
          if (is.call(e[[2L]])) visit(e[[2L]])
          visit(e[[3L]])
        } else if (head == "function") {
          inside <- names_in(e[[3L]])
          local_names <- c(names(e[[2L]]), inside$sets)
          inner <<- c(inner, setdiff(c(inside$reads, inside$inner), local_names))
        } else if (head == "~") {
          inside <- names_in(e[[length(e)]])
          inner <<- c(inner, setdiff(c(inside$reads, inside$inner), c(".x", ".y", ".")))
        } else if (head %in% c("$", "@", "::", ":::")) {
          if (head %in% c("$", "@")) visit(e[[2L]])
        } else if (head == "for") {
          sets <<- c(sets, as.character(e[[2L]]))
          visit(e[[3L]])
          visit(e[[4L]])
        } else {
          visit(e[[1L]])
          for (i in seq_along(e)[-1L]) if (!identical(e[[i]], quote(expr = ))) visit(e[[i]])
        }
      }
      invisible()
    }
    visit(expression)
    list(sets = sets, reads = reads, inner = inner)
  }

  # A function that another one makes of a function: compiler::cmpfun(function(x) ...).
  makers <- c("cmpfun", "Vectorize", "memoise", "memoize", "(")
  makes_function <- function(e) {
    if (!is.call(e) || !any(makers == as.character(e[[1L]])[length(as.character(e[[1L]]))]) || length(e) < 2L) return(FALSE)
    is_function(e[[2L]]) || makes_function(e[[2L]])
  }

  importing <- c("library", "require", "requireNamespace", "loadNamespace", "source", "sys.source")
  quieting <- c("suppressPackageStartupMessages", "suppressMessages", "suppressWarnings", "invisible")
  classes <- c("setClass", "setClassUnion", "setGeneric", "setMethod", "setValidity", "setRefClass", "setAs")

  # What a program is made of, also where it is said quietly or behind a condition.
  kind_of <- function(e) {
    if (!is.call(e)) return("other")
    head <- as.character(e[[1L]])[1L]
    if (head %in% importing) return("import")
    if (head %in% quieting && length(e) > 1L && kind_of(e[[2L]]) == "import") return("import")
    inside <- if (head == "if") as.list(e)[-(1:2)] else if (head == "{") as.list(e)[-1L]
    if (length(inside) && all(vapply(inside, kind_of, "") == "import")) return("import")
    if (head %in% classes) return("definition")
    if (head %in% c("<-", "=") && is.call(e[[3L]])) {
      value <- e[[3L]]
      if (as.character(value[[1L]])[1L] %in% classes) return("definition")
      # A function, or a call that is given functions: a module, a class.
      if (is_function(value) || makes_function(value)) return("definition")
      head <- as.character(value[[1L]])[1L]
      given <- as.list(value)[nzchar(names(as.list(value)))]
      if (some(given, is_function) && !head %in% c("lapply", "sapply", "vapply", "apply", "Map", "Reduce", "tryCatch")) return("definition")
    }
    "other"
  }

  statements <- function(code) {
    parsed <- parse(text = strsplit(code, "\n", fixed = TRUE)[[1L]], keep.source = TRUE, encoding = "UTF-8")
    places <- attr(parsed, "srcref")
    for (i in seq_along(parsed)) {
      place <- as.integer(places[[i]])
      tryCatch({
        found <- names_in(parsed[[i]])
        cat("statement", place[1L], place[3L], kind_of(parsed[[i]]), words(found$sets), words(found$reads), words(found$inner), sep = "\t")
        cat("\n")
      }, error = function(e) cat("unread", place[1L], paste0(place[3L], "\t", gsub("[\t\n]", " ", conditionMessage(e)), "\n"), sep = "\t"))
    }
  }

  # Handlers that do nothing get a body that counts what they are given.
  swallowed <- character()
  empty <- function(body) is.null(body) || is.symbol(body) && nzchar(as.character(body)) == FALSE || (is.call(body) && identical(body[[1L]], as.symbol("{")) && (length(body) == 1L || (length(body) == 2L && is.null(body[[2L]]))))
  counting <- function(e) {
    if (!is.call(e)) return(e)
    if (identical(e[[1L]], as.symbol("tryCatch")) && is.call(e[["error"]]) && identical(e[["error"]][[1L]], as.symbol("function")) && empty(e[["error"]][[3L]])) {
      name <- names(e[["error"]][[2L]])[1L]
      e[["error"]][[3L]] <- bquote({
        getOption("harness.probe")$note(.(as.symbol(name)))
        NULL
      })
    }
    if (identical(e[[1L]], as.symbol("function"))) {
      e[[3L]] <- counting(e[[3L]])
      return(e)
    }
    for (i in seq_along(e)) if (!identical(e[[i]], quote(expr = )) && is.call(e[[i]])) e[[i]] <- counting(e[[i]])
    e
  }
  instrumented <- function(code) {
    parsed <- parse(text = strsplit(code, "\n", fixed = TRUE)[[1L]], keep.source = FALSE, encoding = "UTF-8")
    for (e in as.list(parsed)) eval(counting(e), globalenv())
  }
  note <- function(condition) swallowed <<- c(swallowed, conditionMessage(condition))
  report <- function() {
    counted <- sort(table(gsub("[\t\n]", " ", swallowed)), decreasing = TRUE)
    for (name in names(counted)) cat("swallowed", counted[[name]], name, sep = "\t", "\n")
  }

  grow <- function(name) {
    value <- get(name, globalenv())
    if (is.matrix(value)) value <- rbind(value, value[nrow(value), , drop = FALSE])
    else if (is.null(dim(value))) value <- c(value, value[length(value)])
    else stop("neither a vector nor a matrix")
    assign(name, value, globalenv())
  }

  longer <- function(value) {
    if (!is.numeric(value) || length(value) == 0L) return(value)
    if (is.matrix(value)) rbind(value, value[nrow(value), , drop = FALSE]) else if (is.null(dim(value))) c(value, value[length(value)]) else value
  }
  lengthened <- function(f) if (is.function(f)) function(...) longer(f(...)) else f

  seed <- function() {
    set.seed(0L)
    if (exists("torch_manual_seed")) get("torch_manual_seed")(0)
  }

  # The only one is seeded by `seed`.
  generators <- function() NULL

  # Arguments that a function's body does not name; those with a default may be there for others to give.
  unused <- function(code) {
    parsed <- parse(text = strsplit(code, "\n", fixed = TRUE)[[1L]], keep.source = FALSE, encoding = "UTF-8")[[1L]]
    value <- parsed[[3L]]
    if (!is.call(value) || !identical(value[[1L]], as.symbol("function"))) return(invisible())
    given <- names(value[[2L]])
    named <- all.names(value[[3L]])
    # What looks at the call itself may use any of them.
    if (any(c("match.call", "sys.call", "environment", "missing", "NextMethod", "UseMethod") %in% named)) return(invisible())
    writeLines(setdiff(given, c(named, "...")))
  }
  counted <- list()
  blanked <- function(f, name, arguments) {
    if (!is.function(f)) return(f)
    counted[[name]] <<- 0L
    count <- function() counted[[name]] <<- counted[[name]] + 1L
    unread <- lapply(strsplit(arguments, " ", fixed = TRUE)[[1L]], function(each) bquote(delayedAssign(.(each), stop("the argument was read"))))
    body(f) <- as.call(c(as.symbol("{"), as.call(list(count)), unread, body(f)))
    f
  }
  calls <- function() for (name in names(counted)) if (counted[[name]] > 0L) cat("calls", name, paste0(counted[[name]], "\n"), sep = "\t")

  seen <- character()
  shape <- function(key, value) {
    sizes <- tryCatch(if (inherits(value, "torch_tensor")) value$shape else if (is.null(dim(value))) length(value) else dim(value), error = function(e) NULL)
    if (is.numeric(sizes) && length(seen) < 20000L) seen[length(seen) + 1L] <<- paste0("shape\t", key, "\t", paste(as.integer(sizes), collapse = " "))
    invisible(value)
  }
  shapes <- function() writeLines(seen)

  # The sums of a matrix's rows and columns, and single numbers, kept where they are computed.
  kept <- character()
  keep <- function(...) kept[length(kept) + 1L] <<- paste(..., sep = "\t")
  ends <- function(values) paste(format(range(values), digits = 17L, trim = TRUE), collapse = "\t")
  factor_of <- function(key, value) {
    try(silent = TRUE, {
      matrix <- if (inherits(value, "torch_tensor")) as.array(value) else value
      if (length(kept) < 2000L && is.numeric(matrix) && length(dim(matrix)) == 2L) {
        plain <- all(matrix[row(matrix) != col(matrix)] == 0) || all(matrix %in% c(0, 1))
        keep("factor", key, nrow(matrix), ncol(matrix), ends(matrix), ends(rowSums(matrix)), ends(colSums(matrix)), as.integer(plain))
      }
    })
    value
  }
  latest <- function(key, value) {
    try(silent = TRUE, {
      number <- as.numeric(value)
      if (length(kept) < 20000L && length(number) == 1L) keep("latest", key, format(number, digits = 17L))
    })
    invisible()
  }
  keepsakes <- function() writeLines(kept)

  # Constants of base R that are something else now; of functions R finds its own where they are called.
  masked <- function(names) {
    for (name in strsplit(names, " ", fixed = TRUE)[[1L]]) {
      given <- get0(name, baseenv(), inherits = FALSE)
      if (is.null(given) || is.function(given) || !exists(name, globalenv(), inherits = FALSE)) next
      now <- get(name, globalenv())
      if (!identical(now, given)) cat("masked", name, deparse(now)[1L], deparse(given)[1L], sep = "\t")
      cat("\n")
    }
  }

  # Central differences of a function of one array, at the array.
  differences <- function(loss, at, step) {
    found <- at
    for (i in seq_along(at)) {
      up <- down <- at
      up[i] <- up[i] + step
      down[i] <- down[i] - step
      found[i] <- (loss(up) - loss(down)) / (2 * step)
    }
    found
  }

  options(harness.probe = list(statements = statements, makes_function = makes_function, instrumented = instrumented, note = note, report = report, grow = grow, lengthened = lengthened, seed = seed, generators = generators, unused = unused, blanked = blanked, calls = calls, shape = shape, shapes = shapes, masked = masked, factor = factor_of, latest = latest, keepsakes = keepsakes, differences = differences))
})
