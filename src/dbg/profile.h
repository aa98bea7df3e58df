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
    unsigned num_sm, num_warp, num_thread;
    unsigned line_B;        /* of the L2: what memory moves */
    unsigned dcache_line_B; /* of an L1D: what a request moves */
    unsigned dcache_mshrs;  /* lines that it can wait for */
    unsigned local_banks;   /* 0: local memory goes through the L1D */
    unsigned clock_MHz;
    bool one_group; /* it runs one workgroup at a time */
    double peak_B;  /* of external memory, a cycle */
};

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
    uint16_t resident[PROFILE_SMS]; /* warps of each SM */
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

/* Members of the object under way: "sms", "causes", "timeline", "lines",
 * "instructions". */
void
profile_json(const struct profile *p, struct json *j);

/* Tables for people: the lines and the instructions that cost most. */
void
profile_hot(const struct profile *p, FILE *out);

void
profile_free(struct profile *p);
