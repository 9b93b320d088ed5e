# Values that are no plain arrays, as in values.py: evaluates to a list of functions. Needs R alone.
local({
  no_text <- 1114111L
  no_integer <- -2^63

  refuse <- function(...) stop(structure(class = c("refused", "error", "condition"), list(message = paste0(...), call = NULL)))

  described <- function(value) {
    if (is.null(value)) return("NULL")
    if (is.character(value) && length(value) == 1L) return(paste0("the text ", encodeString(substr(value, 1L, 40L), quote = "'")))
    name <- class(value)[1L]
    type <- if (name == typeof(value)) "" else sprintf(" (%s)", typeof(value))
    paste0(if (grepl("^[aeiou]", name)) "an " else "a ", name, type)
  }

  part_names <- function(form) vapply(form$parts, function(part) sub(".*[.]", "", part$name), "")

  # ---- from arrays

  texts <- function(codes) {
    shape <- if (is.null(dim(codes))) length(codes) else dim(codes)
    rows <- matrix(as.integer(codes), ncol = shape[length(shape)])
    made <- vapply(seq_len(nrow(rows)), function(i) {
      row <- rows[i, rows[i, ] != 0L]
      if (length(row) && row[1L] == no_text) NA_character_ else intToUtf8(row)
    }, "")
    if (length(shape) > 2L) dim(made) <- shape[-length(shape)]
    made
  }

  with_gaps <- function(x) {
    shape <- dim(x)
    x <- as.numeric(x)
    x[x <= no_integer] <- NA_real_
    dim(x) <- shape
    x
  }

  numbers <- function(x, dtype) {
    if (dtype == "int" && all(abs(x) < 2^31, na.rm = TRUE)) storage.mode(x) <- "integer"
    if (dtype == "bool") storage.mode(x) <- "logical"
    x
  }

  # The argument that a form describes, of the first arrays that are left; and how many these are.
  take <- function(form, arrays) {
    kind <- if (is.null(form$kind)) "array" else form$kind
    if (kind %in% c("names", "list")) {
      made <- list()
      used <- 0L
      for (i in seq_along(form$parts)) {
        part <- take(form$parts[[i]], arrays[seq_along(arrays) > used])
        made[i] <- list(part$value)
        used <- used + part$used
      }
      if (length(made) && all(vapply(made, is.null, TRUE))) return(list(value = NULL, used = used))
      if (kind == "names") names(made) <- part_names(form)
      return(list(value = made, used = used))
    }
    array <- arrays[[1L]]
    used <- if (kind == "category") 2L else 1L
    if (is.null(array)) return(list(value = NULL, used = used))
    value <- switch(
      kind,
      text = texts(array),
      category = factor(texts(array), levels = texts(arrays[[2L]])),
      date = structure(with_gaps(array), class = "Date"),
      time = .POSIXct(with_gaps(array) / 1e6, tz = "UTC"),
      if (isTRUE(form$missing)) numbers(array, if (is.null(form$dtype)) "float" else form$dtype) else array
    )
    list(value = value, used = used)
  }

  take_all <- function(forms, arrays) {
    made <- vector("list", length(forms))
    for (i in seq_along(forms)) {
      part <- take(forms[[i]], arrays)
      made[i] <- list(part$value)
      arrays <- arrays[seq_along(arrays) > part$used]
    }
    made
  }

  # ---- to arrays

  codes <- function(value) {
    if (!is.character(value)) refuse("returned ", described(value), ", and text is expected")
    letters <- lapply(enc2utf8(as.vector(value)), function(text) if (is.na(text)) no_text else utf8ToInt(text))
    width <- max(1L, lengths(letters))
    shape <- if (is.null(dim(value))) length(value) else dim(value)
    made <- vapply(letters, function(row) c(as.integer(row), integer(width - length(row))), integer(width))
    array(as.integer(t(matrix(made, nrow = width))), c(shape, width))
  }

  plain <- function(x, value) {
    x <- as.double(x)
    dim(x) <- dim(value)
    x
  }

  leaf <- function(form, value) {
    kind <- if (is.null(form$kind)) "array" else form$kind
    if (kind == "text") return(list(codes(value)))
    if (kind == "category") {
      if (!is.factor(value)) refuse("returned ", described(value), ", and a factor is expected")
      return(list(codes(as.character(value)), codes(levels(value))))
    }
    if (kind == "date") {
      if (!inherits(value, "Date")) refuse("returned ", described(value), ", and a Date is expected")
      days <- floor(unclass(value))
      return(list(plain(ifelse(is.na(days), NA_real_, days), value)))
    }
    if (kind == "time") {
      if (inherits(value, "POSIXlt")) value <- as.POSIXct(value)
      if (!inherits(value, "POSIXct")) refuse("returned ", described(value), ", and a POSIXct is expected")
      at <- round(as.numeric(value) * 1e6)
      return(list(plain(ifelse(is.na(at), NA_real_, at), value)))
    }
    if (!isTRUE(form$missing)) return(list(value))
    dtype <- if (is.null(form$dtype)) "float" else form$dtype
    nothing <- is.logical(value) && all(is.na(value))
    fits <- switch(dtype, int = is.integer(value), bool = is.logical(value), is.double(value)) || nothing
    if (isTRUE(form$lenient)) fits <- nothing || is.integer(value) || (is.double(value) && (dtype != "int" ||
      all(is.na(value) | (is.finite(value) & value == floor(value)))))
    if (!fits) refuse("returned ", described(value), ", and an array of ", dtype, " is expected")
    list(plain(value, value))
  }

  # Values of these names; of one that names nothing, by their places.
  parts_of <- function(value, due, whole) {
    if (is.environment(value)) value <- mget(intersect(due, ls(as.environment(value))), envir = as.environment(value))
    else if (isS4(value) && all(due %in% methods::slotNames(value))) {
      value <- stats::setNames(lapply(due, function(name) methods::slot(value, name)), due)
    }
    has <- names(value)
    if (is.list(value) && !is.null(has) && any(nzchar(has)) && (!whole || due %in% has)) {
      lost <- setdiff(due, has)
      if (length(lost)) {
        refuse("returned a ", class(value)[1L], " with ", toString(substr(has, 1L, 40L)), ": ", toString(lost), " missing")
      }
      return(unname(unclass(value)[due]))
    }
    if (whole) return(list(value))
    if (!is.list(value)) refuse("returned ", described(value), ", and a list of ", length(due), " values is expected")
    if (length(value) != length(due)) refuse("returned ", length(value), " values, and ", length(due), " are expected")
    unname(unclass(value))
  }

  give <- function(form, value) {
    kind <- if (is.null(form$kind)) "array" else form$kind
    tryCatch({
      if (!kind %in% c("names", "list")) return(leaf(form, value))
      due <- part_names(form)
      if (!is.list(value)) refuse("returned ", described(value), ", and a list is expected")
      if (kind == "names") {
        if (is.null(names(value))) refuse("returned a list without names, and values by name are expected")
        more <- setdiff(names(value), due)
        if (length(more)) refuse("returned ", toString(more), " too, which the case does not declare")
      } else value <- unname(value)
      values <- parts_of(value, due, FALSE)
    }, refused = function(why) refuse(form$name, ": ", conditionMessage(why)))
    unlist(Map(give, form$parts, values), recursive = FALSE)
  }

  give_all <- function(forms, value) {
    due <- vapply(forms, function(form) form$name, "")
    unlist(Map(give, forms, parts_of(value, due, length(forms) == 1L)), recursive = FALSE)
  }

  # The call of a function with arguments that have names in a frame. What is left out has its default; NULL is
  # given where there is none.
  call_of <- function(f, head, arguments, symbols) {
    given <- names(formals(args(f)))
    parts <- list()
    named <- FALSE
    for (i in seq_along(arguments)) {
      formal <- if (i <= length(given) && !identical(given[i], "...")) given[i]
      has_default <- !is.null(formal) && !identical(formals(args(f))[[i]], quote(expr = ))
      if (is.null(arguments[[i]]) && has_default) {
        named <- TRUE
        next
      }
      parts[[length(parts) + 1L]] <- as.name(symbols[i])
      if (named && !is.null(formal)) names(parts)[length(parts)] <- formal
    }
    as.call(c(list(head), parts))
  }

  list(take_all = take_all, give_all = give_all, call_of = call_of, parts_of = parts_of, texts = texts)
})
