// Scaled dot-product self-attention of a batch of sequences, step by step, with a mask, and as one head.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

// The precision that is compiled: double where nothing else is asked for.
#ifndef HARNESS_REAL
#define HARNESS_REAL double
#endif

using std::size_t;
using real = HARNESS_REAL;

namespace {

// The product of two vectors of d numbers, of which the second one's lie `step` apart.
real dot(size_t d, const real *a, const real *b, size_t step = 1)
{
    real sum = 0;
    for (size_t k = 0; k < d; k++)
        sum += a[k] * b[k * step];
    return sum;
}

// x times the transpose of Linear's weight, outputs by inputs: each token by itself.
void linear(size_t tokens, size_t d, size_t m, const real *x, const real *weight, real *out)
{
    for (size_t t = 0; t < tokens; t++)
        for (size_t j = 0; j < m; j++)
            *out++ = dot(d, x + t * d, weight + j * d);
}

// Every query against every key of its sequence, over a scale.
void dots(size_t B, size_t T, size_t d, const real *Q, const real *K, real scale, real *out)
{
    for (size_t b = 0; b < B; b++, Q += T * d, K += T * d)
        for (size_t i = 0; i < T; i++)
            for (size_t j = 0; j < T; j++)
                *out++ = dot(d, Q + i * d, K + j * d) / scale;
}

// Softmax of a factor times the scores, row by row.
void softmax(size_t rows, size_t T, real factor, const real *scores, real *out)
{
    for (size_t i = 0; i < rows; i++, scores += T, out += T) {
        const real largest = *std::max_element(scores, scores + T);
        std::transform(scores, scores + T, out,
                       [&](real score) { return std::exp(factor * score - factor * largest); });
        const real sum = std::accumulate(out, out + T, real(0));
        std::transform(out, out + T, out, [&](real e) { return e / sum; });
    }
}

void weighted(size_t B, size_t T, size_t d, const real *weights, const real *V, real *out)
{
    for (size_t b = 0; b < B; b++, V += T * d)
        for (size_t i = 0; i < T; i++, weights += T)
            for (size_t k = 0; k < d; k++)
                *out++ = dot(T, weights, V + k, d);
}

}  // namespace

extern "C" {

void Q(size_t B, size_t T, size_t d, size_t head_size, const real *x, const real *query_weight, real *out)
{
    linear(B * T, d, head_size, x, query_weight, out);
}

void K(size_t B, size_t T, size_t d, size_t head_size, const real *x, const real *key_weight, real *out)
{
    linear(B * T, d, head_size, x, key_weight, out);
}

void V(size_t B, size_t T, size_t d, size_t head_size, const real *x, const real *value_weight, real *out)
{
    linear(B * T, d, head_size, x, value_weight, out);
}

void scores(size_t B, size_t T, size_t head_size, const real *Q, const real *K, real *out)
{
    dots(B, T, head_size, Q, K, 1, out);
}

void scaled(size_t B, size_t T, size_t head_size, const real *scores, const real *, real *out)
{
    const real scale = std::sqrt(real(head_size));
    std::transform(scores, scores + B * T * T, out, [&](real score) { return score / scale; });
}

void weights(size_t B, size_t T, const real *scaled, real *out)
{
    softmax(B * T, T, 1, scaled, out);
}

void row_sums(size_t B, size_t T, const real *weights, real *out)
{
    for (size_t i = 0; i < B * T; i++)
        out[i] = std::accumulate(weights + i * T, weights + (i + 1) * T, real(0));
}

void sharpened(size_t B, size_t T, const real *scaled, real *out)
{
    softmax(B * T, T, 12, scaled, out);
}

void outputs(size_t B, size_t T, size_t head_size, const real *weights, const real *V, real *out)
{
    weighted(B, T, head_size, weights, V, out);
}

void mask(size_t, size_t T, const real *, real *out)
{
    for (size_t i = 0; i < T; i++)
        for (size_t j = 0; j < T; j++)
            *out++ = j <= i;
}

void masked_scores(size_t B, size_t T, const real *scaled, const real *mask, real *out)
{
    for (size_t b = 0; b < B; b++)
        for (size_t i = 0; i < T * T; i++)
            *out++ = mask[i] == 0 ? -std::numeric_limits<real>::infinity() : scaled[b * T * T + i];
}

void masked_weights(size_t B, size_t T, const real *masked_scores, real *out)
{
    softmax(B * T, T, 1, masked_scores, out);
}

void head_Q(size_t head_B, size_t head_T, size_t embed_dim, size_t head_dim, const real *head_x,
            const real *head_query_weight, real *out)
{
    linear(head_B * head_T, embed_dim, head_dim, head_x, head_query_weight, out);
}

void head_K(size_t head_B, size_t head_T, size_t embed_dim, size_t head_dim, const real *head_x,
            const real *head_key_weight, real *out)
{
    linear(head_B * head_T, embed_dim, head_dim, head_x, head_key_weight, out);
}

void head_V(size_t head_B, size_t head_T, size_t embed_dim, size_t head_dim, const real *head_x,
            const real *head_value_weight, real *out)
{
    linear(head_B * head_T, embed_dim, head_dim, head_x, head_value_weight, out);
}

void head_scores(size_t head_B, size_t head_T, size_t head_dim, const real *head_Q, const real *head_K, real *out)
{
    dots(head_B, head_T, head_dim, head_Q, head_K, std::sqrt(real(head_dim)), out);
}

void head_weights(size_t head_B, size_t head_T, const real *head_scores, real *out)
{
    softmax(head_B * head_T, head_T, 1, head_scores, out);
}

void head_outputs(size_t head_B, size_t head_T, size_t head_dim, const real *head_weights, const real *head_V,
                  real *out)
{
    weighted(head_B, head_T, head_dim, head_weights, head_V, out);
}

}
