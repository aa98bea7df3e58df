/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What the rules of advice share: the launch as a whole, and bounds. */

#include "dbg/advice.h"

/* The launch as a whole. */
struct facts {
    struct arena *arena;
    const struct profile *p;
    double slots, cause[VENTUS_MODEL_STALLS];
    double accesses, lines;  /* of memory, of all instructions */
    double loads;            /* of those accesses */
    double scalars, atomics; /* accesses of one word a lane; lanes of atomics */
    double requests;         /* to external memory */
    double issued,
        fetches; /* instructions; requests for pairs of them, also in vain */
    double lanes, lanes_all, warp_cycles, workgroups;
    double mshr_full; /* cycles, of all SMs */
    double closed;    /* share of the cycles in which the L2 took nothing */
    unsigned wanted;  /* bits of the ideals that rules asked for */
    struct advice_list *list;
};

/* What a rule promises at most, and how that is shown. */
struct bound {
    double gain;
    const char *shown;
};

void
sum_up(struct facts *f);

/* Cycles, of all SMs, in which they fetch so many instructions. */
double
fetch_cycles(const struct facts *f, double instructions);

/* What is saved with so many slots less, of some. */
struct bound
without(double slots, double of);

struct bound
estimated(const struct facts *f, double slots);

struct bound
larger(struct bound a, struct bound b);

double
gain_of(struct facts *f, enum profile_ideal ideal);

const char *
shown_by(struct facts *f, enum profile_ideal ideal);

struct bound
simulated(struct facts *f, enum profile_ideal ideal, double slots);

void
add(struct facts *f, enum advice_rule rule, long line, struct bound bound,
    const char *cause, const char *change);

typedef double
cost_of(const struct facts *f, const struct spot *s);

long
costliest(const struct facts *f, cost_of *cost, double *whole, double *own);
