/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speculative launches.  On several host threads a launch speculates that SMs do not
 * race: lookahead.c runs them ahead of each other, access_log.c detects races.  Events
 * that cannot be rolled back, or are rare, are misspeculations, too: a print, a
 * fault, a deadlock, a store to code.  Then memory and model are restored from the
 * checkpoint at the start of the launch.  The launch runs on one thread, and so do
 * all later launches of that kernel.
 */
#include "model/parallel/speculation.h"

#include <assert.h>
#include <stdlib.h>

#include "model/machine.h"
#include "model/parallel/lookahead.h"

/* Kernels that are remembered after a misspeculation. */
enum { SPECULATION_FAILED = 64 };

struct speculation {
    bool on;
    struct ventus_sim_hooks hooks; /* during a speculative launch */
    struct ventus_sim_stats stats; /* the launch's, before speculation */
    /* The checkpoint: what persists between launches. */
    struct sm_kept *kept; /* one for each SM */
    unsigned sms;
    struct set_assoc *itags, *dlines, *values; /* one for each SM */
    struct l2_persistent l2;
    uint64_t kernel[SPECULATION_FAILED];
    unsigned kernels;
};

/* Arrays of the size of the machine's, for the checkpoint. */
static bool
make_arrays(struct speculation *b, const struct ventus_model *m)
{
    const struct ventus_model_cache *i = &m->config.icache,
                                    *d = &m->config.dcache;
    bool ok = b->itags && b->dlines && b->values;
    for (unsigned k = 0; ok && k < m->sms; k++)
        ok = set_assoc_create(&b->itags[k], i->replacement, i->sets, i->ways,
                              0) &&
             set_assoc_create(&b->dlines[k], d->replacement, d->sets, d->ways,
                              0) &&
             set_assoc_create(&b->values[k], d->replacement, d->sets, d->ways,
                              0);
    return ok;
}

bool
speculation_create(struct ventus_model *m)
{
    if (!m->lookahead)
        return true;
    struct speculation *b = calloc(1, sizeof *b);
    m->speculation = b;
    if (!b)
        return false;
    b->sms = m->sms;
    b->kept = malloc(m->sms * sizeof *b->kept);
    b->itags = calloc(m->sms, sizeof *b->itags);
    b->dlines = calloc(m->sms, sizeof *b->dlines);
    b->values = calloc(m->sms, sizeof *b->values);
    return b->kept && make_arrays(b, m);
}

void
speculation_destroy(struct ventus_model *m)
{
    struct speculation *b = m->speculation;
    for (unsigned i = 0; b && i < b->sms; i++) {
        if (b->itags)
            set_assoc_destroy(&b->itags[i]);
        if (b->dlines)
            set_assoc_destroy(&b->dlines[i]);
        if (b->values)
            set_assoc_destroy(&b->values[i]);
    }
    if (!b)
        return;
    free(b->itags);
    free(b->dlines);
    free(b->values);
    free(b->kept);
    free(b);
}

/* ---- checkpoint: what persists between launches ---- */

static void
checkpoint(struct ventus_model *m)
{
    struct speculation *b = m->speculation;
    b->l2 = l2_checkpoint(&m->l2);
    for (unsigned i = 0; i < m->sms; i++) {
        b->kept[i] = m->sm[i].kept;
        icache_checkpoint(&m->sm[i].icache, &b->itags[i]);
        dcache_checkpoint(&m->sm[i].dcache, &b->dlines[i]);
        rcc_checkpoint(&m->sm[i].rcc, &b->values[i]);
    }
}

static void
restore(struct ventus_model *m)
{
    const struct speculation *b = m->speculation;
    assert(b->sms == m->sms && !m->runs_ahead &&
           "checkpoints are taken between the windows");
    l2_restore(&m->l2, b->l2);
    for (unsigned i = 0; i < m->sms; i++) {
        m->sm[i].kept = b->kept[i];
        icache_restore(&m->sm[i].icache, &b->itags[i]);
        dcache_restore(&m->sm[i].dcache, &b->dlines[i]);
        rcc_restore(&m->sm[i].rcc, &b->values[i]);
    }
}

/* ---- a launch ---- */

static uint64_t
kernel_of(const struct ventus_sim_launch *launch)
{
    return launch->kernel ? launch->kernel : launch->pc;
}

static bool
has_failed(const struct speculation *b, uint64_t kernel)
{
    unsigned n =
        b->kernels < SPECULATION_FAILED ? b->kernels : SPECULATION_FAILED;
    for (unsigned i = 0; i < n; i++)
        if (b->kernel[i] == kernel)
            return true;
    return false;
}

static void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    struct ventus_model *m = ctx;
    (void)group;
    (void)warp;
    (void)value;
    m->misspeculated = true;
}

/* Findings of a part that is rolled back may have been told: then they were about to
 * happen, by a race. */
static void
on_padding(void *ctx, const struct ventus_sim_fault *fault, unsigned bytes,
           bool write)
{
    struct ventus_model *m = ctx;
    m->host->padding(m->host->ctx, fault, bytes, write);
}

bool
speculation_begin(struct ventus_model *m, struct ventus_sim_launch *launch)
{
    struct speculation *b = m->speculation;
    assert(!b || !b->on);
    m->misspeculated = false;
    if (!b || !lookahead_is_usable(m) || has_failed(b, kernel_of(launch)) ||
        !step_checkpoint(m->sim))
        return false;
    b->on = true;
    checkpoint(m);
    if (launch->stats)
        b->stats = *launch->stats;
    b->hooks = (struct ventus_sim_hooks){ .ctx = m };
    if (launch->hooks && launch->hooks->print)
        b->hooks.print = on_print;
    if (launch->hooks && launch->hooks->padding)
        b->hooks.padding = on_padding;
    launch->hooks = &b->hooks;
    return true;
}

bool
speculation_end(struct ventus_model *m, const struct ventus_sim_launch *launch,
                bool ok)
{
    struct speculation *b = m->speculation;
    if (!b || !b->on)
        return true;
    b->on = false;
    if (ok && !m->misspeculated && step_can_roll_back(m->sim)) {
        step_commit(m->sim);
        return true;
    }
    step_rollback(m->sim);
    restore(m);
    if (launch->stats)
        *launch->stats = b->stats;
    b->kernel[b->kernels++ % SPECULATION_FAILED] = kernel_of(launch);
    return false;
}

unsigned
speculation_rollbacks(const struct ventus_model *m)
{
    return m->speculation ? m->speculation->kernels : 0;
}
