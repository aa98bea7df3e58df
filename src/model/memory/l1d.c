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
        d->state.tags[i] = set[i].tag;
}

/*
 * What stage 1 takes for the line of a request: the tags that were read last,
 * which are those of another set if a line came while the request waited, and
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
        if (set[i].valid && (d->state.tags[i] ^ line) < c->sets) /* sets: 2^n */
            return &set[i];
    return NULL;
}

static struct dcache_miss *
find_miss(struct dcache *d, unsigned n, uint64_t line)
{
    for (unsigned i = 0; i < n; i++)
        if (d->state.miss[i].valid && d->state.miss[i].line == line)
            return &d->state.miss[i];
    return NULL;
}

/* A request enters the queue to the L2. */
static void
push_request(struct dcache *d, struct mem_request r)
{
    d->state.busy = true;
    r.sm = (uint8_t)d->sm;
    r.cache = 1;
    mem_port_push(&d->state.queue, d->now, r);
}

static int
free_write(const struct dcache *d, uint64_t line, bool *conflict)
{
    int free = NEVER;
    *conflict = false;
    for (unsigned i = d->config->write_entries; i-- > 0;) {
        if (!d->state.write[i].valid)
            free = (int)i;
        else if (d->state.write[i].line == line)
            *conflict = true;
    }
    return free;
}

/* Does the first of the queue wait for the answer of an earlier store?  *entry: the
 * place of a store, or NEVER. */
static bool
queue_waits(const struct dcache *d, int *entry)
{
    const struct mem_request *r = mem_port_front(&d->state.queue);
    bool conflict;
    *entry = free_write(d, r->line, &conflict);
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
        if (waits && !mem_port_has_room(&d->state.queue, d->now))
            return true;
        line->dirty = false;
        /* The RTL's counter has a bit too few: 32 are none. */
        if (!waits && d->state.queue.fifo.n + 1u == QUEUE_WRAPS) {
            d->state.queue.fifo.n = 0;
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
    return d->state.queue.fifo.n || d->state.writes;
}

bool
dcache_is_settled(const struct dcache *d)
{
    return !dcache_has_stores(d) && !d->state.leaves;
}

void
dcache_begin_flush(struct dcache *d)
{
    assert(d->state.flush == FLUSH_NO);
    d->state.flush = FLUSH_WANTED;
    d->state.busy = true;
}

/* The request of the end of a warp comes to the tags: warp scheduler, LSU, stage 0. */
enum { FLUSH_COMES = 3 };

static void
want_flush(struct dcache *d, uint64_t at)
{
    d->state.flush = FLUSH_WANTED;
    d->state.flush_at = at;
    d->state.flush_offered = false;
    d->state.busy = true;
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
    if (d->state.flush == FLUSH_NO) {
        want_flush(d, now + FLUSH_COMES);
        return;
    }
    if (!d->state.flushes)
        d->state.flush_first = !d->state.in.fifo.n;
    d->state.flushes++;
}

void
dcache_end_flush(struct dcache *d)
{
    assert(d->state.flush == FLUSH_NO || d->state.flush == FLUSH_DONE);
    d->state.flush = FLUSH_NO;
}

/* Is the L2 asked behind all that it has to do before?  With flush_behind no store
 * may be under way; loads are waited for later. */
static bool
is_quiet(const struct dcache *d)
{
    return !d->config->flush_behind || !d->state.writes;
}

static void
ask_l2(struct dcache *d, enum dcache_flush then)
{
    push_request(d, (struct mem_request){ .op = MEM_FLUSH });
    d->state.acks++;
    d->state.flush = then;
}

static void
write_dirty(struct dcache *d)
{
    bool waits = d->config->flush_waits;
    if (write_next(d, &d->state.flush_next, waits) || !is_quiet(d) ||
        !mem_port_has_room(&d->state.queue, d->now))
        return;
    dcache_invalidate(d);
    ask_l2(d, FLUSH_L2);
}

/* The request leaves stage 1, and one that waited behind it comes. */
static void
leave(struct dcache *d)
{
    d->state.flush = FLUSH_NO;
    if (d->state.flushes) {
        d->state.flushes--;
        want_flush(d, d->now + 1);
        d->state.flush_offered = d->state.flush_first;
        d->state.flush_first = true;
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
    if (!mem_port_has_room(&d->state.queue, d->now))
        return;
    if (d->state.flush_next) {
        ask_l2(d, FLUSH_HINTS);
        d->state.flush_next--;
    }
    if (!d->state.flush_next && !d->state.misses)
        leave(d);
}

/* The L2 has walked. */
static void
end_flush_l2(struct dcache *d)
{
    assert(d->state.acks);
    d->state.acks--;
    if (!d->config->flush_behind) {
        d->state.flush = FLUSH_DONE;
        d->state.flush_at = d->now;
    } else if (d->state.flush == FLUSH_L2) {
        d->state.flush = FLUSH_HINTS;
        d->state.flush_at = d->now + 1;
        d->state.flush_next = d->config->flush_hints - 1;
    }
}

/* Do requests of the LSU wait before the tags for a flush? */
static bool
flush_blocks(const struct dcache *d)
{
    return d->config->flush_behind && d->state.flush != FLUSH_NO &&
           d->state.flush_at <= d->now &&
           (d->state.flush != FLUSH_WANTED || d->state.flush_offered);
}

/* Do requests wait for room in the queue to the L2? */
static bool
queue_blocks(const struct dcache *d)
{
    return d->state.queued + d->config->dcache_queue_room >
           d->config->dcache_queue;
}

/* Has the request come to stage 1? */
static bool
has_come(const struct dcache *d, bool lsu_empty)
{
    if (d->config->flush_behind)
        return d->state.flush_at <= d->now && d->state.flush_offered &&
               !d->state.st1.fifo.n &&
               !(d->config->flush_after_loads && d->state.misses);
    return lsu_empty && !d->state.in.fifo.n;
}

/* The flush of a tick, while one is wanted. */
static void
step_flush(struct dcache *d, bool lsu_empty)
{
    if (d->state.flush_at <= d->now && !d->state.in.fifo.n)
        d->state.flush_offered = true;
    if (d->state.flush == FLUSH_WANTED && has_come(d, lsu_empty)) {
        d->state.flush = FLUSH_WRITES;
        d->state.flush_next = 0;
        d->state.flush_at = d->now + (d->config->flush_behind ? 0 : 2);
    }
    if (d->state.flush == FLUSH_WRITES && d->state.flush_at <= d->now)
        write_dirty(d);
    else if (d->state.flush == FLUSH_HINTS && d->state.flush_at <= d->now)
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
    d->state.victim_waits = true;
    d->state.victim_at = d->now + 2;
    d->state.victim = way->tag;
    if (d->config->dcache_fill_holds == VENTUS_MODEL_FILL_ARRAYS)
        d->state.blocked_until = d->now + 3;
}

/* Takes the way of a line; a dirty one must be written first. */
static void
allocate(struct dcache *d, const struct dcache_miss *miss)
{
    uint64_t line = miss->line;
    uint64_t time = (d->age0 + d->now) + 1;
    struct way *way = set_assoc_victim(&d->lines, line, time);
    read_tags(d, line);
    d->state.blocked_until = d->now + held_up(d, miss->n);
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

/* Its requests leave the MSHR one a cycle, the first of them now.  The tags are not
 * written for those that want no place. */
static void
take_fill(struct dcache *d, const struct mem_request *r)
{
    struct dcache_miss *e = &d->state.miss[r->source];
    if (e->allocates)
        allocate(d, e);
    d->state.fill = *e;
    d->state.fill_next = 0;
    d->state.closing = e;
}

static void
close_miss(struct dcache *d)
{
    if (!d->state.closing || --d->state.closing->n)
        return;
    d->state.closing->valid = false;
    d->state.closing = NULL;
    d->state.misses--;
}

/*
 * Whether the answer that waits is taken in this cycle.  A line waits while
 * those of another one are answered, or, with dcache_fill_waits, a miss is noted.
 */
static bool
takes_response(const struct dcache *d)
{
    if (!mem_port_ready(&d->state.response, d->now))
        return false;
    if (mem_port_front(&d->state.response)->op != MEM_GET)
        return true;
    return !d->state.fill_out &&
           !(d->state.missed && d->config->dcache_fill_waits) &&
           (!d->state.victim_waits || d->state.victim_left) &&
           data_port_has_room(&d->state.out, d->now);
}

static void
end_store(struct dcache *d, uint64_t entry)
{
    debug_assert(d->state.write[entry].valid && d->state.writes);
    d->state.write[entry].valid = false;
    d->state.writes--;
}

static void
take_response(struct dcache *d)
{
    const struct mem_request r = mem_port_pop(&d->state.response, d->now);
    if (r.op == MEM_GET) {
        take_fill(d, &r);
    } else if (r.op == MEM_PUT) {
        end_store(d, r.source);
    } else {
        end_flush_l2(d);
    }
}

/* The next of those that wait for the line that came. */
static const struct data_request *
next_of_fill(struct dcache *d)
{
    const struct dcache_miss *f = &d->state.fill;
    unsigned i = d->state.fill_next++;
    debug_assert(i < f->n);
    return &f->sub[d->config->dcache_newest_first ? f->n - 1 - i : i];
}

static void
step_fill(struct dcache *d)
{
    d->state.filled_before = d->state.fill_out;
    if (d->state.fill_out)
        d->state.filled_request = d->state.fill_request;
    d->state.fill_out = d->state.fill_next < d->state.fill.n;
    if (d->state.fill_out)
        d->state.fill_request = *next_of_fill(d);
    if (d->state.fill_next == d->state.fill.n)
        d->state.fill.n = d->state.fill_next = 0;
}

/* It has the queue for itself in the cycle in which it goes there. */
static void
write_victim(struct dcache *d)
{
    d->state.victim_left = d->state.victim_waits &&
                           d->state.victim_at <= d->now &&
                           mem_port_has_room(&d->state.queue, d->now);
    if (d->state.victim_left)
        push_request(
            d, (struct mem_request){ .op = MEM_PUT, .line = d->state.victim });
}

/* ---- stage 1 ---- */

/* Notes what stage 1 did; a register that is not emptied takes nothing. */
static bool
hold(struct dcache *d, const struct data_request *r, bool hits)
{
    if (d->state.held && d->state.answered)
        return false;
    d->state.held = true;
    d->state.held_hit = hits;
    d->state.held_request = *r;
    return true;
}

static bool
hit(struct dcache *d, const struct data_request *r, struct way *line)
{
    if (!hold(d, r, true))
        return false;
    if (r->hint != VENTUS_ISA_HINT_STREAM)
        set_assoc_touch(&d->lines, line, (d->age0 + d->now));
    line->kept |= r->hint == VENTUS_ISA_HINT_KEEP;
    line->dirty |= r->write;
    *(r->write ? &d->stats->write_hits : &d->stats->read_hits) += 1;
    return true;
}

/*
 * The line that a request may use: a bypass only a dirty one, since nothing behind
 * the L1D has what was written there.  A clean one goes.
 */
static struct way *
usable(const struct data_request *r, struct way *line)
{
    if (!line || line->dirty || r->hint != VENTUS_ISA_HINT_BYPASS)
        return line;
    line->valid = false;
    return NULL;
}

static bool
queue_is_open(const struct dcache *d)
{
    return !d->state.victim_left && mem_port_has_room(&d->state.queue, d->now);
}

/*
 * What the MSHRs say of a line, as they were when the cycle began; one that is
 * noted meanwhile counts for the full ones, whichever line it is for.
 */
static unsigned
status_of(struct dcache *d, uint64_t line)
{
    const struct ventus_model_cache *c = &d->config->dcache;
    if (!d->state.misses)
        return STATUS_NEW;
    struct dcache_miss *e = find_miss(d, c->mshrs, line);
    bool own = d->state.missed && d->state.missed_line == line;
    if (e && own && d->state.missed_new)
        e = NULL;
    if (e)
        return e->n - own + d->state.missed >= c->subentries ? STATUS_SAME_FULL
                                                             : STATUS_SAME;
    unsigned misses =
        d->state.misses - (d->state.missed && d->state.missed_new);
    return misses + d->state.missed >= c->mshrs ? STATUS_FULL : STATUS_NEW;
}

/* A store that follows on the wires holds this one up while MSHRs are full; with no
 * register before the tags also while its line is read, and as the MSHRs are now
 * (DCache.scala, inflightreadwritemiss_w). */
static bool
follower_holds(struct dcache *d)
{
    return d->state.probed_write &&
           (d->config->dcache_request_cycles ? d->state.status_was_odd
                                             : status_of(d, d->state.probed));
}

static bool
miss_write(struct dcache *d, const struct data_request *r)
{
    if (d->state.write_waits || follower_holds(d) || !queue_is_open(d))
        return false;
    if (d->state.inject_at == d->now) {
        if (d->state.late)
            return false;
        d->state.late = true;
        d->state.late_request = *r;
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
        (e ? e->n == c->subentries : d->state.misses == c->mshrs))
        return false;
    if (e &&
        e == d->state.closing) /* an atomic: its line is there, it asks anew */
        return false;
    d->state.missed_new = !e;
    if (!e) {
        for (e = d->state.miss; e->valid;)
            e++;
        *e = (struct dcache_miss){ .valid = true, .line = r->line };
        d->state.misses++;
        push_request(
            d, (struct mem_request){ .op = MEM_GET,
                                     .line = r->line,
                                     .hint = r->hint,
                                     .source = (uint8_t)(e - d->state.miss) });
    }
    e->sub[e->n++] = *r;
    e->allocates |=
        r->hint != VENTUS_ISA_HINT_STREAM && r->hint != VENTUS_ISA_HINT_BYPASS;
    e->keeps |= r->hint == VENTUS_ISA_HINT_KEEP;
    d->state.missed = true;
    d->state.missed_line = r->line;
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
    if (!d->state.late || d->state.inject_at == d->now)
        return false;
    const struct data_request *r = &d->state.late_request;
    struct way *line = usable(r, set_assoc_find(&d->lines, r->line));
    if (line ? hit(d, r, line) : miss_write(d, r))
        d->state.late = false;
    return line && !d->state.late;
}

static void
step_tags(struct dcache *d)
{
    bool waited = d->state.write_waits || d->state.inject_at == d->now;
    d->state.missed = false;
    if (step_late(d) || !data_port_ready(&d->state.st1, d->now) ||
        d->state.fill_out)
        return;
    const struct data_request *r = data_port_front(&d->state.st1);
    struct way *line =
        waited && r->write ? NULL : usable(r, find_read(d, r->line));
    bool hits = line && !r->atomic;
    bool done = hits       ? hit(d, r, line)
                : r->write ? miss_write(d, r)
                           : miss_read(d, r);
    if (!hits)
        hold(d, r, false);
    if (done)
        data_port_pop(&d->state.st1, d->now);
}

/* ---- stage 0 ---- */

void
dcache_request(struct dcache *d, uint64_t now, const struct data_request *r)
{
    data_port_push(&d->state.in, now, *r);
    d->state.busy = true;
}

bool
dcache_deliver(struct dcache *d, uint64_t now, const struct mem_request *r)
{
    bool passes = r->op == MEM_PUT && !d->config->rtl_faults;
    if (passes ? !line_port_has_room(&d->state.stores_done, now)
               : !mem_port_has_room(&d->state.response, now))
        return false;
    if (passes)
        line_port_push(&d->state.stores_done, now, r->source);
    else
        mem_port_push(&d->state.response, now, *r);
    d->state.busy = true;
    return true;
}

static void
take_request(struct dcache *d, bool fills)
{
    uint64_t now = d->now;
    bool was_odd = d->state.status_was_odd && d->config->dcache_request_cycles;
    unsigned status = status_of(d, d->state.probed);
    d->state.status_was_odd = status & 1;
    if (!data_port_ready(&d->state.in, now))
        return;
    const struct data_request *r = data_port_front(&d->state.in);
    if (status & 1)
        d->stats->mshr_full++;
    if (!data_port_has_room(&d->state.st1, now) ||
        d->state.blocked_until > now || fills || d->state.write_waits ||
        d->state.inject_at == now || status & 1 || (r->write && was_odd) ||
        queue_blocks(d) || flush_blocks(d) ||
        (d->state.missed && d->state.missed_line == r->line))
        return;
    /* A store of a line that is being read stays with the LSU, if it is still there
     * (DCache.scala, inflightreadwritemiss_w), or waits behind the tags. */
    if (r->write && status && !d->config->dcache_request_cycles)
        return;
    if (r->write && status)
        d->state.write_waits = true;
    data_port_push(&d->state.st1, now, *r);
    read_tags(d, r->line);
    data_port_pop(&d->state.in, now);
}

/* ---- to the L2 ---- */

/*
 * Hits and stores wait for room.  A line that comes does so once, before its
 * first request: the array has places for the others, and one that was held.
 */
static void
answer(struct dcache *d, const struct data_request *r)
{
    data_port_push(&d->state.out, d->now, *r);
}

/* A hit that waits has its place before it: then the fill takes its own. */
static void
answer_fill(struct dcache *d)
{
    if (!d->state.held || !d->state.held_hit) {
        answer(d, &d->state.filled_request);
        return;
    }
    answer(d, &d->state.held_request);
    d->state.held_request = d->state.filled_request;
}

/* A request leaves the queue: a store takes an entry and is answered. */
static void
step_queue(struct dcache *d, bool bus_open)
{
    const bool room = data_port_has_room(&d->state.out, d->now);
    bool replied = false;
    int entry;
    if (mem_port_ready(&d->state.queue, d->now) && !d->state.filled_before &&
        (room || !mem_port_front(&d->state.queue)->reply) &&
        !queue_waits(d, &entry) && bus_open) {
        struct mem_request r = mem_port_pop(&d->state.queue, d->now);
        if (r.op == MEM_PUT) {
            r.source = (uint8_t)entry;
            d->state.write[entry] = (struct write_entry){ true, r.line };
            d->state.writes++;
            replied = r.reply;
        }
        if (replied)
            answer(d, &r.data);
        d->state.leaving = r;
        d->state.leaves = true;
    }
    if (d->state.filled_before)
        answer_fill(d);
    d->state.answered = replied || d->state.filled_before || !room;
    if (replied || d->state.filled_before)
        return;
    if (d->state.held && d->state.held_hit) {
        if (!room)
            return;
        answer(d, &d->state.held_request);
    }
    d->state.held = false;
}

struct mem_request
dcache_take_leaving(struct dcache *d)
{
    assert(d->state.leaves);
    d->state.leaves = false;
    return d->state.leaving;
}

/* ---- waits ---- */

bool
dcache_is_stuck(const struct dcache *d)
{
    return d->config->rtl_faults && d->state.victim_waits &&
           !mem_port_has_room(&d->state.queue, d->now);
}

uint64_t
dcache_lookahead(const struct dcache *d)
{
    const struct mem_port *queue = &d->state.queue;
    int entry;
    return queue->fifo.n && !queue_waits(d, &entry) ? mem_port_next(queue)
                                                    : UINT64_MAX;
}

/* Did nothing come to the queue or leave it, because of its first request? */
static bool
queue_stays(const struct dcache *d, const struct dcache_wires *wires,
            bool *waits)
{
    const struct mem_port *queue = &d->state.queue;
    int entry;
    if (queue->fifo.n != d->state.queued || !mem_port_ready(queue, d->now))
        return false;
    *waits = queue_waits(d, &entry);
    return *waits || (wires->bus_polled && !wires->bus_open);
}

/* Is a flush in a step that goes on by itself? */
static bool
flush_goes_on(const struct dcache *d, bool stays)
{
    return d->state.flush == FLUSH_WANTED || d->state.flush == FLUSH_HINTS ||
           (d->state.flush == FLUSH_WRITES &&
            !(stays && d->state.flush_at <= d->now));
}

/*
 * Nothing is under way in it: what it waits for are answers of the L2, and a
 * request before the tags, if there is one, for an MSHR.  stays: its queue to the L2
 * stays as it is.
 */
static bool
is_waiting(const struct dcache *d, bool was_odd, bool stays)
{
    if (d->state.st1.fifo.n || (d->state.queue.fifo.n && !stays) ||
        d->state.response.fifo.n || d->state.stores_done.fifo.n ||
        d->state.fill.n)
        return false;
    bool passing = d->state.held || d->state.answered || d->state.leaves ||
                   d->state.fill_out || d->state.filled_before ||
                   d->state.closing || d->state.victim_waits ||
                   d->state.victim_left || d->state.missed;
    if (passing)
        return false;
    bool stores = d->state.write_waits || d->state.late ||
                  d->state.inject_at == d->now ||
                  d->state.inject_at == d->now + 1;
    bool held = d->state.status_was_odd || flush_blocks(d) ||
                (stays && queue_blocks(d));
    bool tags =
        d->state.in.fifo.n && !(held && data_port_ready(&d->state.in, d->now));
    return !stores && !tags && was_odd == d->state.status_was_odd &&
           d->state.blocked_until <= d->now && !flush_goes_on(d, stays);
}

/* The end of a tick: may the next ones be left out?  was_odd: status_was_odd, when
 * it began. */
static void
find_rest(struct dcache *d, bool was_odd, const struct dcache_wires *wires)
{
    bool waits = false, stays = queue_stays(d, wires, &waits);
    d->state.busy = !is_waiting(d, was_odd, stays);
    d->state.awaits_bus = !d->state.busy && stays && !waits;
}

/* ---- a cycle ---- */

void
dcache_tick(struct dcache *d, uint64_t now, const struct dcache_wires *wires)
{
    d->now = now;
    bool was_odd = d->state.status_was_odd;
    bool waited = d->state.write_waits && !d->state.misses;
    d->state.queued = d->state.queue.fifo.n;
    if (data_port_ready(&d->state.in, d->now)) {
        /* Without a request the last one is on the wires. */
        d->state.probed = data_port_front(&d->state.in)->line;
        d->state.probed_write = data_port_front(&d->state.in)->write;
    }
    step_fill(d);
    step_queue(d,
               wires->bus_open); /* sees the entries of stores as they were */
    write_victim(d);
    step_tags(d);
    bool takes = takes_response(d);
    bool fills = takes && mem_port_front(&d->state.response)->op == MEM_GET;
    take_request(d, fills);
    if (d->state.victim_left)
        d->state.victim_waits = false;
    close_miss(d);
    if (takes)
        take_response(d);
    if (line_port_ready(&d->state.stores_done, d->now))
        end_store(d, line_port_pop(&d->state.stores_done, d->now));
    if (fills)
        close_miss(d);
    if (waited) {
        d->state.write_waits = false;
        d->state.inject_at = d->now + 1;
    }
    if (d->state.flush)
        step_flush(d, wires->lsu_empty);
    find_rest(d, was_odd, wires);
}

void
dcache_skip(struct dcache *d, uint64_t cycles)
{
    if (d->state.in.fifo.n && d->state.status_was_odd)
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

/* Behind reset the tags are cleared, a set a cycle; it takes nothing before. */
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
    *t = (struct dcache_state){ .inject_at = UINT64_MAX,
                                .blocked_until =
                                    age0 ? 0 : cleared_at(d->config) };
    data_port_init(&t->in, 1, 1, true);
    data_port_init(&t->st1, 1, 1, true);
    data_port_init(&t->out, 16, d->config->dcache_answer_cycles, false);
    mem_port_init(&t->queue, d->config->dcache_queue,
                  d->config->dcache_queue_cycles, false);
    /* If stores pass, there is room for the line of each MSHR: the L2 gives one
     * answer at a time, and none that waits may hold up a store's. */
    mem_port_init(&t->response, d->config->rtl_faults ? reply : FIFO_MAX, reply,
                  false);
    line_port_init(&t->stores_done, FIFO_MAX, reply, false);
    set_assoc_invalidate(&d->lines);
}
