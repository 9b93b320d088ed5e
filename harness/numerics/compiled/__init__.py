"""The comparison compiled by Numba; imported only where it pays."""
