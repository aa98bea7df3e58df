// SPDX-License-Identifier: Apache-2.0
/*
 * Prices of European options by the formula of Black and Scholes (1973), in
 * double precision: the device needs the extension cl_khr_fp64.
 */
#include "example.h"

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "double normal(double x) /* the cumulative normal distribution */\n"
    "{\n"
    "    return 0.5 * erfc(-x * M_SQRT1_2);\n"
    "}\n"
    "\n"
    "kernel void black_scholes(global const double *price,\n"
    "                          global const double *strike,\n"
    "                          global const double *years,\n"
    "                          double rate, double volatility,\n"
    "                          global double *call, global double *put)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    double spread = volatility * sqrt(years[i]);\n"
    "    double d1 = (log(price[i] / strike[i]) +\n"
    "                 (rate + 0.5 * volatility * volatility) * years[i]) /\n"
    "                spread;\n"
    "    double d2 = d1 - spread;\n"
    "    double later = strike[i] * exp(-rate * years[i]);\n"
    "    call[i] = price[i] * normal(d1) - later * normal(d2);\n"
    "    put[i] = later * normal(-d2) - price[i] * normal(-d1);\n"
    "}\n";

static const double rate = 0.02, volatility = 0.3;

/* The same on the host, whose erfc, exp and log are another's. */
static void
host_prices(double price, double strike, double years, double *call,
            double *put)
{
    double spread = volatility * sqrt(years);
    double d1 =
        (log(price / strike) + (rate + 0.5 * volatility * volatility) * years) /
        spread;
    double d2 = d1 - spread;
    double later = strike * exp(-rate * years);
    double root_half = sqrt(0.5);
    *call = price * 0.5 * erfc(-d1 * root_half) -
            later * 0.5 * erfc(-d2 * root_half);
    *put =
        later * 0.5 * erfc(d2 * root_half) - price * 0.5 * erfc(d1 * root_half);
}

enum { PRICE, STRIKE, YEARS, CALL, PUT, VECTORS };

static size_t
count_wrong(size_t n, double *const *v)
{
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        double call, put;
        host_prices(v[PRICE][i], v[STRIKE][i], v[YEARS][i], &call, &put);
        /* A difference of two numbers that are not larger than this. */
        double tolerance = 1e-14 * (v[PRICE][i] + v[STRIKE][i]);
        wrong += !(fabs(v[CALL][i] - call) <= tolerance);
        wrong += !(fabs(v[PUT][i] - put) <= tolerance);
    }
    return wrong;
}

int
main(int argc, char **argv)
{
    int count = 10000;
    const struct example_option options[] = {
        { "n", "options to price", &count, 1, 1 << 24, NULL },
        { 0 },
    };
    struct example ex =
        example_open("Prices options by the formula of Black and Scholes.",
                     argc, argv, options);
    cl_kernel kernel = example_kernel(&ex, source, "black_scholes", "");

    size_t n = (size_t)count, size = n * sizeof(double);
    double *vectors[VECTORS];
    for (int i = 0; i < VECTORS; i++)
        vectors[i] = example_alloc(n, sizeof(double));
    uint32_t seed = 8;
    for (size_t i = 0; i < n; i++) {
        vectors[PRICE][i] = 5 + 25 * (double)example_random_float(&seed);
        vectors[STRIKE][i] = 1 + 99 * (double)example_random_float(&seed);
        vectors[YEARS][i] = 0.25 + 9 * (double)example_random_float(&seed);
    }

    cl_mem buffers[VECTORS];
    for (cl_uint i = 0; i < VECTORS; i++) {
        buffers[i] = example_buffer(&ex, CL_MEM_READ_WRITE, size, vectors[i]);
        cl_uint argument = i < CALL ? i : i + 2;
        CHECK(clSetKernelArg(kernel, argument, sizeof(cl_mem), &buffers[i]));
    }
    CHECK(clSetKernelArg(kernel, 3, sizeof rate, &rate));
    CHECK(clSetKernelArg(kernel, 4, sizeof volatility, &volatility));
    for (int i = 0; i < ex.repeat; i++) {
        example_start(&ex);
        CHECK(clEnqueueNDRangeKernel(ex.queue, kernel, 1, NULL, &n, NULL, 0,
                                     NULL, NULL));
        example_stop(&ex);
    }
    for (int i = CALL; i <= PUT; i++)
        CHECK(clEnqueueReadBuffer(ex.queue, buffers[i], CL_TRUE, 0, size,
                                  vectors[i], 0, NULL, NULL));

    size_t wrong = count_wrong(n, vectors);
    for (int i = 0; i < VECTORS; i++)
        free(vectors[i]);
    return example_close(&ex, wrong, 2 * n, "prices");
}
