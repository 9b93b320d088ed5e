"""Distances and courses along a sea voyage, one leg after the other."""

import csv
import math

EARTH_RADIUS = 6371.0088
NAUTICAL_MILE = 1.852
SPEED = 14.0  # knots


class Port:
    def __init__(self, name, lat, lon, days):
        self.name = name
        self.lat = lat
        self.lon = lon
        self.days = days


def read_ports(filename):
    ports = []
    with open(filename, newline="") as f:
        for row in csv.DictReader(f):
            ports.append(Port(row["port"], float(row["lat"]), float(row["lon"]), int(row["days"])))
    return ports


def haversine(p, q):
    phi1, phi2 = math.radians(p.lat), math.radians(q.lat)
    dphi = phi2 - phi1
    dlam = math.radians(q.lon - p.lon)
    a = math.sin(dphi / 2) ** 2 + math.cos(phi1) * math.cos(phi2) * math.sin(dlam / 2) ** 2
    return 2 * EARTH_RADIUS * math.asin(math.sqrt(a))


def bearing(p, q):
    """Initial course in degrees, 0 to 360 from north."""
    phi1, phi2 = math.radians(p.lat), math.radians(q.lat)
    dlam = math.radians(q.lon - p.lon)
    y = math.sin(dlam) * math.cos(phi2)
    x = math.cos(phi1) * math.sin(phi2) - math.sin(phi1) * math.cos(phi2) * math.cos(dlam)
    return math.degrees(math.atan2(y, x)) % 360


ports = read_ports("ports.csv")

legs = []
courses = []
log_book = [0.0]
clock = 0.0
arrivals = [0.0]
for here, there in zip(ports, ports[1:]):
    km = haversine(here, there)
    legs.append(km)
    courses.append(bearing(here, there))
    log_book.append(log_book[-1] + km)
    clock += here.days * 24 + km / NAUTICAL_MILE / SPEED
    arrivals.append(clock)

total = log_book[-1]
miles = total / NAUTICAL_MILE
direct = haversine(ports[0], ports[-1])
detour = total / direct
longest = max(range(len(legs)), key=lambda i: legs[i])

turns = []
for before, after in zip(courses, courses[1:]):
    turn = after - before
    while turn > 180:
        turn -= 360
    while turn <= -180:
        turn += 360
    turns.append(turn)
turning = sum(abs(t) for t in turns)

# all pairs, to find the two nearest ports
nearest = (math.inf, None, None)
farthest = 0.0
for i, p in enumerate(ports):
    for q in ports[i + 1:]:
        d = haversine(p, q)
        farthest = max(farthest, d)
        if d < nearest[0]:
            nearest = (d, p.name, q.name)

# centre of gravity on the sphere, weighted with the days in port
cx = cy = cz = 0.0
for p in ports:
    cx += p.days * math.cos(math.radians(p.lat)) * math.cos(math.radians(p.lon))
    cy += p.days * math.cos(math.radians(p.lat)) * math.sin(math.radians(p.lon))
    cz += p.days * math.sin(math.radians(p.lat))
centre_lat = math.degrees(math.atan2(cz, math.hypot(cx, cy)))
centre_lon = math.degrees(math.atan2(cy, cx))

for i, km in enumerate(legs):
    print(f"{ports[i].name:10s} {ports[i + 1].name:10s} {km:12.6f} {courses[i]:10.6f} {log_book[i + 1]:13.6f} "
          f"{arrivals[i + 1]:11.5f}")
print(f"total {total:.6f} km, {miles:.6f} miles, direct {direct:.6f}, detour {detour:.8f}")
print("longest leg from", ports[longest].name)
print(f"turning {turning:.6f} degrees")
print(f"nearest {nearest[1]} {nearest[2]} {nearest[0]:.6f}, farthest {farthest:.6f}")
print(f"centre {centre_lat:.8f} {centre_lon:.8f}")
