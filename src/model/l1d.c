/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The L1 data cache (cycle.md 3b): tags are read in one cycle, hit or miss is
 * known in the next.  A store that hits stays (write-back), one that misses
 * goes on to the L2 and is answered when it leaves the queue of requests; a
 * load that misses waits in an MSHR.  A store to a line that is being read, and
 * everything while the MSHRs are full, wait before the tags.
 */
#include <assert.h>
#include <string.h>

#include "model/machine.h"

enum { QUEUE_ALMOST = 27, QUEUE_WRAPS = 32 }; /* full, of 32 */

enum { STATUS_NEW, STATUS_FULL, STATUS_SAME, STATUS_SAME_FULL };

static struct way *
find_line(const struct sm *s, uint32_t line)
{
    return set_assoc_find(&s->dcache.lines, line);
}

/* Reads the tags of a line's set: they stay on the wires until the next. */
static void
read_tags(struct sm *s, uint32_t line)
{
    const struct model_cache *c = &s->m->config.dcache;
    struct dcache *d = &s->dcache;
    const struct way *set = set_assoc_set(&d->lines, line);
    for (unsigned i = 0; i < c->ways && !s->m->config.dcache_keeps_tags; i++)
        d->tags[i] = (uint32_t)set[i].tag;
}

/*
 * What stage 1 takes for the line of a request: the tags that were read last,
 * which are those of another set if a line came while the request waited, and
 * the valid bits of its own set.
 */
static struct way *
find_read(const struct sm *s, uint32_t line)
{
    const struct model_cache *c = &s->m->config.dcache;
    const struct dcache *d = &s->dcache;
    struct way *set = set_assoc_set(&d->lines, line);
    if (s->m->config.dcache_keeps_tags)
        return find_line(s, line);
    for (unsigned i = 0; i < c->ways; i++)
        if (set[i].valid && (d->tags[i] ^ line) < c->sets) /* sets: 2^n */
            return &set[i];
    return NULL;
}

static struct dcache_miss *
find_miss(struct dcache *d, unsigned n, uint32_t line)
{
    for (unsigned i = 0; i < n; i++)
        if (d->miss[i].valid && d->miss[i].line == line)
            return &d->miss[i];
    return NULL;
}

static void
push_request(struct sm *s, struct mem_request r)
{
    struct dcache *d = &s->dcache;
    d->busy = true;
    r.sm = (uint8_t)s->id;
    r.cache = 1;
    d->queue_at[fifo_push(&d->queue, s->now)] = r;
}

/* ---- lines that come ---- */

/* Takes the way of a line; a dirty one must be written first. */
static void
allocate(struct sm *s, uint32_t line)
{
    struct dcache *d = &s->dcache;
    uint64_t time = sm_age(s) + 1;
    struct way *way = set_assoc_victim(&d->lines, line, time);
    read_tags(s, line);
    d->blocked_until = s->now + 2;
    if (way->valid && way->dirty) {
        d->victim_waits = true;
        d->victim_at = s->now + 2;
        d->victim = (uint32_t)way->tag;
        d->blocked_until = s->now + 3;
    }
    set_assoc_fill(&d->lines, way, line, time);
}

/* Its requests leave the MSHR one a cycle, the first of them now. */
static void
take_fill(struct sm *s, const struct mem_request *r)
{
    struct dcache *d = &s->dcache;
    struct dcache_miss *e = &d->miss[r->source];
    allocate(s, e->line);
    d->fill = *e;
    d->fill_next = 0;
    d->closing = e;
}

static void
close_miss(struct dcache *d)
{
    if (!d->closing || --d->closing->n)
        return;
    d->closing->valid = false;
    d->closing = NULL;
    d->misses--;
}

/*
 * Whether the answer that waits is taken in this cycle.  A line waits while
 * those of another one are answered, or a miss is noted.
 */
static bool
takes_response(const struct sm *s)
{
    const struct dcache *d = &s->dcache;
    if (!fifo_ready(&d->response, s->now))
        return false;
    if (d->response_at[d->response.head].op != MEM_GET)
        return true;
    return !d->fill_out && !d->missed && (!d->victim_waits || d->victim_left) &&
           fifo_has_room(&d->out, s->now);
}

static void
take_response(struct sm *s)
{
    struct dcache *d = &s->dcache;
    struct mem_request *r = &d->response_at[fifo_pop(&d->response, s->now)];
    if (r->op == MEM_GET) {
        take_fill(s, r);
    } else if (r->op == MEM_PUT) {
        d->write[r->source].valid = false;
        d->writes--;
    } else {
        d->flush = FLUSH_DONE;
        d->flush_at = s->now;
    }
}

/* The last that came is answered first. */
static void
step_fill(struct sm *s)
{
    struct dcache *d = &s->dcache;
    d->filled_before = d->fill_out;
    if (d->fill_out)
        d->filled_request = d->fill_request;
    d->fill_out = d->fill_next < d->fill.n;
    if (d->fill_out)
        d->fill_request = d->fill.sub[d->fill.n - ++d->fill_next];
    if (d->fill_next == d->fill.n)
        d->fill.n = d->fill_next = 0;
}

/* It has the queue for itself in the cycle in which it goes there. */
static void
write_victim(struct sm *s)
{
    struct dcache *d = &s->dcache;
    d->victim_left = d->victim_waits && d->victim_at <= s->now &&
                     fifo_has_room(&d->queue, s->now);
    if (d->victim_left)
        push_request(s,
                     (struct mem_request){ .op = MEM_PUT, .line = d->victim });
}

/* ---- stage 1 ---- */

/* Notes what stage 1 did; a register that is not emptied takes nothing. */
static bool
hold(struct dcache *d, const struct data_request *r, bool hits)
{
    if (d->held && d->answered)
        return false;
    d->held = true;
    d->held_hit = hits;
    d->held_request = *r;
    return true;
}

static bool
hit(struct sm *s, const struct data_request *r, struct way *line)
{
    if (!hold(&s->dcache, r, true))
        return false;
    set_assoc_touch(&s->dcache.lines, line, sm_age(s));
    line->dirty |= r->write;
    *(r->write ? &s->stats.write_hits : &s->stats.read_hits) += 1;
    return true;
}

static bool
queue_is_open(const struct sm *s)
{
    return !s->dcache.victim_left && fifo_has_room(&s->dcache.queue, s->now);
}

/* A store that follows on the wires holds this one up while MSHRs are full. */
static bool
miss_write(struct sm *s, const struct data_request *r)
{
    struct dcache *d = &s->dcache;
    if (d->write_waits || (d->probed_write && d->status_was_odd) ||
        !queue_is_open(s))
        return false;
    if (d->inject_at == s->now) {
        if (d->late)
            return false;
        d->late = true;
        d->late_request = *r;
        return true;
    }
    push_request(
        s, (struct mem_request){
               .op = MEM_PUT, .line = r->line, .reply = true, .data = *r });
    s->stats.write_misses++;
    return true;
}

static bool
miss_read(struct sm *s, const struct data_request *r)
{
    struct dcache *d = &s->dcache;
    const struct model_cache *c = &s->m->config.dcache;
    struct dcache_miss *e = find_miss(d, c->mshrs, r->line);
    if (!queue_is_open(s) ||
        (e ? e->n == c->subentries : d->misses == c->mshrs))
        return false;
    if (e && e == d->closing) /* an atomic: its line is there, it asks anew */
        return false;
    d->missed_new = !e;
    if (!e) {
        for (e = d->miss; e->valid;)
            e++;
        *e = (struct dcache_miss){ .valid = true, .line = r->line };
        d->misses++;
        push_request(s,
                     (struct mem_request){ .op = MEM_GET,
                                           .line = r->line,
                                           .source = (uint8_t)(e - d->miss) });
    }
    e->sub[e->n++] = *r;
    d->missed = true;
    d->missed_line = r->line;
    s->stats.read_misses++;
    return true;
}

/*
 * A store that waited for a line: looked up again, one cycle after it left.
 * True if its answer takes the register that the next request would need.
 */
static bool
step_late(struct sm *s)
{
    struct dcache *d = &s->dcache;
    if (!d->late || d->inject_at == s->now)
        return false;
    struct way *line = find_line(s, d->late_request.line);
    if (line ? hit(s, &d->late_request, line) : miss_write(s, &d->late_request))
        d->late = false;
    return line && !d->late;
}

static void
step_tags(struct sm *s)
{
    struct dcache *d = &s->dcache;
    bool waited = d->write_waits || d->inject_at == s->now;
    d->missed = false;
    if (step_late(s) || !fifo_ready(&d->st1, s->now) || d->fill_out)
        return;
    const struct data_request *r = &d->st1_at[d->st1.head];
    struct way *line = waited && r->write ? NULL : find_read(s, r->line);
    bool hits = line && !r->atomic;
    bool done = hits       ? hit(s, r, line)
                : r->write ? miss_write(s, r)
                           : miss_read(s, r);
    if (!hits)
        hold(d, r, false);
    if (done)
        fifo_pop(&d->st1, s->now);
}

/* ---- stage 0 ---- */

void
dcache_ask(struct sm *s, const struct data_request *r)
{
    struct dcache *d = &s->dcache;
    d->in_at[fifo_push(&d->in, s->now)] = *r;
    d->busy = true;
}

/*
 * What the MSHRs say of a line, as they were when the cycle began; one that is
 * noted meanwhile counts for the full ones, whichever line it is for.
 */
static unsigned
status_of(struct sm *s, uint32_t line)
{
    struct dcache *d = &s->dcache;
    const struct model_cache *c = &s->m->config.dcache;
    if (!d->misses)
        return STATUS_NEW;
    struct dcache_miss *e = find_miss(d, c->mshrs, line);
    bool own = d->missed && d->missed_line == line;
    if (e && own && d->missed_new)
        e = NULL;
    if (e)
        return e->n - own + d->missed >= c->subentries ? STATUS_SAME_FULL
                                                       : STATUS_SAME;
    unsigned misses = d->misses - (d->missed && d->missed_new);
    return misses + d->missed >= c->mshrs ? STATUS_FULL : STATUS_NEW;
}

static void
take_request(struct sm *s, bool fills)
{
    struct dcache *d = &s->dcache;
    uint64_t now = s->now;
    bool was_odd = d->status_was_odd;
    unsigned status = status_of(s, d->probed);
    d->status_was_odd = status & 1;
    if (!fifo_ready(&d->in, now))
        return;
    const struct data_request *r = &d->in_at[d->in.head];
    if (status & 1)
        s->stats.mshr_full++;
    if (!fifo_has_room(&d->st1, now) || d->blocked_until > now || fills ||
        d->write_waits || d->inject_at == now || status & 1 ||
        (r->write && was_odd) || d->queued > QUEUE_ALMOST ||
        (d->missed && d->missed_line == r->line))
        return;
    if (r->write && status)
        d->write_waits = true;
    d->st1_at[fifo_push(&d->st1, now)] = *r;
    read_tags(s, r->line);
    fifo_pop(&d->in, now);
}

/* ---- to the L2 ---- */

static int
free_write(const struct sm *s, uint32_t line, bool *conflict)
{
    const struct dcache *d = &s->dcache;
    int free = NEVER;
    *conflict = false;
    for (unsigned i = s->m->config.write_entries; i-- > 0;) {
        if (!d->write[i].valid)
            free = (int)i;
        else if (d->write[i].line == line)
            *conflict = true;
    }
    return free;
}

/*
 * Hits and stores wait for room.  A line that comes does so once, before its
 * first request: the array has places for the others, and one that was held.
 */
static void
answer(struct sm *s, const struct data_request *r)
{
    struct dcache *d = &s->dcache;
    assert(d->out.n < FIFO_MAX);
    d->out_at[fifo_push(&d->out, s->now)] = *r;
}

/* Does the first of the queue wait for the answer of an earlier store? */
static bool
queue_waits(const struct sm *s, int *entry)
{
    const struct mem_request *r = &s->dcache.queue_at[s->dcache.queue.head];
    bool conflict;
    *entry = free_write(s, r->line, &conflict);
    return (r->op != MEM_FLUSH && conflict) || (r->op == MEM_PUT && *entry < 0);
}

uint64_t
dcache_leaves(const struct sm *s)
{
    const struct dcache *d = &s->dcache;
    int entry;
    return d->queue.n && !queue_waits(s, &entry) ? d->queue.at[d->queue.head]
                                                 : UINT64_MAX;
}

/* A hit that waits has its place before it: then the fill takes its own. */
static void
answer_fill(struct sm *s)
{
    struct dcache *d = &s->dcache;
    if (!d->held || !d->held_hit) {
        answer(s, &d->filled_request);
        return;
    }
    answer(s, &d->held_request);
    d->held_request = d->filled_request;
}

/* A request leaves the queue: a store takes an entry and is answered. */
static void
step_queue(struct sm *s)
{
    struct dcache *d = &s->dcache;
    bool replied = false, room = fifo_has_room(&d->out, s->now);
    int entry;
    if (fifo_ready(&d->queue, s->now) && !d->filled_before &&
        (room || !d->queue_at[d->queue.head].reply) &&
        !queue_waits(s, &entry) && bus_is_ready(s)) {
        struct mem_request r = d->queue_at[fifo_pop(&d->queue, s->now)];
        if (r.op == MEM_PUT) {
            r.source = (uint8_t)entry;
            d->write[entry] = (struct write_entry){ true, r.line };
            d->writes++;
            replied = r.reply;
        }
        if (replied)
            answer(s, &r.data);
        d->next_leave = r;
        d->next_leaves = true;
    }
    if (d->filled_before)
        answer_fill(s);
    d->answered = replied || d->filled_before || !room;
    if (replied || d->filled_before)
        return;
    if (d->held && d->held_hit) {
        if (!room)
            return;
        answer(s, &d->held_request);
    }
    d->held = false;
}

/* After the bus has taken what was in stage 3. */
void
dcache_advance(struct sm *s)
{
    struct dcache *d = &s->dcache;
    s->m->leaving++;
    s->m->port[s->id] = (struct bus_port){ .leaves = true,
                                           .at = s->m->now + 1,
                                           .request = d->next_leave };
    d->next_leaves = false;
}

/* ---- end of a workgroup: dirty lines out, behind them the L2's flush ---- */

bool
dcache_write_next(struct sm *s, unsigned *next, bool waits)
{
    struct dcache *d = &s->dcache;
    const struct model_cache *c = &s->m->config.dcache;
    for (; *next < c->sets * c->ways; ++*next) {
        struct way *line = &d->lines.way[*next];
        if (!line->valid || !line->dirty)
            continue;
        if (waits && !fifo_has_room(&d->queue, s->now))
            return true;
        line->dirty = false;
        /* The port's counter has a bit too few: 32 are none. */
        if (!waits && d->queue.n + 1u == QUEUE_WRAPS) {
            d->queue.n = 0;
            return true;
        }
        push_request(s, (struct mem_request){ .op = MEM_PUT,
                                              .line = (uint32_t)line->tag });
        return true;
    }
    return false;
}

void
dcache_forget(struct sm *s)
{
    set_assoc_invalidate(&s->dcache.lines);
}

static void
write_dirty(struct sm *s)
{
    struct dcache *d = &s->dcache;
    bool waits = s->m->config.flush_waits;
    if (dcache_write_next(s, &d->flush_next, waits) ||
        !fifo_has_room(&d->queue, s->now))
        return;
    dcache_forget(s);
    push_request(s, (struct mem_request){ .op = MEM_FLUSH });
    d->flush = FLUSH_L2;
}

static void
step_flush(struct sm *s)
{
    struct dcache *d = &s->dcache;
    if (d->flush == FLUSH_WANTED && lsu_is_empty(s) && !d->in.n) {
        d->flush = FLUSH_WRITES;
        d->flush_next = 0;
        d->flush_at = s->now + 2;
    }
    if (d->flush == FLUSH_WRITES && d->flush_at <= s->now)
        write_dirty(s);
}

/*
 * Nothing is under way in it: what it waits for are answers of the L2, and a
 * request before the tags, if there is one, for an MSHR.
 */
static bool
is_waiting(const struct sm *s, bool was_odd)
{
    const struct dcache *d = &s->dcache;
    if (d->st1.n || d->queue.n || d->response.n || d->fill.n)
        return false;
    bool passing = d->held || d->answered || d->next_leaves || d->fill_out ||
                   d->filled_before || d->closing || d->victim_waits ||
                   d->victim_left || d->missed;
    if (passing)
        return false;
    bool stores = d->write_waits || d->late || d->inject_at == s->now ||
                  d->inject_at == s->now + 1;
    bool tags = d->in.n && !(d->status_was_odd && fifo_ready(&d->in, s->now));
    return !stores && !tags && was_odd == d->status_was_odd &&
           d->blocked_until <= s->now && d->flush != FLUSH_WANTED &&
           d->flush != FLUSH_WRITES;
}

void
dcache_cycle(struct sm *s)
{
    struct dcache *d = &s->dcache;
    bool was_odd = d->status_was_odd;
    bool waited = d->write_waits && !d->misses;
    d->queued = d->queue.n;
    if (fifo_ready(&d->in, s->now)) {
        /* Without a request the last one is on the wires. */
        d->probed = d->in_at[d->in.head].line;
        d->probed_write = d->in_at[d->in.head].write;
    }
    step_fill(s);
    step_queue(s); /* sees the entries of stores as they were */
    write_victim(s);
    step_tags(s);
    bool takes = takes_response(s);
    bool fills = takes && d->response_at[d->response.head].op == MEM_GET;
    take_request(s, fills);
    if (d->victim_left)
        d->victim_waits = false;
    close_miss(d);
    if (takes)
        take_response(s);
    if (fills)
        close_miss(d);
    if (waited) {
        d->write_waits = false;
        d->inject_at = s->now + 1;
    }
    if (d->flush)
        step_flush(s);
    d->busy = !is_waiting(s, was_odd);
    s->acts = true;
}
