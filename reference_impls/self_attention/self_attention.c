/* Scaled dot-product self-attention of a batch of sequences, step by step, with a mask, and as one head. */

#include <stddef.h>
#include <tgmath.h>

/* The precision that is compiled: double where nothing else is asked for. */
#ifndef HARNESS_REAL
#define HARNESS_REAL double
#endif
typedef HARNESS_REAL real;

/* x times the transpose of Linear's weight, outputs by inputs. */
static void linear(size_t B, size_t T, size_t d, size_t m, const real x[B][T][d], const real weight[m][d],
                   real out[B][T][m])
{
    for (size_t b = 0; b < B; b++)
        for (size_t t = 0; t < T; t++)
            for (size_t j = 0; j < m; j++) {
                real sum = 0;
                for (size_t k = 0; k < d; k++)
                    sum += x[b][t][k] * weight[j][k];
                out[b][t][j] = sum;
            }
}

/* Every query against every key, over a scale. */
static void dots(size_t B, size_t T, size_t d, const real Q[B][T][d], const real K[B][T][d], real scale,
                 real out[B][T][T])
{
    for (size_t b = 0; b < B; b++)
        for (size_t i = 0; i < T; i++)
            for (size_t j = 0; j < T; j++) {
                real sum = 0;
                for (size_t k = 0; k < d; k++)
                    sum += Q[b][i][k] * K[b][j][k];
                out[b][i][j] = sum / scale;
            }
}

/* Softmax of a factor times the scores, row by row. */
static void softmax(size_t B, size_t T, real factor, const real scores[B][T][T], real out[B][T][T])
{
    for (size_t b = 0; b < B; b++)
        for (size_t i = 0; i < T; i++) {
            const real *row = scores[b][i];
            real largest = row[0], sum = 0;
            for (size_t j = 1; j < T; j++)
                if (row[j] > largest)
                    largest = row[j];
            for (size_t j = 0; j < T; j++) {
                out[b][i][j] = exp(factor * row[j] - factor * largest);
                sum += out[b][i][j];
            }
            for (size_t j = 0; j < T; j++)
                out[b][i][j] /= sum;
        }
}

static void weighted(size_t B, size_t T, size_t d, const real weights[B][T][T], const real V[B][T][d],
                     real out[B][T][d])
{
    for (size_t b = 0; b < B; b++)
        for (size_t i = 0; i < T; i++)
            for (size_t k = 0; k < d; k++) {
                real sum = 0;
                for (size_t j = 0; j < T; j++)
                    sum += weights[b][i][j] * V[b][j][k];
                out[b][i][k] = sum;
            }
}

void Q(size_t B, size_t T, size_t d, size_t head_size, const real x[B][T][d],
       const real query_weight[head_size][d], real out[B][T][head_size])
{
    linear(B, T, d, head_size, x, query_weight, out);
}

void K(size_t B, size_t T, size_t d, size_t head_size, const real x[B][T][d],
       const real key_weight[head_size][d], real out[B][T][head_size])
{
    linear(B, T, d, head_size, x, key_weight, out);
}

void V(size_t B, size_t T, size_t d, size_t head_size, const real x[B][T][d],
       const real value_weight[head_size][d], real out[B][T][head_size])
{
    linear(B, T, d, head_size, x, value_weight, out);
}

void scores(size_t B, size_t T, size_t head_size, const real Q[B][T][head_size], const real K[B][T][head_size],
            real out[B][T][T])
{
    dots(B, T, head_size, Q, K, 1, out);
}

void scaled(size_t B, size_t T, size_t head_size, const real scores[B][T][T], const real K[B][T][head_size],
            real out[B][T][T])
{
    real scale = sqrt((real)head_size);
    for (size_t b = 0; b < B; b++)
        for (size_t i = 0; i < T; i++)
            for (size_t j = 0; j < T; j++)
                out[b][i][j] = scores[b][i][j] / scale;
}

void weights(size_t B, size_t T, const real scaled[B][T][T], real out[B][T][T])
{
    softmax(B, T, 1, scaled, out);
}

void row_sums(size_t B, size_t T, const real weights[B][T][T], real out[B][T])
{
    for (size_t b = 0; b < B; b++)
        for (size_t i = 0; i < T; i++) {
            out[b][i] = 0;
            for (size_t j = 0; j < T; j++)
                out[b][i] += weights[b][i][j];
        }
}

void sharpened(size_t B, size_t T, const real scaled[B][T][T], real out[B][T][T])
{
    softmax(B, T, 12, scaled, out);
}

void outputs(size_t B, size_t T, size_t head_size, const real weights[B][T][T], const real V[B][T][head_size],
             real out[B][T][head_size])
{
    weighted(B, T, head_size, weights, V, out);
}

void mask(size_t B, size_t T, const real scaled[B][T][T], real out[T][T])
{
    for (size_t i = 0; i < T; i++)
        for (size_t j = 0; j < T; j++)
            out[i][j] = j <= i;
}

void masked_scores(size_t B, size_t T, const real scaled[B][T][T], const real mask[T][T], real out[B][T][T])
{
    for (size_t b = 0; b < B; b++)
        for (size_t i = 0; i < T; i++)
            for (size_t j = 0; j < T; j++)
                out[b][i][j] = mask[i][j] == 0 ? -INFINITY : scaled[b][i][j];
}

void masked_weights(size_t B, size_t T, const real masked_scores[B][T][T], real out[B][T][T])
{
    softmax(B, T, 1, masked_scores, out);
}

void head_Q(size_t head_B, size_t head_T, size_t embed_dim, size_t head_dim,
            const real head_x[head_B][head_T][embed_dim], const real head_query_weight[head_dim][embed_dim],
            real out[head_B][head_T][head_dim])
{
    linear(head_B, head_T, embed_dim, head_dim, head_x, head_query_weight, out);
}

void head_K(size_t head_B, size_t head_T, size_t embed_dim, size_t head_dim,
            const real head_x[head_B][head_T][embed_dim], const real head_key_weight[head_dim][embed_dim],
            real out[head_B][head_T][head_dim])
{
    linear(head_B, head_T, embed_dim, head_dim, head_x, head_key_weight, out);
}

void head_V(size_t head_B, size_t head_T, size_t embed_dim, size_t head_dim,
            const real head_x[head_B][head_T][embed_dim], const real head_value_weight[head_dim][embed_dim],
            real out[head_B][head_T][head_dim])
{
    linear(head_B, head_T, embed_dim, head_dim, head_x, head_value_weight, out);
}

void head_scores(size_t head_B, size_t head_T, size_t head_dim, const real head_Q[head_B][head_T][head_dim],
                 const real head_K[head_B][head_T][head_dim], real out[head_B][head_T][head_T])
{
    dots(head_B, head_T, head_dim, head_Q, head_K, sqrt((real)head_dim), out);
}

void head_weights(size_t head_B, size_t head_T, const real head_scores[head_B][head_T][head_T],
                  real out[head_B][head_T][head_T])
{
    softmax(head_B, head_T, 1, head_scores, out);
}

void head_outputs(size_t head_B, size_t head_T, size_t head_dim,
                  const real head_weights[head_B][head_T][head_T], const real head_V[head_B][head_T][head_dim],
                  real out[head_B][head_T][head_dim])
{
    weighted(head_B, head_T, head_dim, head_weights, head_V, out);
}
