# What another program had, to be put in: the plans of r_recorder.R, and a value of another language as R has it.

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
