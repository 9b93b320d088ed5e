# Multi-head self-attention of a sentence, head by head; the head is the first dimension.

function each_head(step, heads)
    matrices = [step(h) for h in 1:heads]
    return permutedims(cat(matrices..., dims = 3), (3, 1, 2))
end

project(x, weight) = each_head(h -> x * weight[h, :, :], size(weight, 1))

# Tokens count from 0, rows from 1.
sentence_embed(tokens, embedding) = embedding[tokens .+ 1, :]

queries(sentence_embed, w_query) = project(sentence_embed, w_query)

keys(sentence_embed, w_key) = project(sentence_embed, w_key)

values(sentence_embed, w_value) = project(sentence_embed, w_value)

function scores(queries, keys)
    products = each_head(h -> queries[h, :, :] * keys[h, :, :]', size(keys, 1))
    return products ./ sqrt(eltype(keys)(size(keys, 3)))
end

function attention_weights(scores)
    e = exp.(scores .- maximum(scores, dims = 3))
    return e ./ sum(e, dims = 3)
end

function head_outputs(attention_weights, values)
    return each_head(h -> attention_weights[h, :, :] * values[h, :, :], size(values, 1))
end

concat_heads(head_outputs) = hcat((head_outputs[h, :, :] for h in axes(head_outputs, 1))...)

multihead_output(concat_heads, w_output) = concat_heads * w_output
