# count and measure the coins on a tray
import math

W, H = 48, 36
coins = [(9, 8, 5.2, 190), (22, 9, 4.1, 170), (38, 10, 6.3, 205), (12, 26, 6.1, 180), (27, 24, 4.4, 210), (36, 28, 4.2, 165)]

image = []
for y in range(H):
    row = []
    for x in range(W):
        v = 60 + 0.5 * x + 8 * math.sin(0.9 * x) * math.cos(0.7 * y)
        for cx, cy, r, bright in coins:
            if math.hypot(x - cx, y - cy) <= r:
                v = bright + 6 * math.sin(x * y)
        row.append(int(max(0, min(255, v))))
    image.append(row)
image[17][20] = 240
image[30][3] = 230

# median of three by three
clean = [row[:] for row in image]
for y in range(1, H - 1):
    for x in range(1, W - 1):
        around = []
        for j in (-1, 0, 1):
            for i in (-1, 0, 1):
                around.append(image[y + j][x + i])
        around.sort()
        clean[y][x] = around[4]

# Otsu
hist = [0] * 256
for row in clean:
    for v in row:
        hist[v] += 1
total = W * H
sum_all = sum(i * hist[i] for i in range(256))
w_back = sum_back = 0
best = -1.0
threshold = 0
for i in range(256):
    w_back += hist[i]
    if w_back == 0:
        continue
    w_fore = total - w_back
    if w_fore == 0:
        break
    sum_back += i * hist[i]
    m_back = sum_back / w_back
    m_fore = (sum_all - sum_back) / w_fore
    between = w_back * w_fore * (m_back - m_fore) ** 2
    if between > best:
        best = between
        threshold = i
binary = [[1 if v > threshold else 0 for v in row] for row in clean]

# two passes: preliminary labels, then equivalences
label = [[0] * W for _ in range(H)]
linked = [0]


def find(k):
    while linked[k] != k:
        k = linked[k]
    return k


for y in range(H):
    for x in range(W):
        if not binary[y][x]:
            continue
        left = label[y][x - 1] if x > 0 else 0
        up = label[y - 1][x] if y > 0 else 0
        if left and up:
            a, b = find(left), find(up)
            linked[max(a, b)] = min(a, b)
            label[y][x] = min(a, b)
        elif left or up:
            label[y][x] = left or up
        else:
            linked.append(len(linked))
            label[y][x] = len(linked) - 1
names = {}
for y in range(H):
    for x in range(W):
        if label[y][x]:
            first = find(label[y][x])
            if first not in names:
                names[first] = len(names) + 1
            label[y][x] = names[first]

# measure
rows = []
for k in range(1, len(names) + 1):
    area = sx = sy = light = edge = 0
    for y in range(H):
        for x in range(W):
            if label[y][x] == k:
                area += 1
                sx += x
                sy += y
                light += clean[y][x]
                if label[y][x - 1] != k or label[y][x + 1] != k or label[y - 1][x] != k or label[y + 1][x] != k:
                    edge += 1
    mx, my = sx / area, sy / area
    uxx = uyy = uxy = 0
    for y in range(H):
        for x in range(W):
            if label[y][x] == k:
                uxx += (x - mx) ** 2 / area
                uyy += (y - my) ** 2 / area
                uxy += (x - mx) * (y - my) / area
    root = math.sqrt(4 * uxy**2 + (uxx - uyy) ** 2)
    long, short = math.sqrt(8 * (uxx + uyy + root)), math.sqrt(8 * (uxx + uyy - root))
    rows.append([k, area, mx, my, light / area, math.sqrt(4 * area / math.pi), edge, short / long])

print("threshold", threshold, "between", round(best / total**2, 8), "coins", len(rows))
for row in rows:
    print("%d area %d at %.6f %.6f light %.6f diameter %.6f edge %d round %.8f" % tuple(row))
print("covered %.8f" % (sum(row[1] for row in rows) / total))
