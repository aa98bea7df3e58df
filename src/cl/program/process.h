/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"

enum process_end {
    PROCESS_EXITED,    /* `code` is its exit status */
    PROCESS_SIGNALLED, /* `code` is the signal */
    PROCESS_TIMEOUT,
    PROCESS_UNKNOWN,     /* another part of the application reaped it */
    PROCESS_NOT_STARTED, /* `code` is an errno */
    PROCESS_NO_MEMORY    /* this process has none for the output */
};

struct process_limits {
    uint64_t cpu_ms;
    uint64_t memory_B; /* limit of its address space; 0: none */
};

/* The wall clock may exceed the limit by this factor. */
enum { PROCESS_PATIENCE = 20 };

/* The limit of its output in bytes; the rest is dropped, and a line says so. */
enum { PROCESS_MAX_OUTPUT = 16 << 20 };

struct process_command {
    const char *const
        *args; /* of a program of its own: its path, words, NULL */
    /* Words for the compiler that stays loaded, and its program (program/warm.h); NULL:
     * it cannot run this. */
    const char *const *words;
    const char *warm;
};

/* Runs a program to its end, with an empty standard input; its output is appended to
 * `output`.  After the limit of processor time, or PROCESS_PATIENCE times that by the
 * wall clock, it is killed with its children.  It inherits no open files of the
 * application. */
enum process_end
process_run(const struct process_command *command, char **env,
            const struct process_limits *limits, struct buf *output, int *code);
