// What the worker of C is checked with. C raises no errors, and has no function that returns a text as an array.
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifndef HARNESS_REAL
#define HARNESS_REAL double
#endif
typedef HARNESS_REAL real;
typedef HARNESS_REAL _Complex complex_real;

static void copy(size_t count, const real *from, real *to) { memcpy(to, from, count * sizeof *to); }

void same(size_t n, const real *x, real *out) { copy(n, x, out); }

real same_of_x0(real x0) { return x0; }

void same_of_x2(size_t n, size_t m, const real *x2, real *out) { copy(n * m, x2, out); }

void same_of_x3(size_t n, size_t m, size_t p, const real *x3, real *out) { copy(n * m * p, x3, out); }

void same_of_x4(size_t n, size_t m, size_t p, size_t q, const real *x4, real *out) { copy(n * m * p * q, x4, out); }

void same_of_x5(size_t n, size_t m, size_t p, size_t q, size_t r, const real *x5, real *out)
{
    copy(n * m * p * q * r, x5, out);
}

void same_of_i1(size_t n, const int64_t *i1, int64_t *out) { memcpy(out, i1, n * sizeof *out); }

void same_of_i2(size_t n, size_t m, const int64_t *i2, int64_t *out) { memcpy(out, i2, n * m * sizeof *out); }

void same_of_b2(size_t n, size_t m, const bool *b2, bool *out)
{
    for (size_t i = 0; i < n * m; i++)
        out[i] = b2[i];
}

void same_of_c2(size_t n, size_t m, const complex_real *c2, complex_real *out) { memcpy(out, c2, n * m * sizeof *out); }

real corner(size_t n, size_t m, const real *x2) { return x2[m - 1]; }

int64_t corner_of_i2(size_t n, size_t m, const int64_t *i2) { return i2[m - 1]; }

bool corner_of_b2(size_t n, size_t m, const bool *b2) { return b2[m - 1]; }

void corner_of_c2(size_t n, size_t m, const complex_real *c2, complex_real *out) { *out = c2[m - 1]; }

void two(size_t n, size_t m, size_t k, const real *x2, const real *y, real *two_b, real *two_a)
{
    copy(k, y, two_b);
    copy(n * m, x2, two_a);
}

void two_of_x(size_t n, size_t k, const real *x, const real *y, real *two_of_x_b, real *two_of_x_a)
{
    copy(k, y, two_of_x_b);
    copy(n, x, two_of_x_a);
}

real constant(void) { return 2.5; }

void noise(size_t n, const real *x, real *out)
{
    for (int i = 0; i < 1000; i++)
        printf("printed noise ");
    copy(n, x, out);
}

void reads(size_t n, const real *x, real *out)
{
    getchar();
    copy(n, x, out);
}

void sleeps(size_t n, const real *x, real *out)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    copy(n, x, out);
}

void hangs(size_t n, const real *x, real *out)
{
    while (true)
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
}

// What C can do in place of an error: a number is written behind the end of the array, which the worker notices.
void picky(size_t n, const real *x, real *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = 2 * x[i];
        if (x[i] < 0)
            ((volatile real *)out)[n] = -1;
    }
}

void picky_of_i1(size_t n, const int64_t *i1, int64_t *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = (int64_t)(2 * (uint64_t)i1[i]);
        if (i1[i] < 0)
            ((volatile int64_t *)out)[n] = -1;
    }
}
