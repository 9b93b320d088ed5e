# Invoices for parcels: what was written first
import csv

VAT = 0.081
FUEL = 0.125
DIVISOR = 5000

tariffs = {}
with open("tariffs.csv") as f:
    for line in csv.DictReader(f):
        tariffs[line["zone"]] = (float(line["base"]), float(line["per_kg"]), int(line["promised"]))

parcels = []
with open("parcels.csv") as f:
    for line in csv.DictReader(f):
        parcel = dict(line)
        for key in ("kg", "length", "width", "height", "value"):
            parcel[key] = float(parcel[key])
        for key in ("id", "express", "days"):
            parcel[key] = int(parcel[key])
        parcels.append(parcel)

billed = []
freight = []
insurance = []
prices = []
margins = []
late = []
for parcel in parcels:
    base, per_kg, promised = tariffs[parcel["zone"]]
    volume = parcel["length"] * parcel["width"] * parcel["height"]
    weight = max(parcel["kg"], volume / DIVISOR)
    # in steps of half a kilogram, the first two are in the base
    halves = int(weight * 2)
    if halves < weight * 2:
        halves = halves + 1
    weight = halves / 2
    billed.append(weight)
    cost = base
    if weight > 1:
        cost = cost + (weight - 1) * per_kg
    if max(parcel["length"], parcel["width"], parcel["height"]) > 60:
        cost = cost + 3.5
    if parcel["express"] == 1:
        cost = cost * 1.6
    cost = cost * (1 + FUEL)
    freight.append(cost)
    cover = 0.0
    if parcel["value"] > 100:
        cover = max(1.5, 0.008 * (parcel["value"] - 100))
    insurance.append(cover)
    prices.append(cost + cover)
    margins.append((cost + cover - 3.1 - 0.42 * parcel["kg"]) / (cost + cover))
    allowed = promised
    if parcel["express"] == 1:
        allowed = promised - 1
    late.append(max(0, parcel["days"] - allowed))

# discount by what a customer spends before tax: 0, 4 and 7 % of each slice
names = []
for parcel in parcels:
    if parcel["customer"] not in names:
        names.append(parcel["customer"])
names.sort()
gross = []
discount = []
refund = []
invoice = []
for name in names:
    total = 0.0
    back = 0.0
    for i in range(len(parcels)):
        if parcels[i]["customer"] == name:
            total = total + prices[i]
            if late[i] > 0 and parcels[i]["express"] == 1:
                back = back + 0.5 * freight[i]
            elif late[i] > 1:
                back = back + 0.2 * freight[i]
    less = 0.0
    if total > 40:
        less = less + 0.04 * (min(total, 90) - 40)
    if total > 90:
        less = less + 0.07 * (total - 90)
    gross.append(total)
    discount.append(less)
    refund.append(back)
    invoice.append(round((total - less - back) * (1 + VAT), 2))

revenue = sum(invoice)
on_time = sum(1 for d in late if d == 0) / len(late)
by_zone = {}
for i, parcel in enumerate(parcels):
    if parcel["zone"] not in by_zone:
        by_zone[parcel["zone"]] = []
    by_zone[parcel["zone"]].append(freight[i] / billed[i])
zone_rates = [sum(by_zone[z]) / len(by_zone[z]) for z in sorted(by_zone)]
ordered = sorted(prices)
middle = (ordered[len(ordered) // 2 - 1] + ordered[len(ordered) // 2]) / 2
most = prices.index(max(prices))
light = sum(billed[i] - parcels[i]["kg"] for i in range(len(parcels))) / sum(billed)

print("billed", *billed)
print("freight", sum(freight), freight[0], freight[8])
print("insurance", sum(insurance))
print("gross", *gross)
print("discount", *discount)
print("refund", *refund)
print("invoice", *invoice, revenue)
print("late", sum(late), on_time)
print("per kg", *zone_rates)
print("price", middle, parcels[most]["id"], sum(margins) / len(margins), light)
