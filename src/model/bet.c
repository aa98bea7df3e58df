/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch on several host threads is a bet that SMs do not race: ahead.c runs
 * some ahead of others, race.c looks whether anybody could tell.  It is lost,
 * too, when something happens that cannot be undone or is not worth it: a
 * print, a fault, a deadlock, code that is written.  Then memory and model
 * become what they were, the launch is done on one thread, and so are all later
 * launches of that kernel.
 */
#include "model/bet.h"

#include <stdlib.h>
#include <string.h>

#include "model/machine.h"

/* Arrays of the size of the machine's, for what they hold before. */
static bool
make_arrays(struct bet *b, const struct model *m)
{
    const struct model_cache *i = &m->config.icache, *d = &m->config.dcache;
    bool ok = b->itags && b->dlines;
    for (unsigned k = 0; ok && k < m->sms; k++)
        ok = set_assoc_create(&b->itags[k], i->replacement, i->sets, i->ways,
                              0) &&
             set_assoc_create(&b->dlines[k], d->replacement, d->sets, d->ways,
                              0);
    return ok;
}

bool
bet_create(struct model *m)
{
    struct bet *b = &m->bet;
    if (m->crew.threads < 2)
        return true;
    b->sms = m->sms;
    b->sm = aligned_alloc(64, m->sms * sizeof *b->sm);
    b->itags = calloc(m->sms, sizeof *b->itags);
    b->dlines = calloc(m->sms, sizeof *b->dlines);
    return b->sm && make_arrays(b, m);
}

void
bet_destroy(struct model *m)
{
    struct bet *b = &m->bet;
    for (unsigned i = 0; i < b->sms; i++) {
        if (b->itags)
            set_assoc_destroy(&b->itags[i]);
        if (b->dlines)
            set_assoc_destroy(&b->dlines[i]);
    }
    free(b->itags);
    free(b->dlines);
    free(b->sm);
}

/* ---- what lies between launches ---- */

static void
keep(struct model *m)
{
    struct bet *b = &m->bet;
    memcpy(b->sm, m->sm, m->sms * sizeof *b->sm);
    b->l2_last = l2_checkpoint(&m->l2);
    for (unsigned i = 0; i < m->sms; i++) {
        set_assoc_copy(&b->itags[i], &m->sm[i].icache.tags);
        set_assoc_copy(&b->dlines[i], &m->sm[i].dcache.lines);
    }
}

static void
give_back(struct model *m)
{
    const struct bet *b = &m->bet;
    memcpy(m->sm, b->sm, m->sms * sizeof *b->sm);
    l2_restore(&m->l2, b->l2_last);
    for (unsigned i = 0; i < m->sms; i++) {
        set_assoc_copy(&m->sm[i].icache.tags, &b->itags[i]);
        set_assoc_copy(&m->sm[i].dcache.lines, &b->dlines[i]);
    }
}

/* ---- the bet ---- */

static uint64_t
kernel_of(const struct sim_launch *launch)
{
    return launch->kernel ? launch->kernel : launch->pc;
}

static bool
was_lost(const struct bet *b, uint64_t kernel)
{
    unsigned n = b->kernels < BET_LOST ? b->kernels : BET_LOST;
    for (unsigned i = 0; i < n; i++)
        if (b->kernel[i] == kernel)
            return true;
    return false;
}

static void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    struct model *m = ctx;
    (void)group;
    (void)warp;
    (void)value;
    m->bet.lost = true;
}

void
bet_begin(struct model *m, struct sim_launch *launch)
{
    struct bet *b = &m->bet;
    b->lost = false;
    b->on = crew_may(m) && !was_lost(b, kernel_of(launch)) && step_keep(m->sim);
    if (!b->on)
        return;
    keep(m);
    if (launch->stats)
        b->stats = *launch->stats;
    b->hooks = (struct sim_hooks){ .ctx = m };
    if (launch->hooks && launch->hooks->print)
        b->hooks.print = on_print;
    launch->hooks = &b->hooks;
}

bool
bet_end(struct model *m, const struct sim_launch *launch, bool ok)
{
    struct bet *b = &m->bet;
    if (!b->on)
        return true;
    b->on = false;
    if (ok && !b->lost && step_keeps(m->sim)) {
        step_forget(m->sim);
        return true;
    }
    step_undo(m->sim);
    give_back(m);
    if (launch->stats)
        *launch->stats = b->stats;
    b->kernel[b->kernels++ % BET_LOST] = kernel_of(launch);
    return false;
}
