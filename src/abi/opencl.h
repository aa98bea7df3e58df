/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The versions and limits of OpenCL C on a Ventus device; extension.def has its extensions
 * and features. */

/* The version of OpenCL that platform and devices have, and __OPENCL_VERSION__. */
#define OPENCL_VERSION_MAJOR 3
#define OPENCL_VERSION_MINOR 1

/* clang-format off */
/* Versions of the language for -cl-std. */
#define OPENCL_C_VERSIONS(X) \
    X("OpenCL C", 1, 0, 0)   \
    X("OpenCL C", 1, 1, 0)   \
    X("OpenCL C", 1, 2, 0)   \
    X("OpenCL C", 3, 0, 0)   \
    X("OpenCL C", 3, 1, 0)
/* clang-format on */

/* Limits of variables in global memory, in bytes: of one, and of all in a program. */
enum { OPENCL_C_VARIABLE_B = 16 << 20, OPENCL_C_VARIABLES_B = 64 << 20 };
