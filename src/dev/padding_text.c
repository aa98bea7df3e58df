/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes accesses to padding in words.
 *
 *     kernel 'avg': a read of 4 bytes at 0x90000100 is done in padding; avg+0x90
 *     (input.cl:11), work-item (63,0,0); 0 bytes past the end of argument 0 'in', 256
 *     bytes; bounds=strict makes it a fault, --check a finding
 */
#include "dev/padding_text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dev/fault.h"
#include "dev/nearest.h"
#include "dev/program.h"
#include "sim/fault.h"

static int
by_pc(const void *a, const void *b)
{
    const struct padding_access *x = a, *y = b;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

/* Sorts parts of one access next to each other, by address. */
static int
by_place(const void *a, const void *b)
{
    const struct padding_access *x = a, *y = b;
    const uint64_t keys[][2] = {
        { x->write, y->write }, { x->group, y->group },
        { x->warp, y->warp },   { (uint64_t)x->lane, (uint64_t)y->lane },
        { x->kind, y->kind },   { x->address, y->address },
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return by_pc(a, b);
}

/* The source line of a place, which follows the kernel and the offset in it, or "". */
static const char *
line_of(const char *place)
{
    const char *line = strchr(place, ' ');
    return line ? line : "";
}

/* Words of one access of a work-item, which several instructions may do: a vector. */
static bool
is_next(const struct padding_access *a, const struct padding_access *b)
{
    return a->kind == b->kind && a->write == b->write && a->group == b->group &&
           a->warp == b->warp && a->lane == b->lane &&
           a->address + a->bytes == b->address;
}

static bool
is_same_line(const struct ventus_dev_ticket *t, uint64_t a, uint64_t b)
{
    char places[2][sizeof t->result.fault.place];
    ventus_dev_describe(t->launch.kernel->program, a, places[0],
                        sizeof places[0]);
    ventus_dev_describe(t->launch.kernel->program, b, places[1],
                        sizeof places[1]);
    return strcmp(line_of(places[0]), line_of(places[1])) == 0;
}

/* Joins what is one access: the first instruction stays, with all bytes. */
static void
padding_join(struct padding *p, const struct ventus_dev_ticket *t)
{
    qsort(p->at, p->n, sizeof *p->at, by_place);
    unsigned n = p->n > 0;
    for (unsigned i = 1; i < p->n; i++) {
        struct padding_access *last = &p->at[n - 1], *next = &p->at[i];
        if (is_next(last, next) && is_same_line(t, last->pc, next->pc)) {
            last->bytes += next->bytes;
            last->pc = next->pc < last->pc ? next->pc : last->pc;
        } else {
            p->at[n++] = *next;
        }
    }
    p->n = n;
}

static void
padding_describe(const struct ventus_dev_ticket *t,
                 const struct padding_access *a, struct ventus_dev_result *r)
{
    struct ventus_dev_fault *f = &r->fault;
    bool private = a->kind == VENTUS_SIM_FAULT_PRIVATE;
    *r = (struct ventus_dev_result){ .ok = true };
    *f = (struct ventus_dev_fault){ .kind = ventus_sim_fault_name(a->kind),
                                    .pc = a->pc,
                                    .address = a->address,
                                    .warp = a->warp,
                                    .lane = a->lane };
    for (int i = 0; i < 3; i++)
        f->group[i] = a->group_at[i];
    text_append(r->message, sizeof r->message, "kernel '%s': a %s of %u byte%s",
                t->launch.kernel->name, a->write ? "write" : "read", a->bytes,
                text_plural(a->bytes));
    text_append(r->message, sizeof r->message,
                " at %s0x%" PRIx64 " is done in padding",
                private ? "offset " : "", a->address);
    fault_add_place(t, r);
    if (private)
        text_append(r->message, sizeof r->message,
                    "; %" PRIu64 " byte%s past the end of the work-item's "
                    "private memory, %u bytes",
                    a->address - t->run.launch.pds_size_B,
                    text_plural(a->address - t->run.launch.pds_size_B),
                    t->run.launch.pds_size_B);
    else
        nearest_append(t, r);
    text_append(r->message, sizeof r->message,
                "; bounds=strict makes it a fault, --check a finding");
}

/* True the first time. */
static bool
padding_is_new(struct told *t, uint64_t pc)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->pc[i] == pc)
            return false;
    if (t->n == t->cap) {
        size_t cap = t->cap ? 2 * t->cap : 16;
        uint64_t *more = realloc(t->pc, cap * sizeof *more);
        if (!more)
            return true; /* it is told again */
        t->pc = more;
        t->cap = cap;
    }
    t->pc[t->n++] = pc;
    return true;
}

/* Lines that have no room are counted, so that the last one has some. */
void
padding_report(struct padding *p, struct ventus_dev_ticket *t)
{
    enum { LAST_LINE = 96, OTHERS = 0 }; /* OTHERS: no pc */
    struct ventus_dev_result *to = &t->result;
    struct told *told = program_told(t->launch.kernel->program);
    struct ventus_dev_result *r = malloc(sizeof *r);
    unsigned others = p->others;
    assert(to->ok && !to->message[0] && "a line is all of the message");
    unsigned n = 0;
    for (unsigned i = 0; i < p->n; i++)
        if (padding_is_new(told, p->at[i].pc))
            p->at[n++] = p->at[i];
    p->n = n;
    padding_join(p, t);
    qsort(p->at, p->n, sizeof *p->at, by_pc);
    for (unsigned i = 0; i < p->n; i++) {
        size_t used = strlen(to->message);
        if (r)
            padding_describe(t, &p->at[i], r);
        if (!r || used + strlen(r->message) + LAST_LINE > sizeof to->message)
            others++;
        else
            text_append(to->message, sizeof to->message, "%s%s",
                        used ? "\n" : "", r->message);
    }
    if (others && padding_is_new(told, OTHERS))
        text_append(to->message, sizeof to->message,
                    "%skernel '%.40s': other instructions access padding, too",
                    to->message[0] ? "\n" : "", t->launch.kernel->name);
    free(r);
}
