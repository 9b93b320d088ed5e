# Logistic regression by R's glm.

coefficients <- function(dose, n, killed) {
  control <- glm.control(epsilon = 1e-14, maxit = 50)
  unname(coef(glm(cbind(killed, n - killed) ~ dose, binomial, control = control)))
}

probabilities <- function(dose, coefficients) plogis(coefficients[1] + coefficients[2] * dose)

deviance <- function(n, killed, probabilities) {
  sum(binomial()$dev.resids(killed / n, probabilities, n))
}
