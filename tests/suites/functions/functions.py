"""Functions of the library, each alone."""

import numpy as np


def exp_x(x):
    return np.exp(x)


def exp2_x(x):
    return np.exp2(x)


def expm1_x(x):
    return np.expm1(x)


def sinh_x(x):
    return np.sinh(x)


def cosh_x(x):
    return np.cosh(x)


def tanh_x(x):
    return np.tanh(x)


def atan_x(x):
    return np.arctan(x)


def asinh_x(x):
    return np.arcsinh(x)


def sin_angle(angle):
    return np.sin(angle)


def cos_angle(angle):
    return np.cos(angle)


def tan_angle(angle):
    return np.tan(angle)


def log_p(p):
    return np.log(p)


def log1p_p(p):
    return np.log1p(p)


def log2_p(p):
    return np.log2(p)


def log10_p(p):
    return np.log10(p)


def sqrt_p(p):
    return np.sqrt(p)


def reciprocal_p(p):
    return 1 / p


def asin_r(r):
    return np.arcsin(r)


def acos_r(r):
    return np.arccos(r)


def atanh_r(r):
    return np.arctanh(r)


def square_x(x):
    return x**2


def cube_x(x):
    return x**3


def power(base, exponent):
    return base**exponent


def angle_of(ordinate, exponent):
    return np.arctan2(ordinate, exponent)
