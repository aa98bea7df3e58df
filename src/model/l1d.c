/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The L1 data cache (cycle.md 3b): tags are read in one cycle, hit or miss is
 * known in the next.  A store that hits stays (write-back), one that misses
 * goes on to the L2 and is answered when it leaves the queue of requests; a
 * load that misses waits in an MSHR.  A store to a line that is being read, and
 * everything while the MSHRs are full, wait before the tags.
 */
#include <string.h>

#include "model/machine.h"

enum { STATUS_NEW, STATUS_FULL, STATUS_SAME, STATUS_SAME_FULL };

static struct dcache_line *
find_line(const struct sm *s, uint32_t line)
{
    const struct model_cache *c = &s->m->config.dcache;
    struct dcache_line *set = &s->dcache.line[(line & (c->sets - 1)) * c->ways];
    for (unsigned i = 0; i < c->ways; i++)
        if (set[i].valid && set[i].tag == line)
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
    r.sm = (uint8_t)s->id;
    r.cache = 1;
    d->queue_at[fifo_push(&d->queue, s->m->now)] = r;
}

/* ---- lines that come ---- */

/* Takes the way of a line; a dirty one must be written first. */
static void
allocate(struct sm *s, uint32_t line)
{
    const struct model_cache *c = &s->m->config.dcache;
    struct dcache *d = &s->dcache;
    struct dcache_line *set = &d->line[(line & (c->sets - 1)) * c->ways];
    struct dcache_line *way = set;
    for (unsigned i = 1; way->valid && i < c->ways; i++)
        if (!set[i].valid || set[i].used < way->used)
            way = &set[i];
    d->allocated_at = s->m->now;
    d->blocked_until = s->m->now + 2;
    if (way->valid && way->dirty) {
        d->victim_waits = true;
        d->victim_at = s->m->now + 2;
        d->victim = way->tag;
        d->blocked_until = s->m->now + 3;
    }
    *way = (struct dcache_line){ line, true, false, s->m->now + 1 };
}

static void
take_fill(struct sm *s, const struct mem_request *r)
{
    struct dcache *d = &s->dcache;
    struct dcache_miss *e = &d->miss[r->source];
    allocate(s, e->line);
    d->fill = *e;
    d->fill_next = 0;
    e->valid = false;
    d->misses--;
}

/* Answers of loads wait while those of another line are given, or a miss is
 * noted; answers of stores only free their entry. */
static void
take_response(struct sm *s)
{
    struct dcache *d = &s->dcache;
    if (!fifo_ready(&d->response, s->m->now))
        return;
    struct mem_request *r = &d->response_at[d->response.head];
    if (r->op == MEM_GET) {
        if (d->fill_out || d->missed || d->victim_waits ||
            !fifo_has_room(&d->out, s->m->now))
            return;
        take_fill(s, r);
    } else if (r->op == MEM_PUT) {
        d->write[r->source].valid = false;
        d->writes--;
    } else {
        d->flush = FLUSH_DONE;
        d->flush_at = s->m->now;
    }
    fifo_pop(&d->response, s->m->now);
}

/* The last that came is answered first. */
static void
step_fill(struct sm *s)
{
    struct dcache *d = &s->dcache;
    d->filled_before = d->fill_out;
    d->filled_request = d->fill_request;
    d->fill_out = d->fill_next < d->fill.n;
    if (d->fill_out)
        d->fill_request = d->fill.sub[d->fill.n - ++d->fill_next];
    if (d->fill_next == d->fill.n)
        d->fill.n = d->fill_next = 0;
}

static void
write_victim(struct sm *s)
{
    struct dcache *d = &s->dcache;
    if (!d->victim_waits || d->victim_at > s->m->now ||
        !fifo_has_room(&d->queue, s->m->now))
        return;
    push_request(s, (struct mem_request){ .op = MEM_PUT, .line = d->victim });
    d->victim_waits = false;
}

/* ---- stage 1 ---- */

static bool
hit(struct sm *s, const struct data_request *r, struct dcache_line *line)
{
    struct dcache *d = &s->dcache;
    if (!fifo_has_room(&d->hit, s->m->now))
        return false;
    line->used = s->m->now;
    line->dirty |= r->write;
    d->hit_at[fifo_push(&d->hit, s->m->now)] = *r;
    *(r->write ? &s->stats.write_hits : &s->stats.read_hits) += 1;
    return true;
}

static bool
miss_write(struct sm *s, const struct data_request *r)
{
    struct dcache *d = &s->dcache;
    if (d->write_waits || !fifo_has_room(&d->queue, s->m->now))
        return false;
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
    if (!fifo_has_room(&d->queue, s->m->now) ||
        (e ? e->n == c->subentries : d->misses == c->mshrs))
        return false;
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

static void
step_tags(struct sm *s)
{
    struct dcache *d = &s->dcache;
    d->missed = false;
    if (!fifo_ready(&d->st1, s->m->now) || d->fill_out)
        return;
    const struct data_request *r = &d->st1_at[d->st1.head];
    struct dcache_line *line = find_line(s, r->line);
    bool done = line && !r->atomic ? hit(s, r, line)
                : r->write         ? miss_write(s, r)
                                   : miss_read(s, r);
    if (done)
        fifo_pop(&d->st1, s->m->now);
}

/* ---- stage 0 ---- */

/* What the MSHRs say of a line, as they were when the cycle began. */
static unsigned
status_of(struct sm *s, uint32_t line)
{
    struct dcache *d = &s->dcache;
    const struct model_cache *c = &s->m->config.dcache;
    struct dcache_miss *e = find_miss(d, c->mshrs, line);
    if (e && d->missed && d->missed_line == line && e->n == 1)
        e = NULL; /* noted in this cycle: not to be seen yet */
    if (e)
        return e->n >= c->subentries ? STATUS_SAME_FULL : STATUS_SAME;
    return d->misses >= c->mshrs ? STATUS_FULL : STATUS_NEW;
}

static void
take_local(struct sm *s, const struct data_request *r)
{
    struct dcache *d = &s->dcache;
    const struct model_config *c = &s->m->config;
    if (d->local_free > s->m->now || !fifo_has_room(&d->local, s->m->now))
        return;
    d->local_at[fifo_push(&d->local, s->m->now)] = *r;
    d->local_free = s->m->now + 1 + r->write;
    (void)c;
    fifo_pop(&d->in, s->m->now);
}

static void
take_request(struct sm *s)
{
    struct dcache *d = &s->dcache;
    uint64_t now = s->m->now;
    bool there = fifo_ready(&d->in, now);
    /* Without a request the last one is looked up again. */
    if (there)
        d->probed = d->in_at[d->in.head].line;
    unsigned status = status_of(s, d->probed);
    bool was_odd = d->status_was_odd;
    d->status_was_odd = status & 1;
    if (!there)
        return;
    const struct data_request *r = &d->in_at[d->in.head];
    if (r->local) {
        take_local(s, r);
        return;
    }
    if (status & 1)
        s->stats.mshr_full++;
    if (!fifo_has_room(&d->st1, now) || d->blocked_until > now ||
        d->write_waits || d->inject_at == now || status & 1 ||
        (r->write && was_odd) || (d->missed && d->missed_line == r->line))
        return;
    if (r->write && status)
        d->write_waits = true;
    d->st1_at[fifo_push(&d->st1, now)] = *r;
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

static void
answer(struct sm *s, const struct data_request *r)
{
    struct dcache *d = &s->dcache;
    d->out_at[fifo_push(&d->out, s->m->now)] = *r;
}

/* A request leaves the queue: a store takes an entry and is answered. */
static void
step_queue(struct sm *s)
{
    struct dcache *d = &s->dcache;
    bool conflict, replied = false;
    if (fifo_ready(&d->queue, s->m->now) && bus_is_ready(s) &&
        !d->filled_before) {
        struct mem_request r = d->queue_at[d->queue.head];
        int entry = free_write(s, r.line, &conflict);
        bool put = r.op == MEM_PUT;
        if (!(r.op != MEM_FLUSH && conflict) && !(put && entry < 0)) {
            fifo_pop(&d->queue, s->m->now);
            if (put) {
                r.source = (uint8_t)entry;
                d->write[entry] = (struct write_entry){ true, r.line };
                d->writes++;
            }
            if (put && r.reply) {
                answer(s, &r.data);
                replied = true;
            }
            d->next_leave = r;
            d->next_leaves = true;
        }
    }
    if (!replied && !d->filled_before && fifo_ready(&d->hit, s->m->now))
        answer(s, &d->hit_at[fifo_pop(&d->hit, s->m->now)]);
    if (d->filled_before)
        answer(s, &d->filled_request);
}

/* After the bus has taken what was in stage 3. */
void
dcache_advance(struct sm *s)
{
    struct dcache *d = &s->dcache;
    if (!d->next_leaves)
        return;
    d->leave = d->next_leave;
    d->leaving = true;
    d->leaving_at = s->m->now + 1;
    d->next_leaves = false;
}

/* ---- end of a workgroup: dirty lines out, then the L2 ---- */

static void
write_dirty(struct sm *s)
{
    struct dcache *d = &s->dcache;
    const struct model_cache *c = &s->m->config.dcache;
    for (; d->flush_next < c->sets * c->ways; d->flush_next++) {
        struct dcache_line *line = &d->line[d->flush_next];
        if (!line->valid || !line->dirty)
            continue;
        if (!fifo_has_room(&d->queue, s->m->now))
            return;
        line->dirty = false;
        push_request(s,
                     (struct mem_request){ .op = MEM_PUT, .line = line->tag });
        return;
    }
    if (d->queue.n || d->leaving || d->writes || d->misses)
        return;
    memset(d->line, 0, c->sets * c->ways * sizeof *d->line);
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
        d->flush_at = s->m->now + 2;
    }
    if (d->flush == FLUSH_WRITES && d->flush_at <= s->m->now)
        write_dirty(s);
}

static bool
is_idle(const struct dcache *d)
{
    return !d->in.n && !d->st1.n && !d->hit.n && !d->queue.n &&
           !d->response.n && !d->fill.n && !d->misses && !d->fill_out && !d->filled_before &&
           !d->victim_waits && !d->write_waits && !d->missed &&
           !d->status_was_odd && !d->flush;
}

void
dcache_cycle(struct sm *s)
{
    struct dcache *d = &s->dcache;
    if (is_idle(d))
        return;
    bool waited = d->write_waits && !d->misses;
    step_fill(s);
    step_tags(s);
    take_request(s);
    step_queue(s); /* sees the entries of stores as they were */
    take_response(s);
    write_victim(s);
    if (waited) {
        d->write_waits = false;
        d->inject_at = s->m->now + 1;
    }
    if (d->flush)
        step_flush(s);
}
