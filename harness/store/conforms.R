# Holds values against the test vectors of `harness export`. Base R is enough; expect_conforms needs testthat.

# The folder that was exported to, unless a call says otherwise.
conforms_folder <- function() getOption("conforms.folder", "vectors")

# The inputs that an output follows from, as a list by name.
conforms_inputs <- function(case, output, sample = NULL, mode = "chained", folder = conforms_folder()) {
  vector <- .conforms_vector(case, output, sample, mode, NULL, folder)
  pairs <- strsplit(strsplit(vector$inputs, " ", fixed = TRUE)[[1]], "=", fixed = TRUE)
  arrays <- lapply(pairs, function(pair) conforms_npy(file.path(folder, case, pair[2])))
  .conforms_values(stats::setNames(arrays, vapply(pairs, `[`, "", 1)), vector$input_forms)
}

# "" where the value conforms, else a sentence: what is off, where, and by how much.
conforms <- function(object, case, output, sample = NULL, mode = "chained", against = NULL,
                     folder = conforms_folder()) {
  vector <- .conforms_vector(case, output, sample, mode, against, folder)
  what <- sprintf("%s of %s, sample %s, %s", output, case, vector$sample, mode)
  if (vector$expected == "") stop(what, ": nothing is known: ", vector$reason, call. = FALSE)
  if (!vector$up_to %in% c("", "sign", "sign of columns")) {
    stop(what, ": it is compared up to ", vector$up_to, ", which this file cannot do", call. = FALSE)
  }
  read <- function(name) conforms_npy(file.path(folder, case, name))
  if (isS4(object) && methods::is(object, "Matrix")) object <- as.matrix(object)
  due <- .conforms_value(read(vector$expected), vector$form)
  why <- if (vector$form == "") .conforms_kind(object, vector$kind) else .conforms_form(object, vector$form)
  if (why != "") return(paste0(what, ": ", why))
  if (vector$form == "category") {
    why <- conforms(levels(object), case, paste0(output, ".levels"), sample, mode, against, folder)
    if (why != "") return(why)
    object <- structure(as.character(object), dim = dim(object))
  }
  shape <- function(x) if (is.null(dim(x))) length(x) else dim(x)
  if (!identical(as.integer(shape(object)), as.integer(shape(due)))) {
    return(sprintf("%s: the shape is (%s), and (%s) is expected", what, toString(shape(object)), toString(shape(due))))
  }
  judged <- rep(TRUE, length(due))
  if (vector$left_out != "") judged <- as.vector(read(vector$left_out)) == 0
  if (is.character(due)) return(.conforms_texts_differ(object, due, judged, what))
  flat <- function(x) as.vector(x, mode = if (is.complex(x)) "complex" else "numeric")
  scale <- if (vector$form == "time") 1e6 else 1
  a <- flat(object) * scale
  e <- flat(due) * scale
  if (vector$form == "time") a <- round(a)
  gone <- function(x) is.na(x) & !is.nan(x)
  differ <- rep(FALSE, length(e))
  if (vector$form != "") {
    differ <- gone(a) != gone(e)
    both <- gone(a) | gone(e)
    a[both] <- e[both] <- 0
  }
  low <- if (vector$low == "") 0 * e else flat(read(vector$low))
  if (vector$up_to != "") {
    columns <- if (vector$up_to == "sign") 1 else prod(shape(due)[-1])
    rows <- length(e) / columns
    group <- if (vector$up_to == "sign") rep(1, length(e)) else rep(seq_len(columns), each = rows)
    turned <- tapply(a * e, group, sum, na.rm = TRUE)[as.character(group)] < 0
    e <- ifelse(turned, -e, e)
    low <- ifelse(turned, -low, low)
  }
  limit <- flat(read(vector$limit))
  if (!any(judged)) stop(what, ": no element can be judged: ", vector$reason, call. = FALSE)
  if (vector$basis == "coarse") {
    message(what, ": compared coarsely only, with ", vector$against, ": ", vector$reason)
  }
  finite <- is.finite(a) & is.finite(e)
  alike <- function(x, y) (x == y) %in% TRUE | (is.na(x) & is.na(y))
  same <- alike(Re(a), Re(e)) & alike(Im(a), Im(e))
  error <- ifelse(finite, Mod((a - e) - low), ifelse(same, 0, Inf))
  error[differ] <- Inf
  over <- error > limit & judged
  if (any(over)) {
    at <- which.max(ifelse(over, error, -1))
    index <- if (is.null(dim(object))) at else arrayInd(at, dim(object))
    return(sprintf(
      "%s: %d of %d elements are beyond their limit; largest error %.3g at [%s], %.3g is allowed: %s, and %s is expected",
      what, sum(over), sum(judged), error[at], toString(index), limit[at],
      .conforms_said(object[at]), .conforms_said(due[at])
    ))
  }
  nan <- is.na(a) & same & judged
  if (any(nan) && vector$nan == "0") {
    return(sprintf("%s: NaN in %d places, where the case expects none", what, sum(nan)))
  }
  ""
}

# An expectation of testthat.
expect_conforms <- function(object, case, output, sample = NULL, mode = "chained", against = NULL,
                            folder = conforms_folder()) {
  said <- conforms(object, case, output, sample, mode, against, folder)
  testthat::expect(said == "", said)
  invisible(object)
}

# An array of a .npy file, with R's own order of elements.
conforms_npy <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  if (!identical(readBin(file, "raw", 8), as.raw(c(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0)))) {
    stop(path, " is no .npy file of version 1.0", call. = FALSE)
  }
  header <- readChar(file, readBin(file, "integer", 1, size = 2, signed = FALSE, endian = "little"), useBytes = TRUE)
  descr <- sub(".*'descr': '([^']*)'.*", "\\1", header)
  sizes <- sub(".*'shape': \\(([^)]*)\\).*", "\\1", header)
  shape <- as.integer(Filter(nzchar, trimws(strsplit(sizes, ",")[[1]])))
  n <- prod(shape)
  values <- switch(descr,
    "<f8" = readBin(file, "double", n, size = 8, endian = "little"),
    "<f4" = readBin(file, "double", n, size = 4, endian = "little"),
    "<c16" = readBin(file, "complex", n, endian = "little"),
    "|b1" = readBin(file, "raw", n) != as.raw(0),
    "<i4" = readBin(file, "integer", n, size = 4, endian = "little"),
    "<i8" = .conforms_int64(readBin(file, "raw", 8 * n), n),
    stop(path, ": R has no ", descr, call. = FALSE)
  )
  if (length(values) != n) stop(path, " is cut short", call. = FALSE)
  if (length(shape) < 2) return(values)
  aperm(array(values, rev(shape)), rev(seq_along(shape)))
}

# Integers of 8 bytes: as R's where they fit, else as doubles.
.conforms_int64 <- function(bytes, n) {
  halves <- readBin(bytes, "integer", 2 * n, size = 4, endian = "little")
  low <- halves[c(TRUE, FALSE)]
  # The least integer is R's NA.
  low <- ifelse(is.na(low), -2^31, low)
  low <- ifelse(low < 0, low + 2^32, low)
  high <- halves[c(FALSE, TRUE)]
  values <- ifelse(is.na(high), -2^31, high) * 2^32 + low
  if (all(abs(values) < 2^31)) as.integer(values) else values
}

.conforms_kind <- function(object, kind) {
  due <- c(float = "double", complex = "complex", int = "integer", bool = "logical")[[kind]]
  if (!is.atomic(object) || typeof(object) != due) {
    return(sprintf("the type is %s, and %s is expected", typeof(object), due))
  }
  ""
}

# What an array of numbers stands for: texts of code points, days, microseconds, numbers that may be missing.
.conforms_value <- function(array, form) {
  instants <- function(x) ifelse(x <= -2^63, NA_real_, as.numeric(x))
  keep <- function(x) structure(x, dim = dim(array))
  switch(sub(":.*", "", form),
    text = , category = .conforms_texts(array),
    date = structure(keep(instants(array)), class = "Date"),
    time = .POSIXct(keep(instants(array) / 1e6), tz = "UTC"),
    missing = {
      storage.mode(array) <- c(float = "double", int = "integer", bool = "logical")[[sub(".*:", "", form)]]
      array
    },
    array
  )
}

.conforms_texts <- function(codes) {
  shape <- if (is.null(dim(codes))) length(codes) else dim(codes)
  rows <- matrix(as.integer(codes), ncol = shape[length(shape)])
  texts <- vapply(seq_len(nrow(rows)), function(i) {
    row <- rows[i, rows[i, ] != 0L]
    if (length(row) && row[1] == 1114111L) NA_character_ else intToUtf8(row)
  }, "")
  if (length(shape) > 2) dim(texts) <- shape[-length(shape)]
  texts
}

# Arrays by name as values: categories with their levels, and what has a dot in its name inside of a list.
.conforms_values <- function(arrays, forms) {
  pairs <- strsplit(strsplit(forms, " ", fixed = TRUE)[[1]], "=", fixed = TRUE)
  forms <- stats::setNames(vapply(pairs, `[`, "", 2), vapply(pairs, `[`, "", 1))
  for (name in intersect(names(forms), names(arrays))) arrays[[name]] <- .conforms_value(arrays[[name]], forms[[name]])
  for (name in names(forms)[forms == "category"]) {
    levels <- paste0(name, ".levels")
    arrays[[name]] <- factor(arrays[[name]], levels = arrays[[levels]])
    arrays[[levels]] <- NULL
  }
  made <- list()
  for (name in names(arrays)) {
    path <- as.list(strsplit(name, ".", fixed = TRUE)[[1]])
    path <- lapply(path, function(part) if (grepl("^[0-9]+$", part)) as.integer(part) else part)
    made <- .conforms_put(made, path, arrays[[name]])
  }
  made
}

.conforms_put <- function(into, path, value) {
  if (length(path) == 0) return(value)
  key <- path[[1]]
  known <- if (is.numeric(key)) key <= length(into) else key %in% names(into)
  inner <- if (known) into[[key]] else list()
  into[[key]] <- .conforms_put(inner, path[-1], value)
  into
}

.conforms_form <- function(object, form) {
  fits <- switch(form,
    text = is.character(object), category = is.factor(object), date = inherits(object, "Date"),
    time = inherits(object, "POSIXct"), "missing:float" = is.double(object),
    "missing:int" = is.integer(object), "missing:bool" = is.logical(object)
  )
  if (fits) "" else sprintf("it is a %s, and a %s is expected", class(object)[1], sub(":", ", of ", form))
}

.conforms_texts_differ <- function(object, due, judged, what) {
  if (!any(judged)) stop(what, ": no element can be judged", call. = FALSE)
  over <- !((object == due) %in% TRUE | (is.na(object) & is.na(due))) & judged
  if (!any(over)) return("")
  at <- which(over)[1]
  index <- if (is.null(dim(object))) at else arrayInd(at, dim(object))
  sprintf("%s: %d of %d elements differ, first at [%s]: %s, and %s is expected", what, sum(over), sum(judged),
          toString(index), .conforms_said(object[at]), .conforms_said(due[at]))
}

.conforms_said <- function(x) if (is.character(x)) encodeString(x, quote = "'") else format(x, digits = 17)

.conforms_vector <- function(case, output, sample, mode, against, folder) {
  path <- file.path(folder, case, "index.tsv")
  if (!file.exists(path)) stop(path, " is not there: harness export ", case, " writes it", call. = FALSE)
  index <- utils::read.delim(path, quote = "", colClasses = "character", na.strings = character(),
                             encoding = "UTF-8")
  rows <- index[index$output == output & index$mode == mode, ]
  if (nrow(rows) == 0) {
    stop(case, " has no output ", output, " that is ", mode, "; there are: ", toString(unique(index$output)),
         call. = FALSE)
  }
  if (is.null(sample)) sample <- rows$sample[1]
  if (!sample %in% rows$sample) {
    stop(output, " has no sample ", sample, "; there are: ", toString(unique(rows$sample)), call. = FALSE)
  }
  rows <- rows[rows$sample == sample, ]
  if (!is.null(against)) rows <- rows[rows$against == against, ]
  if (nrow(rows) == 0) stop(output, " is not compared with ", against, call. = FALSE)
  as.list(rows[1, ])
}
