# The Gaussian error linear unit in two forms.

by_tanh <- function(x) 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))

# The distribution function of the normal distribution is (1 + erf(x / sqrt(2))) / 2.
by_erf <- function(x) x * pnorm(x)
