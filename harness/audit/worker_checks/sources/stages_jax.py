"""What JAX's worker is checked with, compiled by jax.jit or not: what depends on values is a callback."""

import sys
import time

import jax


def same(x):
    """Return what came."""
    return x


def corner(x):
    """Element in the first row and the last column."""
    return x[0, -1]


def two(a, b):
    """Both, the second first."""
    return b, a


def constant():
    """A number."""
    return 2.5


def boom(x):
    """Raise an error."""
    raise ValueError("it went wrong")


def text(x):
    """Return a text."""
    return "four"


def void(x):
    """Return nothing."""


def noise(x):
    """Print."""
    print("printed noise " * 1000)
    return x


def reads(x):
    """Read a line of standard input."""
    sys.stdin.readline()
    return x


def sleeps(x):
    """Take 0.2 s."""

    def wait(values):
        time.sleep(0.2)
        return values

    return jax.pure_callback(wait, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


def hangs(x):
    """Never return."""
    while True:
        time.sleep(0.1)


def picky(x):
    """Twice what came, which may not be negative."""

    def checked(values):
        if (values < 0).any():
            raise ValueError("negative")
        return values

    return 2 * jax.pure_callback(checked, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


def named(x):
    """Two values by name, in another order."""
    return {"second": x + 1, "first": x}


def defaulted(x, y=2.0):
    """A product whose second factor has a default."""
    return x * y
