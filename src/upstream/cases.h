/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include <stdio.h>

#include "obj/upstream.h"

/* Cases of the upstream simulators, run in order on one bare device, which keeps its
 * memory from case to case.  An object.riscv beside a case is loaded before it. */
struct cases {
    struct arena arena;
    struct diag_sink sink;
    struct upstream_case *at;
    size_t n;
    struct ventus_dev *dev;
    struct ventus_dev_profile *profile; /* filled by each case; or NULL */
    struct ventus_dev_counters *sm; /* filled by each case, by SM; or NULL */
    /* Called while a launch runs, or NULL; returns when the launch has ended. */
    void (*watch)(struct ventus_dev_ticket *t, const char *name);
};

/* Reads all files. */
bool
cases_read(struct cases *c, const char *const *metadata, size_t n);

/* Opens a device for the cases: with their lanes, warp slots and local memory, then
 * `options`.  `exact`: one workgroup at a time, as upstream. */
bool
cases_open(struct cases *c, const struct ventus_dev_options *options,
           bool exact);

/* The name of a case: "Fan1_0" of "dir/Fan1_0.metadata". */
const char *
cases_name(struct cases *c, size_t i);

/* Loads and runs a case.  `log` not NULL: receives upstream's commit log.  False:
 * *result has a message. */
bool
cases_run(struct cases *c, size_t i, FILE *log, bool stats,
          const struct ventus_dev_hooks *hooks,
          struct ventus_dev_result *result);

void
cases_close(struct cases *c);
