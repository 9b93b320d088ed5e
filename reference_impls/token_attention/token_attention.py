"""Attention of the first token of a sentence: its key, query and value, and what it makes of all tokens."""

import math

import numpy as np


def sentence_embed(tokens, embedding):
    return embedding[tokens]


def key_1(sentence_embed, w_key):
    return w_key @ sentence_embed[0]


def query_1(sentence_embed, w_query):
    return w_query @ sentence_embed[0]


def value_1(sentence_embed, w_value):
    return w_value @ sentence_embed[0]


def keys(sentence_embed, w_key):
    return sentence_embed @ w_key.T


def values(sentence_embed, w_value):
    return sentence_embed @ w_value.T


def a1(query_1, keys):
    scaled = query_1 @ keys.T / math.sqrt(keys.shape[1])
    e = np.exp(scaled - scaled.max())
    return e / e.sum()


def z1(a1, values):
    return a1 @ values
