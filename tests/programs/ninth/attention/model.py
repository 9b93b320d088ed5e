import csv

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)


def read_matrices(path):
    rows = {}
    for rec in csv.DictReader(open(path)):
        grid = rows.setdefault(rec["name"], [])
        if int(rec["col"]) == 0:
            grid.append([])
        grid[-1].append(float(rec["value"]))
    return {k: torch.tensor(v) for k, v in rows.items()}


class Block(nn.Module):
    def __init__(self, mats, n_heads=2):
        super().__init__()
        self.emb = nn.Embedding.from_pretrained(mats["embed"])
        d = mats["embed"].shape[1]
        self.h = n_heads
        self.dk = d // n_heads
        self.qkv = torch.cat([mats["query"], mats["key"], mats["value"]], dim=1)
        self.proj = mats["out"]
        self.norm = nn.LayerNorm(d, elementwise_affine=False)
        self.w1, self.w2 = mats["up"], mats["down"]

    def pe(self, length, d):
        pos = torch.arange(length).unsqueeze(1)
        freq = 10000.0 ** (-torch.arange(0, d, 2) / d)
        return torch.stack([torch.sin(pos * freq), torch.cos(pos * freq)], dim=2).flatten(1)

    def forward(self, ids, pad):
        B, L = ids.shape
        x = self.emb(ids)
        x = x + self.pe(L, x.shape[-1])
        q, k, v = (self.norm(x) @ self.qkv).chunk(3, dim=-1)
        q, k, v = (t.view(B, L, self.h, self.dk).transpose(1, 2) for t in (q, k, v))
        logits = q @ k.transpose(-2, -1) * self.dk**-0.5
        logits = logits.masked_fill(pad[:, None, None, :], float("-inf"))
        att = logits.softmax(dim=-1)
        ctx = (att @ v).transpose(1, 2).reshape(B, L, -1)
        x = x + ctx @ self.proj
        x = x + F.gelu(self.norm(x) @ self.w1, approximate="tanh") @ self.w2
        keep = (~pad).unsqueeze(-1)
        mean = (x * keep).sum(dim=1) / keep.sum(dim=1)
        return mean, att


mats = read_matrices("weights.csv")
y, ids = [], []
with open("sentences.txt") as fh:
    for text in fh:
        left, right = text.split("|")
        y.append(int(left))
        ids.append(torch.tensor([int(t) for t in right.split()]))
y = torch.tensor(y)
batch = nn.utils.rnn.pad_sequence(ids, batch_first=True, padding_value=0)
pad = batch == 0  # no word has number 0

net = Block(mats)
with torch.no_grad():
    feats, att = net(batch, pad)
    plogp = torch.special.entr(att).sum(dim=-1).mean(dim=1)
    lengths = (~pad).sum(dim=1)
    H = ((plogp * ~pad).sum(dim=1) / lengths).mean()

W = mats["head"].clone().requires_grad_(True)
opt = torch.optim.Adam([W], lr=0.05)
history = []
grad_norm = None
for epoch in range(5):
    opt.zero_grad()
    loss = F.cross_entropy(feats @ W, y)
    loss.backward()
    if grad_norm is None:
        grad_norm = W.grad.norm().item()
    history.append(loss.item())
    opt.step()

with torch.no_grad():
    correct = ((feats @ W).argmax(dim=1) == y).sum().item()

print("feats[0]", [round(t, 6) for t in feats[0].tolist()])
print(f"entropy of the maps {H.item():.7f}")
for epoch, value in enumerate(history):
    print(f"epoch {epoch}: loss {value:.7f}")
print(f"|grad| at the start {grad_norm:.7f}; {correct} of {len(y)} right")
for line in W.tolist():
    print("  ", " ".join(f"{t:.6f}" for t in line))
