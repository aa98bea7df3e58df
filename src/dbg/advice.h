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
    ADVICE_BANKS,      /* lanes conflict in banks of local memory */
    ADVICE_DIVERGENT,  /* lanes of a warp diverge */
    ADVICE_WORKGROUPS, /* issue slots without a warp */
    ADVICE_LATENCY,    /* too few warps to hide latencies */
    ADVICE_SPILLS,     /* registers are saved in private memory */
    ADVICE_REPEATED,   /* a load of the same address again and again */
    ADVICE_BARRIER,    /* warps wait for each other */
    ADVICE_BANDWIDTH,  /* memory works at its peak bandwidth */
    ADVICE_MISSES,     /* all MSHRs of an L1D are in use */
    ADVICE_ENDS,       /* the L2 is closed at the end of each workgroup */
    ADVICE_ATOMICS,    /* atomics of every work-item, serialised */
    ADVICE_VECTORS,    /* many loads of one element */
    ADVICE_RULES
};

/* The text that is printed if no rule applies. */
#define ADVICE_NONE "no rule found anything"

struct advice {
    enum advice_rule rule;
    const struct profile_place *place; /* NULL: advice for the whole launch */
    uint32_t pc;                /* pc of the costliest instruction there */
    const char *cause, *change; /* sentences */
    /* Cycles of the launch without the cause, and the command that shows them; "": not
     * tried. */
    const char *shown;
    double gain; /* speed-up, an upper bound; 0: unknown */
};

struct advice_list {
    struct advice at[ADVICE_RULES];
    size_t n; /* in the order of gain */
};

/* The name of a rule in JSON: "scattered". */
extern const char *const advice_names[ADVICE_RULES];

/* Applies the rules: at most one advice of each, for the line that costs most. */
void
advice_find(struct arena *a, const struct profile *p, struct advice_list *list);

/* The ideals that would bound the advice of the rules: bits of enum profile_ideal. */
unsigned
advice_ideals(struct arena *a, const struct profile *p);
