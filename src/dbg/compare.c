/* SPDX-License-Identifier: Apache-2.0 */
/* Matches the events of two launches. */
#include "dbg/compare.h"

#include <assert.h>
#include <stdlib.h>

#include "base/map.h"

/* An event of one side with its key for the matching. */
struct entry {
    enum compare_subject subject;
    enum event_kind kind;
    unsigned side, sm;
    uint32_t warp, word;
    bool has_word;
    uint64_t pc;
    int64_t cycle;
    size_t order, nth;
};

typedef vec(struct entry) entries;

static enum compare_subject
subject_of(enum event_kind kind)
{
    switch (kind) {
    case EVENT_ISSUE:
    case EVENT_ACCESS:
    case EVENT_WRITEBACK:
    case EVENT_STORED:
        return COMPARE_INSN;
    case EVENT_READ:
    case EVENT_WRITE:
        return COMPARE_LINE;
    case EVENT_WARP_END:
        return COMPARE_WARP;
    case EVENT_GROUP:
    case EVENT_GROUP_END:
        return COMPARE_GROUP;
    case EVENT_END:
    case EVENT_KINDS:
        break;
    }
    return COMPARE_KERNEL;
}

static bool
is_of_warp(enum event_kind kind)
{
    enum compare_subject s = subject_of(kind);
    return s == COMPARE_INSN || s == COMPARE_WARP;
}

static bool
names_sms(const struct event_launch *l)
{
    for (size_t i = 0; i < l->events.n; i++)
        if (is_of_warp(l->events.at[i].kind) &&
            l->events.at[i].sm == EVENT_NO_SM)
            return false;
    return true;
}

/* The number of an SM by the order of first warp events: machines number SMs
 * differently. */
static unsigned
sm_of(struct arena *a, struct map *seen, int sm)
{
    void **at = map_put_number(a, seen, (uint64_t)sm);
    if (!*at)
        *at = (void *)(uintptr_t)seen->n;
    return (unsigned)((uintptr_t)*at - 1);
}

static int64_t
origin_of(const struct event_launch *l, enum compare_origin origin)
{
    enum event_kind kind = origin == COMPARE_ISSUE ? EVENT_ISSUE : EVENT_GROUP;
    for (size_t i = 0; i < l->events.n; i++)
        if (l->events.at[i].kind == kind)
            return (int64_t)l->events.at[i].cycle;
    return 0;
}

static void
add_entries(struct arena *a, entries *to, unsigned side,
            const struct event_launch *l, bool sms, enum compare_origin from)
{
    struct map seen = { 0 };
    int64_t origin = origin_of(l, from);
    for (size_t i = 0; i < l->events.n; i++) {
        const struct event *e = &l->events.at[i];
        enum compare_subject subject = subject_of(e->kind);
        struct entry x = { .subject = subject,
                           .kind = e->kind,
                           .side = side,
                           .cycle = (int64_t)e->cycle - origin,
                           .order = i };
        if (sms && is_of_warp(e->kind))
            x.sm = sm_of(a, &seen, e->sm);
        if (subject != COMPARE_LINE && subject != COMPARE_KERNEL)
            x.warp = e->warp;
        if (subject == COMPARE_INSN) {
            x.word = e->word;
            x.has_word = e->has_word;
        }
        if (subject == COMPARE_INSN || subject == COMPARE_LINE)
            x.pc = e->pc;
        vec_push(a, to, x);
    }
}

#define ORDER(x, y, member)         \
    if ((x)->member != (y)->member) \
    return (x)->member < (y)->member ? -1 : 1

/* Compares the subjects of events: all of a record's key except the number. */
static int
compare_key(const struct entry *x, const struct entry *y)
{
    ORDER(x, y, subject);
    ORDER(x, y, sm);
    ORDER(x, y, warp);
    ORDER(x, y, pc);
    return 0;
}

static int
by_kind(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int key = compare_key(x, y);
    if (key)
        return key;
    ORDER(x, y, kind);
    ORDER(x, y, side);
    ORDER(x, y, order);
    return 0;
}

static int
by_record(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int key = compare_key(x, y);
    if (key)
        return key;
    ORDER(x, y, nth);
    ORDER(x, y, side);
    ORDER(x, y, kind);
    return 0;
}

static void
sort_entries(entries *e, int (*order)(const void *, const void *))
{
    if (e->n)
        qsort(e->at, e->n, sizeof *e->at, order);
}

/* Numbers the events of one kind, side and subject. */
static void
number_entries(entries *e)
{
    sort_entries(e, by_kind);
    for (size_t i = 1; i < e->n; i++) {
        const struct entry *x = &e->at[i - 1], *y = &e->at[i];
        if (!compare_key(x, y) && x->kind == y->kind && x->side == y->side)
            e->at[i].nth = x->nth + 1;
    }
    sort_entries(e, by_record);
}

static struct compare_record
record_of(const struct entry *e)
{
    struct compare_record r = { .subject = e->subject,
                                .sm = e->sm,
                                .warp = e->warp,
                                .pc = e->pc,
                                .nth = e->nth };
    for (unsigned side = 0; side < COMPARE_SIDES; side++)
        for (unsigned k = 0; k < EVENT_KINDS; k++)
            r.at[side][k] = COMPARE_NONE;
    return r;
}

static void
make_records(struct arena *a, const entries *e, struct comparison *c)
{
    for (size_t i = 0; i < e->n; i++) {
        const struct entry *x = &e->at[i];
        bool same =
            i && !compare_key(x, &e->at[i - 1]) && x->nth == e->at[i - 1].nth;
        if (!same)
            vec_push(a, &c->records, record_of(x));
        struct compare_record *r = &c->records.at[c->records.n - 1];
        assert(r->at[x->side][x->kind] == COMPARE_NONE &&
               "a record has one event of each kind");
        r->at[x->side][x->kind] = x->cycle;
        if (x->has_word && !r->has_word) {
            r->word = x->word;
            r->has_word = true;
        }
        c->kind[x->kind].n[x->side]++;
    }
}

/* ---- differences ---- */

static int64_t
cycle_of(const struct compare_at *e)
{
    int64_t a = e->record->at[0][e->kind];
    return a != COMPARE_NONE ? a : e->record->at[1][e->kind];
}

static int
by_cycle(const void *a, const void *b)
{
    const struct compare_at *x = a, *y = b;
    int64_t p = cycle_of(x), q = cycle_of(y);
    if (p != q)
        return p < q ? -1 : 1;
    ORDER(x, y, kind);
    return x->record < y->record ? -1 : x->record > y->record;
}

static void
count_kind(struct compare_kind *k, int64_t a, int64_t b)
{
    int64_t d = b - a;
    uint64_t size = (uint64_t)llabs(d);
    k->matched++;
    k->same += !d;
    k->near += size <= COMPARE_NEAR;
    k->sum += size;
    if (size > (uint64_t)llabs(k->largest))
        k->largest = d;
}

/* Lists differences.  Kinds that one side does not record are not compared. */
static void
find_differences(struct arena *a, bool subset, struct comparison *c)
{
    for (size_t i = 0; i < c->records.n; i++) {
        const struct compare_record *r = &c->records.at[i];
        for (unsigned k = 0; k < EVENT_KINDS; k++) {
            int64_t x = r->at[0][k], y = r->at[1][k];
            struct compare_at at = { r, (enum event_kind)k };
            bool none = x == COMPARE_NONE && (subset || y == COMPARE_NONE);
            if (!c->kind[k].compared || none)
                continue;
            vec_push(a, &c->events, at);
            if (x != y)
                vec_push(a, &c->differing, at);
            if (x != COMPARE_NONE && y != COMPARE_NONE)
                count_kind(&c->kind[k], x, y);
        }
    }
    if (c->events.n)
        qsort(c->events.at, c->events.n, sizeof *c->events.at, by_cycle);
    if (c->differing.n)
        qsort(c->differing.at, c->differing.n, sizeof *c->differing.at,
              by_cycle);
}

/* The kinds of events that a launch has, a bit for each. */
static unsigned
kinds_of(const struct event_launch *l)
{
    unsigned kinds = 0;
    for (size_t i = 0; i < l->events.n; i++)
        kinds |= 1u << l->events.at[i].kind;
    return kinds;
}

/* The time from the origin to the end: the last workgroup done, else the kernel's end,
 * else the last event of a warp.  Only kinds that both sides have count. */
static int64_t
end_of(const struct event_launch *l, int64_t origin, unsigned kinds)
{
    int64_t groups = COMPARE_NONE, kernel = COMPARE_NONE, any = origin;
    for (size_t i = 0; i < l->events.n; i++) {
        const struct event *e = &l->events.at[i];
        int64_t at = (int64_t)e->cycle;
        if (!(kinds >> e->kind & 1))
            continue;
        if (e->kind == EVENT_GROUP_END)
            groups = at;
        else if (e->kind == EVENT_END)
            kernel = at;
        else if (is_of_warp(e->kind))
            any = at;
    }
    return (groups != COMPARE_NONE   ? groups
            : kernel != COMPARE_NONE ? kernel
                                     : any) -
           origin;
}

/* ---- the order of instructions ---- */

static int
by_issue(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    ORDER(x, y, sm);
    ORDER(x, y, warp);
    ORDER(x, y, cycle);
    ORDER(x, y, order);
    return 0;
}

static bool
same_warp(const struct entry *x, const struct entry *y)
{
    return x->sm == y->sm && x->warp == y->warp;
}

static entries
issues_of(struct arena *a, const entries *all, unsigned side)
{
    entries e = { 0 };
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].side == side && all->at[i].kind == EVENT_ISSUE)
            vec_push(a, &e, all->at[i]);
    sort_entries(&e, by_issue);
    return e;
}

/* Finds the first warp whose instructions differ.  Warps that only one side has are
 * missing events, not differences of order. */
static void
check_order(struct arena *a, const entries *all, struct compare_order *order)
{
    entries x = issues_of(a, all, 0), y = issues_of(a, all, 1);
    size_t i = 0, j = 0, nth = 0;
    while (i < x.n && j < y.n) {
        nth = i && same_warp(&x.at[i], &x.at[i - 1]) ? nth + 1 : 0;
        bool warps = same_warp(&x.at[i], &y.at[j]);
        bool words = x.at[i].has_word && y.at[j].has_word &&
                     x.at[i].word != y.at[j].word;
        if (warps && x.at[i].pc == y.at[j].pc && !words) {
            i++;
            j++;
            continue;
        }
        bool x_first = warps || by_issue(&x.at[i], &y.at[j]) < 0;
        const struct entry *e = x_first ? &x.at[i] : &y.at[j];
        *order = (struct compare_order){
            .differs = true,
            .sm = e->sm,
            .warp = e->warp,
            .nth = nth,
            .pc = { warps || x_first ? x.at[i].pc : UINT64_MAX,
                    warps || !x_first ? y.at[j].pc : UINT64_MAX },
            .word = { x.at[i].word, y.at[j].word },
            .words = warps && x.at[i].pc == y.at[j].pc
        };
        return;
    }
}

void
compare_launches(struct arena *a, const struct event_launch *of_a,
                 const struct event_launch *of_b,
                 const struct compare_options *options, struct comparison *c)
{
    const struct event_launch *of[COMPARE_SIDES] = { of_a, of_b };
    bool sms = names_sms(of_a) && names_sms(of_b);
    unsigned kinds = kinds_of(of_a) & kinds_of(of_b);
    entries e = { 0 };
    *c = (struct comparison){ .name = { of_a->name, of_b->name },
                              .isa =
                                  options->isa ? options->isa : VENTUS_ISA_V1 };
    for (unsigned side = 0; side < COMPARE_SIDES; side++) {
        add_entries(a, &e, side, of[side], sms, options->origin);
        c->cycles[side] =
            end_of(of[side], origin_of(of[side], options->origin), kinds);
    }
    number_entries(&e);
    make_records(a, &e, c);
    for (unsigned k = 0; k < EVENT_KINDS; k++)
        c->kind[k].compared = c->kind[k].n[0] && c->kind[k].n[1];
    find_differences(a, options->subset, c);
    if (!options->subset)
        check_order(a, &e, &c->order);
    compare_explain(a, c);
}

bool
compare_is_exact(const struct comparison *c)
{
    return !c->differing.n && c->cycles[0] == c->cycles[1] && !c->order.differs;
}
