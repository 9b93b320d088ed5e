# Functions of the library, each alone.

exp_x <- function(x) exp(x)

exp2_x <- function(x) 2^x

expm1_x <- function(x) expm1(x)

sinh_x <- function(x) sinh(x)

cosh_x <- function(x) cosh(x)

tanh_x <- function(x) tanh(x)

atan_x <- function(x) atan(x)

asinh_x <- function(x) asinh(x)

sin_angle <- function(angle) sin(angle)

cos_angle <- function(angle) cos(angle)

tan_angle <- function(angle) tan(angle)

log_p <- function(p) log(p)

log1p_p <- function(p) log1p(p)

log2_p <- function(p) log2(p)

log10_p <- function(p) log10(p)

sqrt_p <- function(p) sqrt(p)

reciprocal_p <- function(p) 1 / p

asin_r <- function(r) asin(r)

acos_r <- function(r) acos(r)

atanh_r <- function(r) atanh(r)

square_x <- function(x) x * x

cube_x <- function(x) x^3

power <- function(base, exponent) base^exponent

angle_of <- function(ordinate, exponent) atan2(ordinate, exponent)
