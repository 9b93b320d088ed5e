"""Single-server queue with a hand-written generator, FIFO, 200 customers."""

import math

ARRIVAL_RATE = 0.8
SERVICE_RATE = 1.0
CUSTOMERS = 200
WARMUP = 40


class Lehmer:
    """Park-Miller generator."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (16807 * self.state) % 2147483647
        return self.state / 2147483647

    def exponential(self, rate):
        return -math.log(1 - self.uniform()) / rate


rng = Lehmer(20231)
interarrival = [rng.exponential(ARRIVAL_RATE) for _ in range(CUSTOMERS)]
service = [rng.exponential(SERVICE_RATE) for _ in range(CUSTOMERS)]

clock = 0.0
server_free = 0.0
arrivals, starts, departures = [], [], []
for gap, work in zip(interarrival, service):
    clock += gap
    begin = max(clock, server_free)
    server_free = begin + work
    arrivals.append(clock)
    starts.append(begin)
    departures.append(server_free)

waits = [s - a for s, a in zip(starts, arrivals)]
sojourn = [d - a for d, a in zip(departures, arrivals)]
horizon = departures[-1]

# number in the system over time, from the merged events
events = sorted([(t, +1) for t in arrivals] + [(t, -1) for t in departures])
in_system = 0
area = 0.0
busy = 0.0
longest = 0
last = 0.0
for t, change in events:
    area += in_system * (t - last)
    if in_system > 0:
        busy += t - last
    in_system += change
    longest = max(longest, in_system)
    last = t

mean_number = area / horizon
utilisation = busy / horizon
throughput = CUSTOMERS / horizon

kept = waits[WARMUP:]
mean_wait = sum(kept) / len(kept)
delayed = sum(1 for w in kept if w > 0) / len(kept)

# batch means for the standard error
batch_size = 20
batches = [kept[i:i + batch_size] for i in range(0, len(kept), batch_size)]
batch_means = [sum(b) / len(b) for b in batches]
m = len(batch_means)
centre = sum(batch_means) / m
std_error = math.sqrt(sum((b - centre) ** 2 for b in batch_means) / (m - 1) / m)

rho = ARRIVAL_RATE / SERVICE_RATE
theory_wait = rho / (SERVICE_RATE - ARRIVAL_RATE)

print(f"simulated until {horizon:.8f}, throughput {throughput:.8f}")
print(f"mean number {mean_number:.8f}, longest {longest}, utilisation {utilisation:.8f}")
print(f"mean wait {mean_wait:.8f} +- {std_error:.8f}, delayed {delayed:.4f}, theory {theory_wait:.4f}")
print(f"mean time in system {sum(sojourn) / CUSTOMERS:.8f}")
