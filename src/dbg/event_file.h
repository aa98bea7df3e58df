/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"

/*
 * Reads event files (docs/events.md): the events of a machine with their cycles,
 * as `--events` writes them and as a test bench can print them of an RTL.
 *
 *     struct event_file file = { 0 };
 *     if (event_file_read(&arena, "a.events", &file, &sink))
 *         for (size_t i = 0; i < file.launches.n; i++) use(&file.launches.at[i]);
 */
enum event_kind {
    EVENT_GROUP,     /* G: a workgroup begins; warp is its number */
    EVENT_ISSUE,     /* I */
    EVENT_ACCESS,    /* A: an access enters the LSU's table */
    EVENT_WRITEBACK, /* W */
    EVENT_STORED,    /* S: a store is acknowledged */
    EVENT_READ,      /* R: a request to memory; pc is the address of the line */
    EVENT_WRITE,     /* M */
    EVENT_WARP_END,  /* E */
    EVENT_GROUP_END, /* D */
    EVENT_END,       /* F */
    EVENT_KINDS
};

enum { EVENT_NO_SM = -1 };

struct event {
    enum event_kind kind;
    bool has_word;
    int sm; /* EVENT_NO_SM: not in the file */
    uint32_t warp, word;
    uint64_t cycle, pc;
    size_t order; /* position in the file */
};

/* A launch and its events in the order of cycles. */
struct event_launch {
    const char *name; /* "" if the file has none */
    vec(struct event) events;
};

struct event_file {
    vec(struct event_launch) launches;
};

/* The letters of the kinds, and their names in words. */
extern const char event_letters[EVENT_KINDS + 1];
extern const char *const event_names[EVENT_KINDS];

/* Reads a file.  False: errors are reported; *file is then not to be used. */
bool
event_file_read(struct arena *a, const char *path, struct event_file *file,
                struct diag_sink *sink);

/* Reads a text that ends with a zero byte; `path` is for messages. */
bool
event_file_parse(struct arena *a, const char *path, const char *text,
                 struct event_file *file, struct diag_sink *sink);
