// From the words of a sentence to its sentiment: attention, a linear layer, mean pooling, softmax.
// Words are columns.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

// The precision that is compiled: double where nothing else is asked for.
#ifndef HARNESS_REAL
#define HARNESS_REAL double
#endif

using std::size_t;
using real = HARNESS_REAL;

namespace {

// Weights times the words, m x d by d x n numbers, and a bias for each row.
void linear(size_t m, size_t d, size_t n, const real *x, const real *weights, const real *bias, real *out)
{
    for (size_t i = 0; i < m; i++, weights += d, out += n) {
        std::vector<real> row(n, 0);
        for (size_t k = 0; k < d; k++)
            for (size_t j = 0; j < n; j++)
                row[j] += weights[k] * x[k * n + j];
        std::transform(row.begin(), row.end(), out, [&](real sum) { return sum + bias[i]; });
    }
}

void dots(size_t d, size_t n, const real *q, const real *k, real scale, real *out)
{
    std::vector<real> sums(n * n, 0);
    for (size_t r = 0; r < d; r++, q += n, k += n)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                sums[i * n + j] += q[i] * k[j];
    std::transform(sums.begin(), sums.end(), out, [&](real sum) { return sum / scale; });
}

void softmax_rows(size_t n, size_t m, const real *scores, real *out)
{
    for (size_t i = 0; i < n; i++, scores += m, out += m) {
        const real largest = *std::max_element(scores, scores + m);
        std::transform(scores, scores + m, out, [&](real score) { return std::exp(score - largest); });
        const real sum = std::accumulate(out, out + m, real(0));
        std::transform(out, out + m, out, [&](real e) { return e / sum; });
    }
}

void weighted(size_t d, size_t n, const real *v, const real *alpha, real *out)
{
    for (size_t r = 0; r < d; r++)
        for (size_t i = 0; i < n; i++)
            out[r * n + i] = std::inner_product(v + r * n, v + (r + 1) * n, alpha + i * n, real(0));
}

}  // namespace

extern "C" {

void embeddings(size_t, size_t n, const real *table, const int64_t *tokens, real *out)
{
    for (size_t i = 0; i < 50; i++)
        for (size_t j = 0; j < n; j++)
            out[i * n + j] = table[tokens[j] * 50 + i];
}

// No input has the size d: it is set here, and what is allocated here is freed by the caller.
void x(size_t n, const real *embeddings, size_t *d, real **out)
{
    *d = 51;
    *out = static_cast<real *>(std::malloc(sizeof(real) * *d * n));
    std::copy(embeddings, embeddings + 50 * n, *out);
    std::iota(*out + 50 * n, *out + 51 * n, real(0));
}

void q(size_t d, size_t n, const real *x, const real *Q, const real *Qb, real *out)
{
    linear(d, d, n, x, Q, Qb, out);
}

void k(size_t d, size_t n, const real *x, const real *K, const real *Kb, real *out)
{
    linear(d, d, n, x, K, Kb, out);
}

void v(size_t d, size_t n, const real *x, const real *V, const real *Vb, real *out)
{
    linear(d, d, n, x, V, Vb, out);
}

void e(size_t d, size_t n, const real *q, const real *k, real *out)
{
    dots(d, n, q, k, std::sqrt(real(d * n)), out);
}

void alpha(size_t n, const real *e, real *out)
{
    softmax_rows(n, n, e, out);
}

void z(size_t d, size_t n, const real *v, const real *alpha, real *out)
{
    weighted(d, n, v, alpha, out);
}

void f(size_t d, size_t n, const real *z, const real *W, const real *b, real *out)
{
    linear(3, d, n, z, W, b, out);
}

void pooled(size_t n, const real *f, real *out)
{
    for (size_t i = 0; i < 3; i++)
        out[i] = std::accumulate(f + i * n, f + (i + 1) * n, real(0)) / n;
}

void p(const real *pooled, real *out)
{
    // A column of three lies in memory as a row of three does.
    softmax_rows(1, 3, pooled, out);
}

void e_exact(size_t d, size_t n, const real *q, const real *k, real *out)
{
    dots(d, n, q, k, std::sqrt(real(d)), out);
}

void alpha_exact(size_t n, const real *e_exact, real *out)
{
    softmax_rows(n, n, e_exact, out);
}

void z_exact(size_t d, size_t n, const real *v, const real *alpha_exact, real *out)
{
    weighted(d, n, v, alpha_exact, out);
}

void p_exact(size_t d, size_t n, const real *z_exact, const real *W, const real *b, real *out)
{
    std::vector<real> scores(3 * n), mean(3);
    f(d, n, z_exact, W, b, scores.data());
    pooled(n, scores.data(), mean.data());
    p(mean.data(), out);
}

}
