"""A planar arm of three links and a wrist: where the hand is, how to get it there, what the motors feel."""
import numpy as np

L = np.array([0.42, 0.34, 0.16])   # m
MASS = np.array([3.1, 2.2, 0.7])   # kg
G = 9.81


def rot(a):
    return np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])


def transform(a, length):
    T = np.eye(3)
    T[:2, :2] = rot(a)
    T[:2, 2] = T[:2, :2] @ [length, 0]
    return T


def forward(q):
    T = np.eye(3)
    joints = [np.zeros(2)]
    for angle, length in zip(q, L):
        T = T @ transform(angle, length)
        joints.append(T[:2, 2].copy())
    return np.array(joints), np.arctan2(T[1, 0], T[0, 0])


def jacobian(q):
    joints, _ = forward(q)
    J = np.ones((3, 3))
    for i in range(3):
        lever = joints[3] - joints[i]
        J[0, i] = -lever[1]
        J[1, i] = lever[0]
    return J


def inverse(target, q, damping=0.02, tol=1e-12):
    """Damped least squares (Levenberg)."""
    for count in range(300):
        joints, phi = forward(q)
        error = target - np.array([*joints[3], phi])
        error[2] = (error[2] + np.pi) % (2 * np.pi) - np.pi
        if np.linalg.norm(error) < tol:
            break
        J = jacobian(q)
        dq = J.T @ np.linalg.solve(J @ J.T + damping**2 * np.eye(3), error)
        q = q + dq
    return q, count


start = np.deg2rad([20.0, 35.0, 15.0])
goal = np.array([0.25, 0.62, np.deg2rad(130.0)])
end, steps = inverse(goal, start)

# quintic from rest to rest
duration = 1.5
times = np.linspace(0, duration, 31)
tau = times / duration
blend = 10 * tau**3 - 15 * tau**4 + 6 * tau**5
rate = (30 * tau**2 - 60 * tau**3 + 30 * tau**4) / duration
path = start + blend[:, None] * (end - start)
speed = rate[:, None] * (end - start)
hand = np.array([forward(q)[0][3] for q in path])
velocity = np.array([(jacobian(q) @ dq)[:2] for q, dq in zip(path, speed)])
length = np.sqrt((np.diff(hand, axis=0) ** 2).sum(axis=1)).sum()
fastest = np.hypot(velocity[:, 0], velocity[:, 1]).max()
dexterity = np.array([np.sqrt(np.linalg.det(jacobian(q)[:2] @ jacobian(q)[:2].T)) for q in path])


def gravity(q):
    """Torques that hold the arm still."""
    joints, _ = forward(q)
    centres = (joints[1:] + joints[:-1]) / 2
    torque = np.zeros(3)
    for i in range(3):
        for k in range(i, 3):
            torque[i] += MASS[k] * G * (centres[k, 0] - joints[i, 0])
    return torque


holding = np.array([gravity(q) for q in path])
power = (holding * speed).sum(axis=1)
work = np.trapezoid(power, times)
load = jacobian(end).T @ np.array([0.0, -12.0, 0.0])

print("joints", np.rad2deg(end).round(7), "after", steps)
print("path %.8f m, fastest %.8f m/s" % (length, fastest))
print("dexterity %.8f to %.8f" % (dexterity.min(), dexterity.max()))
print("torques", holding[0].round(7), holding[-1].round(7))
print("work %.8f J, load" % work, load.round(7))
