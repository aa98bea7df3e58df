/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/* The launches that `ventus exec --json --stats --hot` printed, summed up by kernel. */
struct launch_line {
    const char *file, *source; /* text of the source line; "" if unknown */
    uint64_t line, issued, total;
    uint64_t slots[VENTUS_MODEL_STALLS];
};

/* An advice; gain: an upper bound of the speed-up, 0: unknown. */
struct launch_advice {
    /* file: "" for advice on the whole launch. */
    const char *file, *cause, *change;
    const char *shown; /* "" if not tried */
    uint64_t line;
    double gain;
};

struct launch_kernel {
    const char *name;
    uint64_t launches, cycles;
    uint64_t counted, lined; /* launches with counters; launches with lines */
    uint64_t longest; /* cycles of the longest launch, whose advice is shown */
    const struct launch_advice *advice;
    size_t n_advice;
    uint64_t slots[VENTUS_MODEL_STALLS];
    /* Struct launch_line, by source text, else by file and line. */
    struct map lines;
};

struct launch_file {
    vec(struct launch_kernel *)
        kernels; /* in the order of their first launch */
};

/* Reads `text`, JSON with a launch on each line; launches without cycles are left out. */
void
launch_file_read(struct arena *a, const char *text, struct launch_file *out);

/* Finds a kernel.  NULL: it has no launch. */
const struct launch_kernel *
launch_file_find(const struct launch_file *f, const char *name);
