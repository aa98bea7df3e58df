/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of an L1D under coherence = rcc.  An SM reads the lines of its own L1D,
 * and the bytes that it wrote stay there until a flush.
 *
 * Values are computed at issue.  So the data have tags of their own beside those of the
 * timing (l1d.c), of the same size, and are filled in the order of issue: a load that misses
 * fills its line from the L2; a store that hits stays, a store that misses goes to
 * the L2; atomics execute there.  An evicted line writes back only the bytes that
 * were written, because SMs may write to different bytes of one line.
 *
 * The memory of the functional machine has the contents of the L2.  The steps of an SM
 * access an overlay of it (sim/overlay.h) of the SM's own, so that several SMs may step at
 * the same time.  The copy has the lines that the L1D holds; the words of an access that
 * bypasses the L1D enter it before the step, and go to memory after it.
 */
#include "model/memory/l1d_data.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/bits.h"
#include "model/memory/local.h"

static struct l1d_data_line *
line_of(const struct l1d_data *x, const struct way *way)
{
    return &x->line[set_assoc_index(&x->lines, way)];
}

static unsigned
line_bytes(const struct l1d_data *x)
{
    return x->config->dcache.line_B;
}

/* Most lines are in the bank of the one before.  False: it is in none. */
static bool
find_place(struct l1d_data *x, uint64_t at, struct sim_place *place)
{
    struct l1d_data_bank *b = &x->state.bank;
    if (at - b->from >= b->place.size) {
        struct l1d_data_bank found = { .from = at };
        if (!overlay_find(x->copies, at, &found.place))
            return false;
        *b = found;
    }
    uint64_t rest = at - b->from;
    *place = (struct sim_place){ b->place.size - rest, b->place.memory + rest,
                                 b->place.copy + rest };
    return true;
}

/* The place in host memory of a physical address that translate() has found. */
static struct sim_place
place_of(struct l1d_data *x, uint64_t at)
{
    struct sim_place place = { .size = 0 };
    bool found = find_place(x, at, &place);
    assert(found && "a translated page has host memory");
    (void)found;
    return place;
}

static struct sim_place
place_of_line(struct l1d_data *x, uint64_t line)
{
    return place_of(x, line << x->line_shift);
}

/* ---- memory itself ---- */

static void
tell_run(struct l1d_data *x)
{
    const struct l1d_data_run *r = &x->state.run;
    if (r->n && x->port.accessed)
        x->port.accessed(x->port.ctx, r->host, r->n, r->write);
    x->state.run.n = 0;
}

static void
note_run(struct l1d_data *x, const uint8_t *host, size_t n, bool write)
{
    struct l1d_data_run *r = &x->state.run;
    if (r->n && r->write == write && r->host + r->n == host) {
        r->n += n;
        return;
    }
    tell_run(x);
    *r = (struct l1d_data_run){ host, n, write };
}

/* Other SMs may access these bytes at the same time, if the program races: that is
 * found later (access_log.c). */
static void
memory_to_copy(struct sim_place place, size_t n)
{
    memcpy(place.copy, place.memory, n);
}

static void
copy_to_memory(struct sim_place place, size_t n)
{
    memcpy(place.memory, place.copy, n);
}

static bool
memory_differs(struct sim_place place, size_t n)
{
    return memcmp(place.memory, place.copy, n) != 0;
}

/* A checkpoint has pages before their first write. */
static bool
may_write(struct l1d_data *x, uint8_t *memory)
{
    uint8_t *page = memory - (uintptr_t)memory % SIM_PAGE;
    uint8_t **known =
        &x->state.written[(uintptr_t)page / SIM_PAGE % L1D_DATA_WRITTEN];
    if (*known == page)
        return true;
    if (!overlay_before_write(x->copies, page))
        return false;
    *known = page;
    return true;
}

/* Bytes of the copy go to memory. */
static void
write_bytes(struct l1d_data *x, struct sim_place place, size_t n)
{
    if (!may_write(x, place.memory))
        return; /* the launch will be rolled back */
    note_run(x, place.memory, n, true);
    if (x->state.compares)
        x->state.changed |= memory_differs(place, n);
    copy_to_memory(place, n);
}

static void
write_back(struct l1d_data *x, struct way *way)
{
    unsigned n = line_bytes(x), i = 0;
    const uint8_t *written = line_of(x, way)->written;
    struct sim_place at = place_of_line(x, way->tag);
    while (way->dirty && i < n) {
        unsigned first = i;
        while (i < n && written[i])
            i++;
        if (i > first)
            write_bytes(x,
                        (struct sim_place){ i - first, at.memory + first,
                                            at.copy + first },
                        i - first);
        else
            i++;
    }
    memset(line_of(x, way)->written, 0, n);
    way->dirty = false;
}

/* The SM sees what memory has, which may be something else. */
static void
invalidate_way(struct l1d_data *x, struct way *way)
{
    assert(way->valid);
    if (way->dirty)
        write_back(x, way);
    if (x->state.compares) {
        struct sim_place at = place_of_line(x, way->tag);
        note_run(x, at.memory, line_bytes(x), false);
        x->state.changed |= memory_differs(at, line_bytes(x));
    }
    way->valid = false;
}

/* The ways of a line's set that are not in use by the access. */
static uint64_t
free_ways(const struct l1d_data *x, uint64_t line)
{
    const struct way *set = set_assoc_set(&x->lines, line);
    uint64_t found = 0;
    for (unsigned i = 0; i < x->lines.ways; i++)
        found |= (uint64_t)!line_of(x, &set[i])->used << i;
    return found;
}

/* An invalid way of a line's set, or the policy's victim among some. */
static struct way *
choose_way(struct l1d_data *x, uint64_t line, uint64_t among)
{
    struct way *set = set_assoc_set(&x->lines, line);
    for (unsigned i = 0; i < x->lines.ways; i++)
        if (!set[i].valid)
            return &set[i];
    return set_assoc_policy_victim(&x->lines, line, x->clock, among);
}

/*
 * Takes the line from the L2, in place of one that is not in use: a set may be too
 * small for all lines of an access.  NULL: all are, and the access goes to the L2.
 */
static struct way *
fill_line(struct l1d_data *x, uint64_t line)
{
    uint64_t among = free_ways(x, line);
    if (!among)
        return NULL;
    struct way *way = choose_way(x, line, among);
    struct l1d_data_line *l = line_of(x, way);
    struct sim_place at = place_of_line(x, line);
    assert(!l->used && "a line that the access uses stays");
    if (way->valid)
        invalidate_way(x, way);
    set_assoc_fill(&x->lines, way, line, ++x->clock);
    l->filled = x->clock;
    l->depends = 0;
    note_run(x, at.memory, line_bytes(x), false);
    memory_to_copy(at, line_bytes(x));
    return way;
}

/* ---- one access ---- */

struct step_access *
l1d_data_begin(struct l1d_data *x)
{
    struct l1d_data_state *t = &x->state;
    assert(!t->uses && !t->run.n && "the access before has ended");
    t->access.n = 0;
    t->read = t->address = 0;
    t->local = t->outside = t->found = false;
    return &t->access;
}

void
l1d_data_pass(struct l1d_data *x)
{
    x->state.local = x->state.access.n != 0;
    x->state.access.n = 0;
}

bool
l1d_data_is_local(const struct l1d_data *x)
{
    const struct step_access *a = &x->state.access;
    for (unsigned i = 0; i < a->n; i++)
        if (!local_has(a->at[i]))
            return false;
    return true;
}

static bool
walk_page(struct l1d_data *x, uint64_t at, bool write, uint64_t *physical)
{
    struct sim_place place;
    return ventus_sim_translate(x->sim, x->state.root, at,
                                write ? VENTUS_SIM_WRITE : VENTUS_SIM_READ,
                                physical) == VENTUS_SIM_FAULT_NONE &&
           find_place(x, *physical, &place);
}

/* Translations hold for a run, as those of the functional machine (sim/mmu.h).  Only
 * of pages that are memory up to their end. */
static bool
translate_address(struct l1d_data *x, uint64_t at, bool write,
                  uint64_t *physical)
{
    uint64_t page = at / SIM_PAGE, rest = at % SIM_PAGE, end;
    struct l1d_data_page *p = &x->state.page[write][page % L1D_DATA_PAGES];
    if (p->known && p->page == page) {
        *physical = p->physical + rest;
        return true;
    }
    if (!walk_page(x, at, write, physical))
        return false;
    if (walk_page(x, at - rest + SIM_PAGE - 1, write, &end))
        *p = (struct l1d_data_page){ true, page, *physical - rest };
    return true;
}

/* Memory may end in the middle of a line: then each of its words is searched. */
static bool
find_line(struct l1d_data *x, uint64_t at, bool write, uint64_t *physical)
{
    struct l1d_data_state *t = &x->state;
    uint64_t rest = line_bytes(x) - 1, end;
    if (!translate_address(x, at, write, physical))
        return false;
    t->found = t->access.n > 1 && translate_address(x, at | rest, write, &end);
    t->found_line = at >> x->line_shift;
    t->found_at = *physical & ~rest;
    return true;
}

/* Where a word is in physical memory; false: none. */
static bool
find_word(struct l1d_data *x, uint64_t at, bool write, uint64_t *physical)
{
    const struct l1d_data_state *t = &x->state;
    if (local_has(at))
        return false; /* local memory is the workgroup's own */
    if (!t->found || t->found_line != at >> x->line_shift)
        return find_line(x, at, write, physical);
    *physical = t->found_at | (at & (line_bytes(x) - 1));
    return true;
}

/* A line that the L1D holds stays until the access is done. */
static void
use_way(struct l1d_data *x, struct way *way)
{
    struct l1d_data_line *l = line_of(x, way);
    set_assoc_touch(&x->lines, way, ++x->clock);
    if (l->used)
        return;
    assert(x->state.uses < L1D_DATA_USED && way->valid);
    l->used = true;
    x->state.used[x->state.uses++] = way;
}

/* Words that go past the L1D are seen as memory has them. */
static void
pass_row(struct l1d_data *x)
{
    struct l1d_data_row *p = &x->state.passing;
    if (!p->n)
        return;
    struct sim_place at = place_of(x, p->at);
    if (p->reads)
        note_run(x, at.memory, p->n, false);
    memory_to_copy(at, p->n);
    p->n = 0;
}

/* Most accesses that pass the L1D are words next to each other in one line. */
static void
pass_word(struct l1d_data *x, uint64_t physical, bool reads)
{
    struct l1d_data_row *p = &x->state.passing;
    unsigned n = x->state.access.bytes;
    bool follows = p->n && p->reads == reads && p->at + p->n == physical &&
                   p->at >> x->line_shift == physical >> x->line_shift;
    if (!follows) {
        pass_row(x);
        *p = (struct l1d_data_row){ .at = physical, .reads = reads };
    }
    p->n += n;
}

/* The age of what a load reads: that of the line, or now if it comes from the L2. */
static void
note_age(struct l1d_data *x, const struct way *way)
{
    uint64_t age = ++x->clock;
    if (way) {
        const struct l1d_data_line *l = line_of(x, way);
        age = l->filled > l->depends ? l->filled : l->depends;
    }
    if (age > x->state.read)
        x->state.read = age;
}

/* A line that is older than the address of the load must not be seen by it. */
static struct way *
find_fresh(struct l1d_data *x, uint64_t line, bool write)
{
    struct way *way = set_assoc_find(&x->lines, line);
    if (!way || write)
        return way;
    const struct l1d_data_line *l = line_of(x, way);
    if (l->used || l->filled >= x->state.address)
        return way;
    invalidate_way(x, way);
    x->stats->refetches++;
    return NULL;
}

/* A load that misses takes the line into the L1D: not with these hints. */
static bool
allocates(const struct l1d_data_kind *kind)
{
    return !kind->write && kind->hint != VENTUS_ISA_HINT_STREAM &&
           kind->hint != VENTUS_ISA_HINT_BYPASS;
}

/* Does the access pass a line by that the L2 has, too? */
static bool
is_passed(const struct l1d_data *x, const struct l1d_data_kind *kind,
          const struct way *way)
{
    return kind->hint == VENTUS_ISA_HINT_BYPASS && !way->dirty &&
           !line_of(x, way)->used;
}

static void
prepare_word(struct l1d_data *x, const struct l1d_data_kind *kind,
             uint64_t physical)
{
    uint64_t line = physical >> x->line_shift;
    struct way *way = find_fresh(x, line, kind->write || kind->atomic);
    if (kind->atomic) {
        note_age(x, NULL);
        if (way)
            invalidate_way(x, way);
        pass_word(x, physical, false);
        return;
    }
    if (way && is_passed(x, kind, way)) {
        invalidate_way(x, way);
        way = NULL;
    }
    if (!way && allocates(kind))
        way = fill_line(x, line);
    if (way && kind->hint == VENTUS_ISA_HINT_KEEP)
        way->kept = true;
    if (!kind->write)
        note_age(x, way);
    if (way)
        use_way(x, way);
    else
        pass_word(x, physical, !kind->write);
}

/* An access outside of global memory; an LR may read what cannot be written. */
static void
leave_out(struct l1d_data *x, const struct l1d_data_kind *kind, uint64_t at)
{
    struct l1d_data_state *t = &x->state;
    uint64_t physical;
    t->local = true;
    if (local_has(at) || at % t->access.bytes)
        return;
    t->found = false;
    if (kind->atomic && find_word(x, at, false, &physical))
        pass_word(x, physical, true);
    else
        t->outside = true;
    t->found = false;
}

void
l1d_data_before(struct l1d_data *x, const struct l1d_data_kind *kind,
                uint64_t address)
{
    struct step_access *a = &x->state.access;
    bool write = kind->write || kind->atomic;
    assert(a->n <= STEP_WORDS_MAX && !x->state.uses);
    x->state.address = address;
    x->state.writes = write;
    for (unsigned i = 0; i < a->n; i++)
        if (a->at[i] % a->bytes == 0 &&
            find_word(x, a->at[i], write, &a->at[i]))
            prepare_word(x, kind, a->at[i]);
        else {
            leave_out(x, kind, a->at[i]);
            a->at[i] = UINT64_MAX;
        }
    pass_row(x);
}

/* Marks the bytes that a store wrote into a line of the L1D. */
static void
mark_written(struct l1d_data *x, struct way *way, uint64_t at, size_t n)
{
    struct l1d_data_line *l = line_of(x, way);
    assert(l->used);
    memset(l->written + (at & (line_bytes(x) - 1)), 1, n);
    way->dirty = true;
    if (l->depends < x->state.address)
        l->depends = x->state.address;
}

/* The words from one on that are a row in a line. */
static unsigned
row_from(const struct l1d_data *x, unsigned first)
{
    const struct step_access *a = &x->state.access;
    uint64_t line = a->at[first] >> x->line_shift;
    unsigned i = first + 1;
    while (i < a->n && a->at[i] == a->at[i - 1] + a->bytes &&
           a->at[i] >> x->line_shift == line)
        i++;
    return i - first;
}

/* Marks what the access wrote into lines, and passes the rest on to memory. */
static void
take_written(struct l1d_data *x)
{
    const struct step_access *a = &x->state.access;
    for (unsigned i = 0, words; i < a->n; i += words) {
        words = 1;
        if (a->at[i] == UINT64_MAX)
            continue;
        words = row_from(x, i);
        size_t n = (size_t)words * a->bytes;
        struct way *way = set_assoc_find(&x->lines, a->at[i] >> x->line_shift);
        if (way)
            mark_written(x, way, a->at[i], n);
        else
            write_bytes(x, place_of(x, a->at[i]), n);
    }
}

void
l1d_data_after(struct l1d_data *x)
{
    struct l1d_data_state *t = &x->state;
    if (t->access.n && t->writes)
        take_written(x);
    while (t->uses)
        line_of(x, t->used[--t->uses])->used = false;
    tell_run(x);
}

uint64_t
l1d_data_age(const struct l1d_data *x, bool *local)
{
    *local = x->state.local;
    return x->state.read;
}

/* ---- all of a cache ---- */

void
l1d_data_flush(struct l1d_data *x)
{
    for (unsigned i = 0; i < x->lines.sets * x->lines.ways; i++)
        if (x->lines.way[i].valid && x->lines.way[i].dirty)
            write_back(x, &x->lines.way[i]);
    tell_run(x);
}

void
l1d_data_invalidate(struct l1d_data *x)
{
    for (unsigned i = 0; i < x->lines.sets * x->lines.ways; i++)
        if (x->lines.way[i].valid)
            invalidate_way(x, &x->lines.way[i]);
    tell_run(x);
}

/* ---- life ---- */

bool
l1d_data_open(struct l1d_data *x, uint64_t root)
{
    assert(!x->state.uses && !x->copies);
    x->state = (struct l1d_data_state){ .root = root };
    x->copies = step_overlay(x->sim);
    return x->copies;
}

void
l1d_data_close(struct l1d_data *x)
{
    overlay_destroy(x->copies);
    x->copies = NULL;
}

bool
l1d_data_create(struct l1d_data *x, const struct ventus_model_config *config,
                struct ventus_model_stats *stats, struct ventus_sim *sim,
                unsigned sm, struct l1d_data_port port)
{
    const struct ventus_model_cache *c = &config->dcache;
    size_t n = (size_t)c->sets * c->ways;
    *x = (struct l1d_data){
        .config = config, .stats = stats, .sim = sim, .port = port
    };
    while (1u << x->line_shift < c->line_B)
        x->line_shift++;
    if (!set_assoc_create(&x->lines, c->replacement, c->sets, c->ways,
                          random_of(config->seed, sm, SEED_RCC)))
        return false;
    x->line = calloc(n, sizeof *x->line);
    x->bytes = calloc(n, c->line_B);
    if (!x->line || !x->bytes)
        return false;
    for (size_t i = 0; i < n; i++)
        x->line[i].written = x->bytes + i * c->line_B;
    return true;
}

void
l1d_data_destroy(struct l1d_data *x)
{
    l1d_data_close(x);
    set_assoc_destroy(&x->lines);
    free(x->line);
    free(x->bytes);
}
