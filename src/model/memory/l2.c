/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The L2 (microarchitecture.md, L2): a request reads the
 * directory, waits in an MSHR for memory, and is answered.  A store is a read
 * of the line and, after a write buffer, a write of it.  The RTL reference never hits;
 * with l2_hits it does.  At the end of a workgroup it walks its lines and accepts
 * no request during the walk (End of a workgroup).
 */
#include "model/memory/l2.h"

#include <stdlib.h>

#include "model/bits.h"

/* As they were when the cycle began: one that was just emptied still takes a
 * request for its line, and answers it without memory. */
static struct l2_mshr *
find_mshr(struct l2_state *t, uint64_t line)
{
    for (uint64_t left = t->valid_before; left; left &= left - 1) {
        struct l2_mshr *e = &t->mshr[lowest(left)];
        if (e->line == line && e->n < L2_LIST)
            return e;
    }
    return NULL;
}

/* When the cycle began. */
static unsigned
free_mshrs(const struct l2 *l)
{
    return l->config->l2.mshrs -
           (unsigned)__builtin_popcountll(l->state->valid_before);
}

/* ---- the directory ---- */

/* Where a line goes, whose victim is empty from now on: *evicted, it is dirty. */
static struct way *
choose_way(struct l2 *l, uint64_t line, uint64_t now, bool *evicted)
{
    struct way *way = set_assoc_victim(&l->lines, line, l->age0 + now);
    *evicted = way->valid && way->dirty;
    way->valid = false;
    return way;
}

static void
allocate_line(struct l2 *l, struct l2_late e, uint64_t now)
{
    bool evicted = false;
    struct way *way = e.way ? e.way : choose_way(l, e.line, now, &evicted);
    if (evicted)
        line_port_send(&l->state->writes, now, way->tag);
    set_assoc_fill(&l->lines, way, e.line, l->age0 + now);
    way->kept = e.keeps;
}

/*
 * A dirty victim is read and written by the unit that answers, where hits wait for that
 * (dir_result_buffer, stage_3 of SourceD.scala).  Without room there the RTL loses it.
 */
static struct way *
choose_and_evict(struct l2 *l, uint64_t now)
{
    bool evicted;
    struct way *way = choose_way(l, l->state->look.line, now, &evicted);
    if (evicted && l->state->hits_open)
        mem_port_send(&l->state->hits, now,
                      (struct mem_request){ .op = MEM_EVICT,
                                            .line = way->tag,
                                            .sm = l->state->look.sm });
    return way;
}

/* The directory has answered, and it is a miss: the policy that steps with each
 * answer chooses the way now, if the line is to come. */
static struct way *
choose_early(struct l2 *l, bool comes, uint64_t now)
{
    if (!l->config->l2_hits ||
        l->config->l2.replacement != VENTUS_MODEL_REPLACE_LFSR)
        return NULL;
    if (comes)
        return choose_and_evict(l, now);
    replacement_look(&l->lines.replacement);
    return NULL;
}

static uint64_t
lines_of(const struct l2 *l)
{
    return (uint64_t)l->config->l2.sets * l->config->l2.ways;
}

/* A counter goes to the last line, one a cycle; if it has a bit too many it rests past that, and a later walk runs through all its values. */
uint64_t
l2_walk_cycles(const struct l2 *l, bool later)
{
    uint64_t counted = lines_of(l);
    if (l->config->ideal_walks)
        return 0;
    if (later && l->config->flush_count_rests)
        counted *= 2;
    return counted + l->config->flush_cycles;
}

static bool
is_hit(struct l2 *l, const struct mem_request *r, uint64_t now)
{
    struct mem_port *hits = &l->state->hits;
    struct way *way =
        l->config->l2_hits ? set_assoc_find(&l->lines, r->line) : NULL;
    l->state->look_hits = way;
    if (!way)
        return false;
    if (r->hint != VENTUS_ISA_HINT_STREAM)
        set_assoc_touch(&l->lines, way, l->age0 + now);
    way->kept |= r->hint == VENTUS_ISA_HINT_KEEP;
    way->dirty |= r->op == MEM_PUT;
    l->stats[r->sm].l2_hits++;
    mem_port_send(hits, now, *r);
    return true;
}

/*
 * A load's tags are not written if something else than a load meets its MSHR;
 * what meets none counts as meeting the first.
 */
static void
note_mixed(const struct l2_state *t, struct l2_mshr *e)
{
    if (!e->get || t->look.op == MEM_GET)
        return;
    e->mixed = true;
    e->write_tags = false;
}

/* A hit stays in the directory while the buffer of hits is full. */
static bool
hit_waits(const struct l2 *l)
{
    const struct l2_state *t = l->state;
    return !t->hits_open && set_assoc_find(&l->lines, t->look.line);
}

/* The directory has answered: a miss takes a new MSHR, or a place in the list of one. */
static void
note_miss(struct l2 *l, uint64_t now)
{
    struct l2_state *t = l->state;
    if (!t->looked || t->look_at > now)
        return;
    struct l2_mshr *e = find_mshr(t, t->look.line);
    note_mixed(t, e ? e : t->mshr);
    if (t->listed_before == l->config->l2.mshrs || (!e && !free_mshrs(l)))
        return;
    if (hit_waits(l))
        return;
    t->looked = false;
    if (is_hit(l, &t->look, now))
        return;
    bool load = t->look.op == MEM_GET;
    bool allocates = load && t->look.hint != VENTUS_ISA_HINT_STREAM;
    struct way *way = choose_early(l, !e && allocates, now);
    if (!e) {
        e = &t->mshr[lowest(~t->valid_before)];
        *e = (struct l2_mshr){ .ask = true,
                               .way = way,
                               .ask_at = now + 1,
                               .line = t->look.line,
                               .get = load };
    }
    e->allocates |= allocates;
    e->keeps |= load && t->look.hint == VENTUS_ISA_HINT_KEEP;
    t->valid |= bit_of(l2_mshr_index(l, e));
    assert(e->n < L2_LIST && "a list that is full holds the directory up");
    e->list[e->n++] = t->look;
    t->listed++;
}

static void
begin_flush(struct l2 *l, uint64_t now)
{
    struct l2_state *t = l->state;
    bool drained =
        l->config->flush_behind || free_mshrs(l) == l->config->l2.mshrs;
    if (t->flushing || t->looked || !drained || t->puts)
        return;
    t->flush = mem_port_take(&t->in, now);
    t->flushing = true;
    t->flushed_at = now + l2_walk_cycles(l, l->persistent.walked);
    l->stats[t->flush.sm].l2_walks += t->flushed_at - now;
    l->persistent.walked = true;
}

/*
 * The directory is read or written; but what is being written is passed on to a
 * request for the same tag in the same set, and the RTL takes the set from the
 * request that it saw last, the tag from that and from the new one.
 */
static bool
is_directory_open(const struct l2 *l, uint64_t line, uint64_t now)
{
    const struct l2_state *t = l->state;
    uint64_t sets = l->config->l2.sets, written = t->dir_line;
    if (t->dir_written != now)
        return true;
    return t->seen_set == (written & (sets - 1)) &&
           (t->look.line ^ written) < sets && (line ^ written) < sets;
}

static void
accept_request(struct l2 *l, uint64_t now)
{
    struct l2_state *t = l->state;
    const unsigned mshrs = l->config->l2.mshrs;
    const struct mem_request *r = mem_port_peek(&t->in, now);
    if (!r || t->opens_at > now)
        return;
    /* The directory shows its last hit until it is read again, and takes nothing while
     * the buffer could not take that (io.result.ready of Directory_test.scala). */
    if (t->look_hits && !t->hits_open)
        return;
    if (r->op == MEM_FLUSH) {
        begin_flush(l, now);
        return;
    }
    bool put = r->op == MEM_PUT;
    if (t->flushing || !free_mshrs(l) || t->listed_before == mshrs ||
        (put && t->puts_before == mshrs))
        return;
    bool open = is_directory_open(l, r->line, now);
    t->seen_set = r->line & (l->config->l2.sets - 1);
    if (t->looked || !open)
        return;
    t->look = mem_port_take(&t->in, now);
    t->looked = true;
    t->look_at = now + 1;
    t->puts += put;
    struct ventus_model_stats *stats = &l->stats[t->look.sm];
    *(put ? &stats->l2_puts : &stats->l2_gets) += 1;
}

/* ---- answers ---- */

/* False: there is no room for it, it waits. */
static bool
send_answer(struct l2 *l, const struct mem_request *r, uint64_t now)
{
    if (!l->port.can_send(l->port.ctx, r, now))
        return false;
    l->port.send(l->port.ctx, r, now);
    return true;
}

static void
give_answer(struct l2 *l, uint64_t now)
{
    struct l2_state *t = l->state;
    if (!t->answering || t->answer_at > now)
        return;
    bool evicts = t->answer.op == MEM_EVICT;
    if (!t->answer_sent)
        t->answer_sent = evicts || send_answer(l, &t->answer, now);
    bool writes = evicts || (t->answer.op == MEM_PUT && t->answer_from_memory);
    if (writes && !t->answer_written && line_port_can_send(&t->writes, now)) {
        line_port_send(&t->writes, now, t->answer.line);
        t->answer_written = true;
    }
    if (t->answer_sent && (t->answer_written || !writes)) {
        t->answering = false;
        t->free_at = now + 1;
    }
}

static void
begin_answer(struct l2_state *t, const struct mem_request *r, bool from_memory,
             uint64_t now)
{
    assert(!t->answering && "can_answer is asked before");
    assert(r->op != MEM_PUT || t->puts);
    t->answering = true;
    t->puts -= r->op == MEM_PUT;
    t->answer = *r;
    t->answer_at = now + 1;
    t->answer_sent = t->answer_written = false;
    t->answer_from_memory = from_memory;
}

static bool
can_answer(const struct l2_state *t, uint64_t now)
{
    return !t->answering && t->free_at <= now;
}

static void
end_flush(struct l2 *l, uint64_t now)
{
    struct l2_state *t = l->state;
    if (t->flushing && t->flushed_at <= now && send_answer(l, &t->flush, now)) {
        t->flushing = t->look_hits = false;
        if (l->config->ideal_walks)
            return;
        set_assoc_invalidate(&l->lines);
        replacement_look(&l->lines.replacement);
        for (unsigned i = 0; i < t->lates; i++)
            allocate_line(l, t->late[i], now);
        t->lates = 0;
    }
}

/* ---- one MSHR a cycle, in turn, asks memory and is answered ---- */

static bool
mshr_wants(const struct l2_state *t, const struct l2_mshr *e, bool ready,
           uint64_t now)
{
    if (e->ask && e->ask_at <= now && ready)
        return true;
    return e->filled && e->fill_at <= now &&
           (can_answer(t, now) || e->write_tags);
}

static void
answer_first(struct l2 *l, struct l2_mshr *e, uint64_t now)
{
    struct l2_state *t = l->state;
    assert(e->n && t->listed && "an MSHR without requests is free");
    begin_answer(t, &e->list[0], true, now);
    e->n--;
    t->listed--;
    for (unsigned i = 0; i < e->n; i++)
        e->list[i] = e->list[i + 1];
    if (!e->n)
        t->valid &= ~bit_of(l2_mshr_index(l, e));
}

/* The directory is closed while it is walked: MSHRs are answered, and their tags
 * written afterwards. */
static void
write_tags(struct l2 *l, struct l2_late line, uint64_t now)
{
    struct l2_state *t = l->state;
    t->dir_written = now;
    t->dir_line = line.line;
    if (!l->config->l2_hits)
        return;
    if (!t->flushing) {
        allocate_line(l, line, now);
        return;
    }
    assert(t->lates < L2_MSHRS && "each MSHR has one line that comes late");
    t->late[t->lates++] = line;
}

static void
serve_mshr(struct l2 *l, struct l2_mshr *e, bool ready, bool writing,
           uint64_t now)
{
    struct l2_state *t = l->state;
    if (e->ask && e->ask_at <= now && ready && !writing) {
        memory_send(l->memory, now, false, l2_mshr_index(l, e), e->line);
        e->ask = false;
    }
    if (!e->filled || e->fill_at > now)
        return;
    if (e->write_tags)
        write_tags(l, (struct l2_late){ e->way, e->line, e->keeps }, now);
    e->write_tags = false;
    if (can_answer(t, now))
        answer_first(l, e, now);
}

static void
schedule_mshrs(struct l2 *l, uint64_t now)
{
    struct l2_state *t = l->state;
    bool ready = memory_can_send(l->memory, now);
    bool writing = line_port_peek(&t->writes, now);
    uint64_t wanting = 0;
    for (uint64_t left = t->valid; left; left &= left - 1)
        if (mshr_wants(t, &t->mshr[lowest(left)], ready, now))
            wanting |= left & -left;
    if (wanting) {
        uint64_t later = wanting & ~(2 * bit_of(l->persistent.last) - 1);
        l->persistent.last = lowest(later ? later : wanting);
        serve_mshr(l, &t->mshr[l->persistent.last], ready, writing, now);
    }
    if (mem_port_peek(&t->hits, now) && can_answer(t, now)) {
        struct mem_request hit = mem_port_take(&t->hits, now);
        begin_answer(t, &hit, false, now);
    }
    if (writing && ready)
        memory_send(l->memory, now, true, 0, line_port_take(&t->writes, now));
}

void
l2_memory_send(struct l2 *l, uint64_t now, const struct memory_request *r)
{
    struct l2_mshr *e = &l->state->mshr[r->mshr];
    assert(!r->write && l->state->valid >> r->mshr & 1 && !e->ask &&
           !e->filled);
    e->filled = true;
    e->fill_at = now + 2;
    e->write_tags = e->get && !e->mixed && e->allocates;
}

bool
l2_is_idle(const struct l2 *l)
{
    const struct l2_state *t = l->state;
    return !t->valid && !t->in.fifo.n && !t->looked && !t->answering &&
           !t->flushing && !t->hits.fifo.n && !t->writes.fifo.n;
}

bool
l2_is_flushing(const struct l2 *l)
{
    return l->state->flushing;
}

uint64_t
l2_walked(const struct l2 *l, uint64_t now)
{
    return l->state->flushed_at < now ? l->state->flushed_at : now;
}

void
l2_send(struct l2 *l, uint64_t now, const struct mem_request *r)
{
    mem_port_send(&l->state->in, now, *r);
}

void
l2_tick(struct l2 *l, uint64_t now)
{
    struct l2_state *t = l->state;
    t->valid_before = t->valid;
    t->listed_before = t->listed;
    t->puts_before = t->puts;
    t->hits_open = mem_port_can_send(&t->hits, now);
    if (l2_is_idle(l))
        return;
    give_answer(l, now);
    end_flush(l, now);
    schedule_mshrs(l, now);
    note_miss(l, now);
    accept_request(l, now);
}

/* ---- life ---- */

bool
l2_create(struct l2 *l, const struct ventus_model_config *config,
          struct ventus_model_stats *stats, struct memory *memory,
          const struct l2_port *port)
{
    assert(config->l2.mshrs && config->l2.mshrs <= L2_MSHRS);
    *l = (struct l2){
        .config = config, .stats = stats, .memory = memory, .port = *port
    };
    l->state = calloc(1, sizeof *l->state);
    return l->state && set_assoc_create(&l->lines, config->l2.replacement,
                                        config->l2.sets, config->l2.ways,
                                        random_of(config->seed, 0, SEED_L2));
}

void
l2_destroy(struct l2 *l)
{
    free(l->state);
    set_assoc_destroy(&l->lines);
}

/* After reset the directory is cleared, a set a cycle, and one until it says so. */
static uint64_t
cleared_at(const struct ventus_model_config *c)
{
    unsigned sets = c->l2.sets;
    return c->reset_cycles && c->reset_cycles <= sets
               ? sets + 1 - c->reset_cycles
               : 0;
}

/* A stage for each cycle that a hit takes: dir_result_buffer is a queue of one. */
static unsigned
hit_buffer(const struct ventus_model_config *c)
{
    return c->l2_hit_cycles < L2_HITS ? c->l2_hit_cycles : L2_HITS;
}

void
l2_reset(struct l2 *l, uint64_t age0)
{
    const struct ventus_model_config *c = l->config;
    l->persistent = age0 ? l2_checkpoint(l)
                         : (struct l2_persistent){ .last = c->l2.mshrs - 1 };
    l->age0 = age0;
    *l->state = (struct l2_state){ .opens_at = age0 ? 0 : cleared_at(c),
                                   .dir_written = UINT64_MAX };
    mem_port_init(&l->state->in, c->bus_queue, c->bus_request_cycles, false);
    mem_port_init(&l->state->hits, hit_buffer(c), c->l2_hit_cycles, false);
    line_port_init(&l->state->writes, 8, c->l2_write_cycles, false);
    set_assoc_reset(&l->lines);
    replacement_set_lfsr(&l->lines.replacement, l->persistent.lfsr);
}

struct l2_persistent
l2_checkpoint(const struct l2 *l)
{
    struct l2_persistent p = l->persistent;
    p.lfsr = replacement_lfsr(&l->lines.replacement);
    return p;
}

void
l2_restore(struct l2 *l, struct l2_persistent from)
{
    assert(from.last < l->config->l2.mshrs);
    l->persistent = from;
    replacement_set_lfsr(&l->lines.replacement, from.lfsr);
}
