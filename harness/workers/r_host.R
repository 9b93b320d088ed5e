# The R half of r_host.py: evaluates to a function of the functions of values.R, which returns a list of two.
function(coded) {
  # Innermost line of the file among the calls that are running.
  line_of <- function(calls, path) {
    for (i in rev(seq_along(calls))) {
      ref <- attr(calls[[i]], "srcref")
      if (!is.null(ref) && identical(attr(ref, "srcfile")$filename, path)) return(as.integer(ref)[1L])
    }
    NA_integer_
  }

  running <- function(calls, path) {
    ours <- Filter(function(call) !is.na(line_of(list(call), path)), as.list(calls))
    lines <- vapply(ours, function(call) line_of(list(call), path), 0L)
    texts <- vapply(ours, function(call) deparse(call, nlines = 1L)[1L], "")
    paste0(path, ":", lines, ": ", substr(texts, 1L, 200L), collapse = "\n")
  }

  # Value of an expression, or what is known of its error.
  attempt <- function(expression, path) {
    fault <- NULL
    note <- function(condition) {
      calls <- sys.calls()
      fault <<- list(message = conditionMessage(condition), line = line_of(calls, path), detail = running(calls, path))
    }
    tryCatch(
      withCallingHandlers(list(value = expression), error = note),
      error = function(condition) {
        if (is.null(fault)) fault <- list(message = conditionMessage(condition), line = NA_integer_, detail = "")
        list(fault = fault)
      }
    )
  }

  accepts <- function(f, inputs) {
    given <- formals(args(f))
    optional <- vapply(given, function(formal) !identical(formal, quote(expr = )), TRUE)
    dots <- match("...", names(given))
    if (is.na(dots)) return(inputs <= length(given) && all(optional[seq_along(given) > inputs]))
    all(optional[seq_along(given) != dots & (seq_along(given) > inputs | seq_along(given) > dots)])
  }

  signature_of <- function(env, stage) parent.env(env)$.signatures[[stage]]

  # The function of a stage; of a method, the maker of its object.
  target <- function(how, stage, env) {
    called <- if (is.null(how$call)) stage else how$call
    if (grepl("::", called, fixed = TRUE)) {
      parts <- strsplit(called, ":::?")[[1L]]
      return(list(f = getExportedValue(parts[1L], parts[2L]), head = parse(text = called)[[1L]], name = called))
    }
    parts <- strsplit(called, "$", fixed = TRUE)[[1L]]
    f <- get0(parts[1L], envir = env, inherits = FALSE)
    list(f = f, head = as.name(parts[1L]), name = parts[1L], method = if (length(parts) > 1L) parts[2L])
  }

  problem <- function(stage, inputs, env) {
    how <- signature_of(env, stage)
    found <- tryCatch(target(how, stage, env), error = function(e) list(why = conditionMessage(e)))
    if (!is.null(found$why)) return(list("missing", found$why, NA_integer_))
    f <- found$f
    if (is.null(f)) return(list("missing", paste("there is no function", found$name), NA_integer_))
    if (!is.null(found$method)) {
      if (is.function(f) || is.environment(f)) return(NULL)
      return(list("missing", paste(found$name, "is not a class"), NA_integer_))
    }
    if (!is.null(how$takes)) inputs <- length(how$takes)
    if (!is.function(f)) return(list("missing", paste(stage, "is not a function"), NA_integer_))
    if (accepts(f, inputs)) return(NULL)
    head <- paste(names(formals(args(f))), collapse = ", ")
    ref <- attr(f, "srcref")
    list(
      "arity", sprintf("%s(%s) cannot take the stage's %d inputs", stage, head, inputs),
      if (is.null(ref)) NA_integer_ else as.integer(ref)[1L]
    )
  }

  # Where a file is evaluated. What it sources is found beside it, or beside the file that sources it, and is
  # evaluated in the same place: no other file of the process sees it.
  place_of <- function(path) {
    above <- new.env(parent = globalenv())
    env <- new.env(parent = above)
    folders <- normalizePath(dirname(path))
    located <- function(file) {
      if (!is.character(file) || length(file) != 1L || grepl("^(/|~|[A-Za-z]:|[a-z]+://)", file)) return(file)
      for (folder in rev(folders)) {
        beside <- file.path(folder, file)
        if (file.exists(beside)) return(beside)
      }
      file
    }
    above$source <- function(file, local = FALSE, ...) {
      into <- if (is.environment(local)) local else if (isTRUE(local)) parent.frame() else env
      if (missing(file)) return(base::source(local = into, ...))
      file <- located(file)
      if (is.character(file)) {
        folders <<- c(folders, dirname(file))
        on.exit(folders <<- folders[-length(folders)])
      }
      base::source(file, local = into, ...)
    }
    above$sys.source <- function(file, envir = env, ...) base::sys.source(located(file), envir = envir, ...)
    env
  }

  # The library that renv keeps beside a file that has a renv.lock; empty where there is none.
  library_of <- function(path) {
    folder <- normalizePath(dirname(path), mustWork = FALSE)
    if (!file.exists(file.path(folder, "renv.lock"))) return(character())
    version <- paste0("R-", R.version$major, ".", sub("[.].*", "", R.version$minor))
    found <- Sys.glob(file.path(folder, "renv", "library", c(version, file.path("*", version)), R.version$platform))
    utils::head(found, 1L)
  }

  # R loads a package once in a process: of two cases with a library each, the second would get the first's.
  check_packages <- function(path, library) {
    text <- paste(readLines(path, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
    for (name in loadedNamespaces()) {
      if (name == "base" || !grepl(name, text, fixed = TRUE, useBytes = TRUE)) next
      there <- getNamespaceInfo(name, "path")
      own <- file.path(library, name)
      here <- length(library) && dir.exists(own)
      foreign <- grepl("/renv/library/", there, fixed = TRUE) && !(length(library) && startsWith(there, library))
      if ((here && normalizePath(own) != normalizePath(there)) || (!here && foreign)) {
        stop("the package ", name, " is loaded from ", there, ", and a process of R loads it once: run this case alone")
      }
    }
  }

  # With the packages of the file's own library before all others.
  with_library <- function(library, expression) {
    if (!length(library)) return(expression)
    before <- .libPaths()
    on.exit(.libPaths(before))
    .libPaths(c(library, before))
    expression
  }

  # A name that a file gives the workspace hides a function of a package from every other file.
  check_workspace <- function(before) {
    hidden <- Filter(function(name) exists(name, envir = parent.env(globalenv())), setdiff(ls(globalenv()), before))
    if (!length(hidden)) return(NULL)
    rm(list = hidden, envir = globalenv())
    stop(
      "the file assigns ", toString(hidden), " outside of itself, and every other file that this process loads would",
      " use that: give it a name of its own", call. = FALSE
    )
  }

  load_file <- function(path, stages, inputs, signatures) {
    with_library(library_of(path), load_in_place(path, stages, inputs, signatures))
  }

  load_in_place <- function(path, stages, inputs, signatures) {
    parsed <- attempt(parse(path, keep.source = TRUE, encoding = "UTF-8"), path)
    if (!is.null(parsed$fault)) {
      # R writes file:line:column: before what it did not expect, and the source after it.
      at <- regmatches(parsed$fault$message, regexec(":([0-9]+):[0-9]+: ([^\n]*)", parsed$fault$message))[[1L]]
      if (length(at)) {
        parsed$fault$detail <- parsed$fault$message
        parsed$fault$line <- as.integer(at[2L])
        parsed$fault$message <- at[3L]
      }
      return(list(fault = parsed$fault))
    }
    env <- place_of(path)
    known <- attempt(check_packages(path, library_of(path)), path)
    if (!is.null(known$fault)) return(list(fault = known$fault))
    refs <- attr(parsed$value, "srcref")
    # What the file sets holds while it is called, and for no other file.
    before <- options()
    on.exit(options(before))
    workspace <- ls(globalenv())
    for (i in seq_along(parsed$value)) {
      done <- attempt(eval(parsed$value[[i]], env), path)
      if (!is.null(done$fault)) {
        if (is.na(done$fault$line)) done$fault$line <- as.integer(refs[[i]])[1L]
        return(list(fault = done$fault))
      }
    }
    checked <- attempt(check_workspace(workspace), path)
    if (!is.null(checked$fault)) return(list(fault = checked$fault))
    above <- parent.env(env)
    above$.signatures <- signatures
    after <- options()
    above$.options <- after[!vapply(names(after), function(name) identical(after[[name]], before[[name]]), TRUE)]
    list(value = list(env, Map(problem, stages, inputs, MoreArgs = list(env = env))))
  }

  is_array <- function(value) {
    (is.numeric(value) || is.logical(value) || is.complex(value)) && !is.list(value) && !isS4(value)
  }

  described <- function(value) {
    if (is.null(value)) return("NULL")
    if (is.character(value) && length(value) == 1L) return(paste0("the text ", encodeString(substr(value, 1L, 40L), quote = "'")))
    name <- class(value)[1L]
    type <- if (name == typeof(value)) "" else sprintf(" (%s)", typeof(value))
    paste0(if (grepl("^[aeiou]", name)) "an " else "a ", name, type)
  }

  # A sparse matrix of the package Matrix as a plain one.
  dense <- function(value) if (isS4(value) && methods::is(value, "Matrix")) as.matrix(value) else value

  # The arrays in a value, or why there are none: by name where it names what it has, a data frame too.
  arrays_of <- function(value, due) {
    outputs <- length(due)
    # An object has its fields or slots by name.
    if ((is.environment(value) || (isS4(value) && !methods::is(value, "Matrix"))) && all(nzchar(due))) {
      value <- stats::setNames(coded$parts_of(value, due, FALSE), due)
    }
    has <- names(value)
    if (is.list(value) && !is.null(has) && any(nzchar(has)) && all(nzchar(due))) {
      missing <- setdiff(due, has)
      if (length(missing)) {
        return(sprintf(
          "returned a %s with %s: %s %s missing", class(value)[1L], toString(substr(has, 1L, 40L)),
          toString(missing), if (length(missing) == 1L) "is" else "are"
        ))
      }
      values <- unname(unclass(value)[due])
    } else if (outputs == 1L) values <- list(value)
    else if (!is.list(value) || is.data.frame(value)) {
      return(sprintf("returned %s, and a list of %d arrays is expected", described(value), outputs))
    } else if (length(value) != outputs) {
      return(sprintf("returned %d values, and %d are expected", length(value), outputs))
    } else values <- unname(unclass(value))
    values <- lapply(values, dense)
    for (i in seq_along(values)) {
      if (!is_array(values[[i]])) {
        where <- if (outputs > 1L) sprintf("value %d of %d: ", i, outputs) else ""
        return(paste0(where, "returned ", described(values[[i]]), ", and an array is expected"))
      }
    }
    values
  }

  plain_of <- function(arrays) {
    arrays <- lapply(arrays, dense)
    odd <- Filter(function(array) !is_array(array), arrays)
    if (length(odd)) paste0("returned ", described(odd[[1L]]), ", and an array is expected") else arrays
  }

  call_as <- function(how, stage, env, inputs, names) {
    found <- target(how, stage, env)
    if (is.null(found$method)) return(coded$call_of(found$f, found$head, inputs, names))
    first <- unlist(how$construct) + 1L
    rest <- setdiff(seq_along(inputs), first)
    made <- as.call(c(list(call("$", found$head, quote(new))), lapply(names[first], as.name)))
    used <- as.call(c(list(call("$", quote(object), as.name(found$method))), lapply(names[rest], as.name)))
    bquote({
      object <- .(made)
      result <- .(used)
      if (is.null(result)) object else result
    })
  }

  call_stage <- function(path, env, stage, inputs, due) {
    # Arguments by name: an error or a traceback that prints the call stays short.
    frame <- new.env(parent = env)
    how <- signature_of(env, stage)
    if (!is.null(how$takes)) inputs <- coded$take_all(how$takes, inputs)
    names <- sprintf("input_%d", seq_along(inputs))
    for (i in seq_along(inputs)) assign(names[i], inputs[[i]], envir = frame)
    call <- if (is.null(how)) as.call(lapply(c(stage, names), as.name)) else call_as(how, stage, env, inputs, names)
    before <- options(parent.env(env)$.options)
    on.exit(options(before))
    start <- unclass(Sys.time())
    done <- with_library(library_of(path), attempt(eval(call, frame), path))
    seconds <- max(0, unclass(Sys.time()) - start)
    if (!is.null(done$fault)) return(done)
    values <- tryCatch(
      if (is.null(how$returns)) arrays_of(done$value, due) else plain_of(coded$give_all(how$returns, done$value)),
      refused = function(why) conditionMessage(why)
    )
    if (is.character(values)) list(refused = values) else list(value = list(seconds, values))
  }

  # One stage for each of many inputs: each of `stacks` has them behind each other, of `shapes`. Returns, for each
  # output, all results behind each other and the shape of one; and the places that have none, or one that is not
  # like most.
  call_many <- function(path, env, stage, stacks, shapes, due, count) {
    frame <- new.env(parent = env)
    names <- sprintf("input_%d", seq_along(stacks))
    call <- as.call(lapply(c(stage, names), as.name))
    # One input a column.
    for (i in seq_along(stacks)) dim(stacks[[i]]) <- c(length(stacks[[i]]) %/% count, count)
    inputs <- seq_along(stacks)
    is_plain <- lengths(shapes) < 2L
    single <- length(due) == 1L
    results <- vector("list", count)
    forms <- integer(count)
    known <- list()
    last <- NULL
    at_last <- 0L
    one <- function(at) {
      for (i in inputs) {
        input <- stacks[[i]][, at]
        if (!is_plain[i]) dim(input) <- shapes[[i]]
        frame[[names[i]]] <- input
      }
      value <- eval(call, frame)
      # What one output is in most files, and most outputs are alike.
      if (single && is.double(value) && !is.object(value)) {
        if (is.double(last) && length(value) == length(last) && identical(dim(value), dim(last))) {
          forms[at] <<- forms[at_last]
          results[[at]] <<- value
          return(NULL)
        }
        last <<- value
        at_last <<- at
        values <- list(value)
      } else values <- arrays_of(value, due)
      if (is.character(values)) return(NULL)
      form <- lapply(values, form_of)
      code <- 1L
      while (code <= length(known) && !identical(form, known[[code]])) code <- code + 1L
      if (code > length(known)) known[[code]] <<- form
      forms[at] <<- code
      results[[at]] <<- if (single) values[[1L]] else values
      NULL
    }
    form_of <- function(value) list(typeof(value), dim(value), length(value))
    # Nobody reads what is warned of a thousand times; a file that has an option of its own keeps it.
    before <- options(warn = -1L)
    options(parent.env(env)$.options)
    on.exit(options(before))
    start <- unclass(Sys.time())
    at <- 1L
    with_library(library_of(path), while (at <= count) {
      tryCatch(while (at <= count) {
        one(at)
        at <- at + 1L
      }, error = function(condition) NULL)
      # After an error the loop is entered again behind it.
      if (at <= count) at <- at + 1L
    })
    seconds <- max(0, unclass(Sys.time()) - start)
    if (!length(known)) return(list(value = list(seconds, list(), list(), seq_len(count))))
    alike <- forms == which.max(tabulate(forms, length(known)))
    first <- results[[which(alike)[1L]]]
    if (single) first <- list(first)
    shapes_of <- lapply(first, function(value) if (is.null(dim(value))) length(value) else dim(value))
    flat <- lapply(seq_along(first), function(i) {
      parts <- if (single) results else lapply(results, function(values) values[[i]])
      if (!all(alike)) parts[!alike] <- list(vector(typeof(first[[i]]), length(first[[i]])))
      unlist(lapply(parts, as.vector), use.names = FALSE)
    })
    list(value = list(seconds, flat, shapes_of, which(!alike)))
  }

  list(load_file, call_stage, call_many)
}
