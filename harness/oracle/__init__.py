"""True values and limits by error analysis: balls, rounding, functions, sampling. Runs in a child process."""
