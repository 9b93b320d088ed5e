"""Price, yield, duration and convexity of bonds; a yield curve by bootstrapping."""

FACE = 100.0


def cash_flows(coupon, years, freq=2):
    """(time, amount) pairs."""
    flows = []
    for i in range(1, years * freq + 1):
        amount = FACE * coupon / freq
        if i == years * freq:
            amount += FACE
        flows.append((i / freq, amount))
    return flows


def price(flows, y, freq=2):
    return sum(c / (1 + y / freq) ** (freq * t) for t, c in flows)


def yield_to_maturity(flows, target, lo=-0.05, hi=0.5):
    """Bisection; the price falls with the yield."""
    for _ in range(200):
        mid = (lo + hi) / 2
        if price(flows, mid) > target:
            lo = mid
        else:
            hi = mid
        if hi - lo < 1e-14:
            break
    return (lo + hi) / 2


def duration(flows, y, freq=2):
    p = price(flows, y, freq)
    macaulay = sum(t * c / (1 + y / freq) ** (freq * t) for t, c in flows) / p
    return macaulay, macaulay / (1 + y / freq)


def convexity(flows, y, freq=2):
    p = price(flows, y, freq)
    total = sum(c * t * (t + 1 / freq) / (1 + y / freq) ** (freq * t + 2) for t, c in flows)
    return total / p


# coupon, years, market price
bonds = [
    {"name": "short", "coupon": 0.03, "years": 2, "price": 99.1},
    {"name": "medium", "coupon": 0.045, "years": 5, "price": 102.35},
    {"name": "long", "coupon": 0.05, "years": 10, "price": 97.8},
]
for b in bonds:
    b["flows"] = cash_flows(b["coupon"], b["years"])
    b["ytm"] = yield_to_maturity(b["flows"], b["price"])
    b["macaulay"], b["modified"] = duration(b["flows"], b["ytm"])
    b["convexity"] = convexity(b["flows"], b["ytm"])

yields = [b["ytm"] for b in bonds]
macaulay = [b["macaulay"] for b in bonds]
modified = [b["modified"] for b in bonds]
convexities = [b["convexity"] for b in bonds]

# portfolio: face amounts held
holdings = {"short": 300.0, "medium": 250.0, "long": 450.0}
values = [holdings[b["name"]] / FACE * b["price"] for b in bonds]
portfolio_value = sum(values)
weights = [v / portfolio_value for v in values]
portfolio_duration = sum(w * d for w, d in zip(weights, modified))

# a rise of all yields by one percentage point, estimated and exact
shift = 0.01
estimate = [b["price"] * (1 - d * shift + 0.5 * c * shift**2) for b, d, c in zip(bonds, modified, convexities)]
exact = [price(b["flows"], b["ytm"] + shift) for b in bonds]
portfolio_loss = sum(v * (1 - e / b["price"]) for v, e, b in zip(values, exact, bonds))

# zero rates from annual par yields
par = [0.031, 0.034, 0.0365, 0.038, 0.039]
discount = []
for rate in par:
    discount.append((1 - rate * sum(discount)) / (1 + rate))
zero = [d ** (-1 / (i + 1)) - 1 for i, d in enumerate(discount)]
forward = [zero[0]] + [discount[i - 1] / discount[i] - 1 for i in range(1, len(par))]

for b, e, x in zip(bonds, estimate, exact):
    print(f"{b['name']} ytm {b['ytm']:.10f} duration {b['macaulay']:.8f} {b['modified']:.8f} "
          f"convexity {b['convexity']:.8f} shifted {e:.8f} {x:.8f}")
print(f"portfolio {portfolio_value:.6f} duration {portfolio_duration:.8f} loss {portfolio_loss:.8f}")
print("zero", *[f"{z:.10f}" for z in zero])
print("forward", *[f"{f:.10f}" for f in forward])
