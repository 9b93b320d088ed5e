#!/usr/bin/env python3
# run-off triangle, plain lists

import csv
from math import sqrt


def read(path):
    paid, prem = {}, {}
    with open(path, newline="") as fh:
        for r in csv.DictReader(fh):
            year = int(r["accident"])
            paid.setdefault(year, []).append(float(r["paid"]))
            prem[year] = float(r["premium"])
    return paid, prem


def accumulate(increments):
    out, s = [], 0.0
    for x in increments:
        s += x
        out.append(s)
    return out


class Mack:
    def __init__(self, rows):
        self.C = [list(r) for r in rows]
        self.I = len(rows)
        self.latest = [r[-1] for r in rows]
        self.observed = [len(r) for r in rows]
        self.f = []
        self.s2 = []
        self.S = []
        self.develop()
        self.square()

    def develop(self):
        I = self.I
        for k in range(I - 1):
            top = bottom = 0.0
            for j in range(I - k - 1):
                top += self.C[j][k + 1]
                bottom += self.C[j][k]
            fk = top / bottom
            self.f.append(fk)
            self.S.append(bottom)
            if k < I - 2:
                acc = 0.0
                for j in range(I - k - 1):
                    acc += (self.C[j][k + 1] - fk * self.C[j][k]) ** 2 / self.C[j][k]
                self.s2.append(acc / (I - k - 2))
        a, b = self.s2[-2:]
        self.s2.append(min(b * b / a, min(a, b)))

    def square(self):
        for row in self.C:
            while len(row) < self.I:
                row.append(row[-1] * self.f[len(row) - 1])

    def year_error(self, i):
        """squared error of the reserve of year i"""
        ult = self.C[i][-1]
        inside = 0.0
        for k in range(self.observed[i] - 1, self.I - 1):
            inside += self.s2[k] / self.f[k] ** 2 * (1 / self.C[i][k] + 1 / self.S[k])
        return ult * ult * inside

    def whole_error(self):
        result = 0.0
        for i in range(1, self.I):
            result += self.year_error(i)
            others = sum(self.C[j][-1] for j in range(i + 1, self.I))
            cov = 0.0
            for k in range(self.observed[i] - 1, self.I - 1):
                cov += 2 * self.s2[k] / (self.f[k] ** 2 * self.S[k])
            result += self.C[i][-1] * others * cov
        return result


increments, prem = read("claims.csv")
years = sorted(increments)
model = Mack([accumulate(increments[y]) for y in years])

ults = [row[-1] for row in model.C]
ibnr = [u - l for u, l in zip(ults, model.latest)]
errors = [sqrt(model.year_error(i)) for i in range(model.I)]
whole = sqrt(model.whole_error())

half = len(years) // 2
elr = sum(ults[:half]) / sum(prem[y] for y in years[:half])
bf = []
for i, y in enumerate(years):
    cdf = 1.0
    for k in range(model.observed[i] - 1, model.I - 1):
        cdf *= model.f[k]
    bf.append(prem[y] * elr * (1 - 1 / cdf))

for k in range(model.I - 1):
    print("development %d -> %d: f = %.7f, sigma^2 = %.6f" % (k, k + 1, model.f[k], model.s2[k]))
for y, l, u, r, e, x in zip(years, model.latest, ults, ibnr, errors, bf):
    print("%d: paid %.5f ultimate %.5f reserve %.5f +- %.5f (BF %.5f)" % (y, l, u, r, e, x))
total = sum(ibnr)
print("total %.5f +- %.5f = %.7f" % (total, whole, whole / total))
print("expected loss ratio %.8f; BF total %.5f" % (elr, sum(bf)))
