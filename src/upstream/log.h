/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/sim.h>

#include <stdio.h>

#include "base/buf.h"

/*
 * The commit log of the upstream simulator, from the steps of a launch.
 *
 *     core   0: 0x80000004 (0x80818193) addi    x3, x3, -2040
 *     core   0: 3 0x80000004 (0x80818193) x3  0x80003808
 *
 * Upstream runs the warps ("cores") of one workgroup at a time, a word of each
 * in turn, a prefix being a word of its own; a warp that waits at a barrier
 * executes it again and again.  Machines here do not, so each warp's lines
 * wait in a list of its own and are written in upstream's order.  Launch with
 * one workgroup on the machine at a time.
 *
 *     struct commit_log log;
 *     log_open(&log, file, warps, code, base, size);
 *     hooks.step = log_step; hooks.ctx = &log;
 *     ... launch ...
 *     bool ok = log_close(&log);
 *
 * Upstream's core 0 continues after its endprg when all have ended, to notify
 * the host; `code` (size bytes, at `base`) is where it does so, or NULL.
 */
struct log_warp;

struct commit_log {
    FILE *out;
    struct log_warp *warp;
    uint64_t group;
    unsigned warps;   /* warps of the workgroup */
    unsigned turn;    /* current warp */
    unsigned passed;  /* warps that have left the barrier */
    unsigned missing; /* warps without any word */
    const uint8_t *code;
    uint64_t base, size;
    struct buf line;                    /* line under construction */
    const struct ventus_sim_step *step; /* step that is being processed */
    bool incomplete;                    /* memory ran out */
};

/* Opens a log.  False: the host has no memory. */
bool
log_open(struct commit_log *log, FILE *out, unsigned warps, const uint8_t *code,
         uint64_t base, uint64_t size);

/* The hook `step`, for machines and for devices. */
void
log_step(void *log, const struct ventus_sim_step *step);

/* Writes the remaining lines.  False: the file is incomplete, as it could not be
 * written, or memory ran out. */
bool
log_close(struct commit_log *log);

/* ---- private to log.c and log_text.c ---- */

enum { LOG_STACK = 256 };

struct log_entry {
    uint32_t rpc, pc;
    uint64_t mask;
};

/* State of a warp that the log shows and that a step does not contain. */
struct log_state {
    uint32_t x[64];
    uint32_t mstatus, fflags;
    uint32_t npc; /* target of the last thread branch or join */
    struct log_entry stack[LOG_STACK];
    unsigned depth;
};

void
log_state_reset(struct log_state *s);

/* Appends the text after "core   0: 3 0xPC (0xINSN)", to the end of its line. */
void
log_text(struct buf *line, struct log_state *s,
         const struct ventus_sim_step *step);
