"""Naive Bayes for short messages, with dictionaries."""

import math
from collections import Counter

TRAIN = [
    ("spam", "Win a FREE phone now, call now!"),
    ("ham", "Are we still meeting for lunch today?"),
    ("spam", "Free entry: win cash, text WIN to 80808"),
    ("ham", "I will call you when the meeting is over."),
    ("ham", "Lunch was great, thank you!"),
    ("spam", "URGENT! You have won a cash prize. Call today"),
    ("ham", "Can you text me the address of the phone shop?"),
    ("ham", "No meeting today, see you now at the shop."),
    ("spam", "Claim your free prize now"),
]
TEST = [
    ("spam", "Call now to claim a free phone"),
    ("ham", "See you at lunch, I have the address"),
    ("ham", "You have a meeting now"),
    ("spam", "Cash now, text today!"),
]
ALPHA = 0.5


def tokens(text):
    words = []
    for raw in text.lower().split():
        word = raw.strip(".,:;!?")
        if word.isalpha():
            words.append(word)
    return words


def train(messages):
    counts = {}
    documents = Counter()
    for label, text in messages:
        documents[label] += 1
        counts.setdefault(label, Counter()).update(tokens(text))
    return counts, documents


counts, documents = train(TRAIN)
labels = sorted(counts)
vocabulary = sorted(set(w for c in counts.values() for w in c))
V = len(vocabulary)
word_totals = {c: sum(counts[c].values()) for c in labels}
log_prior = {c: math.log(documents[c] / len(TRAIN)) for c in labels}


def log_likelihood(word, label):
    return math.log((counts[label][word] + ALPHA) / (word_totals[label] + ALPHA * V))


weights = {w: log_likelihood(w, "spam") - log_likelihood(w, "ham") for w in vocabulary}


def classify(text):
    scores = dict(log_prior)
    for word in tokens(text):
        if word in weights:
            for c in labels:
                scores[c] += log_likelihood(word, c)
    top = max(scores.values())
    norm = top + math.log(sum(math.exp(s - top) for s in scores.values()))
    posterior = {c: math.exp(scores[c] - norm) for c in labels}
    return scores, posterior


spam_scores, ham_scores, spam_probability, predictions = [], [], [], []
for truth, text in TEST:
    scores, posterior = classify(text)
    spam_scores.append(scores["spam"])
    ham_scores.append(scores["ham"])
    spam_probability.append(posterior["spam"])
    predictions.append("spam" if posterior["spam"] > 0.5 else "ham")

accuracy = sum(p == truth for p, (truth, _) in zip(predictions, TEST)) / len(TEST)
log_loss = 0.0
for p, (truth, _) in zip(spam_probability, TEST):
    log_loss -= math.log(p if truth == "spam" else 1 - p)
log_loss /= len(TEST)

strongest = sorted(vocabulary, key=lambda w: (-abs(weights[w]), w))[:5]
all_counts = sum(counts.values(), Counter())
total = sum(all_counts.values())
entropy = -sum(c / total * math.log2(c / total) for c in all_counts.values())
lengths = [len(tokens(text)) for _, text in TRAIN]

print("vocabulary", V, "words", total, "mean length", round(sum(lengths) / len(lengths), 6))
print("entropy", round(entropy, 10))
print("prior", {c: round(log_prior[c], 8) for c in labels})
for (truth, text), s, h, p in zip(TEST, spam_scores, ham_scores, spam_probability):
    print(f"{truth:5s} {s:.8f} {h:.8f} {p:.8f} {text}")
print("accuracy", accuracy, "log loss", round(log_loss, 10))
print("strongest", *[f"{w}={weights[w]:+.6f}" for w in strongest])
