# A linear system by Cholesky's decomposition.

using LinearAlgebra

system(X, ridge) = X' * X + ridge * I

factor(system) = Matrix(cholesky(Symmetric(system)).L)

forward(factor, X, y) = LowerTriangular(factor) \ (X' * y)

solution(factor, forward) = LowerTriangular(factor)' \ forward

log_determinant(factor) = 2 * sum(log, diag(factor))
