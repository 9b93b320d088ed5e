# The gradient of the sentiment loss: as published, and exact for the published forward pass.
#
# Words are columns, except in the gradients of queries and keys, where the article has them as rows. Every
# exact stage pulls a gradient back through one step of the forward pass: its arguments are that step's, and the
# gradient of the step's result.

using LinearAlgebra

const STEP = 2.0^-5

function softmax(scores; dims)
    powers = exp.(scores .- maximum(scores, dims=dims))
    return powers ./ sum(powers, dims=dims)
end

# The forward pass

function x(table, tokens)
    embeddings = permutedims(table[tokens .+ 1, :])
    return vcat(embeddings, (0:size(embeddings, 2)-1)')
end

q(x, Q, Qb) = Q * x .+ Qb

k(x, K, Kb) = K * x .+ Kb

v(x, V, Vb) = V * x .+ Vb

e(q, k) = q' * k / sqrt(eltype(q)(length(q)))

alpha(e) = softmax(e, dims=2)

z(v, alpha) = v * alpha'

f(z, W, b) = W * z .+ b

pooled(f) = sum(f, dims=2) / size(f, 2)

p(pooled) = softmax(pooled, dims=1)

loss(p, y) = -sum(y .* log.(p))

# The published gradient

dL_dp(p, y) = p - y

dp_df(z) = fill(one(eltype(z)) / size(z, 2), 1, size(z, 2))

dL_df(dL_dp, dp_df) = dL_dp * dp_df

dL_dW(dL_df, z) = dL_df * z'

dL_db(dL_df) = sum(dL_df, dims=2)

dL_dz(dL_df, W) = W' * dL_df

function dalpha_de(alpha)
    first = alpha[:, 1]
    return diagm(first) - first * first'
end

dL_dalpha(dL_dz, v) = dL_dz' * v

dL_de(dL_dalpha, dalpha_de) = dL_dalpha * dalpha_de

dL_dq(dL_de, k) = dL_de * k'

dL_dk(dL_de, q) = dL_de' * q'

dL_dv(dL_dz, alpha) = dL_dz * alpha

dL_dQ(dL_dq, x) = dL_dq' * x'

dL_dK(dL_dk, x) = dL_dk' * x'

dL_dV(dL_dv, x) = dL_dv * x'

dL_dQb(dL_dq) = permutedims(sum(dL_dq, dims=1))

dL_dKb(dL_dk) = permutedims(sum(dL_dk, dims=1))

dL_dVb(dL_dv) = sum(dL_dv, dims=2)

# The exact gradient

dL_dp_exact(pooled, y) = p(pooled) - y

dL_df_exact(f, dL_dp_exact) = repeat(dL_dp_exact / size(f, 2), 1, size(f, 2))

dL_dW_exact(z, W, b, dL_df_exact) = dL_df_exact * z'

dL_db_exact(z, W, b, dL_df_exact) = sum(dL_df_exact, dims=2)

dL_dz_exact(z, W, b, dL_df_exact) = W' * dL_df_exact

dL_dalpha_exact(v, alpha, dL_dz_exact) = dL_dz_exact' * v

dL_dv_exact(v, alpha, dL_dz_exact) = dL_dz_exact * alpha

function dL_de_exact(e, dL_dalpha_exact)
    weights = alpha(e)
    return weights .* (dL_dalpha_exact .- sum(weights .* dL_dalpha_exact, dims=2))
end

dL_dq_exact(q, k, dL_de_exact) = dL_de_exact * k' / sqrt(eltype(q)(length(q)))

dL_dk_exact(q, k, dL_de_exact) = dL_de_exact' * q' / sqrt(eltype(q)(length(q)))

dL_dQ_exact(x, Q, Qb, dL_dq_exact) = dL_dq_exact' * x'

dL_dQb_exact(x, Q, Qb, dL_dq_exact) = permutedims(sum(dL_dq_exact, dims=1))

dL_dK_exact(x, K, Kb, dL_dk_exact) = dL_dk_exact' * x'

dL_dKb_exact(x, K, Kb, dL_dk_exact) = permutedims(sum(dL_dk_exact, dims=1))

dL_dV_exact(x, V, Vb, dL_dv_exact) = dL_dv_exact * x'

dL_dVb_exact(x, V, Vb, dL_dv_exact) = sum(dL_dv_exact, dims=2)

function gradient(x, y, Q, Qb, K, Kb, V, Vb, W, b)
    queries, keys, values = q(x, Q, Qb), k(x, K, Kb), v(x, V, Vb)
    scores = e(queries, keys)
    weights = alpha(scores)
    context = z(values, weights)
    classes = f(context, W, b)
    to_f = dL_df_exact(classes, dL_dp_exact(pooled(classes), y))
    to_z = dL_dz_exact(context, W, b, to_f)
    to_v = dL_dv_exact(values, weights, to_z)
    to_e = dL_de_exact(scores, dL_dalpha_exact(values, weights, to_z))
    to_q, to_k = dL_dq_exact(queries, keys, to_e), dL_dk_exact(queries, keys, to_e)
    return (
        dL_dQ_exact(x, Q, Qb, to_q),
        dL_dQb_exact(x, Q, Qb, to_q),
        dL_dK_exact(x, K, Kb, to_k),
        dL_dKb_exact(x, K, Kb, to_k),
        dL_dV_exact(x, V, Vb, to_v),
        dL_dVb_exact(x, V, Vb, to_v),
        dL_dW_exact(context, W, b, to_f),
        dL_db_exact(context, W, b, to_f),
    )
end

# The slope of the loss along four directions: in (Q, Qb), in (K, Kb), in (V, Vb) and in (W, b)

function loss_at(x, y, Q, Qb, K, Kb, V, Vb, W, b)
    weights = alpha(e(q(x, Q, Qb), k(x, K, Kb)))
    return loss(p(pooled(f(z(v(x, V, Vb), weights), W, b))), y)
end

function slope_exact(
    dL_dQ_exact, dL_dQb_exact, dL_dK_exact, dL_dKb_exact, dL_dV_exact, dL_dVb_exact, dL_dW_exact, dL_db_exact,
    Q_step, Qb_step, K_step, Kb_step, V_step, Vb_step, W_step, b_step,
)
    return [
        dot(dL_dQ_exact, Q_step) + dot(dL_dQb_exact, Qb_step),
        dot(dL_dK_exact, K_step) + dot(dL_dKb_exact, Kb_step),
        dot(dL_dV_exact, V_step) + dot(dL_dVb_exact, Vb_step),
        dot(dL_dW_exact, W_step) + dot(dL_db_exact, b_step),
    ]
end

function slope_differences(
    x, y, Q, Qb, K, Kb, V, Vb, W, b, Q_step, Qb_step, K_step, Kb_step, V_step, Vb_step, W_step, b_step,
)
    parameters = [Q, Qb, K, Kb, V, Vb, W, b]
    steps = [Q_step, Qb_step, K_step, Kb_step, V_step, Vb_step, W_step, b_step]

    function moved(pair, by)
        there = copy(parameters)
        for i in (2pair - 1, 2pair)
            there[i] = parameters[i] + by * steps[i]
        end
        return loss_at(x, y, there...)
    end

    function slope(pair)
        near = moved(pair, STEP) - moved(pair, -STEP)
        far = moved(pair, 2STEP) - moved(pair, -2STEP)
        return (8near - far) / (12STEP)
    end

    return [slope(pair) for pair in 1:4]
end
