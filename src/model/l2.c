/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The L2 (cycle.md, what the measured port really does): a request reads the
 * directory, waits in an MSHR for memory, and is answered.  A store is a read
 * of the line and, behind a write buffer of two cycles, a write of it.  The
 * port never hits; with l2_hits lines are found again.
 */
#include "model/machine.h"

enum { LIST_MAX = 4 };

/* As they were when the cycle began: one that was just emptied still takes a
 * request for its line, and answers it without memory. */
static struct l2_mshr *
find_mshr(struct l2 *l, uint32_t line)
{
    for (uint64_t left = l->valid_before; left; left &= left - 1) {
        struct l2_mshr *e = &l->mshr[lowest(left)];
        if (e->line == line && e->n < 16)
            return e;
    }
    return NULL;
}

/* When the cycle began. */
static unsigned
free_mshrs(const struct l2 *l)
{
    return l->mshrs - (unsigned)__builtin_popcountll(l->valid_before);
}

/* ---- the directory ---- */

static void
allocate(struct model *m, uint32_t line)
{
    struct l2 *l = &m->l2;
    struct way *way = set_assoc_victim(&l->lines, line, age_of(m));
    if (way->valid && way->dirty)
        l->write_line[fifo_push(&l->writes, m->now)] = (uint32_t)way->tag;
    set_assoc_fill(&l->lines, way, line, age_of(m));
}

static bool
is_hit(struct model *m, const struct mem_request *r)
{
    struct way *line =
        m->config.l2_hits ? set_assoc_find(&m->l2.lines, r->line) : NULL;
    if (!line || m->l2.hits.n == m->l2.hits.depth)
        return false;
    set_assoc_touch(&m->l2.lines, line, age_of(m));
    line->dirty |= r->op == MEM_PUT;
    m->l2_stats[r->sm].l2_hits++;
    m->l2.hit_at[fifo_push(&m->l2.hits, m->now)] = *r;
    return true;
}

/*
 * A load's tags are not written if something else than a load meets its MSHR;
 * what meets none counts as meeting the first.
 */
static void
note_mixed(struct l2 *l, struct l2_mshr *e)
{
    if (!e->get || l->look.op == MEM_GET)
        return;
    e->mixed = true;
    e->write_tags = false;
}

/* What the directory said: a new MSHR, or another name on a list. */
static void
note_miss(struct model *m)
{
    struct l2 *l = &m->l2;
    if (!l->looked || l->look_at > m->now)
        return;
    struct l2_mshr *e = find_mshr(l, l->look.line);
    note_mixed(l, e ? e : l->mshr);
    if (l->listed_before == l->mshrs || (!e && !free_mshrs(l)))
        return;
    l->looked = false;
    if (is_hit(m, &l->look))
        return;
    if (!e) {
        e = &l->mshr[lowest(~l->valid_before)];
        *e = (struct l2_mshr){ .ask = true,
                               .ask_at = m->now + 1,
                               .line = l->look.line,
                               .get = l->look.op == MEM_GET };
    }
    l->valid |= bit_of((unsigned)(e - l->mshr));
    e->list[e->n++] = l->look;
    l->listed++;
}

static void
begin_flush(struct model *m)
{
    struct l2 *l = &m->l2;
    if (l->flushing || l->looked || free_mshrs(l) < l->mshrs || l->puts)
        return;
    l->flush = l->in_at[fifo_pop(&l->in, m->now)];
    l->flushing = true;
    l->flushed_at = m->now + m->config.flush_cycles;
}

/*
 * The directory is read or written; but what is being written is passed on to
 * who asks for the same tag in the same set, and the port takes the set from
 * the request that it saw last, the tag from that and from the new one.
 */
static bool
is_directory_open(const struct model *m, uint32_t line)
{
    const struct l2 *l = &m->l2;
    uint32_t sets = m->config.l2.sets, written = l->dir_line;
    if (l->dir_written != m->now)
        return true;
    return l->seen_set == (written & (sets - 1)) &&
           (l->look.line ^ written) < sets && (line ^ written) < sets;
}

static void
accept(struct model *m)
{
    struct l2 *l = &m->l2;
    if (!fifo_ready(&l->in, m->now))
        return;
    const struct mem_request *r = &l->in_at[l->in.head];
    if (r->op == MEM_FLUSH) {
        begin_flush(m);
        return;
    }
    bool put = r->op == MEM_PUT;
    if (l->flushing || !free_mshrs(l) || l->listed_before == l->mshrs ||
        (put && l->puts_before == l->mshrs))
        return;
    bool open = is_directory_open(m, r->line);
    l->seen_set = r->line & (m->config.l2.sets - 1);
    if (l->looked || !open)
        return;
    l->look = l->in_at[fifo_pop(&l->in, m->now)];
    l->looked = true;
    l->look_at = m->now + 1;
    l->puts += put;
    struct model_stats *t = &m->l2_stats[l->look.sm];
    *(put ? &t->l2_puts : &t->l2_gets) += 1;
}

/* ---- answers ---- */

static void
give(struct model *m)
{
    struct l2 *l = &m->l2;
    if (!l->answering || l->answer_at > m->now)
        return;
    if (!l->answer_sent)
        l->answer_sent = bus_answer(m, &l->answer);
    if (l->answer.op == MEM_PUT && !l->answer_written &&
        l->answer_from_memory && fifo_has_room(&l->writes, m->now)) {
        l->write_line[fifo_push(&l->writes, m->now)] = l->answer.line;
        l->answer_written = true;
    }
    if (l->answer_sent && (l->answer.op != MEM_PUT || l->answer_written ||
                           !l->answer_from_memory)) {
        l->answering = false;
        l->free_at = m->now + 1;
    }
}

static void
begin_answer(struct model *m, const struct mem_request *r, bool from_memory)
{
    struct l2 *l = &m->l2;
    l->answering = true;
    l->puts -= r->op == MEM_PUT;
    l->answer = *r;
    l->answer_at = m->now + 1;
    l->answer_sent = l->answer_written = false;
    l->answer_from_memory = from_memory;
}

static bool
can_answer(const struct model *m)
{
    return !m->l2.answering && m->l2.free_at <= m->now;
}

static void
end_flush(struct model *m)
{
    struct l2 *l = &m->l2;
    if (l->flushing && l->flushed_at <= m->now && bus_answer(m, &l->flush)) {
        l->flushing = false;
        set_assoc_reset(&l->lines);
    }
}

/* ---- one MSHR a cycle, in turn, asks memory and is answered ---- */

static bool
wants(const struct model *m, const struct l2_mshr *e, bool ready)
{
    if (e->ask && e->ask_at <= m->now && ready)
        return true;
    return e->filled && e->fill_at <= m->now &&
           (can_answer(m) || e->write_tags);
}

static void
serve(struct model *m, struct l2_mshr *e, bool ready, bool writing)
{
    struct l2 *l = &m->l2;
    if (e->ask && e->ask_at <= m->now && ready && !writing) {
        memory_ask(m, false, (unsigned)(e - l->mshr), e->line);
        e->ask = false;
    }
    if (!e->filled || e->fill_at > m->now)
        return;
    if (e->write_tags) {
        l->dir_written = m->now;
        l->dir_line = e->line;
        if (m->config.l2_hits)
            allocate(m, e->line);
    }
    e->write_tags = false;
    if (!can_answer(m))
        return;
    begin_answer(m, &e->list[0], true);
    e->n--;
    l->listed--;
    for (unsigned i = 0; i < e->n; i++)
        e->list[i] = e->list[i + 1];
    if (!e->n)
        l->valid &= ~bit_of((unsigned)(e - l->mshr));
}

static void
schedule(struct model *m)
{
    struct l2 *l = &m->l2;
    bool ready = memory_ready(m), writing = fifo_ready(&l->writes, m->now);
    uint64_t wanting = 0;
    for (uint64_t left = l->valid; left; left &= left - 1)
        if (wants(m, &l->mshr[lowest(left)], ready))
            wanting |= left & -left;
    if (wanting) {
        uint64_t later = wanting & ~(2 * bit_of(l->last) - 1);
        l->last = lowest(later ? later : wanting);
        serve(m, &l->mshr[l->last], ready, writing);
    }
    if (fifo_ready(&l->hits, m->now) && can_answer(m))
        begin_answer(m, &l->hit_at[fifo_pop(&l->hits, m->now)], false);
    if (writing && ready) {
        unsigned i = fifo_pop(&l->writes, m->now);
        memory_ask(m, true, 0, l->write_line[i]);
    }
}

bool
l2_is_idle(const struct l2 *l)
{
    return !l->valid && !l->in.n && !l->looked && !l->answering &&
           !l->flushing && !l->hits.n && !l->writes.n;
}

void
l2_cycle(struct model *m)
{
    struct l2 *l = &m->l2;
    l->valid_before = l->valid;
    l->listed_before = l->listed;
    l->puts_before = l->puts;
    m->bus_room = fifo_has_room(&l->in, m->now);
    if (l2_is_idle(l))
        return;
    give(m);
    end_flush(m);
    schedule(m);
    note_miss(m);
    accept(m);
}

static void
earliest(uint64_t *first, uint64_t at)
{
    *first = at < *first ? at : *first;
}

static void
earliest_of(uint64_t *first, const struct fifo *f)
{
    if (f->n)
        earliest(first, f->at[f->head]);
}

/* ---- how soon an answer may come: at least so many cycles behind ... ---- */

enum {
    BEHIND_HIT = 1,    /* a hit that is ready */
    BEHIND_FILL = 1,   /* an MSHR's line that is known */
    BEHIND_MEMORY = 3, /* what memory gives: known two cycles later */
    BEHIND_LOOK = 2    /* a look at the directory that meets an MSHR, or hits */
};

static uint64_t
not_before(uint64_t at, uint64_t now)
{
    return at < now ? now : at;
}

/* Of a look at the directory in a cycle: it asks memory one later. */
static uint64_t
look_answers(const struct model *m, uint32_t line, uint64_t at)
{
    const struct l2 *l = &m->l2;
    for (uint64_t left = l->valid; left; left &= left - 1)
        if (l->mshr[lowest(left)].line == line)
            return at + BEHIND_LOOK;
    if (m->config.l2_hits && set_assoc_find(&l->lines, line))
        return at + BEHIND_LOOK;
    return at + 1 + memory_takes(m) + BEHIND_MEMORY;
}

static uint64_t
mshr_answers(const struct model *m, const struct l2_mshr *e)
{
    unsigned i = (unsigned)(e - m->l2.mshr);
    if (e->filled)
        return not_before(e->fill_at, m->now) + BEHIND_FILL;
    if (e->ask)
        return not_before(e->ask_at, m->now) + memory_takes(m) + BEHIND_MEMORY;
    return not_before(memory_gives(m, i), m->now) + BEHIND_MEMORY;
}

static bool
is_for(const struct l2_mshr *e, unsigned sm)
{
    bool found = false;
    for (unsigned i = 0; i < e->n; i++)
        found |= e->list[i].sm == sm;
    return found;
}

/* Of requests before the L2: in order, and none while it is emptied. */
static uint64_t
waiting_answers(const struct model *m, unsigned sm)
{
    const struct l2 *l = &m->l2;
    uint64_t first = UINT64_MAX, at = m->now;
    if (l->flushing)
        at = not_before(l->flushed_at, at);
    for (unsigned k = 0; k < l->in.n; k++) {
        unsigned i = (l->in.head + k) % FIFO_MAX;
        const struct mem_request *r = &l->in_at[i];
        bool flushes = r->op == MEM_FLUSH;
        at = not_before(l->in.at[i], at);
        if (flushes)
            at += m->config.flush_cycles;
        if (r->sm == sm)
            earliest(&first, flushes ? at : look_answers(m, r->line, at + 1));
    }
    const struct bus_port *p = &m->port[sm];
    if (p->leaves && p->request.op == MEM_FLUSH)
        earliest(&first, not_before(p->at, at) + m->config.flush_cycles);
    else if (p->leaves)
        earliest(&first,
                 look_answers(m, p->request.line, not_before(p->at, at) + 1));
    return first;
}

/* Of requests that look at the directory, or hit. */
static uint64_t
looking_answers(const struct model *m, unsigned sm)
{
    const struct l2 *l = &m->l2;
    uint64_t first = UINT64_MAX, now = m->now;
    for (unsigned k = 0; k < l->hits.n; k++) {
        unsigned i = (l->hits.head + k) % FIFO_MAX;
        if (l->hit_at[i].sm == sm)
            earliest(&first, not_before(l->hits.at[i], now) + BEHIND_HIT);
    }
    if (l->looked && l->look.sm == sm)
        earliest(&first,
                 look_answers(m, l->look.line, not_before(l->look_at, now)));
    return first;
}

uint64_t
l2_answers(const struct model *m, unsigned sm)
{
    const struct l2 *l = &m->l2;
    uint64_t first = waiting_answers(m, sm), now = m->now;
    earliest(&first, looking_answers(m, sm));
    if (l->answering && l->answer.sm == sm)
        earliest(&first, not_before(l->answer_at, now));
    if (l->flushing && l->flush.sm == sm)
        earliest(&first, not_before(l->flushed_at, now));
    for (uint64_t left = l->valid; left; left &= left - 1) {
        const struct l2_mshr *e = &l->mshr[lowest(left)];
        if (is_for(e, sm))
            earliest(&first, mshr_answers(m, e));
    }
    return first;
}

uint64_t
l2_next(const struct model *m)
{
    const struct l2 *l = &m->l2;
    uint64_t first = UINT64_MAX;
    bool memory = m->memory.n < m->config.memory_requests;
    if (l->answering)
        earliest(&first, l->answer_at);
    if (l->flushing)
        earliest(&first, l->flushed_at);
    if (l->looked)
        earliest(&first, l->look_at);
    if (!l->flushing)
        earliest_of(&first, &l->in);
    if (memory)
        earliest_of(&first, &l->writes);
    earliest_of(&first, &l->hits);
    for (uint64_t left = l->valid; left; left &= left - 1) {
        const struct l2_mshr *e = &l->mshr[lowest(left)];
        if (e->ask && memory)
            earliest(&first, e->ask_at);
        if (e->filled)
            earliest(&first, e->fill_at);
    }
    return first;
}
