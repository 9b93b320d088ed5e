// Scaled dot-product self-attention of four words, step by step.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

// The precision that is compiled: double where nothing else is asked for.
#ifndef HARNESS_REAL
#define HARNESS_REAL double
#endif

using std::size_t;
using real = HARNESS_REAL;

namespace {

// The product of n x d and d x m numbers, row by row.
void product(size_t n, size_t d, size_t m, const real *a, const real *b, real *out)
{
    for (size_t i = 0; i < n; i++) {
        std::vector<real> row(m, 0);
        for (size_t k = 0; k < d; k++)
            for (size_t j = 0; j < m; j++)
                row[j] += a[i * d + k] * b[k * m + j];
        std::copy(row.begin(), row.end(), out + i * m);
    }
}

}  // namespace

extern "C" {

void Q(size_t n, size_t d, size_t d_k, const real *words, const real *W_Q, real *out)
{
    product(n, d, d_k, words, W_Q, out);
}

void K(size_t n, size_t d, size_t d_k, const real *words, const real *W_K, real *out)
{
    product(n, d, d_k, words, W_K, out);
}

void V(size_t n, size_t d, size_t d_v, const real *words, const real *W_V, real *out)
{
    product(n, d, d_v, words, W_V, out);
}

void scores(size_t n, size_t d_k, const real *Q, const real *K, real *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            out[i * n + j] = std::inner_product(Q + i * d_k, Q + (i + 1) * d_k, K + j * d_k, real(0));
}

void maxs(size_t n, const real *scores, real *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = *std::max_element(scores + i * n, scores + (i + 1) * n);
}

void weights(size_t n, size_t d_k, const real *scores, const real *maxs, const real *, real *out)
{
    const real scale = std::sqrt(real(d_k));
    for (size_t i = 0; i < n; i++) {
        real *row = out + i * n;
        std::transform(scores + i * n, scores + (i + 1) * n, row,
                       [&](real score) { return std::exp((score - maxs[i]) / scale); });
        const real sum = std::accumulate(row, row + n, real(0));
        std::transform(row, row + n, row, [&](real e) { return e / sum; });
    }
}

void attention(size_t n, size_t d_v, const real *weights, const real *V, real *out)
{
    product(n, n, d_v, weights, V, out);
}

}
