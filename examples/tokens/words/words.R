# Words are runs of the letters a to z, found by a regular expression.

folded <- function(text) utf8ToInt(tolower(intToUtf8(text)))

word <- function(folded) {
  text <- intToUtf8(folded)
  at <- gregexpr("[a-z]+", text)[[1]]
  result <- integer(length(folded))
  if (at[1] < 0) return(result)
  spelling <- regmatches(text, list(at))[[1]]
  numbers <- match(spelling, unique(spelling))
  for (i in seq_along(at)) result[at[i] + seq_len(attr(at, "match.length")[i]) - 1] <- numbers[i]
  result
}

counts <- function(folded, word) {
  begins <- c(TRUE, diff(word) != 0) & word > 0
  tabulate(word[begins], nbins = max(word, 0))
}

frequencies <- function(counts) counts / sum(counts)
