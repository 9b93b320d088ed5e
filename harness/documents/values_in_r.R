function(given) {
  place <- "values of Python"
  # Before reticulate, which has a py of its own, where that is attached.
  if (place %in% search()) detach(place, character.only = TRUE)
  attach(NULL, name = place, warn.conflicts = FALSE)
  # What is not carried is not there.
  registerS3method("$", "values_of_python", function(x, name) {
    values <- unclass(x)
    if (!name %in% names(values)) stop("object 'py' not found", call. = FALSE)
    values[[name]]
  }, envir = baseenv())
  assign("py", structure(given, class = "values_of_python"), envir = as.environment(place))
}
