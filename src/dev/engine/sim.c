/* SPDX-License-Identifier: Apache-2.0 */
/* The functional machine as an engine. */
#include <stdio.h>
#include <stdlib.h>

#include "dev/engine/functional.h"
#include "native/client.h"

/* The functional machine, and what translates its programs. */
struct machine {
    struct functional functional;
    struct native_client *client; /* or NULL */
    const char *interprets;       /* why there is none though it was wanted */
};

/* False: it shall be native, and cannot be. */
static bool
attach_translator(struct machine *m, uint64_t execution, char *text,
                  size_t size)
{
    const char *why = native_obstacle(m->functional.sim);
    if (execution == EXECUTION_INTERPRETER)
        return true;
    if (!why)
        m->client = native_client_open(
            execution == EXECUTION_NATIVE ? 0 : NATIVE_HOT, &why);
    m->interprets = why;
    if (m->client)
        native_attach(m->functional.sim, native_client_translator(m->client));
    else if (execution == EXECUTION_NATIVE)
        snprintf(text, size, "execution = native: %s", why);
    return m->client || execution != EXECUTION_NATIVE;
}

static void *
sim_create(const struct config *config, char *text, size_t size)
{
    struct machine *m = calloc(1, sizeof *m);
    struct ventus_sim_config c = functional_config(config);
    if (m)
        m->functional.sim = ventus_sim_create(&c, text, size);
    bool ok = m && m->functional.sim;
    if (ok &&
        !attach_translator(m, config->value[CONFIG_execution], text, size)) {
        ventus_sim_destroy(m->functional.sim);
        ok = false;
    }
    if (ok)
        return m;
    if (!m)
        snprintf(text, size, "out of host memory");
    free(m);
    return NULL;
}

static void
sim_destroy(void *machine)
{
    struct machine *m = machine;
    ventus_sim_destroy(m->functional.sim);
    native_client_close(m->client);
    free(m);
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

static void
sim_share(const void *machine, struct ventus_dev_share *share)
{
    const struct machine *m = machine;
    struct native_share s = native_share(m->functional.sim);
    share->native = s.translated;
    share->interpreted = s.interpreted;
    share->why = m->interprets ? m->interprets : s.why;
}

const struct engine_ops engine_sim = {
    .create = sim_create,
    .destroy = sim_destroy,
    FUNCTIONAL_MEMORY,
    .mark_writes = sim_mark_writes,
    .launch = sim_launch_grid,
    .share = sim_share,
};
