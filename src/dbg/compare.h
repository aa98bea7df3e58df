/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/isa.h>

#include "base/json.h"
#include "dbg/event_file.h"

/*
 * Compares two machines that ran the same launch, event by event.  A is the
 * reference, for example an RTL.
 *
 *     struct comparison c;
 *     compare_launches(&arena, &a, &b, &(struct compare_options){ 0 }, &c);
 *     compare_print(stdout, &c, 5);
 *
 * The n-th event of a kind, warp and pc of A matches the n-th one of B.  Cycles
 * are relative to an origin in each; differences are B - A.
 *
 * The critical path explains the total.  It goes from the end back to the origin;
 * each event is the one that A's next one waited for: the write-back of an operand,
 * the issue before, the launch.  B has the same events, so the differences of the
 * path's segments sum to the difference of the totals.
 */
enum { COMPARE_SIDES = 2 };

/* The cycle of an event that is missing. */
#define COMPARE_NONE INT64_MIN

enum compare_origin {
    COMPARE_LAUNCH, /* the first workgroup, or cycle 0 */
    COMPARE_ISSUE   /* the first issue */
};

struct compare_options {
    enum compare_origin origin;
    enum ventus_isa_version isa; /* version of the words; 0: version 1 */
    bool subset; /* A records a part: events of B alone are no difference */
};

enum compare_subject {
    COMPARE_KERNEL,
    COMPARE_GROUP,
    COMPARE_WARP,
    COMPARE_INSN,
    COMPARE_LINE
};

/* The events of an instruction, a warp, a workgroup or a line. */
struct compare_record {
    enum compare_subject subject;
    unsigned sm; /* in the order of first events */
    uint32_t warp, word;
    bool has_word;
    uint64_t pc;
    size_t nth; /* number among the records of this warp and pc */
    int64_t at[COMPARE_SIDES][EVENT_KINDS];
};

struct compare_kind {
    size_t n[COMPARE_SIDES];
    bool compared;              /* both sides have events of the kind */
    size_t matched, same, near; /* near: at most COMPARE_NEAR apart */
    uint64_t sum;               /* sum of the differences' magnitudes */
    int64_t largest;            /* largest difference, with its sign */
};

enum { COMPARE_NEAR = 4 };

/* An event: a kind of a record. */
struct compare_at {
    const struct compare_record *record;
    enum event_kind kind;
};

/* The first issue of a warp at which the sides have different instructions. */
struct compare_order {
    bool differs;
    unsigned sm;
    uint32_t warp;
    size_t nth;
    uint64_t pc[COMPARE_SIDES]; /* UINT64_MAX: the warp has no further issue */
    uint32_t word[COMPARE_SIDES];
    bool words; /* the pcs are equal, the words differ */
};

/* The segments of the path, or spans of instructions, of one mechanism. */
struct compare_span {
    const char *name;
    size_t n, differ;
    int64_t sum[COMPARE_SIDES];
    int64_t least[COMPARE_SIDES], most[COMPARE_SIDES];
};

typedef vec(struct compare_span) compare_spans;

struct comparison {
    const char *name[COMPARE_SIDES];
    int64_t cycles[COMPARE_SIDES]; /* from the origin to the end */
    struct compare_kind kind[EVENT_KINDS];
    vec(struct compare_record) records; /* sorted by subject, SM, warp, pc */
    vec(struct compare_at) differing; /* by cycle of A, or of B if A has none */
    vec(struct compare_at) events;    /* all events, in the same order */
    struct compare_order order;
    enum ventus_isa_version isa; /* version of the words */
    compare_spans first; /* the segment that ends with the first of differing */
    compare_spans path;  /* ordered by difference, the largest first */
    compare_spans spans; /* spans of all instructions */
};

void
compare_launches(struct arena *a, const struct event_launch *of_a,
                 const struct event_launch *of_b,
                 const struct compare_options *options, struct comparison *c);

/* Whether each event that both sides record is in the same cycle, and none is missing. */
bool
compare_is_exact(const struct comparison *c);

/* Fills first, path and spans (compare_path.c). */
void
compare_explain(struct arena *a, struct comparison *c);

/* Prints `context` events around the first difference (compare_out.c). */
void
compare_print(FILE *out, const struct comparison *c, unsigned context);

void
compare_json(struct json *j, const struct comparison *c, unsigned context);
