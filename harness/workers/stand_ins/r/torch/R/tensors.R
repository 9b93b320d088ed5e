# Tensors: PyTorch's, under R torch's names. Dimensions count from 1, as in R torch; negative ones from the end.

loaded <- new.env()

pytorch <- function() {
  if (is.null(loaded$torch)) {
    loaded$torch <- tryCatch(
      reticulate::import("torch", convert = FALSE),
      error = function(condition) stop("the stand-in for torch needs PyTorch: ", conditionMessage(condition), call. = FALSE)
    )
    loaded$operator <- reticulate::import("operator", convert = FALSE)
  }
  loaded$torch
}

wrap <- function(object) structure(list(object), class = c("torch_tensor", "R7"))
object_of <- function(x) unclass(x)[[1L]]
is_torch_tensor <- function(x) inherits(x, "torch_tensor")

sizes <- function(...) as.list(as.integer(unlist(list(...))))

# A dimension of R's as one of Python's.
axis <- function(dim) {
  if (is.null(dim)) return(NULL)
  dim <- as.integer(dim)
  if (any(dim == 0L)) stop("dimensions count from 1, and 0 was given")
  shifted <- ifelse(dim > 0L, dim - 1L, dim)
  if (length(shifted) == 1L) shifted else as.list(shifted)
}

to_python <- function(x) {
  if (is_torch_tensor(x)) return(object_of(x))
  if (inherits(x, "python.builtin.object")) return(x)
  if (length(x) == 1L && is.null(dim(x))) return(x)
  object_of(torch_tensor(x))
}

shape_of <- function(object) as.integer(unlist(reticulate::py_to_r(reticulate::import_builtins(convert = FALSE)$list(object$shape))))

dtypes <- function(name) pytorch()[[name]]
torch_float <- function() dtypes("float32")
torch_float32 <- torch_float
torch_float64 <- function() dtypes("float64")
torch_double <- torch_float64
torch_long <- function() dtypes("int64")
torch_bool <- function() dtypes("bool")

torch_manual_seed <- function(seed) invisible(pytorch()$manual_seed(as.integer(seed)))

# R's doubles become float32, its integers int64, as in R torch.
torch_tensor <- function(data, dtype = NULL, requires_grad = FALSE) {
  if (is_torch_tensor(data)) return(data)
  torch <- pytorch()
  if (is.null(dtype)) dtype <- if (is.logical(data)) torch$bool else if (is.integer(data)) torch$int64 else torch$float32
  # As lists, row by row: reticulate's own way through NumPy depends on NumPy's version.
  if (is.null(dim(data))) return(wrap(torch$tensor(as.list(data), dtype = dtype, requires_grad = requires_grad)))
  rows <- as.list(as.vector(aperm(data)))
  flat <- torch$tensor(rows, dtype = dtype)$reshape(sizes(dim(data)))
  wrap(flat$requires_grad_(requires_grad))
}

made <- function(name) function(..., dtype = NULL, requires_grad = FALSE) {
  wrap(pytorch()[[name]](sizes(...), dtype = dtype, requires_grad = requires_grad))
}
torch_randn <- made("randn")
torch_rand <- made("rand")
torch_zeros <- made("zeros")
torch_ones <- made("ones")

torch_matmul <- function(self, other) wrap(pytorch()$matmul(object_of(self), object_of(other)))
torch_bmm <- function(self, mat2) wrap(pytorch()$bmm(object_of(self), object_of(mat2)))
torch_tril <- function(self, diagonal = 0) wrap(pytorch()$tril(object_of(self), diagonal = as.integer(diagonal)))
torch_triu <- function(self, diagonal = 0) wrap(pytorch()$triu(object_of(self), diagonal = as.integer(diagonal)))
torch_transpose <- function(self, dim0, dim1) wrap(pytorch()$transpose(object_of(self), axis(dim0), axis(dim1)))
torch_cat <- function(tensors, dim = 1L) wrap(pytorch()$cat(lapply(tensors, object_of), dim = axis(dim)))
torch_stack <- function(tensors, dim = 1L) wrap(pytorch()$stack(lapply(tensors, object_of), dim = axis(dim)))

reduced <- function(name) function(self, dim = NULL, keepdim = FALSE) {
  f <- pytorch()[[name]]
  wrap(if (is.null(dim)) f(object_of(self)) else f(object_of(self), dim = axis(dim), keepdim = keepdim))
}
torch_sum <- reduced("sum")
torch_mean <- reduced("mean")

elementwise <- function(name) function(self) wrap(pytorch()[[name]](object_of(self)))
torch_exp <- elementwise("exp")
torch_log <- elementwise("log")
torch_sqrt <- elementwise("sqrt")
torch_softmax <- function(self, dim) wrap(pytorch()$softmax(object_of(self), dim = axis(dim)))
nnf_softmax <- function(input, dim) torch_softmax(input, dim)
nnf_relu <- function(input) wrap(pytorch()$relu(object_of(input)))

torch_allclose <- function(self, other, rtol = 1e-05, atol = 1e-08) {
  reticulate::py_to_r(pytorch()$allclose(object_of(self), object_of(other), rtol = rtol, atol = atol))
}

with_no_grad <- function(code) {
  pytorch()$set_grad_enabled(FALSE)
  on.exit(pytorch()$set_grad_enabled(TRUE))
  force(code)
}

as_array <- function(x) as.array(x)
as.array.torch_tensor <- function(x, ...) {
  object <- object_of(x)$detach()$cpu()
  shape <- shape_of(object)
  values <- unlist(reticulate::py_to_r(object$flatten()$tolist()))
  if (length(shape) < 2L) return(if (length(shape)) array(values, shape) else values)
  aperm(array(values, rev(shape)))
}
as.numeric.torch_tensor <- function(x, ...) as.numeric(as.array(x))
as.matrix.torch_tensor <- function(x, ...) as.matrix(as.array(x))
dim.torch_tensor <- function(x) shape_of(object_of(x))
length.torch_tensor <- function(x) as.integer(prod(shape_of(object_of(x))))

methods_of <- list(
  transpose = torch_transpose, matmul = torch_matmul, bmm = torch_bmm, sum = torch_sum, mean = torch_mean,
  softmax = torch_softmax, exp = torch_exp, log = torch_log, sqrt = torch_sqrt,
  t = function(self) wrap(object_of(self)$t()),
  detach = function(self) wrap(object_of(self)$detach()),
  clone = function(self) wrap(object_of(self)$clone()),
  item = function(self) reticulate::py_to_r(object_of(self)$item()),
  size = function(self, dim = NULL) if (is.null(dim)) dim.torch_tensor(self) else dim.torch_tensor(self)[dim],
  dim = function(self) length(dim.torch_tensor(self)),
  view = function(self, size) wrap(object_of(self)$reshape(sizes(size))),
  reshape = function(self, shape) wrap(object_of(self)$reshape(sizes(shape))),
  permute = function(self, dims) wrap(object_of(self)$permute(axis(dims))),
  unsqueeze = function(self, dim) wrap(object_of(self)$unsqueeze(axis(dim))),
  squeeze = function(self, dim = NULL) wrap(if (is.null(dim)) object_of(self)$squeeze() else object_of(self)$squeeze(axis(dim))),
  masked_fill = function(self, mask, value) wrap(object_of(self)$masked_fill(object_of(mask), value)),
  backward = function(self) invisible(object_of(self)$backward())
)

`$.torch_tensor` <- function(x, name) {
  if (name == "shape") return(shape_of(object_of(x)))
  if (name == "dtype") return(object_of(x)$dtype)
  if (name == "grad") return(wrap(object_of(x)$grad))
  method <- methods_of[[name]]
  if (is.null(method)) stop("the stand-in for torch has no tensor method ", name, call. = FALSE)
  function(...) method(x, ...)
}

`[.torch_tensor` <- function(x, ...) {
  values <- do.call(`[`, c(list(as.array(x)), as.list(substitute(list(...)))[-1L], list(drop = TRUE)), envir = parent.frame())
  torch_tensor(values)
}

operators <- c(
  "+" = "add", "-" = "sub", "*" = "mul", "/" = "truediv", "^" = "pow", "%%" = "mod", "%/%" = "floordiv",
  "==" = "eq", "!=" = "ne", "<" = "lt", "<=" = "le", ">" = "gt", ">=" = "ge", "&" = "and_", "|" = "or_"
)

Ops.torch_tensor <- function(e1, e2) {
  torch <- pytorch()
  if (missing(e2)) return(wrap(switch(.Generic, "-" = torch$neg(object_of(e1)), "!" = torch$logical_not(object_of(e1)), "+" = object_of(e1))))
  wrap(loaded$operator[[operators[[.Generic]]]](to_python(e1), to_python(e2)))
}

Math.torch_tensor <- function(x, ...) wrap(pytorch()[[.Generic]](object_of(x)))

print.torch_tensor <- function(x, ...) {
  kind <- sub("torch.", "", as.character(object_of(x)$dtype), fixed = TRUE)
  cat("torch_tensor (stand-in over PyTorch)\n", reticulate::py_str(object_of(x)$detach()), "\n", sep = "")
  cat("[ ", kind, "{", paste(shape_of(object_of(x)), collapse = ","), "} ]\n", sep = "")
  invisible(x)
}
