/* SPDX-License-Identifier: Apache-2.0 */
/* The functional machine as an engine. */
#include <stdio.h>
#include <stdlib.h>

#include "dev/engine/functional.h"

static void *
sim_create(const struct config *config, char *text, size_t size)
{
    struct functional *f = calloc(1, sizeof *f);
    struct ventus_sim_config c = functional_config(config);
    if (f)
        f->sim = ventus_sim_create(&c, text, size);
    if (f && f->sim)
        return f;
    if (!f)
        snprintf(text, size, "out of host memory");
    free(f);
    return NULL;
}

static void
sim_destroy(void *machine)
{
    struct functional *f = machine;
    ventus_sim_destroy(f->sim);
    free(f);
}

static bool
sim_launch_grid(void *machine, const struct engine_launch *l,
                struct engine_fault *fault)
{
    const struct functional *functional = machine;
    struct ventus_sim_fault f;
    bool ok = ventus_sim_launch(functional->sim, &l->launch, &f);
    if (!ok)
        functional_fault(fault, &f);
    return ok;
}

static bool
sim_mark_writes(void *machine, uint64_t address, uint64_t *marks)
{
    const struct functional *f = machine;
    return ventus_sim_mark_writes(f->sim, address, marks);
}

const struct engine_ops engine_sim = {
    .create = sim_create,
    .destroy = sim_destroy,
    FUNCTIONAL_MEMORY,
    .mark_writes = sim_mark_writes,
    .launch = sim_launch_grid,
};
