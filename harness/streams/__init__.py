"""The random streams of R, Julia, PyTorch and NumPy, reproduced bit for bit from NumPy alone."""
