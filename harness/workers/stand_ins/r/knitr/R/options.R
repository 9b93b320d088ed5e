# A set of options with knitr's accessors.
new_options <- function() {
  kept <- list()
  given <- function(...) {
    options <- list(...)
    if (length(options) == 1L && is.null(names(options)) && is.list(options[[1L]])) options[[1L]] else options
  }
  list(
    get = function(name = NULL, default = NULL) {
      if (is.null(name)) return(kept)
      if (length(name) == 1L) (if (is.null(kept[[name]])) default else kept[[name]]) else kept[name]
    },
    set = function(...) {
      options <- given(...)
      before <- kept[names(options)]
      kept[names(options)] <<- options
      invisible(before)
    },
    append = function(...) {
      options <- given(...)
      for (name in names(options)) kept[[name]] <<- c(kept[[name]], options[[name]])
      invisible(NULL)
    },
    merge = function(values) utils::modifyList(kept, values),
    restore = function(target = list()) kept <<- target
  )
}

opts_chunk <- new_options()
opts_knit <- new_options()
