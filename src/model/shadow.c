/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of an L1D under coherence = rcc.  What an SM sees is what its own L1D
 * holds, and what it wrote stays there until it is flushed.
 *
 * Values are those of the moment of issue, so the L1D that holds them here is
 * a shadow of the one that keeps time, of the same size, filled in order of
 * issue: a load that misses takes its line from the L2; a store that hits
 * stays, one that misses goes on to the L2; atomics are done there.  A line
 * that leaves gives back the bytes that were written, and no others: SMs may
 * write to different bytes of one line.
 *
 * Memory of the functional machine is what the L2 has.  Around an access the
 * lines that the L1D holds are put in its place.
 */
#include "model/shadow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/bits.h"
#include "model/local.h"

static struct shadow_line *
line_of(const struct shadow *x, const struct way *way)
{
    return &x->line[set_assoc_index(&x->lines, way)];
}

static unsigned
line_bytes(const struct shadow *x)
{
    return x->config->dcache.line_B;
}

/* Most lines are in the bank of the one before. */
static uint8_t *
memory_of(struct shadow *x, uint64_t line)
{
    struct shadow_bank *b = &x->state.bank;
    uint64_t at = line << x->line_shift;
    if (at - b->from < b->size)
        return b->host + (at - b->from);
    struct shadow_bank found = { .from = at };
    found.host = ventus_sim_pointer(x->sim, at, &found.size);
    if (found.host)
        *b = found;
    return found.host;
}

static void
write_back(struct shadow *x, struct way *way)
{
    unsigned n = line_bytes(x);
    struct shadow_line *l = line_of(x, way);
    uint8_t *to = way->dirty ? memory_of(x, way->tag) : NULL;
    for (unsigned i = 0; to && i < n; i++)
        if (l->written[i]) {
            x->state.changed |= to[i] != l->data[i];
            to[i] = l->data[i];
        }
    memset(l->written, 0, n);
    way->dirty = false;
}

/* The SM sees what memory has, which may be something else. */
static void
invalidate(struct shadow *x, struct way *way)
{
    assert(way->valid);
    write_back(x, way);
    x->state.changed |= memcmp(line_of(x, way)->data, memory_of(x, way->tag),
                               line_bytes(x)) != 0;
    way->valid = false;
}

/* The ways of a line's set that are not in use by the access. */
static uint64_t
free_ways(const struct shadow *x, uint64_t line)
{
    const struct way *set = set_assoc_set(&x->lines, line);
    uint64_t found = 0;
    for (unsigned i = 0; i < x->lines.ways; i++)
        found |= (uint64_t)!line_of(x, &set[i])->swapped << i;
    return found;
}

/* An invalid way of a line's set, or the policy's victim among some. */
static struct way *
choose_way(struct shadow *x, uint64_t line, uint64_t among)
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
fill(struct shadow *x, uint64_t line)
{
    uint64_t among = free_ways(x, line);
    if (!among)
        return NULL;
    struct way *way = choose_way(x, line, among);
    struct shadow_line *l = line_of(x, way);
    assert(!l->swapped);
    if (way->valid)
        invalidate(x, way);
    set_assoc_fill(&x->lines, way, line, ++x->clock);
    l->filled = x->clock;
    l->depends = 0;
    memcpy(l->data, memory_of(x, line), line_bytes(x));
    return way;
}

/* ---- one access ---- */

struct step_access *
shadow_begin(struct shadow *x)
{
    struct shadow_state *t = &x->state;
    assert(!t->swaps);
    t->access.n = 0;
    t->read = t->address = 0;
    t->local = t->found = false;
    return &t->access;
}

void
shadow_pass(struct shadow *x)
{
    x->state.local = x->state.access.n != 0;
    x->state.access.n = 0;
}

bool
shadow_is_local(const struct shadow *x)
{
    const struct step_access *a = &x->state.access;
    for (unsigned i = 0; i < a->n; i++)
        if (!local_has(a->at[i]))
            return false;
    return true;
}

static bool
walk(struct shadow *x, uint64_t at, bool write, uint64_t *physical)
{
    return ventus_sim_translate(x->sim, x->state.root, at,
                                write ? VENTUS_SIM_WRITE : VENTUS_SIM_READ,
                                physical) == VENTUS_SIM_FAULT_NONE &&
           memory_of(x, *physical >> x->line_shift);
}

/* Translations hold for a run, as those of the functional machine (sim/mmu.h).  Only
 * of pages that are memory up to their end. */
static bool
translate(struct shadow *x, uint64_t at, bool write, uint64_t *physical)
{
    uint64_t page = at / SIM_PAGE, rest = at % SIM_PAGE, end;
    struct shadow_page *p = &x->state.page[write][page % SHADOW_PAGES];
    if (p->known && p->page == page) {
        *physical = p->physical + rest;
        return true;
    }
    if (!walk(x, at, write, physical))
        return false;
    if (walk(x, at - rest + SIM_PAGE - 1, write, &end))
        *p = (struct shadow_page){ true, page, *physical - rest };
    return true;
}

/* Memory may end in the middle of a line: then each of its words is looked for. */
static bool
find_line(struct shadow *x, uint64_t at, bool write, uint64_t *physical)
{
    struct shadow_state *t = &x->state;
    uint64_t rest = line_bytes(x) - 1, end;
    if (!translate(x, at, write, physical))
        return false;
    t->found = t->access.n > 1 && translate(x, at | rest, write, &end);
    t->found_line = at >> x->line_shift;
    t->found_at = *physical & ~rest;
    return true;
}

/* Where a word is in physical memory; false: none. */
static bool
find_word(struct shadow *x, uint64_t at, bool write, uint64_t *physical)
{
    const struct shadow_state *t = &x->state;
    if (local_has(at))
        return false; /* local memory is the workgroup's own */
    if (!t->found || t->found_line != at >> x->line_shift)
        return find_line(x, at, write, physical);
    *physical = t->found_at | (at & (line_bytes(x) - 1));
    return true;
}

/* Puts a line that the L1D holds in the place of the L2's. */
static void
swap_in(struct shadow *x, struct way *way)
{
    unsigned n = line_bytes(x);
    struct shadow_line *l = line_of(x, way);
    set_assoc_touch(&x->lines, way, ++x->clock);
    if (l->swapped)
        return;
    assert(x->state.swaps < SHADOW_SWAPS && way->valid);
    l->swapped = true;
    uint8_t *host = memory_of(x, way->tag);
    memcpy(x->saved + (size_t)x->state.swaps * n, host, n);
    memcpy(host, l->data, n);
    x->state.swap[x->state.swaps++] = way;
}

/* What a load reads: of the line, or now from the L2. */
static void
note_age(struct shadow *x, const struct way *way)
{
    uint64_t age = ++x->clock;
    if (way) {
        const struct shadow_line *l = line_of(x, way);
        age = l->filled > l->depends ? l->filled : l->depends;
    }
    if (age > x->state.read)
        x->state.read = age;
}

/* A line that is older than the address of the load must not be seen by it. */
static struct way *
find_fresh(struct shadow *x, uint64_t line, bool write)
{
    struct way *way = set_assoc_find(&x->lines, line);
    if (!way || write)
        return way;
    const struct shadow_line *l = line_of(x, way);
    if (l->swapped || l->filled >= x->state.address)
        return way;
    invalidate(x, way);
    x->stats->refetches++;
    return NULL;
}

/* A load that misses takes the line into the L1D: not with these hints. */
static bool
allocates(const struct shadow_kind *kind)
{
    return !kind->write && kind->hint != VENTUS_ISA_HINT_STREAM &&
           kind->hint != VENTUS_ISA_HINT_BYPASS;
}

/* Does the access pass a line by that the L2 has, too? */
static bool
is_passed(const struct shadow *x, const struct shadow_kind *kind,
          const struct way *way)
{
    return kind->hint == VENTUS_ISA_HINT_BYPASS && !way->dirty &&
           !line_of(x, way)->swapped;
}

static void
prepare_word(struct shadow *x, const struct shadow_kind *kind,
             uint64_t physical)
{
    uint64_t line = physical >> x->line_shift;
    struct way *way = find_fresh(x, line, kind->write || kind->atomic);
    if (kind->atomic) {
        note_age(x, NULL);
        if (way)
            invalidate(x, way);
        return;
    }
    if (way && is_passed(x, kind, way)) {
        invalidate(x, way);
        way = NULL;
    }
    if (!way && allocates(kind) && x->state.swaps < SHADOW_SWAPS)
        way = fill(x, line);
    if (way && kind->hint == VENTUS_ISA_HINT_KEEP)
        way->kept = true;
    if (!kind->write)
        note_age(x, way);
    if (way && x->state.swaps < SHADOW_SWAPS)
        swap_in(x, way);
}

void
shadow_before(struct shadow *x, const struct shadow_kind *kind,
              uint64_t address)
{
    struct step_access *a = &x->state.access;
    assert(a->n <= STEP_WORDS_MAX && !x->state.swaps);
    x->state.address = address;
    for (unsigned i = 0; i < a->n; i++)
        if (find_word(x, a->at[i], kind->write || kind->atomic, &a->at[i]))
            prepare_word(x, kind, a->at[i]);
        else {
            a->at[i] = UINT64_MAX;
            x->state.local = true;
        }
}

/* What a store wrote into lines that the L1D holds. */
static void
mark_written(struct shadow *x)
{
    const struct step_access *a = &x->state.access;
    uint64_t mask = line_bytes(x) - 1;
    for (unsigned i = 0; i < a->n; i++) {
        struct way *way =
            a->at[i] == UINT64_MAX
                ? NULL
                : set_assoc_find(&x->lines, a->at[i] >> x->line_shift);
        struct shadow_line *l = way ? line_of(x, way) : NULL;
        if (!l || !l->swapped)
            continue;
        memset(l->written + (a->at[i] & mask), 1, a->bytes);
        way->dirty = true;
        if (l->depends < x->state.address)
            l->depends = x->state.address;
    }
}

void
shadow_after(struct shadow *x, bool write)
{
    struct shadow_state *t = &x->state;
    unsigned n = line_bytes(x);
    if (write)
        mark_written(x);
    while (t->swaps) {
        const struct way *way = t->swap[--t->swaps];
        struct shadow_line *l = line_of(x, way);
        uint8_t *host = memory_of(x, way->tag);
        memcpy(l->data, host, n);
        memcpy(host, x->saved + (size_t)t->swaps * n, n);
        assert(l->swapped);
        l->swapped = false;
    }
}

uint64_t
shadow_age(const struct shadow *x, bool *local)
{
    *local = x->state.local;
    return x->state.read;
}

/* ---- all of a cache ---- */

void
shadow_flush(struct shadow *x)
{
    for (unsigned i = 0; i < x->lines.sets * x->lines.ways; i++)
        if (x->lines.way[i].valid && x->lines.way[i].dirty)
            write_back(x, &x->lines.way[i]);
}

void
shadow_invalidate(struct shadow *x)
{
    for (unsigned i = 0; i < x->lines.sets * x->lines.ways; i++)
        if (x->lines.way[i].valid)
            invalidate(x, &x->lines.way[i]);
}

bool
shadow_take_changed(struct shadow *x)
{
    bool changed = x->state.changed;
    x->state.changed = false;
    return changed;
}

/* ---- life ---- */

void
shadow_reset(struct shadow *x, uint64_t root)
{
    assert(!x->state.swaps);
    x->state = (struct shadow_state){ .root = root };
}

bool
shadow_create(struct shadow *x, const struct ventus_model_config *config,
              struct ventus_model_stats *stats, struct ventus_sim *sim,
              unsigned sm)
{
    const struct ventus_model_cache *c = &config->dcache;
    size_t n = (size_t)c->sets * c->ways;
    *x = (struct shadow){ .config = config, .stats = stats, .sim = sim };
    while (1u << x->line_shift < c->line_B)
        x->line_shift++;
    if (!set_assoc_create(&x->lines, c->replacement, c->sets, c->ways,
                          random_of(config->seed, sm, SEED_RCC)))
        return false;
    x->line = calloc(n, sizeof *x->line);
    x->bytes = calloc(n, 2 * c->line_B);
    x->saved = malloc((size_t)SHADOW_SWAPS * c->line_B);
    if (!x->line || !x->bytes || !x->saved)
        return false;
    for (size_t i = 0; i < n; i++) {
        x->line[i].data = x->bytes + 2 * i * c->line_B;
        x->line[i].written = x->line[i].data + c->line_B;
    }
    return true;
}

void
shadow_destroy(struct shadow *x)
{
    set_assoc_destroy(&x->lines);
    free(x->line);
    free(x->bytes);
    free(x->saved);
}
