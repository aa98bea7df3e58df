/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sanitize/operands.h"
#include "sim/warp.h"

struct sanitize;
struct sanitize_words;

/*
 * Copies of work-groups: async_work_group_copy and wait_group_events, which the
 * device library tells by hints (abi/hints.h).  The machine copies at once; by the
 * specification the copy takes place at any time up to the wait.
 *
 * All work-items have to begin the same copies and waits in the same order.  A
 * work-group has a log of them: what the first warp that came to one told.  The
 * others are compared with that.
 */
enum { COPY_OPERANDS = 16 };

struct copy_step {
    uint64_t pc;
    unsigned hint; /* HINT_WAIT, or of a copy, with the size */
    unsigned told; /* operands, or events */
    uint32_t operand[COPY_OPERANDS]; /* of events the first ones */
    uint32_t event;                  /* of a copy */
    unsigned warp, lane;             /* the first one */
    unsigned warps;                  /* that came to it */
    unsigned waits;                  /* warps that waited for the copy */
    uint64_t waited;                 /* which of the first 64 */
    uint32_t time;                   /* at which the first one came */
};

/* Bytes that a copy reads or writes. */
struct copy_span {
    uint64_t first, bytes; /* bytes: from the first to the last one */
    uint32_t step, size;   /* an element every `step` bytes */
};

/* The copies of a work-group. */
struct copy_log {
    struct copy_step *step;
    unsigned n, cap;
    unsigned warps;   /* of the work-group that have work-items */
    uint64_t dropped; /* steps before the first one here, complete */
    unsigned pending; /* copies that not all warps have waited for */
    bool lost;        /* reported, or no room: nothing more is said */
};

/* How far a warp has come in the copies of its work-group. */
struct copy_warp {
    struct copy_step step; /* whose operands are told */
    bool telling, copying;
    bool checked;   /* races of the copy that is made were checked ... */
    uint32_t since; /* ... with what was accessed up to this time */
    uint64_t steps; /* how many it came to */
    /* The first lane that told something else, and what. */
    bool differs;
    unsigned lane, operand;
    uint32_t value;
};

/* A hint that the warp comes to. */
void
async_copies_hint(struct sanitize *c, struct sim_warp *w,
                  const struct sim_op *op);

/* The bytes that a copy reads and writes. */
struct copy_bytes {
    struct copy_span to, from;
};

struct copy_bytes
async_copies_bytes(const struct copy_step *s);

/* Are some of [at, at + bytes) elements of it? */
bool
async_copies_has(const struct copy_span *s, uint64_t at, uint64_t bytes);

/* Copies that are under way; one that begins is not. */
bool
async_copies_is_pending(const struct copy_log *log, const struct copy_step *s);

/* The copy that an access would race with; whether that writes the bytes. */
const struct copy_step *
async_copies_find_pending(const struct sim_warp *w, uint64_t at, unsigned bytes,
                          bool write, bool *writes);

/* Was a race of an access with an earlier one, at `time`, looked for above? */
bool
async_copies_know(const struct sim_warp *w, uint64_t at, unsigned bytes,
                  bool write, bool same_group, uint32_t time);

/* Races of a copy that the first warp has come to. */
void
async_copies_begin(struct sanitize *c, struct sim_warp *w,
                   const struct copy_step *s);

/* Races of an access with copies that are not complete. */
void
async_copies_access(struct sanitize *c, struct sim_warp *w,
                    const struct sim_op *op, const struct sanitize_operands *o,
                    const struct sanitize_words *list);

/* Empties the log; reports what is left of a work-group that has ended. */
void
async_copies_start(struct copy_log *log);

void
async_copies_end(struct sanitize *c, struct sim_group *group);
