# Modules: an instance is a function that calls its forward, and knows its own environment.

instance_of <- function(self, class) structure(function(...) self$forward(...), module = self, class = c(class, "nn_module"))
self_of <- function(x) attr(x, "module")

`$.nn_module` <- function(x, name) self_of(x)[[name]]
`[[.nn_module` <- function(x, i, ...) self_of(x)[[i]]

nn_module <- function(classname = "nn_module", inherit = NULL, ...) {
  fields <- list(...)
  function(...) {
    self <- new.env()
    for (name in names(fields)) {
      field <- fields[[name]]
      if (is.function(field)) {
        # Its own scope, with self in front of it.
        scope <- new.env(parent = environment(field))
        scope$self <- self
        environment(field) <- scope
      }
      assign(name, field, envir = self)
    }
    if (!is.null(self$initialize)) self$initialize(...)
    instance_of(self, classname)
  }
}

# The draws of its weights are PyTorch's own, in PyTorch's order.
nn_linear <- function(in_features, out_features, bias = TRUE) {
  layer <- pytorch()$nn$Linear(as.integer(in_features), as.integer(out_features), bias = bias)
  self <- new.env()
  self$weight <- wrap(layer$weight)
  self$bias <- if (bias) wrap(layer$bias)
  self$forward <- function(input) wrap(layer$forward(object_of(input)))
  instance_of(self, "nn_linear")
}

nn_module_list <- function(modules = list()) {
  self <- new.env()
  self$items <- modules
  self$append <- function(module) self$items <- c(self$items, list(module))
  self$forward <- function(...) stop("a module list has no forward")
  instance_of(self, "nn_module_list")
}
length.nn_module_list <- function(x) length(self_of(x)$items)
`[[.nn_module_list` <- function(x, i, ...) self_of(x)$items[[i]]

nn_parameter <- function(x, requires_grad = TRUE) x

print.nn_module <- function(x, ...) cat("An `nn_module` (stand-in over PyTorch): ", class(x)[1L], "\n", sep = "")
