"""Flight of a ball with air drag and wind, fourth order Runge-Kutta."""

import math

import numpy as np

G = 9.81
RHO = 1.225
MASS = 0.145
RADIUS = 0.0366
CD = 0.35
WIND = -2.0
DT = 0.01

area = math.pi * RADIUS**2
k = 0.5 * RHO * CD * area / MASS


def derivative(state):
    x, y, vx, vy = state
    ux = vx - WIND
    speed = math.hypot(ux, vy)
    return np.array([vx, vy, -k * speed * ux, -G - k * speed * vy])


def rk4_step(state, dt):
    k1 = derivative(state)
    k2 = derivative(state + dt / 2 * k1)
    k3 = derivative(state + dt / 2 * k2)
    k4 = derivative(state + dt * k3)
    return state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def throw(speed, angle_deg, height):
    """Path until the ball is below ground, with times in the first column."""
    a = math.radians(angle_deg)
    state = np.array([0.0, height, speed * math.cos(a), speed * math.sin(a)])
    t = 0.0
    rows = [[t, *state]]
    while state[1] >= 0:
        state = rk4_step(state, DT)
        t += DT
        rows.append([t, *state])
    return np.array(rows)


def landing(path):
    """Linear interpolation between the last two points."""
    before, after = path[-2], path[-1]
    share = before[2] / (before[2] - after[2])
    return before + share * (after - before)


path = throw(40.0, 38.0, 1.8)
last = landing(path)
flight_time, distance = last[0], last[1]
apex = path[:, 2].max()
apex_time = path[np.argmax(path[:, 2]), 0]
impact_speed = math.hypot(last[3], last[4])
impact_angle = math.degrees(math.atan2(-last[4], last[3]))

energy = 0.5 * MASS * (path[:, 3] ** 2 + path[:, 4] ** 2) + MASS * G * path[:, 2]
lost = energy[0] - energy[-1]
path_length = np.hypot(np.diff(path[:, 1]), np.diff(path[:, 2])).sum()

angles = np.arange(25, 56, 5)
ranges = np.array([landing(throw(40.0, a, 1.8))[1] for a in angles])
best_angle = angles[ranges.argmax()]
vacuum = 40.0**2 * np.sin(2 * np.radians(38.0)) / G
terminal = math.sqrt(G / k)

print("steps", len(path) - 1)
print("time", flight_time, "distance", distance)
print("apex", apex, "at", apex_time)
print("impact", impact_speed, "m/s", impact_angle, "degrees")
print("energy lost", lost, "path length", path_length)
for a, r in zip(angles, ranges):
    print(a, round(float(r), 6))
print("best", best_angle, "vacuum", vacuum, "terminal", terminal)
