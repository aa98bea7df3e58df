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

static size_t
ilines(const struct model *m)
{
    return (size_t)m->config.icache.sets * m->config.icache.ways;
}

static size_t
dlines(const struct model *m)
{
    return (size_t)m->config.dcache.sets * m->config.dcache.ways;
}

bool
bet_create(struct model *m)
{
    struct bet *b = &m->bet;
    if (m->crew.threads < 2)
        return true;
    b->sm = aligned_alloc(64, m->sms * sizeof *b->sm);
    b->iline = calloc(m->sms * ilines(m), sizeof *b->iline);
    b->dline = calloc(m->sms * dlines(m), sizeof *b->dline);
    b->l2 = calloc(1, sizeof *b->l2);
    return b->sm && b->iline && b->dline && b->l2;
}

void
bet_destroy(struct model *m)
{
    struct bet *b = &m->bet;
    free(b->sm);
    free(b->iline);
    free(b->dline);
    free(b->l2);
}

/* ---- what lies between launches ---- */

static void
keep(struct model *m)
{
    struct bet *b = &m->bet;
    memcpy(b->sm, m->sm, m->sms * sizeof *b->sm);
    *b->l2 = m->l2;
    for (unsigned i = 0; i < m->sms; i++) {
        memcpy(b->iline + i * ilines(m), m->sm[i].icache.line,
               ilines(m) * sizeof *b->iline);
        memcpy(b->dline + i * dlines(m), m->sm[i].dcache.line,
               dlines(m) * sizeof *b->dline);
    }
}

static void
give_back(struct model *m)
{
    const struct bet *b = &m->bet;
    memcpy(m->sm, b->sm, m->sms * sizeof *b->sm);
    m->l2 = *b->l2;
    for (unsigned i = 0; i < m->sms; i++) {
        memcpy(m->sm[i].icache.line, b->iline + i * ilines(m),
               ilines(m) * sizeof *b->iline);
        memcpy(m->sm[i].dcache.line, b->dline + i * dlines(m),
               dlines(m) * sizeof *b->dline);
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
