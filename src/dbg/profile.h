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
    uint64_t warps;    /* resident warps, summed over cycles */
    uint64_t requests; /* requests to memory */
};

/* The source position of the instruction with the same index in the table. */
struct profile_place {
    const char *symbol, *file; /* "" if unknown */
    /* Text of the line; NULL: not recorded, but perhaps in the file. */
    const char *text;
    unsigned line, column; /* column 0: unknown */
};

/* Parameters of the machine for counts by instruction and for advice. */
struct profile_machine {
    unsigned num_sm, num_warp, num_thread, issue_width;
    unsigned line_B;        /* line of the L2: the unit of memory traffic */
    unsigned dcache_line_B; /* line of an L1D: the unit of requests */
    unsigned dcache_mshrs;  /* outstanding misses of an L1D */
    unsigned local_banks;   /* 0: local memory goes through the L1D */
    unsigned clock_MHz;
    bool one_group; /* the machine runs one workgroup at a time */
    double peak_B;  /* peak bandwidth of external memory, per cycle */
};

/* Cycles of SMs that have warps, while some of these wait at a barrier and while none
 * does; and the instructions issued in either. */
struct profile_barriers {
    uint64_t cycles, issued, free_cycles, free_issued;
    double
        warps_share; /* cycles, each times the share of the warps that wait */
};

/* Ideals: the launch again without one cause of its waits, an upper bound of the gain
 * by a change that removes the cause. */
enum profile_ideal {
    PROFILE_WALKS,   /* the L2 is never closed */
    PROFILE_FIRST,   /* only the workgroups that run at a time, once */
    PROFILE_LINES,   /* lanes access contiguous words */
    PROFILE_LOCAL,   /* lanes access contiguous words through local memory */
    PROFILE_BANKS,   /* no conflicts in local memory */
    PROFILE_PRIVATE, /* private memory as fast as local memory */
    PROFILE_ATOMICS, /* atomics make no requests to memory */
    PROFILE_IDEALS
};

/* The setting of the machine for an ideal, "ideal_walks=yes"; NULL: there is none. */
extern const char *const profile_ideal_settings[PROFILE_IDEALS];

struct profile {
    struct profile_machine machine; /* set before the profile begins */
    struct arena arena;
    struct spots code;
    struct profile_place *place;
    struct ventus_model_stats *sm;
    unsigned sms;
    bool incomplete; /* memory ran out */
    struct profile_bin bin[PROFILE_BINS];
    uint64_t bin_cycles, cycles, base;
    uint16_t resident[PROFILE_SMS]; /* resident warps by SM */
    /* Resident warps of all SMs: now, and their maximum. */
    unsigned all_resident, most_resident;
    /* Bits: warps that wait at a barrier, by SM. */
    uint64_t barrier_at[PROFILE_SMS];
    struct profile_barriers barriers;
    uint64_t alone; /* slots without a warp while another SM has one */
    uint64_t ideal[PROFILE_IDEALS]; /* cycles by ideal; 0: not tried */
    uint64_t memory_busy;           /* cycles with an outstanding request */
    uint64_t warps;                 /* number of warps that began */
    /* Instructions of the kernel that save or restore registers. */
    uint32_t spills;
};

void
profile_begin(struct profile *p);

/* The hook of struct ventus_model_hooks; ctx is the profile. */
void
profile_event(void *ctx, const struct ventus_model_event *e);

void
profile_end(struct profile *p, const struct ventus_model_stats *const *sm,
            unsigned sms);

/* Sets file and symbol of a pc, in the arena; false: unknown. */
typedef bool
profile_namer(void *ctx, struct arena *a, uint64_t pc,
              struct profile_place *place);

void
profile_place(struct profile *p, profile_namer *name, void *ctx);

/* The maximal number of workgroups that ran at the same time. */
uint64_t
profile_at_once(const struct profile *p);

/* Writes members of the current JSON object: "sms", "causes", "timeline", "lines",
 * "instructions". */
void
profile_json(const struct profile *p, struct json *j);

/* Writes tables for people: the lines and the instructions that cost most. */
void
profile_hot(const struct profile *p, FILE *out);

void
profile_free(struct profile *p);
