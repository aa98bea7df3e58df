/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dbg/profile.h"

/*
 * The causes that make a launch slow, from its profile: a rule for each cause that
 * a change of the kernel can remove.  The gain is an upper bound: the cycles of the
 * launch divided by those of the same launch without the cause (profile.ideal) or, where
 * that was not tried, by its time without the issue slots that the cause costs.
 */
enum advice_rule {
    ADVICE_SCATTERED,  /* lanes access more lines than their bytes fill */
    ADVICE_BANKS,      /* lanes meet in banks of local memory */
    ADVICE_DIVERGENT,  /* lanes of a warp go different ways */
    ADVICE_WORKGROUPS, /* issue slots without a warp */
    ADVICE_LATENCY,    /* too few warps to hide what they wait for */
    ADVICE_SPILLS,     /* registers are saved in private memory */
    ADVICE_REPEATED,   /* a load of the same address again and again */
    ADVICE_BARRIER,    /* warps wait for each other */
    ADVICE_BANDWIDTH,  /* memory moves as much as it can */
    ADVICE_MISSES,     /* as many misses as an L1D can have at a time */
    ADVICE_ENDS,       /* the L2 is closed at the end of each workgroup */
    ADVICE_ATOMICS,    /* an atomic of each work-item, one after the other */
    ADVICE_VECTORS,    /* many loads of one element */
    ADVICE_RULES
};

/* What is said if no rule speaks. */
#define ADVICE_NONE "no rule found anything"

struct advice {
    enum advice_rule rule;
    const struct profile_place *place; /* NULL: of no line */
    uint32_t pc;                       /* of the costliest instruction there */
    const char *cause, *change;        /* sentences */
    const char *shown; /* what the launch took without the cause, and how to see
                          that; "": it was not tried */
    double gain;       /* at most so many times faster; 0: none */
};

struct advice_list {
    struct advice at[ADVICE_RULES];
    size_t n; /* in the order of gain */
};

/* The name of a rule in JSON: "scattered". */
extern const char *const advice_names[ADVICE_RULES];

/* At most one of each rule, the line that it costs most. */
void
advice_find(struct arena *a, const struct profile *p, struct advice_list *list);

/* Which ideals the rules that speak ask for: bits of enum profile_ideal. */
unsigned
advice_ideals(struct arena *a, const struct profile *p);
