/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Facts and bounds that the rules of advice share. */

#include "dbg/advice.h"

/* Sums over the whole launch. */
struct facts {
    struct arena *arena;
    const struct profile *p;
    double slots, cause[VENTUS_MODEL_STALLS];
    /* Accesses to memory, of all instructions; their lines. */
    double accesses, lines;
    double loads; /* accesses that are loads */
    /* Accesses of one word per lane; active lanes of atomics. */
    double scalars, atomics;
    double requests; /* requests to external memory */
    double issued,
        /* Issued instructions; fetch requests, for pairs of instructions, including
         * wasted ones. */
        fetches;
    double lanes, lanes_all, warp_cycles, workgroups;
    double mshr_full; /* cycles, over all SMs */
    double closed;    /* share of the cycles in which the L2 was closed */
    unsigned wanted;  /* bits of the ideals that rules asked for */
    struct advice_list *list;
};

/* The upper bound of a gain, and the command that shows it. */
struct bound {
    double gain;
    const char *shown;
};

void
advice_sum_up(struct facts *f);

/* Cycles, over all SMs, that fetching so many instructions takes. */
double
advice_fetch_cycles(const struct facts *f, double instructions);

/* The bound if `slots` of `of` slots are saved. */
struct bound
advice_without(double slots, double of);

struct bound
advice_estimated(const struct facts *f, double slots);

struct bound
advice_larger(struct bound a, struct bound b);

double
advice_gain(struct facts *f, enum profile_ideal ideal);

const char *
advice_shown_by(struct facts *f, enum profile_ideal ideal);

struct bound
advice_simulated(struct facts *f, enum profile_ideal ideal, double slots);

void
advice_add(struct facts *f, enum advice_rule rule, long line,
           struct bound bound, const char *cause, const char *change);

typedef double
cost_of(const struct facts *f, const struct spot *s);

long
advice_costliest(const struct facts *f, cost_of *cost, double *whole,
                 double *own);
