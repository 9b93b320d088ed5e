"""Road noise and a class room, rewritten with arrays."""

from dataclasses import dataclass

import numpy as np

FREQ = np.array([125, 250, 500, 1000, 2000, 4000])
A = np.array([-16.1, -8.6, -3.2, 0.0, 1.2, 1.0])


def measured():
    h = np.arange(24)[:, None]
    j = np.arange(FREQ.size)
    busy = (h >= 6) & (h < 22)
    rush = np.where(busy, 8 * np.sin(np.pi * (h - 6) / 12), -9)
    return (58 + rush - 1.8 * j + 2.5 * np.sin(1.1 * h * (j + 1))).round(1)


def to_energy(db):
    return 10 ** (np.asarray(db) / 10)


def to_level(energy):
    return 10 * np.log10(energy)


spl = measured()
power = to_energy(spl + A).sum(axis=1)
la = to_level(power)

period = np.full(24, "night")
period[7:19] = "day"
period[19:23] = "eve"
penalty = {"day": 0, "eve": 5, "night": 10}

mean_level = to_level(power.mean())
parts = {name: to_level(power[period == name].mean()) for name in penalty}
boost = np.array([penalty[name] for name in period])
l_den = to_level((power * to_energy(boost)).mean())

upper, lower = np.percentile(la, [90, 10])
spread = upper - lower
lnp = mean_level + spread


@dataclass
class Room:
    length: float
    width: float
    height: float
    area: np.ndarray
    alpha: np.ndarray

    @property
    def volume(self):
        return self.length * self.width * self.height

    def equivalent(self):
        return self.area @ self.alpha

    def times(self, air):
        A_eq = self.equivalent()
        S = self.area.sum()
        air_loss = air * self.volume
        plain = 0.161 * self.volume / (A_eq + air_loss)
        norris = 0.161 * self.volume / (-S * np.log1p(-A_eq / S) + air_loss)
        return plain, norris


room = Room(
    9.0,
    6.0,
    3.0,
    area=np.array([54.0, 54.0, 72.0, 18.0]),
    alpha=np.array(
        [
            [0.02, 0.03, 0.03, 0.03, 0.03, 0.02],
            [0.25, 0.45, 0.70, 0.80, 0.75, 0.70],
            [0.03, 0.03, 0.04, 0.05, 0.06, 0.07],
            [0.35, 0.25, 0.18, 0.12, 0.07, 0.04],
        ]
    ),
)
rt, rt_eyring = room.times(air=np.array([0, 0, 0, 0.003, 0.009, 0.024]))
mid = rt[(FREQ == 500) | (FREQ == 1000)].mean()

window = room.area[-1]
sound_reduction = np.array([22.0, 27.0, 33.0, 36.0, 34.0, 38.0])
peak_hour = la.argmax()
received = spl[peak_hour] + 3 - sound_reduction + to_level(window / room.equivalent())
received_a = to_level(to_energy(received + A).sum())

print("hourly", *la.round(8))
print("leq", mean_level, parts["day"], parts["eve"], parts["night"], l_den)
print("levels", upper, lower, spread, lnp)
print("sabine", *rt.round(8))
print("eyring", *rt_eyring.round(8))
print("mid", mid)
print("inside", peak_hour, *received.round(8), received_a)
