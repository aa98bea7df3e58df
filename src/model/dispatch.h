/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

/*
 * The machine is built for each processor, and once more for those of a higher level
 * (CMakeLists.txt): the names of that build are its own, and all that others see of it
 * is this table.  A machine is created and launched by the same build.
 */
struct model_variant {
    struct ventus_model *(*create)(const struct ventus_sim_config *machine,
                                   const struct ventus_model_config *c,
                                   char *text, size_t size);
    bool (*launch)(struct ventus_model *m,
                   const struct ventus_sim_launch *launch,
                   const struct ventus_model_hooks *hooks,
                   struct ventus_model_stats *stats,
                   struct ventus_sim_fault *fault);
};

/* The table of this build, whose name CMakeLists.txt gives. */
#ifndef MODEL_VARIANT
#define MODEL_VARIANT model_plain
#endif
extern const struct model_variant MODEL_VARIANT;
