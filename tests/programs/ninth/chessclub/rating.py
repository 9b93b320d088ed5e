"""Round-robin of the club: ratings, tie-breaks and how good the forecasts were."""
import math

import pandas as pd

WHITE_EDGE = 35
POINTS = {"1-0": 1.0, "1/2": 0.5, "0-1": 0.0}


class Player:
    def __init__(self, name, rating, games):
        self.name = name
        self.start = rating
        self.rating = float(rating)
        self.games = games
        self.score = 0.0
        self.met = []  # (opponent, own points)
        self.pending = 0.0

    @property
    def k(self):
        if self.games < 30:
            return 40
        return 10 if self.rating >= 2400 else 20

    def note(self, opponent, points, expected):
        self.pending += self.k * (points - expected)
        self.score += points
        self.met.append((opponent, points))

    def settle(self, played):
        self.rating += self.pending
        self.pending = 0.0
        self.games += played


def expectation(diff):
    return 1 / (1 + 10 ** (-diff / 400))


players = {r["name"]: Player(r["name"], r["rating"], r["games"]) for _, r in pd.read_csv("players.csv").iterrows()}
games = pd.read_csv("games.csv")

squared = 0.0
log_loss = 0.0
for number, matches in games.groupby("round"):
    for game in matches.itertuples():
        white, black = players[game.white], players[game.black]
        points = POINTS[game.result]
        expected = expectation(white.rating - black.rating + WHITE_EDGE)
        white.note(black, points, expected)
        black.note(white, 1 - points, 1 - expected)
        squared += (points - expected) ** 2
        log_loss -= points * math.log(expected) + (1 - points) * math.log(1 - expected)
    for p in players.values():
        p.settle(1)
brier = squared / len(games)
log_loss /= len(games)

rows = []
for p in players.values():
    buchholz = sum(o.score for o, _ in p.met)
    worst = min(o.score for o, _ in p.met)
    berger = sum(o.score * got for o, got in p.met)
    field_mean = sum(o.start for o, _ in p.met) / len(p.met)
    share = min(max(p.score / len(p.met), 0.01), 0.99)
    performance = field_mean + 400 * math.log10(share / (1 - share))
    rows.append((p.name, p.score, p.rating, p.rating - p.start, buchholz - worst, berger, performance))
table = pd.DataFrame(rows, columns=["name", "score", "rating", "gain", "cut1", "berger", "performance"])
table = table.sort_values(["score", "berger", "name"], ascending=[False, False, True], ignore_index=True)

print(table.to_string(float_format=lambda v: f"{v:.5f}"))
print(f"brier {brier:.8f} log loss {log_loss:.8f}")
spread = table["rating"].std()
rank_before = pd.Series({p.name: p.start for p in players.values()}).rank(ascending=False)
rank_after = table.set_index("name")["rating"].rank(ascending=False)
moved = ((rank_before - rank_after) ** 2).sum()
n = len(players)
spearman = 1 - 6 * moved / (n * (n**2 - 1))
print(f"spread {spread:.6f} spearman {spearman:.6f}")
