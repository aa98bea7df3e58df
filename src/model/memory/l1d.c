/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The L1 data cache (microarchitecture.md, Data cache): tags are read in one
 * cycle, hit or miss is known in the next.  A store that hits stays in the cache
 * (write-back); a store that misses goes to the L2 and is answered when it
 * leaves the queue of requests.  A load that misses waits in an MSHR.  A store
 * to an outstanding line waits before the tags, and so do all requests while the
 * MSHRs are full.
 */
#include "model/memory/l1d.h"

#include "model/bits.h"

enum { STATUS_NEW, STATUS_FULL, STATUS_SAME, STATUS_SAME_FULL };

/* Reads the tags of a line's set: they stay on the wires until the next. */
static void
read_tags(struct dcache *d, uint64_t line)
{
    const struct ventus_model_cache *c = &d->config->dcache;
    const struct way *set = set_assoc_set(&d->lines, line);
    for (unsigned i = 0; i < c->ways && !d->config->dcache_keeps_tags; i++)
        d->state.tags.read[i] = set[i].tag;
}

/*
 * The way that stage 1 takes for the line of a request: by the tags that were read
 * last, which are those of another set if a line came while the request waited, and by
 * the valid bits of its own set.
 */
static struct way *
find_read(const struct dcache *d, uint64_t line)
{
    const struct ventus_model_cache *c = &d->config->dcache;
    struct way *set = set_assoc_set(&d->lines, line);
    if (d->config->dcache_keeps_tags)
        return set_assoc_find(&d->lines, line);
    for (unsigned i = 0; i < c->ways; i++)
        if (set[i].valid &&
            (d->state.tags.read[i] ^ line) < c->sets) /* sets: 2^n */
            return &set[i];
    return NULL;
}

static struct dcache_miss *
find_miss(struct dcache *d, unsigned n, uint64_t line)
{
    for (unsigned i = 0; i < n; i++)
        if (d->state.mshr.at[i].valid && d->state.mshr.at[i].line == line)
            return &d->state.mshr.at[i];
    return NULL;
}

/* A request enters the queue to the L2. */
static void
push_request(struct dcache *d, struct mem_request r)
{
    d->state.next_tick = 0;
    r.sm = (uint8_t)d->sm;
    r.cache = 1;
    mem_port_send(&d->state.l2.queue, d->now, r);
}

/* Does the first of the queue wait for the answer of an earlier store?  *entry: the
 * place of a store, or NEVER. */
static bool
queue_waits(const struct dcache *d, const struct mem_request *r, int *entry)
{
    bool conflict = false;
    *entry = NEVER;
    for (unsigned i = d->config->write_entries; i-- > 0;) {
        if (!d->state.l2.store[i].valid)
            *entry = (int)i;
        else if (d->state.l2.store[i].line == r->line)
            conflict = true;
    }
    return (r->op != MEM_FLUSH && conflict) || (r->op == MEM_PUT && *entry < 0);
}

/* ---- flushes ---- */

/*
 * At the end of a workgroup dirty lines are written, then the flush request of the L2
 * follows; fences without coherence write lines one by one.
 */
enum { QUEUE_WRAPS = 32 };

static bool
write_next(struct dcache *d, unsigned *next, bool waits)
{
    const struct ventus_model_cache *c = &d->config->dcache;
    for (; *next < c->sets * c->ways; ++*next) {
        struct way *line = &d->lines.way[*next];
        if (!line->valid || !line->dirty)
            continue;
        if (waits && !mem_port_can_send(&d->state.l2.queue, d->now))
            return true;
        line->dirty = false;
        /* The RTL's counter has a bit too few: 32 are none. */
        if (!waits && d->state.l2.queue.fifo.n + 1u == QUEUE_WRAPS) {
            d->state.l2.queue.fifo.n = 0;
            return true;
        }
        push_request(d,
                     (struct mem_request){ .op = MEM_PUT, .line = line->tag });
        return true;
    }
    return false;
}

bool
dcache_write_next(struct dcache *d, uint64_t now, unsigned *next, bool waits)
{
    d->now = now;
    return write_next(d, next, waits);
}

void
dcache_invalidate(struct dcache *d)
{
    set_assoc_invalidate(&d->lines);
}

bool
dcache_has_stores(const struct dcache *d)
{
    return d->state.l2.queue.fifo.n || d->state.l2.stores;
}

bool
dcache_is_settled(const struct dcache *d)
{
    return !dcache_has_stores(d) && !d->state.l2.leaves;
}

void
dcache_begin_flush(struct dcache *d)
{
    assert(d->state.flush.step == FLUSH_NO && "an SM drains once at a time");
    d->state.flush.step = FLUSH_WANTED;
    d->state.next_tick = 0;
}

/* The request of the end of a warp comes to the tags: warp scheduler, LSU, stage 0. */
enum { FLUSH_COMES = 3 };

static void
want_flush(struct dcache *d, uint64_t at)
{
    d->state.flush.step = FLUSH_WANTED;
    d->state.flush.at = at;
    d->state.flush.offered = false;
    d->state.next_tick = 0;
}

/*
 * The LSU takes a flush before an access, but an access that it offers to the L1D goes
 * first (s_idle, from_fifo.ready of LSU.scala).  One that must wait for another is
 * offered meanwhile, if no access is.
 */
void
dcache_queue_flush(struct dcache *d, uint64_t now)
{
    assert(d->config->flush_behind);
    if (d->state.flush.step == FLUSH_NO) {
        want_flush(d, now + FLUSH_COMES);
        return;
    }
    if (!d->state.flush.queued)
        d->state.flush.first = !d->state.request.in.fifo.n;
    d->state.flush.queued++;
}

void
dcache_end_flush(struct dcache *d)
{
    assert(d->state.flush.step == FLUSH_NO ||
           d->state.flush.step == FLUSH_DONE);
    d->state.flush.step = FLUSH_NO;
}

static void
ask_l2(struct dcache *d, enum dcache_flush_step then)
{
    push_request(d, (struct mem_request){ .op = MEM_FLUSH });
    d->state.flush.acks++;
    d->state.flush.step = then;
}

/* Dirty lines go first, then the request to the L2.  With flush_behind no store may be
 * under way; loads are waited for later. */
static void
write_dirty(struct dcache *d)
{
    bool waits = d->config->flush_waits;
    bool stores = d->config->flush_behind && d->state.l2.stores;
    if (write_next(d, &d->state.flush.next, waits) || stores ||
        !mem_port_can_send(&d->state.l2.queue, d->now))
        return;
    dcache_invalidate(d);
    ask_l2(d, FLUSH_L2);
}

/* The flush leaves stage 1, and one that waited for that takes its place. */
static void
leave_flush(struct dcache *d)
{
    d->state.flush.step = FLUSH_NO;
    if (d->state.flush.queued) {
        d->state.flush.queued--;
        want_flush(d, d->now + 1);
        d->state.flush.offered = d->state.flush.first;
        d->state.flush.first = true;
    }
}

/*
 * The flags that hold the request in stage 1 fall with the answer of the L2: it is
 * there still in the next cycle, and asks again (microarchitecture.md, End of a
 * workgroup).
 */
static void
ask_again(struct dcache *d)
{
    if (!mem_port_can_send(&d->state.l2.queue, d->now))
        return;
    if (d->state.flush.next) {
        ask_l2(d, FLUSH_HINTS);
        d->state.flush.next--;
    }
    if (!d->state.flush.next && !d->state.mshr.used)
        leave_flush(d);
}

/* The L2 has walked. */
static void
end_flush_l2(struct dcache *d)
{
    assert(d->state.flush.acks && "the L2 answers as often as it was asked");
    d->state.flush.acks--;
    if (!d->config->flush_behind) {
        d->state.flush.step = FLUSH_DONE;
        d->state.flush.at = d->now;
    } else if (d->state.flush.step == FLUSH_L2) {
        d->state.flush.step = FLUSH_HINTS;
        d->state.flush.at = d->now + 1;
        d->state.flush.next = d->config->flush_hints - 1;
    }
}

/* Do requests of the LSU wait before the tags for a flush? */
static bool
flush_blocks(const struct dcache *d)
{
    return d->config->flush_behind && d->state.flush.step != FLUSH_NO &&
           d->state.flush.at <= d->now &&
           (d->state.flush.step != FLUSH_WANTED || d->state.flush.offered);
}

/* Do requests wait for room in the queue to the L2? */
static bool
queue_blocks(const struct dcache *d)
{
    return d->state.l2.queued + d->config->dcache_queue_room >
           d->config->dcache_queue;
}

/* Has the request come to stage 1? */
static bool
has_come(const struct dcache *d, bool lsu_empty)
{
    if (d->config->flush_behind)
        return d->state.flush.at <= d->now && d->state.flush.offered &&
               !d->state.tags.in.fifo.n &&
               !(d->config->flush_after_loads && d->state.mshr.used);
    return lsu_empty && !d->state.request.in.fifo.n;
}

/* The flush of a tick, while one is wanted. */
static void
step_flush(struct dcache *d, bool lsu_empty)
{
    if (d->state.flush.at <= d->now && !d->state.request.in.fifo.n)
        d->state.flush.offered = true;
    if (d->state.flush.step == FLUSH_WANTED && has_come(d, lsu_empty)) {
        d->state.flush.step = FLUSH_WRITES;
        d->state.flush.next = 0;
        d->state.flush.at = d->now + (d->config->flush_behind ? 0 : 2);
    }
    if (d->state.flush.step == FLUSH_WRITES && d->state.flush.at <= d->now)
        write_dirty(d);
    else if (d->state.flush.step == FLUSH_HINTS && d->state.flush.at <= d->now)
        ask_again(d);
}

/* ---- lines that come ---- */

/* The cycles in which a line for so many requests keeps others from the tags. */
static unsigned
held_up(const struct dcache *d, unsigned requests)
{
    switch (d->config->dcache_fill_holds) {
    case VENTUS_MODEL_FILL_TAGS:
        return 1;
    case VENTUS_MODEL_FILL_RELEASES:
        return 1 + requests;
    case VENTUS_MODEL_FILL_ARRAYS:
        break;
    }
    return 2;
}

/* A dirty line is to be written. */
static void
give_up(struct dcache *d, const struct way *way)
{
    d->state.victim.waits = true;
    d->state.victim.at = d->now + 2;
    d->state.victim.line = way->tag;
    if (d->config->dcache_fill_holds == VENTUS_MODEL_FILL_ARRAYS)
        d->state.request.blocked_until = d->now + 3;
}

/* Takes the way of a line; a dirty one must be written first. */
static void
allocate_way(struct dcache *d, const struct dcache_miss *miss)
{
    uint64_t line = miss->line;
    uint64_t time = (d->age0 + d->now) + 1;
    struct way *way = set_assoc_victim(&d->lines, line, time);
    read_tags(d, line);
    d->state.request.blocked_until = d->now + held_up(d, miss->n);
    if (way->valid && way->dirty) {
        give_up(d, way);
        if (d->config->dcache_dirty_stays) {
            way->dirty = false;
            set_assoc_touch(&d->lines, way, time);
            return;
        }
    }
    set_assoc_fill(&d->lines, way, line, time);
    way->kept = miss->keeps;
}

/* A line came: the requests in its MSHR leave one a cycle, the first of them now.  If
 * none of them wants a place in the cache the tags are not written. */
static void
take_fill(struct dcache *d, const struct mem_request *r)
{
    struct dcache_miss *e = &d->state.mshr.at[r->source];
    if (e->allocates)
        allocate_way(d, e);
    d->state.fill.miss = *e;
    d->state.fill.next = 0;
    d->state.fill.closing = e;
}

static void
close_miss(struct dcache *d)
{
    if (!d->state.fill.closing || --d->state.fill.closing->n)
        return;
    d->state.fill.closing->valid = false;
    d->state.fill.closing = NULL;
    d->state.mshr.used--;
}

/*
 * Whether the answer that waits is taken in this cycle.  A line waits while
 * those of another one are answered, or, with dcache_fill_waits, a miss is noted.
 */
static bool
takes_response(const struct dcache *d)
{
    const struct mem_request *r = mem_port_peek(&d->state.l2.response, d->now);
    if (!r)
        return false;
    if (r->op != MEM_GET)
        return true;
    return !d->state.fill.leaves &&
           !(d->state.tags.missed && d->config->dcache_fill_waits) &&
           (!d->state.victim.waits || d->state.victim.left) &&
           data_port_can_send(&d->state.pipeline.out, d->now);
}

static void
end_store(struct dcache *d, uint64_t entry)
{
    debug_assert(d->state.l2.store[entry].valid && d->state.l2.stores &&
                 "a store is answered once");
    d->state.l2.store[entry].valid = false;
    d->state.l2.stores--;
}

static void
take_response(struct dcache *d)
{
    const struct mem_request r = mem_port_take(&d->state.l2.response, d->now);
    if (r.op == MEM_GET) {
        take_fill(d, &r);
    } else if (r.op == MEM_PUT) {
        end_store(d, r.source);
    } else {
        end_flush_l2(d);
    }
}

/* The next request of the line that came leaves, the first or the last that is left. */
static void
step_fill(struct dcache *d)
{
    struct dcache_fill *f = &d->state.fill;
    f->left = f->leaves;
    if (f->leaves)
        f->last = f->request;
    f->leaves = f->next < f->miss.n;
    if (f->leaves) {
        unsigned i = f->next++;
        f->request =
            f->miss.sub[d->config->dcache_newest_first ? f->miss.n - 1 - i : i];
    }
    if (f->next == f->miss.n)
        f->miss.n = f->next = 0;
}

/* A victim has the queue to the L2 for itself in the cycle in which it enters. */
static void
write_victim(struct dcache *d)
{
    d->state.victim.left = d->state.victim.waits &&
                           d->state.victim.at <= d->now &&
                           mem_port_can_send(&d->state.l2.queue, d->now);
    if (d->state.victim.left)
        push_request(d, (struct mem_request){ .op = MEM_PUT,
                                              .line = d->state.victim.line });
}

/* ---- stage 1 ---- */

/* Notes what stage 1 did; a register that is not emptied takes nothing. */
static bool
hold_request(struct dcache *d, const struct data_request *r, bool hits)
{
    if (d->state.pipeline.held && d->state.pipeline.answered)
        return false;
    d->state.pipeline.held = true;
    d->state.pipeline.hit = hits;
    d->state.pipeline.request = *r;
    return true;
}

static bool
hit_line(struct dcache *d, const struct data_request *r, struct way *line)
{
    if (!hold_request(d, r, true))
        return false;
    if (r->hint != VENTUS_ISA_HINT_STREAM)
        set_assoc_touch(&d->lines, line, (d->age0 + d->now));
    line->kept |= r->hint == VENTUS_ISA_HINT_KEEP;
    line->dirty |= r->write;
    *(r->write ? &d->stats->write_hits : &d->stats->read_hits) += 1;
    return true;
}

/*
 * The line that a request may use.  A bypass uses only a dirty line, since the L2 does
 * not have what was written there; a clean one is dropped.
 */
static struct way *
usable_line(const struct data_request *r, struct way *line)
{
    if (!line || line->dirty || r->hint != VENTUS_ISA_HINT_BYPASS)
        return line;
    line->valid = false;
    return NULL;
}

static bool
queue_is_open(const struct dcache *d)
{
    return !d->state.victim.left &&
           mem_port_can_send(&d->state.l2.queue, d->now);
}

/*
 * The status of a line in the MSHRs, as they were when the cycle began; a miss that is
 * noted in this cycle counts as one for any line.
 */
static unsigned
status_of(struct dcache *d, uint64_t line)
{
    const struct ventus_model_cache *c = &d->config->dcache;
    if (!d->state.mshr.used)
        return STATUS_NEW;
    struct dcache_miss *e = find_miss(d, c->mshrs, line);
    bool own = d->state.tags.missed && d->state.tags.missed_line == line;
    if (e && own && d->state.tags.missed_new)
        e = NULL;
    if (e)
        return e->n - own + d->state.tags.missed >= c->subentries
                   ? STATUS_SAME_FULL
                   : STATUS_SAME;
    unsigned misses =
        d->state.mshr.used - (d->state.tags.missed && d->state.tags.missed_new);
    return misses + d->state.tags.missed >= c->mshrs ? STATUS_FULL : STATUS_NEW;
}

/* A store that follows on the wires holds this one up while MSHRs are full; with no
 * register before the tags also while its line is read, and as the MSHRs are now
 * (DCache.scala, inflightreadwritemiss_w). */
static bool
follower_holds(struct dcache *d)
{
    return d->state.request.write &&
           (d->config->dcache_request_cycles
                ? d->state.request.mshrs_full
                : status_of(d, d->state.request.line));
}

static bool
miss_write(struct dcache *d, const struct data_request *r)
{
    if (d->state.request.store_waits || follower_holds(d) || !queue_is_open(d))
        return false;
    if (d->state.request.again_at == d->now) {
        if (d->state.tags.late)
            return false;
        d->state.tags.late = true;
        d->state.tags.late_store = *r;
        return true;
    }
    push_request(d, (struct mem_request){ .op = MEM_PUT,
                                          .line = r->line,
                                          .hint = r->hint,
                                          .reply = true,
                                          .data = *r });
    d->stats->write_misses++;
    return true;
}

static bool
miss_read(struct dcache *d, const struct data_request *r)
{
    const struct ventus_model_cache *c = &d->config->dcache;
    struct dcache_miss *e = find_miss(d, c->mshrs, r->line);
    if (!queue_is_open(d) ||
        (e ? e->n == c->subentries : d->state.mshr.used == c->mshrs))
        return false;
    if (e && e == d->state.fill
                      .closing) /* an atomic: its line is there, it asks anew */
        return false;
    d->state.tags.missed_new = !e;
    if (!e) {
        for (e = d->state.mshr.at; e->valid;)
            e++;
        *e = (struct dcache_miss){ .valid = true, .line = r->line };
        d->state.mshr.used++;
        push_request(d, (struct mem_request){
                            .op = MEM_GET,
                            .line = r->line,
                            .hint = r->hint,
                            .source = (uint8_t)(e - d->state.mshr.at) });
    }
    e->sub[e->n++] = *r;
    e->allocates |=
        r->hint != VENTUS_ISA_HINT_STREAM && r->hint != VENTUS_ISA_HINT_BYPASS;
    e->keeps |= r->hint == VENTUS_ISA_HINT_KEEP;
    d->state.tags.missed = true;
    d->state.tags.missed_line = r->line;
    d->stats->read_misses++;
    return true;
}

/*
 * A store that waited for a line: looked up again, one cycle after it left.
 * True if its answer takes the register that the next request would need.
 */
static bool
step_late(struct dcache *d)
{
    if (!d->state.tags.late || d->state.request.again_at == d->now)
        return false;
    const struct data_request *r = &d->state.tags.late_store;
    struct way *line = usable_line(r, set_assoc_find(&d->lines, r->line));
    if (line ? hit_line(d, r, line) : miss_write(d, r))
        d->state.tags.late = false;
    return line && !d->state.tags.late;
}

static void
step_tags(struct dcache *d)
{
    bool waited =
        d->state.request.store_waits || d->state.request.again_at == d->now;
    d->state.tags.missed = false;
    const struct data_request *r = data_port_peek(&d->state.tags.in, d->now);
    if (step_late(d) || !r || d->state.fill.leaves)
        return;
    struct way *line =
        waited && r->write ? NULL : usable_line(r, find_read(d, r->line));
    bool hits = line && !r->atomic;
    bool done = hits       ? hit_line(d, r, line)
                : r->write ? miss_write(d, r)
                           : miss_read(d, r);
    if (!hits)
        hold_request(d, r, false);
    if (done)
        data_port_take(&d->state.tags.in, d->now);
}

/* ---- stage 0 ---- */

void
dcache_send(struct dcache *d, uint64_t now, const struct data_request *r)
{
    data_port_send(&d->state.request.in, now, *r);
    d->state.next_tick = 0;
}

/* Does an answer pass the lines that wait? */
static bool
answer_passes(const struct dcache *d, const struct mem_request *r)
{
    return r->op == MEM_PUT && !d->config->rtl_faults;
}

bool
dcache_l2_can_send(const struct dcache *d, uint64_t now,
                   const struct mem_request *r)
{
    return answer_passes(d, r)
               ? line_port_can_send(&d->state.l2.stores_done, now)
               : mem_port_can_send(&d->state.l2.response, now);
}

void
dcache_l2_send(struct dcache *d, uint64_t now, const struct mem_request *r)
{
    if (answer_passes(d, r))
        line_port_send(&d->state.l2.stores_done, now, r->source);
    else
        mem_port_send(&d->state.l2.response, now, *r);
    d->state.next_tick = 0;
}

static void
take_request(struct dcache *d, bool fills)
{
    uint64_t now = d->now;
    bool mshrs_were_full =
        d->state.request.mshrs_full && d->config->dcache_request_cycles;
    unsigned status = status_of(d, d->state.request.line);
    d->state.request.mshrs_full = status & 1;
    const struct data_request *r = data_port_peek(&d->state.request.in, now);
    if (!r)
        return;
    if (status & 1)
        d->stats->mshr_full++;
    if (!data_port_can_send(&d->state.tags.in, now) ||
        d->state.request.blocked_until > now || fills ||
        d->state.request.store_waits || d->state.request.again_at == now ||
        status & 1 || (r->write && mshrs_were_full) || queue_blocks(d) ||
        flush_blocks(d) ||
        (d->state.tags.missed && d->state.tags.missed_line == r->line))
        return;
    /* A store to a line that is being read stays with the LSU, if it is still there
     * (DCache.scala, inflightreadwritemiss_w), or waits before stage 1. */
    if (r->write && status && !d->config->dcache_request_cycles)
        return;
    if (r->write && status)
        d->state.request.store_waits = true;
    data_port_send(&d->state.tags.in, now, *r);
    read_tags(d, r->line);
    data_port_take(&d->state.request.in, now);
}

/* ---- to the L2 ---- */

/*
 * Hits and stores wait for room.  A line that comes does so once, before its
 * first request: the array has places for the others, and one that was held.
 */
static void
answer_request(struct dcache *d, const struct data_request *r)
{
    data_port_send(&d->state.pipeline.out, d->now, *r);
}

/* A hit that waits has its place before it: then the fill takes its own. */
static void
answer_fill(struct dcache *d)
{
    if (!d->state.pipeline.held || !d->state.pipeline.hit) {
        answer_request(d, &d->state.fill.last);
        return;
    }
    answer_request(d, &d->state.pipeline.request);
    d->state.pipeline.request = d->state.fill.last;
}

/* A request leaves the queue: a store takes an entry and is answered. */
static void
step_queue(struct dcache *d, bool bus_open)
{
    const bool room = data_port_can_send(&d->state.pipeline.out, d->now);
    bool replied = false;
    int entry;
    const struct mem_request *first = mem_port_peek(&d->state.l2.queue, d->now);
    if (first && !d->state.fill.left && (room || !first->reply) &&
        !queue_waits(d, first, &entry) && bus_open) {
        struct mem_request r = mem_port_take(&d->state.l2.queue, d->now);
        if (r.op == MEM_PUT) {
            r.source = (uint8_t)entry;
            d->state.l2.store[entry] = (struct write_entry){ true, r.line };
            d->state.l2.stores++;
            replied = r.reply;
        }
        if (replied)
            answer_request(d, &r.data);
        d->state.l2.leaving = r;
        d->state.l2.leaves = true;
    }
    if (d->state.fill.left)
        answer_fill(d);
    d->state.pipeline.answered = replied || d->state.fill.left || !room;
    if (replied || d->state.fill.left)
        return;
    if (d->state.pipeline.held && d->state.pipeline.hit) {
        if (!room)
            return;
        answer_request(d, &d->state.pipeline.request);
    }
    d->state.pipeline.held = false;
}

struct mem_request
dcache_l2_take(struct dcache *d)
{
    assert(d->state.l2.leaves && "only what is seen can be taken");
    d->state.l2.leaves = false;
    return d->state.l2.leaving;
}

/* ---- waits ---- */

bool
dcache_is_stuck(const struct dcache *d)
{
    return d->config->rtl_faults && d->state.victim.waits &&
           !mem_port_can_send(&d->state.l2.queue, d->now);
}

uint64_t
dcache_lookahead(const struct dcache *d)
{
    const struct mem_port *queue = &d->state.l2.queue;
    int entry;
    uint64_t at = mem_port_next(queue);
    const struct mem_request *r = mem_port_peek(queue, at);
    return r && !queue_waits(d, r, &entry) ? at : UINT64_MAX;
}

/* Did nothing come to the queue or leave it, because of its first request? */
static bool
queue_stays(const struct dcache *d, const struct dcache_wires *wires,
            bool *waits)
{
    const struct mem_port *queue = &d->state.l2.queue;
    const struct mem_request *r = mem_port_peek(queue, d->now);
    int entry;
    if (queue->fifo.n != d->state.l2.queued || !r)
        return false;
    *waits = queue_waits(d, r, &entry);
    return *waits || (wires->bus_polled && !wires->bus_open);
}

/*
 * Stages that a tick in the next cycle would change.  All others wait for what comes
 * from outside: an access, an answer of the L2, room in the interconnect.  stays: the
 * queue to the L2 stays as it is.
 */
static bool
request_moves(const struct dcache *d, bool stays, bool mshrs_were_full)
{
    const struct dcache_request_stage *r = &d->state.request;
    bool held = r->mshrs_full || flush_blocks(d) || (stays && queue_blocks(d));
    bool waits = !r->in.fifo.n || (held && data_port_peek(&r->in, d->now));
    return !waits || r->mshrs_full != mshrs_were_full || r->store_waits ||
           r->again_at == d->now || r->again_at == d->now + 1 ||
           r->blocked_until > d->now;
}

static bool
tags_move(const struct dcache_tags_stage *t)
{
    return t->in.fifo.n || t->missed || t->late;
}

static bool
fill_moves(const struct dcache_fill *f)
{
    return f->miss.n || f->leaves || f->left || f->closing;
}

static bool
flush_moves(const struct dcache *d, bool stays)
{
    const struct dcache_flush *f = &d->state.flush;
    return f->step == FLUSH_WANTED || f->step == FLUSH_HINTS ||
           (f->step == FLUSH_WRITES && !(stays && f->at <= d->now));
}

static bool
l2_moves(const struct dcache_l2 *l, bool stays)
{
    return (l->queue.fifo.n && !stays) || l->response.fifo.n ||
           l->stores_done.fifo.n || l->leaves;
}

/* The cycle of the next tick that changes something, found at the end of one.
 * mshrs_were_full: request.mshrs_full, when it began. */
static void
find_next_tick(struct dcache *d, bool mshrs_were_full,
               const struct dcache_wires *wires)
{
    struct dcache_state *t = &d->state;
    bool waits = false, stays = queue_stays(d, wires, &waits);
    bool moves = tags_move(&t->tags) || l2_moves(&t->l2, stays) ||
                 fill_moves(&t->fill) || t->pipeline.held ||
                 t->pipeline.answered || t->victim.waits || t->victim.left ||
                 request_moves(d, stays, mshrs_were_full) ||
                 flush_moves(d, stays);
    t->next_tick = moves ? d->now + 1 : UINT64_MAX;
    t->awaits_bus = !moves && stays && !waits;
}

/* ---- a cycle ---- */

void
dcache_tick(struct dcache *d, uint64_t now, const struct dcache_wires *wires)
{
    d->now = now;
    bool mshrs_were_full = d->state.request.mshrs_full;
    bool waited = d->state.request.store_waits && !d->state.mshr.used;
    d->state.l2.queued = d->state.l2.queue.fifo.n;
    const struct data_request *asked =
        data_port_peek(&d->state.request.in, d->now);
    if (asked) { /* without a request the last one is on the wires */
        d->state.request.line = asked->line;
        d->state.request.write = asked->write;
    }
    step_fill(d);
    step_queue(d,
               wires->bus_open); /* sees the entries of stores as they were */
    write_victim(d);
    step_tags(d);
    bool takes = takes_response(d);
    bool fills =
        takes && mem_port_peek(&d->state.l2.response, d->now)->op == MEM_GET;
    take_request(d, fills);
    if (d->state.victim.left)
        d->state.victim.waits = false;
    close_miss(d);
    if (takes)
        take_response(d);
    if (line_port_peek(&d->state.l2.stores_done, d->now))
        end_store(d, line_port_take(&d->state.l2.stores_done, d->now));
    if (fills)
        close_miss(d);
    if (waited) {
        d->state.request.store_waits = false;
        d->state.request.again_at = d->now + 1;
    }
    if (d->state.flush.step)
        step_flush(d, wires->lsu_empty);
    find_next_tick(d, mshrs_were_full, wires);
}

void
dcache_skip(struct dcache *d, uint64_t cycles)
{
    if (d->state.request.in.fifo.n && d->state.request.mshrs_full)
        d->stats->mshr_full += cycles;
}

/* ---- life ---- */

bool
dcache_create(struct dcache *d, const struct ventus_model_config *config,
              struct ventus_model_stats *stats, unsigned sm)
{
    const struct ventus_model_cache *c = &config->dcache;
    assert(c->ways <= DCACHE_WAYS && c->mshrs <= DCACHE_MSHRS);
    assert(c->subentries <= DCACHE_LIST);
    assert(config->write_entries <= DCACHE_WRITES);
    *d = (struct dcache){ .config = config, .stats = stats, .sm = sm };
    return set_assoc_create(&d->lines, c->replacement, c->sets, c->ways,
                            random_of(config->seed, sm, SEED_DCACHE));
}

void
dcache_destroy(struct dcache *d)
{
    set_assoc_destroy(&d->lines);
}

/* After reset the tags are cleared, a set a cycle; no request is taken before. */
static uint64_t
cleared_at(const struct ventus_model_config *c)
{
    unsigned sets = c->dcache.sets;
    return c->reset_cycles && c->reset_cycles < sets ? sets - c->reset_cycles
                                                     : 0;
}

void
dcache_reset(struct dcache *d, uint64_t age0)
{
    struct dcache_state *t = &d->state;
    unsigned reply = d->config->bus_reply_cycles;
    d->age0 = age0;
    *t = (struct dcache_state){
        .next_tick = UINT64_MAX,
        .request = { .again_at = UINT64_MAX,
                     .blocked_until = age0 ? 0 : cleared_at(d->config) }
    };
    data_port_init(&t->request.in, 1, 1, true);
    data_port_init(&t->tags.in, 1, 1, true);
    data_port_init(&t->pipeline.out, 16, d->config->dcache_answer_cycles,
                   false);
    mem_port_init(&t->l2.queue, d->config->dcache_queue,
                  d->config->dcache_queue_cycles, false);
    /* If stores pass, there is room for the line of each MSHR: the L2 gives one
     * answer at a time, and none that waits may hold up a store's. */
    mem_port_init(&t->l2.response, d->config->rtl_faults ? reply : FIFO_MAX,
                  reply, false);
    line_port_init(&t->l2.stores_done, FIFO_MAX, reply, false);
    set_assoc_invalidate(&d->lines);
}
