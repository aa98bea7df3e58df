/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include <stdio.h>

#include "obj/upstream.h"

/*
 * Cases of the upstream simulators, run in order on one bare device, memory
 * kept between them.  An object.riscv beside a case is loaded before it.
 */
struct cases {
    struct arena arena;
    struct diag_sink sink;
    struct upstream_case *at;
    size_t n;
    struct ventus_dev *dev;
    struct ventus_dev_profile *profile; /* filled by each; or NULL */
    struct ventus_dev_counters *sm;     /* the same */
    /* Called while a launch runs, or NULL; returns when it has ended. */
    void (*watch)(struct ventus_dev_ticket *t, const char *name);
};

/* Reads all files. */
bool
cases_read(struct cases *c, const char *const *metadata, size_t n);

/*
 * Opens the device they want: lanes, warp slots and local memory of the
 * cases, then `options`.  `exact`: one workgroup at a time, as upstream.
 */
bool
cases_open(struct cases *c, const struct ventus_dev_options *options,
           bool exact);

/* "Fan1_0" of "dir/Fan1_0.metadata". */
const char *
cases_name(struct cases *c, size_t i);

/*
 * Loads and runs one.  `log` not NULL: upstream's commit log is written to
 * it.  False: *result has a message.
 */
bool
cases_run(struct cases *c, size_t i, FILE *log, bool stats,
          const struct ventus_dev_hooks *hooks,
          struct ventus_dev_result *result);

void
cases_close(struct cases *c);
