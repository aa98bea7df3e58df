/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include <stdio.h>

#include "base/json.h"

/* Prints what a launch did, in tables for people. */
void
report_stats(FILE *out, const struct ventus_dev_result *r, unsigned num_thread);

/* Prints which share of the instructions ran as code of the host, after `who: `. */
void
report_share(FILE *out, const char *who, const struct ventus_dev_share *s);

/* Prints the message of a launch that ended well: its lines, each after `who: `. */
void
report_notes(FILE *out, const char *who, const struct ventus_dev_result *r);

/* The whole result as one line of JSON; `name` is the kernel or the case. */
void
report_json(FILE *out, const char *name, const struct ventus_dev_result *r,
            unsigned num_thread, bool stats);

/* Lines and instructions that cost most, of a launch with a profile. */
void
report_hot(FILE *out, const struct ventus_dev_result *r);

/* Members of the object under way: what its instructions were and did. */
void
report_counts(struct json *j, const struct ventus_dev_stats *s);

/* Counters that rates are computed from, of one launch or summed over several. */
struct report_counted {
    const struct ventus_dev_counters *counters;
    uint64_t cycles;
    uint64_t
        warp_places; /* for each cycle the warps that the machine has room for */
    unsigned clock_MHz;
};

struct report_counted
report_counted_of(const struct ventus_dev_result *r);

/* The member `rates` of the object under way. */
void
report_rates(struct json *j, const struct report_counted *c);
