"""Glicko-2 for the club's spring tournament."""
import csv
import math

TAU = 0.5
SCALE = 173.7178
EPS = 1e-12
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


class Player:
    def __init__(self, name, rating, rd, vol):
        self.name = name
        self.mu = (rating - 1500) / SCALE
        self.phi = rd / SCALE
        self.sigma = vol
        self.points = 0.0
        self.games = []

    def rating(self):
        return SCALE * self.mu + 1500

    def rd(self):
        return SCALE * self.phi


def impact(phi):
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def expected(mu, other_mu, other_phi):
    return 1 / (1 + math.exp(-impact(other_phi) * (mu - other_mu)))


def new_sigma(player, delta, v):
    a = math.log(player.sigma**2)

    def f(x):
        ex = math.exp(x)
        d = player.phi**2 + v + ex
        return ex * (delta**2 - d) / (2 * d**2) - (x - a) / TAU**2

    low = a
    if delta**2 > player.phi**2 + v:
        high = math.log(delta**2 - player.phi**2 - v)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > EPS:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


def update(player):
    """What a rating period makes of a player; everybody is rated against what the others were before."""
    if not player.games:
        return player.mu, math.sqrt(player.phi**2 + player.sigma**2), player.sigma
    v_inv = 0.0
    gain = 0.0
    for other_mu, other_phi, score in player.games:
        g = impact(other_phi)
        e = expected(player.mu, other_mu, other_phi)
        v_inv += g**2 * e * (1 - e)
        gain += g * (score - e)
    v = 1 / v_inv
    delta = v * gain
    sigma = new_sigma(player, delta, v)
    star = math.sqrt(player.phi**2 + sigma**2)
    phi = 1 / math.sqrt(1 / star**2 + 1 / v)
    mu = player.mu + phi**2 * gain
    return mu, phi, sigma


players = {}
for row in csv.DictReader(open("players.csv")):
    players[row["name"]] = Player(row["name"], float(row["rating"]), float(row["rd"]), float(row["vol"]))

surprise = 0.0
number = 0
for row in csv.DictReader(open("games.csv")):
    white, black = players[row["white"]], players[row["black"]]
    score = SCORES[row["result"]]
    white.games.append((black.mu, black.phi, score))
    black.games.append((white.mu, white.phi, 1 - score))
    white.points += score
    black.points += 1 - score
    both = math.sqrt(white.phi**2 + black.phi**2)
    chance = expected(white.mu, black.mu, both)
    surprise += (score - chance) ** 2
    number += 1
brier = surprise / number

after = {name: update(player) for name, player in players.items()}
change = {}
for name, (mu, phi, sigma) in after.items():
    player = players[name]
    change[name] = SCALE * (mu - player.mu)
    player.mu, player.phi, player.sigma = mu, phi, sigma
ranking = sorted(players.values(), key=lambda p: (-p.points, -p.rating()))
average = sum(p.rating() for p in ranking) / len(ranking)

for place, p in enumerate(ranking, 1):
    band = p.rating() - 1.96 * p.rd(), p.rating() + 1.96 * p.rd()
    print(f"{place} {p.name:6s} {p.points:.1f} {p.rating():.6f} {p.rd():.6f} {p.sigma:.9f} {change[p.name]:+.6f}", end=" ")
    print(f"{band[0]:.5f} {band[1]:.5f}")
print(f"Brier {brier:.8f}, mean rating {average:.6f}")
