# break a Vigenere cipher: Kasiski, Friedman, then a Caesar shift for every column
from math import gcd, log2, log10

english = [8.167, 1.492, 2.782, 4.253, 12.702, 2.228, 2.015, 6.094, 6.966, 0.153, 0.772, 4.025, 2.406,
           6.749, 7.507, 1.929, 0.095, 5.987, 6.327, 9.056, 2.758, 0.978, 2.360, 0.150, 1.974, 0.074]
total = sum(english)
for i in range(26):
    english[i] = english[i] / total

f = open("cipher.txt")
raw = f.read().upper()
f.close()
text = ""
for ch in raw:
    if "A" <= ch <= "Z":
        text += ch
n = len(text)


def freq(s):
    out = [0] * 26
    for ch in s:
        out[ord(ch) - 65] += 1
    return out


def ioc(s):
    c = freq(s)
    m = len(s)
    t = 0
    for k in c:
        t += k * (k - 1)
    return t / (m * (m - 1))


# Kasiski: distances of repeated trigrams
seen = {}
dist = []
for i in range(n - 2):
    tri = text[i:i + 3]
    if tri in seen:
        dist.append(i - seen[tri])
    seen[tri] = i
votes = {}
for k in range(3, 13):
    votes[k] = 0
    for d in dist:
        if d % k == 0:
            votes[k] += 1

# Friedman
kappa = ioc(text)
kp = 0
for p in english:
    kp += p * p
est = (kp - 1 / 26) / (kappa - 1 / 26)

best_len = 0
best_ic = 0
ics = {}
for k in range(3, 13):
    s = 0
    for j in range(k):
        s += ioc(text[j::k])
    ics[k] = s / k
    if ics[k] > best_ic * 1.1:
        best_ic = ics[k]
        best_len = k

key = ""
chis = []
margins = []
for j in range(best_len):
    col = text[j::best_len]
    c = freq(col)
    scores = []
    for shift in range(26):
        chi = 0
        for i in range(26):
            e = english[i] * len(col)
            o = c[(i + shift) % 26]
            chi += (o - e) ** 2 / e
        scores.append(chi)
    lo = min(scores)
    key += chr(65 + scores.index(lo))
    chis.append(lo)
    second = sorted(scores)[1]
    margins.append(second / lo)

plain = ""
for i in range(n):
    plain += chr((ord(text[i]) - ord(key[i % best_len])) % 26 + 65)

# how English is it
counts = freq(plain)
h1 = 0
for k in counts:
    if k > 0:
        h1 -= k / n * log2(k / n)
pairs = {}
for i in range(n - 1):
    pairs[plain[i:i + 2]] = pairs.get(plain[i:i + 2], 0) + 1
h2 = 0
for k in pairs.values():
    h2 -= k / (n - 1) * log2(k / (n - 1))
conditional = h2 - h1
loglik = 0
for ch in plain:
    loglik += log10(english[ord(ch) - 65])
vowels = sum(counts[ord(v) - 65] for v in "AEIOU") / n
unicity = log2(26) * best_len / (log2(26) - 1.5)

top = sorted(pairs.items(), key=lambda kv: (-kv[1], kv[0]))[:5]
print("letters", n, "repeats", len(dist), "votes", votes[5], votes[6], votes[7])
print("kappa %.7f, Friedman %.6f, columns %.7f" % (kappa, est, best_ic))
print("key", key, "length", best_len, "worst margin %.6f" % min(margins), "chi2 %.6f" % sum(chis))
print("entropy %.7f conditional %.7f likelihood %.6f" % (h1, conditional, loglik / n))
print("vowels %.6f unicity %.5f" % (vowels, unicity))
print("pairs", *[p + " " + str(c) for p, c in top])
print(plain[:60])
