/* SPDX-License-Identifier: Apache-2.0 */
/* The functional machine as an engine. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "dev/functional.h"

static void *
create(const struct config *config, char *text, size_t size)
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
destroy(void *machine)
{
    struct functional *f = machine;
    ventus_sim_destroy(f->sim);
    free(f);
}

static bool
launch(void *machine, const struct engine_launch *l, struct engine_fault *fault)
{
    const struct functional *functional = machine;
    static_assert(VENTUS_ISA_UNIT_COUNT <= 16, "dev_stats.classes");
    struct ventus_sim_stats stats = { 0 };
    struct ventus_sim_hooks hooks = functional_hooks(l);
    struct ventus_sim_launch s = functional_launch(l);
    s.hooks = &hooks;
    s.stats = l->stats ? &stats : NULL;
    struct ventus_sim_fault f;
    bool ok = ventus_sim_launch(functional->sim, &s, &f);
    if (!ok)
        functional_fault(fault, &f);
    if (l->stats)
        functional_stats(l->stats, &stats);
    return ok;
}

const struct engine_ops engine_sim = {
    .create = create,
    .destroy = destroy,
    FUNCTIONAL_MEMORY,
    .launch = launch,
};
