/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>

#include "base/json.h"
#include "dev/findings/suppress.h"
#include "dev/observer.h"
#include "dev/ticket.h"
#include "sanitize/sanitize.h"

/*
 * The findings of a device: what src/sanitize finds in launches, in terms of the
 * program.  findings.c keeps them, text.c finds the words, summary.c and sarif.c sum
 * up.
 */

/* A function that was inlined, and where it was called. */
struct finding_call {
    const char *function, *file, *source; /* file, source: or NULL */
    unsigned line;
};

/* A party of a finding, an access or a place, in words. */
struct finding_side {
    const char *access;  /* "write", "atomic read"; "" */
    bool has_item, idle; /* idle: a lane without a work-item, with all_lanes */
    uint64_t item[3], group[3];
    unsigned warp;
    int lane;
    const char *symbol, *file, *source, *insn; /* NULL: not known */
    unsigned line, column;                     /* column 0: not known */
    struct finding_call *call;                 /* innermost first */
    size_t calls;
};

struct finding {
    enum sanitize_what what; /* of a launch; else it is the host program's: */
    bool host;
    const char *place; /* which call, or which kind of object */
    uint64_t count;
    const char *id, *text, *kernel;
    struct finding_side here, other;
    bool has_other, suppressed;
    bool merged; /* into the first one of its place in the source */
    size_t next; /* the checker's number of the next of the place; 0: none */
    const char *where;     /* the memory, or "" */
    const char *call_site; /* which call created the buffer there, or NULL */
    const char *note;      /* or NULL */
    uint64_t launch;       /* number of the launch, from 1 */
};

struct findings {
    struct arena arena;
    struct sanitize
        *check; /* NULL: launches are not checked, only the host program */
    unsigned kinds;
    FILE *out; /* or NULL */
    uint64_t limit, shown, launches, faults;
    struct suppress suppress;
    struct ventus_dev_ticket *ticket; /* of the launch that runs */
    vec(struct finding *) list;       /* by the checker's numbers */
    vec(struct finding *) notes;      /* of the host program */
    bool incomplete;                  /* memory ran out */
};

/* The findings of a device; NULL: it has no checks. */
static inline struct findings *
findings_of(const struct ventus_dev *d)
{
    return dev_observer(d, OBSERVER_FINDINGS);
}

/* Number of findings: those of launches and of the program. */
static inline size_t
finding_total(const struct findings *f)
{
    return f->list.n + f->notes.n;
}

/* NULL: merged into an earlier one, or no host memory. */
const struct finding *
finding_at(const struct findings *f, size_t i);

/* Counts how often a finding was made, with those that were merged into it. */
uint64_t
finding_count(const struct findings *f, size_t i);

/* Fills a finding, in words, from what the checks found. */
void
finding_describe(struct arena *a, const struct ventus_dev_ticket *t,
                 const struct sanitize_finding *f, struct finding *to);

/* Tests whether two findings are one mistake at one place of the source: the
 * instructions of a wide access, or copies of a loop's body. */
bool
finding_is_same(const struct finding *a, const struct finding *b);

void
finding_print(const struct finding *f, FILE *out);

void
finding_json(const struct finding *f, uint64_t count, struct json *j);
