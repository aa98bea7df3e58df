/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include <ventus/model.h>

#include "base/arena.h"
#include "base/json.h"
#include "dbg/spots.h"

/*
 * The cycles of a launch by instruction, by time and by SM.
 *
 *     struct profile p = { 0 };
 *     profile_begin(&p);                   for each piece of the launch
 *     hooks.event = profile_event, hooks.ctx = &p;  ventus_model_launch(...)
 *     profile_end(&p, model);
 *     profile_place(&p, name, ctx);        before the program is unloaded
 *     profile_json(&p, &json);
 *     profile_free(&p);
 *
 * Time has at most PROFILE_BINS bins; when a launch takes longer, each two
 * neighbours are merged.
 */
enum { PROFILE_BINS = 256, PROFILE_SMS = 1024 };

struct profile_bin {
    uint64_t slots[VENTUS_MODEL_STALLS];
    uint64_t warps;    /* resident, summed over cycles */
    uint64_t requests; /* to memory */
};

/* Where the instruction of the same number in the table stands. */
struct profile_place {
    const char *symbol, *file; /* "" if not known */
    const char *text;          /* of the line; NULL: it may be in the file */
    unsigned line, column;     /* column 0: not known */
};

/* The machine, for what is counted by instruction and for advice. */
struct profile_machine {
    unsigned num_sm, num_warp, num_thread, issue_width;
    unsigned line_B;        /* of the L2: what memory moves */
    unsigned dcache_line_B; /* of an L1D: what a request moves */
    unsigned dcache_mshrs;  /* lines that it can wait for */
    unsigned local_banks;   /* 0: local memory goes through the L1D */
    unsigned clock_MHz;
    bool one_group; /* it runs one workgroup at a time */
    double peak_B;  /* of external memory, a cycle */
};

/* Cycles of SMs that have warps: while some of these wait at a barrier, and while none
 * does; what was issued in them. */
struct profile_barriers {
    uint64_t cycles, issued, free_cycles, free_issued;
    double
        warps_share; /* cycles, each times the share of the warps that wait */
};

/* The launch again, without a cause of its waits: what a change that removes the cause
 * gains at most. */
enum profile_ideal {
    PROFILE_WALKS,   /* the L2 is never closed */
    PROFILE_FIRST,   /* only the workgroups that run at a time, once */
    PROFILE_LINES,   /* lanes access words that lie together */
    PROFILE_LOCAL,   /* the same, through local memory */
    PROFILE_BANKS,   /* no conflicts in local memory */
    PROFILE_PRIVATE, /* private memory as fast as local memory */
    PROFILE_ATOMICS, /* atomics ask no memory */
    PROFILE_IDEALS
};

/* The setting of the machine that does it, "ideal_walks=yes"; NULL: none does. */
extern const char *const profile_ideal_settings[PROFILE_IDEALS];

struct profile {
    struct profile_machine machine; /* set before it begins */
    struct arena arena;
    struct spots code;
    struct profile_place *place;
    struct ventus_model_stats *sm;
    unsigned sms;
    bool incomplete; /* memory ran out */
    struct profile_bin bin[PROFILE_BINS];
    uint64_t bin_cycles, cycles, base;
    uint16_t resident[PROFILE_SMS];       /* warps of each SM */
    unsigned all_resident, most_resident; /* of all SMs: now, at most */
    uint64_t barrier_at[PROFILE_SMS]; /* bits: warps that wait at a barrier */
    struct profile_barriers barriers;
    uint64_t alone; /* slots without a warp while another SM has one */
    uint64_t ideal[PROFILE_IDEALS]; /* cycles; 0: it was not tried */
    uint64_t memory_busy;           /* cycles with an outstanding request */
    uint64_t warps;                 /* that began */
    uint32_t spills;                /* instructions of the kernel that do */
};

void
profile_begin(struct profile *p);

/* For struct ventus_model_hooks; ctx is the profile. */
void
profile_event(void *ctx, const struct ventus_model_event *e);

void
profile_end(struct profile *p, const struct ventus_model_stats *const *sm,
            unsigned sms);

/* Sets file and symbol of a pc, in the arena; false: not known. */
typedef bool
profile_namer(void *ctx, struct arena *a, uint64_t pc,
              struct profile_place *place);

void
profile_place(struct profile *p, profile_namer *name, void *ctx);

/* How many workgroups ran at a time, at most. */
uint64_t
profile_at_once(const struct profile *p);

/* Members of the object under way: "sms", "causes", "timeline", "lines",
 * "instructions". */
void
profile_json(const struct profile *p, struct json *j);

/* Tables for people: the lines and the instructions that cost most. */
void
profile_hot(const struct profile *p, FILE *out);

void
profile_free(struct profile *p);
