/* SPDX-License-Identifier: Apache-2.0 */
/* Which build of the lane loops suits this processor. */
#include <string.h>

#include "sim/lanes.h"

#define VARIANT(level, lanes)                                \
    void lanes_alu_##level##_##lanes(struct sim_lanes *t);   \
    void lanes_fixed_##level##_##lanes(struct sim_lanes *t); \
    void lanes_ctrl_##level##_##lanes(struct sim_lanes *t);  \
    void lanes_mem_##level##_##lanes(struct sim_lanes *t);   \
    void lanes_fp_##level##_##lanes(struct sim_lanes *t);    \
    void lanes_pair_##level##_0(struct sim_lanes *t);        \
    static void fill_##level##_##lanes(struct sim_lanes *t)  \
    {                                                        \
        lanes_alu_##level##_##lanes(t);                      \
        lanes_fixed_##level##_##lanes(t);                    \
        lanes_ctrl_##level##_##lanes(t);                     \
        lanes_mem_##level##_##lanes(t);                      \
        lanes_fp_##level##_##lanes(t);                       \
        lanes_pair_##level##_0(t);                           \
        t->name = #level;                                    \
    }

/* Made by CMakeLists.txt: VARIANT(plain, 0) and the like. */
#ifdef SIM_HAS_LEVELS
VARIANT(v2, 0)
VARIANT(v3, 0)
VARIANT(v3, 32)
VARIANT(v4, 0)
VARIANT(v4, 32)
#endif
VARIANT(plain, 0)

#ifdef SIM_HAS_LEVELS
/* The x86-64 levels of the psABI, by what the loops gain from. */
static bool
select_level(struct sim_lanes *t, bool is_32)
{
    __builtin_cpu_init();
    bool v3 = __builtin_cpu_supports("avx2") &&
              __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    bool v4 = v3 && __builtin_cpu_supports("avx512f") &&
              __builtin_cpu_supports("avx512vl") &&
              __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512cd");
    if (v4)
        (is_32 ? fill_v4_32 : fill_v4_0)(t);
    else if (v3)
        (is_32 ? fill_v3_32 : fill_v3_0)(t);
    else if (__builtin_cpu_supports("sse4.2"))
        fill_v2_0(t);
    else
        return false;
    return true;
}
#endif

void
lanes_select(struct sim_lanes *lanes, unsigned num_thread, bool portable)
{
    memset(lanes, 0, sizeof *lanes);
#ifdef SIM_HAS_LEVELS
    if (!portable && select_level(lanes, num_thread == 32))
        return;
#endif
    (void)num_thread;
    (void)portable;
    fill_plain_0(lanes);
}
