"""Multi-head self-attention of a sentence, all heads at once; the head is the first axis."""

import torch


def sentence_embed(tokens, embedding):
    return embedding[tokens]


def queries(sentence_embed, w_query):
    return torch.einsum("nd,hdk->hnk", sentence_embed, w_query)


def keys(sentence_embed, w_key):
    return torch.einsum("nd,hdk->hnk", sentence_embed, w_key)


def values(sentence_embed, w_value):
    return torch.einsum("nd,hdk->hnk", sentence_embed, w_value)


def scores(queries, keys):
    return torch.einsum("hik,hjk->hij", queries, keys) / keys.shape[2] ** 0.5


def attention_weights(scores):
    return torch.softmax(scores, dim=2)


def head_outputs(attention_weights, values):
    return torch.einsum("hij,hjk->hik", attention_weights, values)


def concat_heads(head_outputs):
    return torch.cat(list(head_outputs), dim=1)


def multihead_output(concat_heads, w_output):
    return concat_heads @ w_output
