# Principal components by eigen.

standardized <- function(X) unclass(scale(X))[, ]

correlation <- function(standardized) cor(standardized)

variances <- function(correlation) eigen(correlation)$values

loadings <- function(correlation) eigen(correlation)$vectors

scores <- function(standardized, loadings) standardized %*% loadings
