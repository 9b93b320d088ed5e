"""A line through a geyser's eruptions."""

import numpy as np


def line(eruptions, waiting):
    d = eruptions - eruptions.mean()
    slope = d @ waiting / (d @ d)
    return np.stack([waiting.mean() - slope * eruptions.mean(), slope])


def expected(eruptions, line):
    return line[0] + line[1] * eruptions


def error(waiting, expected):
    return np.sqrt(((waiting - expected) ** 2).mean())
