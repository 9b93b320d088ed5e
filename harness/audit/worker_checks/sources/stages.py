"""What NumPy's worker, and any other that gives functions NumPy arrays, is checked with."""

import sys
import time

import numpy as np


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
    time.sleep(0.2)
    return x


def hangs(x):
    """Never return."""
    while True:
        time.sleep(0.1)


def picky(x):
    """Twice what came, which may not be negative."""
    if np.any(np.asarray(x) < 0):
        raise ValueError("negative")
    return 2 * x


def named(x):
    """Two values by name, in another order."""
    return {"second": x + 1, "first": x}


def defaulted(x, y=2.0):
    """A product whose second factor has a default."""
    return x * y
