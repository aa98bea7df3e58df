/* SPDX-License-Identifier: Apache-2.0 */
/* State beside workgroups: begins, ends, time. */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sanitize/clock.h"
#include "sanitize/state.h"

static void
free_group(struct sanitize_group *g)
{
    if (!g)
        return;
    free(g->warp);
    free(g->scalar);
    free(g->local_race);
    free(g->local_unknown);
    free(g->copies.step);
    free(g);
}

static void
free_groups(struct sanitize *c)
{
    for (struct sanitize_group *g = c->groups; g;) {
        struct sanitize_group *next = g->next;
        free_group(g);
        g = next;
    }
    c->groups = NULL;
}

static struct sanitize_group *
make_group(unsigned warps, uint32_t local_B, bool scalar)
{
    struct sanitize_group *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->warps_capacity = warps;
    g->local_B = local_B;
    g->warp = calloc(warps, sizeof *g->warp);
    g->local_race = calloc(local_B / 4 + 1, sizeof *g->local_race);
    g->local_unknown = malloc((local_B / 64 + 1) * sizeof *g->local_unknown);
    if (scalar)
        g->scalar = calloc(warps, sizeof *g->scalar);
    if (g->warp && g->local_race && g->local_unknown &&
        (g->scalar || !scalar)) {
        memset(g->local_unknown, 0xff, local_B / 64 * sizeof *g->local_unknown);
        return g;
    }
    free_group(g);
    return NULL;
}

/* The state of a work-group, free and large enough, or new; NULL: no host memory. */
static struct sanitize_group *
take_group(struct sanitize *c, unsigned warps, uint32_t local_B)
{
    struct sanitize_group *g = c->groups;
    while (g && (g->busy || g->warps_capacity < warps || g->local_B < local_B))
        g = g->next;
    if (g)
        return g;
    g = make_group(warps, local_B, c->options.kinds & SANITIZE_SCALAR);
    if (g) {
        g->next = c->groups;
        c->groups = g;
    }
    return g;
}

/* Items of a workgroup are numbered one after the other, modulo the bits. */
static uint32_t
first_item(const struct sim_group *g)
{
    uint32_t size = g->warps * g->warp[0].num_thread;
    uint32_t groups = (1u << RACE_ITEM_BITS) / size;
    return groups ? (uint32_t)(g->number % groups) * size : 0;
}

static void
start(void *ctx, struct sim_group *group)
{
    struct sanitize *c = ctx;
    if (c->options.kinds == SANITIZE_MEMORY)
        return;
    const struct ventus_sim_launch *l = &group->warp[0].worker->run->launch;
    uint32_t local_B = (l->local_size_B + 63) / 64 * 64;
    struct sanitize_group *g = take_group(c, group->warps, local_B);
    group->checked = g;
    if (!g)
        return;
    g->busy = true;
    g->warps = group->warps;
    memset(g->local_race, 0, g->touched_B / 4 * sizeof *g->local_race);
    memset(g->local_unknown, 0xff,
           g->touched_B / 64 * sizeof *g->local_unknown);
    g->touched_B = 0;
    uint64_t all = first_lanes(group->warp[0].num_thread);
    for (unsigned i = 0; i < group->warps; i++) {
        struct sanitize_warp *k = &g->warp[i];
        const size_t start = offsetof(struct sanitize_warp, x_unknown);
        memset((char *)k + start, 0, sizeof *k - start);
        for (unsigned r = 0; r < SIM_VREGS; r++)
            k->unknown[r] = all;
        memset(k->unknown + SIM_VREGS, 0,
               sizeof k->unknown - SIM_VREGS * sizeof *k->unknown);
        k->loops.over = group->warp[i].stop == STOP_END;
        if (g->scalar)
            sanitize_scalar_start(&g->scalar[i]);
    }
    c->loops.changes++; /* it may be what others wait for */
    g->first_item = first_item(group);
    sanitize_clear_order(g);
    async_copies_start(&g->copies);
    uint64_t private =
        (uint64_t)l->pds_size_B * group->warps * group->warp[0].num_thread;
    if (c->options.kinds & SANITIZE_INIT && private)
        shadow_set(&c->shadow, group->pds, private, true);
}

static void
stop(void *ctx, struct sim_group *group)
{
    struct sanitize *c = ctx;
    struct sanitize_group *g = group->checked;
    if (c->options.kinds == SANITIZE_MEMORY)
        return;
    if (g)
        async_copies_end(c, group);
    group->checked = NULL;
    if (g)
        g->busy = false;
}

/* ---- the checker ---- */

struct sanitize *
sanitize_create(const struct sanitize_options *options)
{
    struct sanitize *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    assert(options->kinds && !(options->kinds & ~(unsigned)SANITIZE_KINDS));
    sanitize_operands_init();
    pthread_mutex_init(&c->lock, NULL);
    c->options = *options;
    c->rows_of = sanitize_rows_select();
    return c;
}

void
sanitize_destroy(struct sanitize *c)
{
    if (!c)
        return;
    free_groups(c);
    shadow_free(&c->shadow);
    free(c->row);
    hash_free(&c->index);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

const struct ventus_sim_instrumentation *
sanitize_begin(struct sanitize *c, sanitize_report_fn *report, void *ctx,
               const struct sanitize_quiet *quiet)
{
    c->report = report;
    c->ctx = ctx;
    c->quiet = *quiet;
    assert(!quiet->exchange.size_B ||
           quiet->exchange.at - SIM_LOCAL_BASE < SIM_LOCAL_SIZE);
    c->sites = 1; /* 0: not known */
    memset(c->recent, 0, sizeof c->recent);
    memset(c->release, 0, sizeof c->release);
    memset(c->quick, 0, sizeof c->quick);
    infinite_loop_start(c);
    c->time = 1;
    shadow_next_launch(&c->shadow);
    c->instrumentation = (struct ventus_sim_instrumentation){
        .ctx = c,
        .shares = c->options.kinds == SANITIZE_MEMORY,
        .start = start,
        .run = sanitize_run,
        .again = sanitize_run_again,
        .end = stop,
    };
    return &c->instrumentation;
}

void
sanitize_set_gaps(struct sanitize *c, const struct sanitize_gap *gap, size_t n)
{
    c->gap = gap;
    c->gaps = n;
}

void
sanitize_set_arguments(struct sanitize *c,
                       const struct sanitize_range *argument, size_t n)
{
    c->argument = argument;
    c->arguments = n;
}

void
sanitize_end(struct sanitize *c)
{
    sanitize_set_gaps(c, NULL, 0);
    sanitize_set_arguments(c, NULL, 0);
    c->report = NULL;
    c->ctx = NULL;
}

/* ---- what the host does ---- */

static bool
wants_init(const struct sanitize *c)
{
    return c && c->options.kinds & SANITIZE_INIT;
}

void
sanitize_allocated(struct sanitize *c, uint64_t address, uint64_t size)
{
    if (wants_init(c))
        shadow_allocated(&c->shadow, address, size);
}

void
sanitize_written(struct sanitize *c, uint64_t address, uint64_t size)
{
    if (wants_init(c))
        shadow_set(&c->shadow, address, size, false);
}

void
sanitize_copied(struct sanitize *c, uint64_t to, uint64_t from, uint64_t size)
{
    if (wants_init(c))
        shadow_copy(&c->shadow, to, from, size);
}

void
sanitize_released(struct sanitize *c, uint64_t address, uint64_t size)
{
    if (c)
        shadow_released(&c->shadow, address, size);
}

void
sanitize_shared(struct sanitize *c, uint64_t address, uint64_t size)
{
    if (wants_init(c))
        shadow_share(&c->shadow, address, size);
}
