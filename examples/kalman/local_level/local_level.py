"""The Kalman filter of a level that moves at random; its variances are Durbin and Koopman's."""

import numpy as np

NOISE = 15099.0
MOVES = 1469.1


def filtered(flow):
    level = np.empty_like(flow)
    variance = np.empty_like(flow)
    a, p = 0.0, 1e7
    for t in range(len(flow)):
        gain = p / (p + NOISE)
        level[t] = a + gain * (flow[t] - a)
        variance[t] = p * (1 - gain)
        a, p = level[t], variance[t] + MOVES
    return {"level": level, "variance": variance}


def innovations(flow, level):
    result = np.empty_like(flow)
    result[0] = flow[0] - level[0]
    result[1:] = flow[1:] - level[:-1]
    return result


def steady(variance):
    return variance[-1]
