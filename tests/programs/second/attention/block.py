"""One causal self-attention block on a short sequence, with torch."""

import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)

tokens = [3, 1, 4, 1, 5]
vocab, d_model, n_heads, d_ff = 7, 8, 2, 12
seq = len(tokens)


def weights(rows, cols, phase):
    """Reproducible 'random' weights."""
    i = torch.arange(rows).reshape(-1, 1)
    j = torch.arange(cols)
    return torch.sin(1.7 * i + 2.3 * j + phase) / math.sqrt(rows)


embedding = weights(vocab, d_model, 0.1)
w_q = weights(d_model, d_model, 0.2)
w_k = weights(d_model, d_model, 1.3)
w_v = weights(d_model, d_model, 2.4)
w_o = weights(d_model, d_model, 3.5)
w_1 = weights(d_model, d_ff, 4.6)
w_2 = weights(d_ff, d_model, 5.7)
b_1 = 0.1 * torch.cos(torch.arange(d_ff))


def positional(seq, d):
    pos = torch.arange(seq).unsqueeze(1)
    div = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
    pe = torch.zeros(seq, d)
    pe[:, 0::2] = torch.sin(pos * div)
    pe[:, 1::2] = torch.cos(pos * div)
    return pe


def split_heads(x):
    return x.view(seq, n_heads, d_model // n_heads).transpose(0, 1)


x = embedding[tokens] + positional(seq, d_model)
normed = F.layer_norm(x, (d_model,))

q = split_heads(normed @ w_q)
k = split_heads(normed @ w_k)
v = split_heads(normed @ w_v)
scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
mask = torch.triu(torch.ones(seq, seq, dtype=torch.bool), diagonal=1)
scores = scores.masked_fill(mask, float("-inf"))
attn = F.softmax(scores, dim=-1)
heads = attn @ v
context = heads.transpose(0, 1).reshape(seq, d_model)

h = x + context @ w_o
hidden = F.gelu(F.layer_norm(h, (d_model,)) @ w_1 + b_1)
out = h + hidden @ w_2

logits = out @ embedding.T
log_probs = F.log_softmax(logits, dim=-1)
targets = torch.tensor(tokens[1:])
nll = -log_probs[:-1].gather(1, targets.unsqueeze(1)).squeeze(1)
loss = nll.mean()
perplexity = loss.exp()
predicted = logits.argmax(dim=-1)
attn_entropy = -(attn * torch.log(attn.clamp_min(1e-30))).sum(-1).mean(0)

print("attention of the last token", [round(a, 8) for a in attn[:, -1].flatten().tolist()])
print("entropy", [round(a, 8) for a in attn_entropy.tolist()])
print("output norm", [round(a, 8) for a in out.norm(dim=1).tolist()])
print("nll", [round(a, 8) for a in nll.tolist()])
print(f"loss {loss.item():.10f} perplexity {perplexity.item():.10f}")
print("predicted", predicted.tolist())
