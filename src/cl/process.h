/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"

enum process_end {
    PROCESS_EXITED,    /* `code` is its exit status */
    PROCESS_SIGNALLED, /* `code` is the signal */
    PROCESS_TIMEOUT,
    PROCESS_UNKNOWN,    /* somebody else in the application waited for it */
    PROCESS_NOT_STARTED /* `code` is an errno */
};

/* Times the limit that may pass by the clock. */
enum { PROCESS_PATIENCE = 20 };

/*
 * Runs a program to its end, with nothing to read; what it prints goes behind
 * `output`.  After `limit_ms` of processor time, or PROCESS_PATIENCE times that
 * by the clock, it is killed, and what it has started too.
 */
enum process_end
process_run(const char *const *args, uint64_t limit_ms, struct buf *output,
            int *code);
