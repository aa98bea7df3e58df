/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>

#include "base/json.h"
#include "dev/device.h"
#include "dev/suppress.h"
#include "sanitize/sanitize.h"

/*
 * The findings of a device: what src/sanitize finds in launches, in terms of the
 * program.  findings.c keeps them, findings_text.c finds the words, findings_out.c
 * sums up.
 */

/* A function that was inlined, and where. */
struct finding_call {
    const char *function, *file, *source; /* file, source: or NULL */
    unsigned line;
};

/* One side of a finding in words. */
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
    const char *where;  /* the memory, or "" */
    const char *origin; /* which call created the buffer there, or NULL */
    const char *note;   /* or NULL */
    uint64_t launch;    /* number of the launch, from 1 */
};

struct findings {
    struct arena arena;
    struct sanitize *check;
    unsigned kinds;
    FILE *out; /* or NULL */
    uint64_t limit, shown, launches, faults;
    struct suppress suppress;
    struct ventus_dev_ticket *ticket; /* of the launch that runs */
    vec(struct finding *) list;       /* by the checker's numbers */
    vec(struct finding *) notes;      /* of the host program */
    bool incomplete;                  /* memory ran out */
};

/* NULL: launches are not checked, only what the host program does. */
static inline struct sanitize *
findings_check(const struct ventus_dev *d)
{
    assert(d->findings);
    return d->findings->check;
}

/* Do launches report accesses that lie outside of an object, or that its flags do not
 * permit?  Then there is no padding. */
static inline bool
findings_enforce(const struct ventus_dev *d)
{
    return d->findings && d->findings->kinds & SANITIZE_MEMORY;
}

/* A launch begins and ends; it has failed. */
const struct ventus_sim_watch *
findings_begin(struct ventus_dev_ticket *t);

void
findings_end(struct ventus_dev_ticket *t);

void
findings_fault(struct ventus_dev_ticket *t);

/* Behind the machine's end. */
void
findings_free(struct ventus_dev *d);

/* All findings: those of launches and of the program. */
static inline size_t
finding_total(const struct findings *f)
{
    return f->list.n + f->notes.n;
}

/* NULL: merged into an earlier one, or no host memory. */
const struct finding *
finding_at(const struct findings *f, size_t i);

/* With what was merged into it. */
uint64_t
finding_count(const struct findings *f, size_t i);

/* findings_text.c: fills it from what was found. */
void
finding_describe(struct arena *a, const struct ventus_dev_ticket *t,
                 const struct sanitize_finding *f, struct finding *to);

/* The same mistake at the same place of the source: the instructions of a wide
 * access, or copies of a loop's body. */
bool
finding_is_same(const struct finding *a, const struct finding *b);

void
finding_print(const struct finding *f, FILE *out);

void
finding_json(const struct finding *f, uint64_t count, struct json *j);
