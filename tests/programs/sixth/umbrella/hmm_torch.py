import torch

torch.set_default_dtype(torch.float64)

log_start = torch.tensor([0.5, 0.3, 0.2]).log().requires_grad_()
log_trans = torch.tensor(
    [[0.70, 0.25, 0.05], [0.20, 0.60, 0.20], [0.10, 0.35, 0.55]]
).log().requires_grad_()
log_emit = torch.tensor(
    [[0.80, 0.18, 0.02], [0.30, 0.55, 0.15], [0.05, 0.25, 0.70]]
).log()

days = torch.arange(30)
obs = (3 * days**2 + days // 4 + days) % 7 % 3
K, M = log_emit.shape


class HMM:
    """The model in logarithms; everything else is a derivative of its log-likelihood."""

    def __init__(self, start, trans):
        self.start = start
        self.trans = trans

    def log_prob(self, emission):
        a = self.start + emission[0]
        for e in emission[1:]:
            a = torch.logsumexp(a.unsqueeze(1) + self.trans, dim=0) + e
        return torch.logsumexp(a, dim=0), a

    @torch.no_grad()
    def decode(self, emission):
        delta = self.start + emission[0]
        pointers = []
        for e in emission[1:]:
            delta, pointer = torch.max(delta.unsqueeze(1) + self.trans, dim=0)
            delta = delta + e
            pointers.append(pointer)
        score, last = delta.max(dim=0)
        states = [last.item()]
        for pointer in pointers[::-1]:
            states.insert(0, pointer[states[0]].item())
        return states, score.item()


emission = log_emit[:, obs].T.clone().requires_grad_()
model = HMM(log_start, log_trans)
ll, last = model.log_prob(emission)
posterior, counts, first = torch.autograd.grad(ll, [emission, log_trans, log_start], retain_graph=True)

states, score = model.decode(emission)
same = (posterior.argmax(dim=1) == torch.tensor(states)).double().mean()
occupancy = posterior.sum(dim=0)

# expectation-maximisation, one step
trans_hat = counts / counts.sum(dim=1, keepdim=True)
one_hot = torch.nn.functional.one_hot(obs, M).double()
emit_hat = posterior.T @ one_hot
emit_hat = emit_hat / occupancy.unsqueeze(1)
start_hat = first / first.sum()
again = HMM(start_hat.log(), trans_hat.log())
ll_new, _ = again.log_prob(emit_hat.log()[:, obs].T)

filtered = torch.softmax(last.detach(), dim=0)
P = log_trans.detach().exp()
forecast = filtered @ P @ log_emit.exp()
equations = torch.cat([(P.T - torch.eye(K))[:-1], torch.ones(1, K)])
limit = torch.linalg.solve(equations, torch.tensor([0.0, 0.0, 1.0]))
n_par = (K - 1) + K * (K - 1) + K * (M - 1)
AIC = 2 * n_par - 2 * ll.item()


def r(x):
    return [round(v, 8) for v in x.tolist()]


print(f"log-likelihood {ll.item():.9f}, after one round {ll_new.item():.9f}")
print("path", "".join("dcw"[s] for s in states), f"{score:.9f} agree {same.item():.6f}")
print("days", r(occupancy))
print("A", [r(row) for row in trans_hat])
print("B", [r(row) for row in emit_hat])
print("pi", r(start_hat))
print("tomorrow", r(forecast), "long run", r(limit))
print(f"AIC {AIC:.8f}")
