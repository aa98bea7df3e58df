/* SPDX-License-Identifier: Apache-2.0 */
/* The cycle-level machine as an engine. */
#include <ventus/model.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "dev/engine/functional.h"

struct counted {
    struct functional functional; /* first: functional.c takes it for this */
    struct ventus_model *model;
};

static struct ventus_model_config
read_config(const uint64_t *v)
{
    struct ventus_model_config c;
    ventus_model_defaults(&c);
#define MODEL_KEY(section, name, member, ...) \
    c.member = (__typeof__(c.member))v[CONFIG_##name];
#include "model/config_table.h"
#undef MODEL_KEY
    return c;
}

static void *
model_create(const struct config *config, char *text, size_t size)
{
    if (config->value[CONFIG_execution] == EXECUTION_NATIVE) {
        snprintf(text, size, "execution = native: engine = model interprets");
        return NULL;
    }
    struct counted *f = calloc(1, sizeof *f);
    struct ventus_sim_config machine = functional_config(config);
    struct ventus_model_config c = read_config(config->value);
    if (f)
        f->model = ventus_model_create(&machine, &c, text, size);
    if (f && f->model) {
        f->functional.sim = ventus_model_sim(f->model);
        return f;
    }
    if (!f)
        snprintf(text, size, "out of host memory");
    free(f);
    return NULL;
}

static void
model_destroy(void *machine)
{
    struct counted *f = machine;
    ventus_model_destroy(f->model);
    free(f);
}

static void
on_issue(void *ctx, uint64_t cycle, unsigned sm, unsigned warp,
         const struct ventus_sim_step *step)
{
    const struct engine_launch *l = ctx;
    assert(step->in);
    for (unsigned i = 0; i < l->observers; i++)
        if (l->observer[i].issue)
            l->observer[i].issue(l->observer[i].ctx, cycle, sm, warp, step);
}

static void
on_event(void *ctx, const struct ventus_model_event *e)
{
    const struct engine_launch *l = ctx;
    for (unsigned i = 0; i < l->observers; i++)
        if (l->observer[i].event)
            l->observer[i].event(l->observer[i].ctx, e);
}

/* The hooks of the model: those that at least one observer wants. */
static struct ventus_model_hooks
observed(const struct engine_launch *l)
{
    struct ventus_model_hooks hooks = { .ctx = (void *)(uintptr_t)l };
    for (unsigned i = 0; i < l->observers; i++) {
        if (l->observer[i].issue)
            hooks.issue = on_issue;
        if (l->observer[i].event)
            hooks.event = on_event;
    }
    return hooks;
}

struct counting {
    struct profile *profile;
    const struct ventus_model_stats **sm;
    unsigned n;
};

static void
add_stats(void *ctx)
{
    const struct counting *c = ctx;
    profile_end(c->profile, c->sm, c->n);
}

static void
end_profile(struct profile *p, struct ventus_model *m)
{
    unsigned n = ventus_sim_configuration(ventus_model_sim(m))->num_sm;
    const struct ventus_model_stats **sm = calloc(n, sizeof *sm);
    struct counting c = { p, sm, n };
    for (unsigned i = 0; sm && i < n; i++)
        sm[i] = ventus_model_sm_stats(m, i);
    if (!sm || !oom_call(add_stats, &c))
        p->incomplete = true;
    free(sm);
}

static void
add_counter(struct ventus_dev_counters *to, const char *name, uint64_t value)
{
    unsigned i = 0;
    while (i < to->n && strcmp(to->at[i].name, name) != 0)
        i++;
    assert(i < sizeof to->at / sizeof *to->at);
    if (i == to->n)
        to->at[to->n++] = (struct ventus_dev_counter){ name, 0 };
    to->at[i].value += value;
}

static void
add_counters(struct ventus_dev_counters *to, const struct ventus_model_stats *s)
{
    for (const struct ventus_model_counter *c = ventus_model_counters; c->name;
         c++) {
        uint64_t value;
        memcpy(&value, (const char *)s + c->offset, sizeof value);
        add_counter(to, c->name, value);
    }
}

static bool
model_launch_grid(void *machine, const struct engine_launch *l,
                  struct engine_fault *fault)
{
    const struct counted *counted = machine;
    struct ventus_model_stats stats = { 0 };
    const struct ventus_model_hooks watch = observed(l);
    if (l->profile)
        profile_begin(l->profile);
    struct ventus_sim_fault f;
    bool ok =
        ventus_model_launch(counted->model, &l->launch, &watch, &stats, &f);
    assert(ok || f.kind != VENTUS_SIM_FAULT_NONE);
    if (!ok)
        functional_fault(fault, &f);
    if (l->profile) {
        end_profile(l->profile, counted->model);
        l->profile->memory_busy += stats.memory_busy;
    }
    if (l->counters)
        add_counters(l->counters, &stats);
    unsigned sms =
        l->sm ? ventus_sim_configuration(counted->functional.sim)->num_sm : 0;
    for (unsigned i = 0; i < sms; i++)
        add_counters(&l->sm[i], ventus_model_sm_stats(counted->model, i));
    *l->cycles += stats.cycles;
    return ok;
}

static double
model_peak(const void *machine)
{
    const struct counted *counted = machine;
    return ventus_model_peak(counted->model);
}

static void *
model_copy(void *machine, const struct config *config, uint64_t max_B)
{
    const struct counted *from = machine;
    char text[256];
    if (ventus_sim_mapped(from->functional.sim) > max_B)
        return NULL;
    struct counted *to = model_create(config, text, sizeof text);
    if (!to || ventus_sim_copy(to->functional.sim, from->functional.sim))
        return to;
    model_destroy(to);
    return NULL;
}

const struct engine_ops engine_model = {
    .create = model_create,
    .destroy = model_destroy,
    FUNCTIONAL_MEMORY,
    .launch = model_launch_grid,
    .peak = model_peak,
    .copy = model_copy,
};
