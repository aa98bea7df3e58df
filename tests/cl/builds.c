/* SPDX-License-Identifier: Apache-2.0 */
/* Builds programs FIRST to LAST - 1 of the environment and runs each, until
 * cache.py kills it. */
#include "cl.h"

TEST(builds)
{
    int last = atoi(getenv("LAST"));
    struct cl t = cl_open(0);
    for (int i = atoi(getenv("FIRST")); i < last; i++) {
        char options[32];
        snprintf(options, sizeof options, "-D N=%d", i);
        cl_program p =
            cl_build(&t, "kernel void k(global int *x) { *x = N; }", options);
        CHECK_EQ(cl_result(&t, p), i);
        OK(clReleaseProgram(p));
    }
    cl_close(&t);
}

TEST_MAIN
