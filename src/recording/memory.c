/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/memory.h"

#include <assert.h>
#include <stdlib.h>

#include "base/oom.h"

void
recording_memory_free(struct recording_memory *m)
{
    for (size_t i = 0; i < m->by_id.n; i++) {
        struct recording_piece *p = m->by_id.entry[i].value;
        if (p)
            free(p->content);
    }
    arena_free(&m->arena);
    arena_free(&m->kept);
    *m = (struct recording_memory){ .n = 0 };
}

static bool
is_same(const struct recording_range *a, const struct recording_range *b)
{
    return a->address == b->address && a->capacity == b->capacity;
}

static void
apply_runs(struct recording_piece *p, const struct recording_runs *runs)
{
    for (size_t i = 0; i < runs->n; i++) {
        const struct recording_run *r = &runs->at[i];
        uint64_t step = r->content && !r->repeats;
        assert(r->first + r->count <= p->pages &&
               "the decoder has checked the runs");
        for (uint64_t k = 0; k < r->count; k++)
            p->content[r->first + k] = r->content + step * k;
    }
}

static void
release_pieces(struct recording_memory *m, const struct recording_launch *l)
{
    for (size_t i = 0; i < l->n_released; i++) {
        void **at = map_find_number(&m->by_id, l->released[i]);
        struct recording_piece *p = at ? *at : NULL;
        if (!p)
            continue;
        assert(m->live >= p->pages && "live pages were counted");
        m->live -= p->pages;
        free(p->content);
        *at = NULL;
    }
}

/* The piece with the range's id, made if it is new; NULL: another range has the id, or
 * the memory exceeds the limit. */
static struct recording_piece *
piece_of(struct recording_memory *m, const struct recording_range *r)
{
    struct recording_piece *p;
    void **at = r->id ? map_put_number(&m->kept, &m->by_id, r->id) : NULL;
    if (at && *at) {
        p = *at;
        return is_same(&p->range, r) ? p : NULL;
    }
    p = arena_new(&m->kept, struct recording_piece, 1);
    p->pages = r->capacity / RECORDING_PAGE;
    p->range = *r;
    if (!at)
        return p;
    m->live += p->pages;
    if (m->live > RECORDING_RANGE_MAX / RECORDING_PAGE)
        return NULL; /* more than a device can have */
    p->content = calloc((size_t)p->pages, sizeof *p->content);
    if (!p->content)
        base_out_of_memory((size_t)p->pages, sizeof *p->content);
    *at = p;
    return p;
}

/* Applies the changes before the next launch of the device. */
static bool
advance_to(struct recording_memory *m, const struct recording_launch *l)
{
    release_pieces(m, l);
    m->piece = arena_new(&m->arena, struct recording_piece *, l->n_ranges);
    m->n = l->n_ranges;
    for (size_t i = 0; i < l->n_ranges; i++) {
        struct recording_piece *p = piece_of(m, &l->range[i]);
        if (!p)
            return false;
        p->range = l->range[i];
        if (p->content)
            apply_runs(p, &l->range[i].runs);
        m->piece[i] = p;
    }
    return true;
}

/* Applies the changes that a launch made. */
static bool
apply_result(struct recording_memory *m, const struct recording_result *e)
{
    for (size_t i = 0; i < e->n_ranges; i++) {
        const struct recording_range *r = &e->range[i];
        void **at = map_find_number(&m->by_id, r->id);
        struct recording_piece *p = at ? *at : NULL;
        if (!p || !is_same(&p->range, r))
            return false;
        apply_runs(p, &r->runs);
    }
    return true;
}

struct reading {
    struct recording_memory *m;
    struct recording *r;
    size_t i;
    bool after;
    struct diag_sink *sink;
    bool ok;
};

static bool
refuse_place(const struct reading *k)
{
    diag_report(k->sink, DIAG_ERROR,
                (struct diag_at){ .file = recording_path(k->r) },
                "ranges with one id differ in address or size, or the sum of "
                "ranges is too large");
    return false;
}

/* Applies one launch of the file; texts of the last one stay in the arena. */
static bool
step_launch(struct reading *k, size_t i, uint32_t device)
{
    struct recording_memory *m = k->m;
    struct arena_mark mark = arena_mark(&m->arena);
    if (!recording_read_launch(k->r, i, &m->arena, &m->launch, &m->result,
                               k->sink))
        return false;
    bool last = i == k->i, ok = true;
    if (m->launch.device == device) {
        ok = advance_to(m, &m->launch);
        if (ok && m->result.message && (!last || k->after))
            ok = apply_result(m, &m->result);
    }
    if (!last)
        arena_reset(&m->arena, mark);
    return ok || refuse_place(k);
}

/* Applies the changes that the current launch made, unless this was done. */
static bool
leave_launch(struct reading *k)
{
    struct recording_memory *m = k->m;
    struct arena_mark mark = arena_mark(&m->arena);
    struct recording_launch launch;
    struct recording_result result;
    if (m->is_after)
        return true;
    bool ok = recording_read_launch(k->r, m->at, &m->arena, &launch, &result,
                                    k->sink);
    if (ok && result.message)
        ok = apply_result(m, &result) || refuse_place(k);
    arena_reset(&m->arena, mark);
    return ok;
}

static void
read_all(void *ctx)
{
    struct reading *k = ctx;
    struct recording_memory *m = k->m;
    uint32_t before = m->launch.device;
    if (!m->begun || m->at >= k->i)
        recording_memory_free(m);
    arena_free(&m->arena);
    if (!recording_read_launch(k->r, k->i, &m->arena, &m->launch, &m->result,
                               k->sink))
        return;
    uint32_t device = m->launch.device;
    if (m->begun && device != before)
        recording_memory_free(m);
    if (m->begun && !leave_launch(k))
        return;
    for (size_t i = m->begun ? m->at + 1 : 0; i <= k->i; i++)
        if (!step_launch(k, i, device))
            return;
    assert(m->launch.device == device && "the last launch is of this device");
    m->begun = true;
    m->is_after = k->after;
    m->at = k->i;
    m->stored = 0;
    for (size_t i = 0; i < m->n; i++)
        for (uint64_t at = 0; m->piece[i]->content && at < m->piece[i]->pages;
             at++)
            m->stored += m->piece[i]->content[at] != 0;
    k->ok = true;
}

bool
recording_memory_read(struct recording_memory *m, struct recording *r, size_t i,
                      bool after, struct diag_sink *sink)
{
    struct reading k = { m, r, i, after, sink, false };
    if (!oom_call(read_all, &k)) {
        diag_out_of_memory(sink);
        k.ok = false;
    }
    if (!k.ok)
        recording_memory_free(m);
    return k.ok;
}
