"""A wall through a summer day, Crank-Nicolson on cells, banded solver."""
import numpy as np
import pandas as pd
from scipy.linalg import solve_banded

H_OUT, H_IN = 20.0, 7.7
T_ROOM = 22.0
ABSORPTION = 0.55
STEP = 600.0  # seconds
DAYS = 4


class Wall:
    def __init__(self, layers):
        dx, k, c = [], [], []
        for row in layers.itertuples():
            for _ in range(row.cells):
                dx.append(row.thickness / row.cells)
                k.append(row.conductivity)
                c.append(row.density * row.heat)
        dx, k, c = np.array(dx), np.array(k), np.array(c)
        half = dx / (2 * k)
        inner = half[:-1] + half[1:]
        # resistance from node to node, with the two films at the ends
        self.g = 1 / np.concatenate([[1 / H_OUT + half[0]], inner, [half[-1] + 1 / H_IN]])
        self.half = half
        self.capacity = c * dx
        self.n = len(dx)
        self.u_value = 1 / (1 / H_OUT + np.sum(dx / k) + 1 / H_IN)

    def rates(self, temp, outside):
        """Net heat into every cell, W/m2."""
        padded = np.concatenate([[outside], temp, [T_ROOM]])
        flow = self.g * (padded[:-1] - padded[1:])
        return flow[:-1] - flow[1:]

    def advance(self, temp, before, after, dt):
        left, right = self.g[:-1], self.g[1:]
        bands = np.zeros((3, self.n))
        bands[1] = self.capacity / dt + 0.5 * (left + right)
        bands[0, 1:] = -0.5 * self.g[1:-1]
        bands[2, :-1] = -0.5 * self.g[1:-1]
        rhs = self.capacity / dt * temp + 0.5 * self.rates(temp, before)
        rhs[0] += 0.5 * self.g[0] * after
        rhs[-1] += 0.5 * self.g[-1] * T_ROOM
        return solve_banded((1, 1), bands, rhs)


layers = pd.read_csv("layers.csv")
climate = pd.read_csv("outdoor.csv")
sol_air = climate["air"] + ABSORPTION * climate["sun"] / H_OUT
per_hour = int(3600 / STEP)
clock = np.arange(0, 24 * per_hour + 1) / per_hour
hours = np.append(climate["hour"], 24)
cycle = np.interp(clock, hours, np.append(sol_air, sol_air[0]))

wall = Wall(layers)
temp = np.full(wall.n, T_ROOM)
history = []
for day in range(DAYS):
    history.clear()
    for i in range(len(cycle) - 1):
        temp = wall.advance(temp, cycle[i], cycle[i + 1], STEP)
        film = wall.g[-1] * (temp[-1] - T_ROOM)
        surface = T_ROOM + film / H_IN
        history.append((clock[i + 1], surface, film))
last = pd.DataFrame(history, columns=["clock", "surface", "flux"])

swing_in = last["surface"].max() - last["surface"].min()
swing_out = cycle.max() - cycle.min()
decrement = swing_in / swing_out
peak_out = clock[cycle.argmax()]
peak_in = last.loc[last["surface"].idxmax(), "clock"]
lag = (peak_in - peak_out) % 24
gain = last["flux"].sum() * STEP / 3600
stored = float(np.sum(wall.capacity * (temp - T_ROOM))) / 1000

print(f"U = {wall.u_value:.7f} W/m2K")
print(f"sol-air from {cycle.min():.4f} to {cycle.max():.4f}, mean {cycle[:-1].mean():.6f}")
print(f"decrement {decrement:.8f}, lag {lag:.4f} h")
print(f"gain {gain:.6f} Wh/m2, stored {stored:.5f} kJ/m2")
print("cells", " ".join(f"{t:.5f}" for t in temp))
