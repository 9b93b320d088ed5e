// What the worker of C++ is checked with. An exception cannot leave a function that has C's linkage.
#include <algorithm>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <thread>

#ifndef HARNESS_REAL
#define HARNESS_REAL double
#endif
typedef HARNESS_REAL real;
typedef std::complex<real> complex_real;

void same(size_t n, const real *x, real *out) { std::copy_n(x, n, out); }

real same_of_x0(real x0) { return x0; }

void same_of_x2(size_t n, size_t m, const real *x2, real *out) { std::copy_n(x2, n * m, out); }

void same_of_x3(size_t n, size_t m, size_t p, const real *x3, real *out) { std::copy_n(x3, n * m * p, out); }

void same_of_x4(size_t n, size_t m, size_t p, size_t q, const real *x4, real *out)
{
    std::copy_n(x4, n * m * p * q, out);
}

void same_of_x5(size_t n, size_t m, size_t p, size_t q, size_t r, const real *x5, real *out)
{
    std::copy_n(x5, n * m * p * q * r, out);
}

void same_of_i1(size_t n, const int64_t *i1, int64_t *out) { std::copy_n(i1, n, out); }

void same_of_i2(size_t n, size_t m, const int64_t *i2, int64_t *out) { std::copy_n(i2, n * m, out); }

void same_of_b2(size_t n, size_t m, const bool *b2, bool *out) { std::copy_n(b2, n * m, out); }

void same_of_c2(size_t n, size_t m, const complex_real *c2, complex_real *out) { std::copy_n(c2, n * m, out); }

real corner(size_t n, size_t m, const real *x2) { return x2[m - 1]; }

int64_t corner_of_i2(size_t n, size_t m, const int64_t *i2) { return i2[m - 1]; }

bool corner_of_b2(size_t n, size_t m, const bool *b2) { return b2[m - 1]; }

void corner_of_c2(size_t n, size_t m, const complex_real *c2, complex_real *out) { *out = c2[m - 1]; }

void two(size_t n, size_t m, size_t k, const real *x2, const real *y, real *two_b, real *two_a)
{
    std::copy_n(y, k, two_b);
    std::copy_n(x2, n * m, two_a);
}

void two_of_x(size_t n, size_t k, const real *x, const real *y, real *two_of_x_b, real *two_of_x_a)
{
    std::copy_n(y, k, two_of_x_b);
    std::copy_n(x, n, two_of_x_a);
}

real constant() { return 2.5; }

void noise(size_t n, const real *x, real *out)
{
    for (int i = 0; i < 1000; i++)
        std::cout << "printed noise ";
    same(n, x, out);
}

void reads(size_t n, const real *x, real *out)
{
    std::cin.get();
    same(n, x, out);
}

void sleeps(size_t n, const real *x, real *out)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    same(n, x, out);
}

void hangs(size_t n, const real *x, real *out)
{
    while (true)
        std::this_thread::sleep_for(std::chrono::seconds(1));
}

// In place of an error: a number is written behind the end of the array, which the worker notices.
void picky(size_t n, const real *x, real *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = 2 * x[i];
        if (x[i] < 0)
            static_cast<volatile real *>(out)[n] = -1;
    }
}

void picky_of_i1(size_t n, const int64_t *i1, int64_t *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = static_cast<int64_t>(2 * static_cast<uint64_t>(i1[i]));
        if (i1[i] < 0)
            static_cast<volatile int64_t *>(out)[n] = -1;
    }
}
