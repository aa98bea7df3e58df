/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include <ventus/model.h>

#include "dbg/spots.h"

/*
 * Traces of the machine for viewers.
 *
 * TRACE_JSON and TRACE_PROTO are for Perfetto (ui.perfetto.dev), with a process
 * for each SM.  It has a track for each warp slot, with the resident warp and in
 * it the instructions that it issues and the causes of its waits; a track for each
 * unit, with the instructions that start there; and counters of memory requests and
 * resident warps.  A cycle is a microsecond.  TRACE_KONATA is for the pipeline
 * viewer Konata: a line for
 * each instruction, with the stages Ib (fetched), Oc (issued, collects
 * operands) and Ex (in a unit).  TRACE_EVENTS is the event file of
 * docs/events.md, which `ventus compare` reads.
 *
 *     struct trace *t = trace_open("t.json", TRACE_JSON, &window);
 *     trace_begin(t, "kernel");  hooks.event = trace_event ...
 *     trace_end(t);  for each launch
 *     ok = trace_close(t);
 *
 * The time of a launch begins where that of the one before ends.
 */
enum trace_format { TRACE_JSON, TRACE_PROTO, TRACE_KONATA, TRACE_EVENTS };

/* The part of a trace that is written; all-zero: everything. */
struct trace_window {
    uint64_t from, to;  /* cycles of a launch; to 0: its end */
    const char *kernel; /* only launches of this kernel; or NULL */
    unsigned sm;
    bool one_sm; /* only the SM `sm` */
    /* Size at which timelines end, approximately; 0: unlimited.  Ignored for
     * TRACE_EVENTS, which is compared as a whole. */
    uint64_t max_B;
};

struct trace;

/* Opens a trace.  NULL: errno says why the file cannot be written. */
struct trace *
trace_open(const char *path, enum trace_format format,
           const struct trace_window *window);

void
trace_begin(struct trace *t, const char *kernel);

/* The hook of struct ventus_model_hooks; ctx is the trace. */
void
trace_event(void *ctx, const struct ventus_model_event *e);

void
trace_end(struct trace *t);

/* Whether the window's max_B ended the trace; if so, the launch, from 1, and its
 * cycle. */
bool
trace_was_cut(const struct trace *t, uint64_t *launch, uint64_t *cycle);

/* Whether there were launches of the window's kernel, the longest of *longest cycles,
 * and the window has no event of them. */
bool
trace_is_empty(const struct trace *t, uint64_t *longest);

/* Completes the file.  False: it is incomplete, errno says why. */
bool
trace_close(struct trace *t);
