"""Many runs in one process: does anything grow? ``nox -s soak``."""
