"""Functions of the library, each alone."""

import torch


def exp_x(x):
    return torch.exp(x)


def exp2_x(x):
    return torch.exp2(x)


def expm1_x(x):
    return torch.expm1(x)


def sinh_x(x):
    return torch.sinh(x)


def cosh_x(x):
    return torch.cosh(x)


def tanh_x(x):
    return torch.tanh(x)


def atan_x(x):
    return torch.atan(x)


def asinh_x(x):
    return torch.asinh(x)


def sin_angle(angle):
    return torch.sin(angle)


def cos_angle(angle):
    return torch.cos(angle)


def tan_angle(angle):
    return torch.tan(angle)


def log_p(p):
    return torch.log(p)


def log1p_p(p):
    return torch.log1p(p)


def log2_p(p):
    return torch.log2(p)


def log10_p(p):
    return torch.log10(p)


def sqrt_p(p):
    return torch.sqrt(p)


def reciprocal_p(p):
    return 1 / p


def asin_r(r):
    return torch.asin(r)


def acos_r(r):
    return torch.acos(r)


def atanh_r(r):
    return torch.atanh(r)


def square_x(x):
    return x * x


def cube_x(x):
    return x**3


def power(base, exponent):
    return torch.pow(base, exponent)


def angle_of(ordinate, exponent):
    return torch.atan2(ordinate, exponent)
