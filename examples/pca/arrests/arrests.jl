# Principal components by a singular value decomposition of the correlations.

using LinearAlgebra, Statistics

standardized(X) = (X .- mean(X, dims = 1)) ./ std(X, dims = 1)

correlation(standardized) = cor(standardized)

variances(correlation) = svdvals(correlation)

loadings(correlation) = svd(correlation).U

scores(standardized, loadings) = standardized * loadings
