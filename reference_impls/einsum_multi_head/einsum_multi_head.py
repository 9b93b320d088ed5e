"""Multi-head self-attention of a sentence, all heads at once; the head is the first axis."""

import math

import numpy as np


def sentence_embed(tokens, embedding):
    return embedding[tokens]


def queries(sentence_embed, w_query):
    return sentence_embed @ w_query


def keys(sentence_embed, w_key):
    return sentence_embed @ w_key


def values(sentence_embed, w_value):
    return sentence_embed @ w_value


def scores(queries, keys):
    return queries @ np.swapaxes(keys, 1, 2) / math.sqrt(keys.shape[2])


def attention_weights(scores):
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    return e / e.sum(axis=2, keepdims=True)


def head_outputs(attention_weights, values):
    return attention_weights @ values


def concat_heads(head_outputs):
    return np.concatenate(list(head_outputs), axis=1)


def multihead_output(concat_heads, w_output):
    return concat_heads @ w_output
