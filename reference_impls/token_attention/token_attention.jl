# Attention of the first token of a sentence: its key, query and value, and what it makes of all tokens.

# Tokens count from 0, rows from 1.
sentence_embed(tokens, embedding) = embedding[tokens .+ 1, :]

key_1(sentence_embed, w_key) = w_key * sentence_embed[1, :]

query_1(sentence_embed, w_query) = w_query * sentence_embed[1, :]

value_1(sentence_embed, w_value) = w_value * sentence_embed[1, :]

keys(sentence_embed, w_key) = sentence_embed * w_key'

values(sentence_embed, w_value) = sentence_embed * w_value'

function a1(query_1, keys)
    scaled = keys * query_1 ./ sqrt(eltype(keys)(size(keys, 2)))
    e = exp.(scaled .- maximum(scaled))
    return e ./ sum(e)
end

z1(a1, values) = values' * a1
