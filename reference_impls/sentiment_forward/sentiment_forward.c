/* From the words of a sentence to its sentiment: attention, a linear layer, mean pooling, softmax.
   Words are columns. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <tgmath.h>

/* The precision that is compiled: double where nothing else is asked for. */
#ifndef HARNESS_REAL
#define HARNESS_REAL double
#endif
typedef HARNESS_REAL real;

static void linear(size_t m, size_t d, size_t n, const real x[d][n], const real weights[m][d],
                   const real bias[m][1], real out[m][n])
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            real sum = 0;
            for (size_t k = 0; k < d; k++)
                sum += weights[i][k] * x[k][j];
            out[i][j] = sum + bias[i][0];
        }
}

static void dots(size_t d, size_t n, const real q[d][n], const real k[d][n], real scale, real out[n][n])
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            real sum = 0;
            for (size_t r = 0; r < d; r++)
                sum += q[r][i] * k[r][j];
            out[i][j] = sum / scale;
        }
}

static void softmax_rows(size_t n, size_t m, const real scores[n][m], real out[n][m])
{
    for (size_t i = 0; i < n; i++) {
        real largest = scores[i][0], sum = 0;
        for (size_t j = 1; j < m; j++)
            if (scores[i][j] > largest)
                largest = scores[i][j];
        for (size_t j = 0; j < m; j++) {
            out[i][j] = exp(scores[i][j] - largest);
            sum += out[i][j];
        }
        for (size_t j = 0; j < m; j++)
            out[i][j] /= sum;
    }
}

static void weighted(size_t d, size_t n, const real v[d][n], const real alpha[n][n], real out[d][n])
{
    for (size_t r = 0; r < d; r++)
        for (size_t i = 0; i < n; i++) {
            real sum = 0;
            for (size_t j = 0; j < n; j++)
                sum += v[r][j] * alpha[i][j];
            out[r][i] = sum;
        }
}

void embeddings(size_t V, size_t n, const real table[V][50], const int64_t tokens[n], real out[50][n])
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < 50; i++)
            out[i][j] = table[tokens[j]][i];
}

/* No input has the size d: it is set here, and what is allocated here is freed by the caller. */
void x(size_t n, const real embeddings[50][n], size_t *d, real **out)
{
    *d = 51;
    *out = malloc(sizeof(real) * *d * n);
    for (size_t i = 0; i < 50; i++)
        for (size_t j = 0; j < n; j++)
            (*out)[i * n + j] = embeddings[i][j];
    for (size_t j = 0; j < n; j++)
        (*out)[50 * n + j] = j;
}

void q(size_t d, size_t n, const real x[d][n], const real Q[d][d], const real Qb[d][1], real out[d][n])
{
    linear(d, d, n, x, Q, Qb, out);
}

void k(size_t d, size_t n, const real x[d][n], const real K[d][d], const real Kb[d][1], real out[d][n])
{
    linear(d, d, n, x, K, Kb, out);
}

void v(size_t d, size_t n, const real x[d][n], const real V[d][d], const real Vb[d][1], real out[d][n])
{
    linear(d, d, n, x, V, Vb, out);
}

void e(size_t d, size_t n, const real q[d][n], const real k[d][n], real out[n][n])
{
    dots(d, n, q, k, sqrt((real)(d * n)), out);
}

void alpha(size_t n, const real e[n][n], real out[n][n])
{
    softmax_rows(n, n, e, out);
}

void z(size_t d, size_t n, const real v[d][n], const real alpha[n][n], real out[d][n])
{
    weighted(d, n, v, alpha, out);
}

void f(size_t d, size_t n, const real z[d][n], const real W[3][d], const real b[3][1], real out[3][n])
{
    linear(3, d, n, z, W, b, out);
}

void pooled(size_t n, const real f[3][n], real out[3][1])
{
    for (size_t i = 0; i < 3; i++) {
        real sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += f[i][j];
        out[i][0] = sum / n;
    }
}

void p(const real pooled[3][1], real out[3][1])
{
    /* A column of three lies in memory as a row of three does. */
    softmax_rows(1, 3, (const real(*)[3])pooled, (real(*)[3])out);
}

void e_exact(size_t d, size_t n, const real q[d][n], const real k[d][n], real out[n][n])
{
    dots(d, n, q, k, sqrt((real)d), out);
}

void alpha_exact(size_t n, const real e_exact[n][n], real out[n][n])
{
    softmax_rows(n, n, e_exact, out);
}

void z_exact(size_t d, size_t n, const real v[d][n], const real alpha_exact[n][n], real out[d][n])
{
    weighted(d, n, v, alpha_exact, out);
}

void p_exact(size_t d, size_t n, const real z_exact[d][n], const real W[3][d], const real b[3][1],
             real out[3][1])
{
    real scores[3][n], mean[3][1];
    f(d, n, z_exact, W, b, scores);
    pooled(n, scores, mean);
    p(mean, out);
}
