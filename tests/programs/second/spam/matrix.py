# Multinomial naive Bayes on a document-term matrix
import re

import numpy as np

ham = """Are we still meeting for lunch today?
I will call you when the meeting is over.
Lunch was great, thank you!
Can you text me the address of the phone shop?
No meeting today, see you now at the shop.""".splitlines()
spam = """Win a FREE phone now, call now!
Free entry: win cash, text WIN to 80808
URGENT! You have won a cash prize. Call today
Claim your free prize now""".splitlines()
new = ["Call now to claim a free phone", "See you at lunch, I have the address",
       "You have a meeting now", "Cash now, text today!"]
is_spam_new = np.array([1, 0, 0, 1])

docs = ham + spam
y = np.array([0] * len(ham) + [1] * len(spam))
split = [re.findall(r"[a-z]+", d.lower()) for d in docs]
terms, flat = np.unique([w for d in split for w in d], return_inverse=True)
col = {w: j for j, w in enumerate(terms)}


def term_matrix(texts):
    M = np.zeros((len(texts), len(terms)))
    for i, t in enumerate(texts):
        for w in re.findall(r"[a-z]+", t.lower()):
            if w in col:
                M[i, col[w]] += 1
    return M


X = term_matrix(docs)
doc_len = X.sum(axis=1)
Y = np.eye(2)[y]                   # one-hot classes: ham, spam
class_counts = Y.T @ X             # 2 x terms
smoothed = class_counts + 0.5
theta = np.log(smoothed / smoothed.sum(axis=1, keepdims=True))
pi = np.log(Y.mean(axis=0))

Z = term_matrix(new)
joint = Z @ theta.T + pi
shifted = joint - joint.max(axis=1, keepdims=True)
prob = np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)
p_spam = prob[:, 1]
guess = (p_spam > 0.5).astype(int)
acc = np.mean(guess == is_spam_new)
loss = -np.mean(is_spam_new * np.log(p_spam) + (1 - is_spam_new) * np.log(1 - p_spam))

log_ratio = theta[1] - theta[0]
best = np.lexsort((terms, -np.abs(np.round(log_ratio, 12))))[:5]
freq = np.bincount(flat.ravel())
share = freq / freq.sum()
H = -(share * np.log2(share)).sum()

print("vocabulary", len(terms), "words", freq.sum(), "mean length", doc_len.mean().round(6))
print("entropy", H.round(10))
print("prior", pi.round(8))
for i, text in enumerate(new):
    print("spam" if is_spam_new[i] else "ham", *joint[i, ::-1].round(8), p_spam[i].round(8), text)
print("accuracy", acc, "log loss", loss.round(10))
print("strongest", *[f"{terms[j]}={log_ratio[j]:+.6f}" for j in best])
