/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include <ventus/model.h>

#include "base/json.h"

/*
 * A writer of one format.  The number of a track is process * 1024 + thread;
 * threads from TRACK_COUNTER on are counters.
 */
enum {
    TRACK_SMS = 1,     /* process of SM 0 */
    TRACK_UNITS = 100, /* thread of unit 0; threads below are warp slots */
    TRACK_COUNTER = 200,
    TRACK_THREADS = 1024
};

/* The output file of a writer. */
struct trace_file {
    FILE *out;
    struct json json; /* writer to the same stream, for JSON */
};

struct trace_writer {
    void (*open)(struct trace_file *to);
    /* Names a track before its first use; counters, too. */
    void (*name)(struct trace_file *to, unsigned track, const char *process,
                 const char *thread);
    void (*begin)(struct trace_file *to, unsigned track, uint64_t at,
                  const char *name);
    void (*end)(struct trace_file *to, unsigned track, uint64_t at);
    void (*count)(struct trace_file *to, unsigned track, uint64_t at,
                  const char *name, uint64_t value);
    void (*close)(struct trace_file *to);
};

extern const struct trace_writer trace_json, trace_proto;

/* konata.c */
struct konata;

struct konata *
konata_new(FILE *out);

void
konata_free(struct konata *k);

/* Writes an event; `at` is the cycle in the whole trace, `text` the instruction's or
 * NULL.  An instruction that begins while not `shown` is left out to its end. */
void
konata_event(struct konata *k, const struct ventus_model_event *e, uint64_t at,
             const char *text, bool shown);

/* Ends the instructions that are in flight at the end of a launch. */
void
konata_end(struct konata *k, uint64_t at);

/* event_log.c */
struct event_log;

struct event_log *
event_log_new(FILE *out);

void
event_log_free(struct event_log *l);

/* Begins a launch that is shown. */
void
event_log_begin(struct event_log *l, const char *kernel);

void
event_log_event(struct event_log *l, const struct ventus_model_event *e,
                bool shown);
