/* Scaled dot-product self-attention of four words, step by step. */

#include <stddef.h>
#include <tgmath.h>

/* The precision that is compiled: double where nothing else is asked for. */
#ifndef HARNESS_REAL
#define HARNESS_REAL double
#endif
typedef HARNESS_REAL real;

static void product(size_t n, size_t d, size_t m, const real a[n][d], const real b[d][m], real out[n][m])
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            real sum = 0;
            for (size_t k = 0; k < d; k++)
                sum += a[i][k] * b[k][j];
            out[i][j] = sum;
        }
}

void Q(size_t n, size_t d, size_t d_k, const real words[n][d], const real W_Q[d][d_k], real out[n][d_k])
{
    product(n, d, d_k, words, W_Q, out);
}

void K(size_t n, size_t d, size_t d_k, const real words[n][d], const real W_K[d][d_k], real out[n][d_k])
{
    product(n, d, d_k, words, W_K, out);
}

void V(size_t n, size_t d, size_t d_v, const real words[n][d], const real W_V[d][d_v], real out[n][d_v])
{
    product(n, d, d_v, words, W_V, out);
}

void scores(size_t n, size_t d_k, const real Q[n][d_k], const real K[n][d_k], real out[n][n])
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            real sum = 0;
            for (size_t k = 0; k < d_k; k++)
                sum += Q[i][k] * K[j][k];
            out[i][j] = sum;
        }
}

void maxs(size_t n, const real scores[n][n], real out[n][1])
{
    for (size_t i = 0; i < n; i++) {
        out[i][0] = scores[i][0];
        for (size_t j = 1; j < n; j++)
            if (scores[i][j] > out[i][0])
                out[i][0] = scores[i][j];
    }
}

void weights(size_t n, size_t d_k, const real scores[n][n], const real maxs[n][1], const real K[n][d_k],
             real out[n][n])
{
    real scale = sqrt((real)d_k);
    for (size_t i = 0; i < n; i++) {
        real sum = 0;
        for (size_t j = 0; j < n; j++) {
            out[i][j] = exp((scores[i][j] - maxs[i][0]) / scale);
            sum += out[i][j];
        }
        for (size_t j = 0; j < n; j++)
            out[i][j] /= sum;
    }
}

void attention(size_t n, size_t d_v, const real weights[n][n], const real V[n][d_v], real out[n][d_v])
{
    product(n, n, d_v, weights, V, out);
}
