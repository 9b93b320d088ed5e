# Least squares by normal equations.

gram(X) = X' * X

moments(X, y) = X' * y

coefficients(gram, moments) = gram \ moments

residuals(X, y, coefficients) = y - X * coefficients

variance(X, residuals) = sum(abs2, residuals) / (size(X, 1) - size(X, 2))
