/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"

enum process_end {
    PROCESS_EXITED,    /* `code` is its exit status */
    PROCESS_SIGNALLED, /* `code` is the signal */
    PROCESS_TIMEOUT,
    PROCESS_UNKNOWN,     /* another part of the application waited for it */
    PROCESS_NOT_STARTED, /* `code` is an errno */
    PROCESS_NO_MEMORY    /* of ours for its output */
};

struct process_limits {
    uint64_t cpu_ms;
    uint64_t memory_B; /* of its address space; 0: none */
};

/* Times the limit that may pass by the clock. */
enum { PROCESS_PATIENCE = 20 };

/* Bytes that it may print; the rest is dropped, and a line says so. */
enum { PROCESS_MOST_OUTPUT = 16 << 20 };

/*
 * Runs a program to its end, with nothing to read; what it prints goes behind
 * `output`.  After the limit of processor time, or PROCESS_PATIENCE times that
 * by the clock, it is killed, and what it has started too.  Of the
 * application's files it has none.
 */
enum process_end
process_run(const char *const *args, char **env,
            const struct process_limits *limits, struct buf *output, int *code);
