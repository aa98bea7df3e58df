/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the build of the lane loops for this processor. */
#include <assert.h>
#include <string.h>

#include "sim/cpu_level.h"
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

struct level {
    const char *name;
    void (*fill)(struct sim_lanes *t);
    unsigned lanes; /* it is for; 0: any */
};

/* The best one first; those for some number of lanes before those for any. */
static const struct level levels[] = {
#ifdef SIM_HAS_LEVELS
    { "v4_32", fill_v4_32, 32 },  { "v4", fill_v4_0, 0 },
    { "v3_32", fill_v3_32, 32 },  { "v3", fill_v3_0, 0 },
    { "v2", fill_v2_0, 0 },
#endif
    { "plain", fill_plain_0, 0 },
};

bool
lanes_select_level(struct sim_lanes *lanes, unsigned num_thread,
                   const char *level)
{
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        const struct level *l = &levels[i];
        if ((level && strcmp(l->name, level) != 0) ||
            (l->lanes && l->lanes != num_thread) || !cpu_has_level(l->name))
            continue;
        memset(lanes, 0, sizeof *lanes);
        l->fill(lanes);
        return true;
    }
    return false;
}

void
lanes_select(struct sim_lanes *lanes, unsigned num_thread, bool portable)
{
    bool found =
        lanes_select_level(lanes, num_thread, portable ? "plain" : NULL);
    assert(found); /* "plain" is for every processor */
    (void)found;
}
