/* SPDX-License-Identifier: Apache-2.0 */
#include "dbg/advice_facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The smallest gain that is worth a change of the kernel. */
#define LEAST_GAIN 1.05

void
advice_sum_up(struct facts *f)
{
    const struct profile *p = f->p;
    for (unsigned b = 0; b < PROFILE_BINS; b++) {
        f->requests += (double)p->bin[b].requests;
        f->warp_cycles += (double)p->bin[b].warps;
        for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++) {
            f->cause[i] += (double)p->bin[b].slots[i];
            f->slots += (double)p->bin[b].slots[i];
        }
    }
    for (size_t i = 0; i < p->code.n; i++) {
        const struct spot *s = &p->code.row[i];
        f->accesses += (double)s->use.accesses;
        f->lines += (double)s->use.lines;
        f->loads += s->use.load ? (double)s->use.accesses : 0;
        f->scalars += (double)s->use.scalars;
        f->atomics += (double)s->use.atomics;
        f->issued += (double)s->issued;
    }
    for (unsigned i = 0; i < p->sms; i++) {
        f->workgroups += (double)p->sm[i].workgroups;
        f->lanes += (double)p->sm[i].vector_lanes;
        f->mshr_full += (double)p->sm[i].mshr_full;
        f->fetches += (double)(p->sm[i].icache_hits + p->sm[i].icache_misses);
        f->lanes_all +=
            (double)(p->sm[i].vector_issued * p->machine.num_thread);
        f->closed += (double)p->sm[i].l2_walks;
    }
    f->closed = p->cycles ? f->closed / (double)p->cycles : 0;
    if (f->closed > 1)
        f->closed = 1;
}

/* Cycles that fetching takes: one for a request, and for an instruction as many
 * requests as in the launch on average. */
double
advice_fetch_cycles(const struct facts *f, double instructions)
{
    return f->issued > 0 ? instructions * f->fetches / f->issued : 0;
}

struct bound
advice_without(double slots, double of)
{
    double left = of - slots;
    return (struct bound){ left > of / 100 ? of / left : 100, "" };
}

/* The bound if `slots` are saved.  Slots of SMs that are idle while others work cannot
 * be saved. */
struct bound
advice_estimated(const struct facts *f, double slots)
{
    return advice_without(slots, f->slots - (double)f->p->alone);
}

struct bound
advice_larger(struct bound a, struct bound b)
{
    const char *shown = *a.shown ? a.shown : b.shown;
    return (struct bound){ a.gain >= b.gain ? a.gain : b.gain, shown };
}

/* The speed-up of the launch without the cause; 0: not tried. */
double
advice_gain(struct facts *f, enum profile_ideal ideal)
{
    uint64_t cycles = f->p->ideal[ideal];
    f->wanted |= 1u << ideal;
    return cycles ? (double)f->p->cycles / (double)cycles : 0;
}

const char *
advice_shown_by(struct facts *f, enum profile_ideal ideal)
{
    double gain = advice_gain(f, ideal);
    return gain > 0
               ? arena_printf(
                     f->arena, "%.2fx alone: %" PRIu64 " cycles with --set %s",
                     gain, f->p->ideal[ideal], profile_ideal_settings[ideal])
               : "";
}

/* The bound from the launch without the cause, all else equal.  A change of the kernel
 * may gain more, as it changes the compiler's work on the rest, too: at most the slots
 * that the cause may have cost. */
struct bound
advice_simulated(struct facts *f, enum profile_ideal ideal, double slots)
{
    struct bound alone = { advice_gain(f, ideal), advice_shown_by(f, ideal) };
    return advice_larger(alone, advice_estimated(f, slots));
}

/* Adds an advice; `line` is the number of a row of the code; -1: for the whole launch. */
void
advice_add(struct facts *f, enum advice_rule rule, long line,
           struct bound bound, const char *cause, const char *change)
{
    if (bound.gain != 0 && bound.gain < LEAST_GAIN)
        return;
    struct advice *to = &f->list->at[f->list->n++];
    *to = (struct advice){ .rule = rule,
                           .cause = cause,
                           .change = change,
                           .shown = bound.shown,
                           .gain = bound.gain };
    if (line >= 0) {
        to->place = &f->p->place[line];
        to->pc = f->p->code.row[line].pc;
    }
}

static bool
same_line(const struct facts *f, size_t i, size_t j)
{
    const struct profile_place *a = &f->p->place[i], *b = &f->p->place[j];
    return i == j ||
           (a->line && a->line == b->line && strcmp(a->file, b->file) == 0);
}

/* The instruction whose line costs most by a measure, -1 if none costs anything;
 * *whole: the sum over all instructions; *own: the sum over its line. */
long
advice_costliest(const struct facts *f, cost_of *cost, double *whole,
                 double *own)
{
    long found = -1;
    double most = 0;
    *whole = *own = 0;
    for (size_t i = 0; i < f->p->code.n; i++) {
        double x = cost(f, &f->p->code.row[i]);
        *whole += x;
        if (x > most) {
            most = x;
            found = (long)i;
        }
    }
    for (size_t i = 0; found >= 0 && i < f->p->code.n; i++)
        if (same_line(f, i, (size_t)found))
            *own += cost(f, &f->p->code.row[i]);
    return found;
}
