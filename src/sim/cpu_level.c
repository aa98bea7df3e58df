/* SPDX-License-Identifier: Apache-2.0 */
/* The microarchitecture levels of x86-64. */
#include "sim/cpu_level.h"

#include <string.h>

#ifdef __x86_64__
/* Whether the processor has the instructions of a level of the psABI. */
bool
cpu_has_level(const char *name)
{
    __builtin_cpu_init();
    bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
              __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
              __builtin_cpu_supports("lzcnt") &&
              __builtin_cpu_supports("movbe");
    if (!strncmp(name, "v4", 2))
        return v3 && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512cd");
    if (!strncmp(name, "v3", 2))
        return v3;
    return strcmp(name, "v2") != 0 || __builtin_cpu_supports("sse4.2");
}
#else
bool
cpu_has_level(const char *name)
{
    return strcmp(name, "plain") == 0;
}
#endif
