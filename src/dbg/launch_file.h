/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/*
 * Reads the launches that `ventus exec --json --stats --hot` printed, and sums up
 * those of one kernel.
 */
struct launch_line {
    const char *file, *source; /* source: "" if it is not known */
    uint64_t line, issued, total;
    uint64_t slots[VENTUS_MODEL_STALLS];
};

/* What would make it faster; gain: up to so many times, 0: not known. */
struct launch_advice {
    const char *file, *cause, *change; /* file: "" if it is of no line */
    const char *shown;                 /* "" if it is not */
    uint64_t line;
    double gain;
};

struct launch_kernel {
    const char *name;
    uint64_t launches, cycles;
    uint64_t counted, lined; /* launches with counters; with lines */
    uint64_t longest;        /* cycles of one launch, which the advice is of */
    const struct launch_advice *advice;
    size_t n_advice;
    uint64_t slots[VENTUS_MODEL_STALLS];
    struct map lines; /* of struct launch_line, by source, else by place */
};

struct launch_file {
    vec(struct launch_kernel *)
        kernels; /* in the order of their first launch */
};

/* `text` is JSON, a launch a line; those without cycles are left out. */
void
launch_file_read(struct arena *a, const char *text, struct launch_file *out);

/* NULL: it has no launch. */
const struct launch_kernel *
launch_file_find(const struct launch_file *f, const char *name);
