/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access logs, to detect data races.  On one thread all accesses to memory execute in
 * the order of (cycle, SM).  On several threads an SM runs ahead of the others.  Two
 * accesses to the same bytes, at least one of them a write, may have executed in
 * another order in two cases.  The access that is first in the order of one thread
 * belongs
 *
 *   to an SM in order, and the other access to an SM that was ahead.  The reverse is
 *   impossible, because an SM in order waits for all earlier events (lookahead.c); or
 *   to an SM that was ahead at the same time as the other: the order is unknown.
 *
 * The logs are compared when all SMs are in the same cycle.
 */
#include "model/parallel/access_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "model/machine.h"
#include "sim/step.h"

/* Lines of host memory, and which bytes of them. */
enum { ACCESS_LINE = 64, ACCESS_ENTRIES = 1 << 15 };

struct access_entry {
    uintptr_t line;
    uint64_t bytes, cycle;
    uint64_t since; /* when it went ahead */
    bool write, ahead;
};

struct access_log {
    struct access_entry *note;
    unsigned n, writes;
    bool blind; /* not all was logged */
    struct step_access access;
};

/* Cycles in which, or since which; last < first: none. */
struct access_time {
    uint64_t first, last;
};

/* All that an SM wrote of a line. */
struct access_written {
    uintptr_t line;
    uint64_t bytes;
    unsigned sm;
    struct access_time here, ahead; /* ahead.first: when it went */
};

struct access_check {
    struct access_log **log; /* one for each SM */
    struct access_written *written;
    struct hash_index lines; /* rows of `written` */
    unsigned n;
};

/* LINES: for which there is room from the start; more take memory as they come. */
enum { LINES = 1 << 12, FULL = ACCESS_ENTRIES / 2 };

bool
access_log_create(struct ventus_model *m)
{
    struct access_check *r = calloc(1, sizeof *r);
    m->accesses = r;
    if (!r)
        return false;
    r->log = calloc(m->sms, sizeof(struct access_log *));
    r->written = calloc(ACCESS_ENTRIES, sizeof *r->written);
    for (unsigned i = 0; r->log && i < m->sms; i++) {
        r->log[i] = calloc(1, sizeof *r->log[i]);
        if (!r->log[i])
            return false;
        r->log[i]->note = calloc(ACCESS_ENTRIES, sizeof *r->log[i]->note);
        if (!r->log[i]->note)
            return false;
    }
    return r->log && r->written && hash_reserve(&r->lines, LINES);
}

void
access_log_destroy(struct ventus_model *m)
{
    struct access_check *r = m->accesses;
    if (!r)
        return;
    for (unsigned i = 0; r->log && i < m->sms; i++) {
        if (r->log[i])
            free(r->log[i]->note);
        free(r->log[i]);
    }
    free(r->log);
    free(r->written);
    hash_free(&r->lines);
    free(r);
    m->accesses = NULL;
}

/* ---- logs ---- */

static void
add(struct sm *s, uint64_t cycle, uintptr_t line, uint64_t bytes, bool write)
{
    struct access_log *log = s->m->accesses->log[s->id];
    debug_assert(s->access_mode != ACCESS_UNLOGGED && bytes);
    debug_assert(line % ACCESS_LINE == 0 && log->n <= ACCESS_ENTRIES);
    if (log->n == ACCESS_ENTRIES) {
        log->blind = true;
        return;
    }
    s->log_full = log->n >= FULL;
    log->writes += write;
    log->note[log->n++] =
        (struct access_entry){ .line = line,
                               .bytes = bytes,
                               .cycle = cycle,
                               .since = s->granted_at,
                               .write = write,
                               .ahead = s->access_mode == ACCESS_AHEAD };
}

/* lr may read where it cannot write. */
static uintptr_t
host_of(struct sm *s, uint64_t address, bool write)
{
    const uint8_t *host = step_host(s->stepper, address, write);
    if (!host && write)
        host = step_host(s->stepper, address, false);
    return (uintptr_t)host;
}

/* The bytes of a line that an instruction touches, collected until the line changes. */
struct touched {
    uint64_t line, bytes;
    uintptr_t host;
    bool write;
};

static void
log_line(struct sm *s, const struct touched *t)
{
    if (t->host)
        add(s, s->now, t->host, t->bytes, t->write);
}

/* An address without host memory is left out: the access will fault there. */
static void
touch_word(struct sm *s, struct touched *t, uint64_t address, uint64_t word)
{
    if (address / ACCESS_LINE != t->line) {
        log_line(s, t);
        t->line = address / ACCESS_LINE;
        t->bytes = 0;
        t->host = local_has(address)
                      ? 0
                      : host_of(s, t->line * ACCESS_LINE, t->write);
    }
    t->bytes |= word << address % ACCESS_LINE;
}

static uint64_t
word_of(unsigned bytes)
{
    return (UINT64_C(1) << bytes) - 1;
}

void
access_log_wide(struct sm *s, struct warp_place at, const struct model_op *op)
{
    struct touched t = { .line = UINT64_MAX, .write = op->write || op->atomic };
    struct step_access *a = &s->m->accesses->log[s->id]->access;
    step_peek(s->stepper, at.group, at.id, a);
    for (unsigned i = 0; i < a->n; i++)
        touch_word(s, &t, a->at[i], word_of(a->bytes));
    log_line(s, &t);
}

/* Most accesses are of all lanes, at consecutive words. */
static bool
is_row(const struct ventus_sim_step *step)
{
    const uint64_t *at = step->addresses;
    uint64_t differs = 0;
    if (step->scalar_access || ~step->exec << (64 - step->num_thread))
        return false;
    for (unsigned i = 1; i < step->num_thread; i++)
        differs |= at[i] - at[0] - (uint64_t)i * step->access_B;
    return !differs;
}

static void
touch_row(struct sm *s, struct touched *t, const struct ventus_sim_step *step)
{
    uint64_t at = step->addresses[0];
    uint64_t end = at + (uint64_t)step->num_thread * step->access_B;
    while (at < end) {
        uint64_t line_end = at / ACCESS_LINE * ACCESS_LINE + ACCESS_LINE;
        uint64_t n = (end < line_end ? end : line_end) - at;
        touch_word(s, t, at,
                   n < ACCESS_LINE ? word_of((unsigned)n) : UINT64_MAX);
        at += n;
    }
}

void
access_log_note(struct sm *s, struct warp_place at, const struct model_op *op,
                const struct ventus_sim_step *step)
{
    struct touched t = { .line = UINT64_MAX, .write = op->write || op->atomic };
    uint64_t lanes = step->scalar_access ? 1 : step->exec;
    uint64_t word = word_of(step->access_B);
    if (step_is_grouped(s->stepper, at.group, at.id))
        s->m->accesses->log[s->id]->blind = true;
    if (is_row(step)) {
        touch_row(s, &t, step);
        lanes = 0;
    }
    for (; lanes; lanes &= lanes - 1)
        touch_word(s, &t, step->addresses[lowest(lanes)], word);
    log_line(s, &t);
}

/* The cycle of an access: that of the uncore, if the uncore changes the SM's L1D. */
static uint64_t
cycle_of(const struct sm *s)
{
    bool early = s->access_mode == ACCESS_IN_ORDER && s->m->now < s->now;
    return early ? s->m->now : s->now;
}

void
access_log_bytes(void *ctx, const uint8_t *host, size_t n, bool write)
{
    struct sm *s = ctx;
    uintptr_t at = (uintptr_t)host, end = at + n;
    while (s->access_mode != ACCESS_UNLOGGED && at < end) {
        uintptr_t line = at & ~(uintptr_t)(ACCESS_LINE - 1);
        uintptr_t stop = end < line + ACCESS_LINE ? end : line + ACCESS_LINE;
        uint64_t bytes = stop - at < ACCESS_LINE
                             ? word_of((unsigned)(stop - at))
                             : UINT64_MAX;
        add(s, cycle_of(s), line, bytes << at % ACCESS_LINE, write);
        at = stop;
    }
}

void
access_log_start(struct sm *s, unsigned slot)
{
    uint64_t size, at = step_cleared(s->stepper, slot, &size);
    for (uint64_t end = at + size; at < end; at += ACCESS_LINE) {
        uintptr_t host = host_of(s, at, true);
        if (host)
            add(s, s->m->now, host & ~(uintptr_t)(ACCESS_LINE - 1), UINT64_MAX,
                true);
    }
}

/* ---- comparison ---- */

/* The bytes of a line that an SM wrote; NULL: no room for them. */
static struct access_written *
written_line(struct access_check *r, uintptr_t line, unsigned sm)
{
    uint32_t hash = hash_u64(line), row;
    hash_each (&r->lines, hash, row)
        if (r->written[row].line == line && r->written[row].sm == sm)
            return &r->written[row];
    if (r->n == ACCESS_ENTRIES || !hash_add(&r->lines, hash, r->n))
        return NULL;
    struct access_written *w = &r->written[r->n++];
    const struct access_time none = { UINT64_MAX, 0 };
    *w = (struct access_written){
        .line = line, .sm = sm, .here = none, .ahead = none
    };
    return w;
}

static void
widen(struct access_time *t, uint64_t first, uint64_t last)
{
    t->first = first < t->first ? first : t->first;
    t->last = last > t->last ? last : t->last;
}

static bool
collect_writes(struct access_check *r, const struct access_log *log,
               unsigned sm)
{
    for (unsigned i = 0; log->writes && i < log->n; i++) {
        const struct access_entry *n = &log->note[i];
        struct access_written *w =
            n->write ? written_line(r, n->line, sm) : NULL;
        if (n->write && !w)
            return false;
        if (!w)
            continue;
        w->bytes |= n->bytes;
        if (n->ahead)
            widen(&w->ahead, n->since, n->cycle);
        else
            widen(&w->here, n->cycle, n->cycle);
    }
    return true;
}

/* Was one in order since the other went ahead, and comes before it? */
static bool
is_late(struct access_time here, unsigned sm, struct access_time ahead,
        unsigned of)
{
    return here.last >= ahead.first &&
           (here.first < ahead.last || (here.first == ahead.last && sm < of));
}

static bool
overlap(struct access_time a, struct access_time b)
{
    return a.first <= b.last && b.first <= a.last;
}

static bool
races(const struct access_check *r, const struct access_entry *n, unsigned sm)
{
    uint32_t hash = hash_u64(n->line), row;
    hash_each (&r->lines, hash, row) {
        const struct access_written *w = &r->written[row];
        if (w->line != n->line || w->sm == sm || !(w->bytes & n->bytes))
            continue;
        const struct access_time t = { n->ahead ? n->since : n->cycle,
                                       n->cycle };
        if (n->ahead ? overlap(t, w->ahead) || is_late(w->here, w->sm, t, sm)
                     : is_late(t, sm, w->ahead, w->sm))
            return true;
    }
    return false;
}

static bool
compare_logs(struct ventus_model *m)
{
    struct access_check *r = m->accesses;
    for (unsigned i = 0; i < m->sms; i++)
        if (!collect_writes(r, r->log[i], i) || r->log[i]->blind)
            return true;
    for (unsigned i = 0; r->n && i < m->sms; i++)
        for (unsigned k = 0; k < r->log[i]->n; k++)
            if (races(r, &r->log[i]->note[k], i))
                return true;
    return false;
}

bool
access_log_has_race(struct ventus_model *m)
{
    struct access_check *r = m->accesses;
    bool found = compare_logs(m);
    for (unsigned i = 0; i < r->n; i++)
        hash_drain(&r->lines, hash_u64(r->written[i].line), i);
    r->n = 0;
    for (unsigned i = 0; i < m->sms; i++) {
        r->log[i]->n = r->log[i]->writes = 0;
        r->log[i]->blind = m->sm[i].log_full = false;
    }
    return found;
}
