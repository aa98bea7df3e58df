/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/snapshot.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/checkpoint.h"

/* ---- workgroups ---- */

/* Vector registers that decoded code touches, or the user; the others are zero. */
static unsigned
rows_of(const struct gdb_machine *m)
{
    return atomic_load(&m->run->sim->code.rows);
}

static size_t
warp_size(const struct gdb_machine *m, const struct sim_warp *w)
{
    return sizeof *w + sizeof(uint32_t) + rows_of(m) * w->lanes * sizeof *w->v +
           w->depth * sizeof *w->stack;
}

/* Size of the declared bytes, and of the padding after them that was written. */
static size_t
declared_size(const struct sim_local *l)
{
    return (l->declared_dirty ? l->declared : 0) +
           (l->padding_dirty ? l->padding : 0);
}

static size_t
padding_size(const struct sim_padding *p)
{
    return p->dirty ? p->capacity : 0;
}

static size_t
local_size(const struct sim_local *l)
{
    size_t pages =
        l->dirty_pages < LOCAL_DIRTY_MAX ? l->dirty_pages : LOCAL_DIRTY_MAX;
    return declared_size(l) + pages * SIM_PAGE;
}

static size_t
group_size(const struct gdb_machine *m, const struct sim_group *g)
{
    size_t size = sizeof *g + local_size(&g->local) + padding_size(&g->padding);
    for (unsigned i = 0; i < g->warps; i++)
        size += warp_size(m, &g->warp[i]);
    return size;
}

static void
save_local(struct buf *to, const struct sim_local *l)
{
    assert(!l->padding_dirty || l->declared_dirty);
    buf_put(to, l->host, declared_size(l));
    for (unsigned i = 0; i < l->dirty_pages && i < LOCAL_DIRTY_MAX; i++)
        buf_put(to, l->beyond + (size_t)l->dirty[i] * SIM_PAGE, SIM_PAGE);
}

static void
save_group(const struct gdb_machine *m, struct buf *to,
           const struct sim_group *g)
{
    uint32_t rows = rows_of(m);
    buf_put(to, g, sizeof *g);
    save_local(to, &g->local);
    if (g->padding.dirty)
        buf_put(to, g->padding.host, padding_size(&g->padding));
    for (unsigned i = 0; i < g->warps; i++) {
        const struct sim_warp *w = &g->warp[i];
        buf_put(to, w, sizeof *w);
        buf_put(to, &rows, sizeof rows);
        buf_put(to, w->v, rows * w->lanes * sizeof *w->v);
        buf_put(to, w->stack, w->depth * sizeof *w->stack);
    }
}

/* Takes the next bytes of a snapshot. */
static void
take(const uint8_t **from, void *to, size_t size)
{
    memcpy(to, *from, size);
    *from += size;
}

static void
load_local(struct sim_local *now, const struct sim_local *then,
           const uint8_t **from)
{
    uint8_t *host = now->host, *beyond = now->beyond;
    local_reset(now, now->declared, now->padding, now->open);
    *now = *then;
    now->host = host;
    now->beyond = beyond;
    take(from, host, declared_size(now));
    for (unsigned i = 0; i < now->dirty_pages && i < LOCAL_DIRTY_MAX; i++)
        take(from, beyond + (size_t)now->dirty[i] * SIM_PAGE, SIM_PAGE);
}

/* Loads padding: storage that exists now existed then, or had not been touched. */
static void
load_padding(struct sim_padding *now, const struct sim_padding *then,
             const uint8_t **from)
{
    if (now->dirty)
        memset(now->host, 0, now->capacity);
    now->dirty = then->dirty;
    assert(!then->dirty || then->capacity == now->capacity);
    if (then->dirty)
        take(from, now->host, now->capacity);
}

static void
load_warp(const struct gdb_machine *m, struct sim_warp *w, const uint8_t **from)
{
    uint32_t *v = w->v, rows, now = rows_of(m);
    struct sim_entry *stack = w->stack;
    take(from, w, sizeof *w);
    w->v = v;
    w->stack = stack;
    take(from, &rows, sizeof rows);
    assert(rows <= now); /* decoded code only grows */
    take(from, w->v, rows * w->lanes * sizeof *w->v);
    memset(w->v + (size_t)rows * w->lanes, 0,
           (now - rows) * w->lanes * sizeof *w->v);
    take(from, w->stack, w->depth * sizeof *w->stack);
}

static void
load_group(const struct gdb_machine *m, struct sim_group *g,
           const uint8_t **from)
{
    struct sim_group then;
    take(from, &then, sizeof then);
    assert(then.warp == g->warp); /* workgroups keep their slot */
    assert(then.warps <= m->run->launch.warps && then.live <= then.warps);
    load_local(&g->local, &then.local, from);
    then.local = g->local;
    load_padding(&g->padding, &then.padding, from);
    then.padding = g->padding;
    *g = then;
    for (unsigned i = 0; i < g->warps; i++)
        load_warp(m, &g->warp[i], from);
}

static bool
save_state(struct gdb_machine *m, struct gdb_snapshot *s)
{
    size_t slots = m->run->resident, size = slots;
    for (size_t i = 0; i < slots; i++)
        size += m->busy[i] ? group_size(m, &m->k->group[i]) : 0;
    if (!buf_reserve(&s->state, size))
        return false;
    buf_put(&s->state, m->busy, slots);
    for (size_t i = 0; i < slots; i++)
        if (m->busy[i])
            save_group(m, &s->state, &m->k->group[i]);
    assert(s->state.n == size);
    return true;
}

static void
load_state(struct gdb_machine *m, const struct gdb_snapshot *s)
{
    const uint8_t *from = s->state.at;
    size_t slots = m->run->resident;
    take(&from, m->busy, slots);
    m->busy_n = 0;
    for (size_t i = 0; i < slots; i++)
        if (m->busy[i]) {
            load_group(m, &m->k->group[i], &from);
            m->busy_n++;
        }
    assert(from == s->state.at + s->state.n);
}

/* ---- the list ---- */

void
gdb_forget_spans(struct gdb_machine *m)
{
    struct sim_mmu *mmu = &m->k->mmu;
    mmu_reset(mmu, &m->run->sim->mem, run_host(m->run), m->run->launch.ptbr);
    mmu->guard = m->guard.n ? &m->guard : NULL;
    m->local_of = NULL;
}

static void
snapshot_free(struct gdb_snapshot *s)
{
    buf_free(&s->state);
    checkpoint_destroy(s->memory);
}

void
gdb_snapshot_free_all(struct gdb_machine *m)
{
    m->run->sim->mem.checkpoint = NULL;
    for (size_t i = 0; i < m->snapshots; i++)
        snapshot_free(&m->snapshot[i]);
    free(m->snapshot);
    m->snapshot = NULL;
    m->snapshots = m->snapshots_cap = 0;
}

/* Drops all snapshots when memory runs out; the launch continues. */
static bool
go_blind(struct gdb_machine *m)
{
    gdb_snapshot_free_all(m);
    gdb_forget_spans(m);
    m->blind = true;
    return false;
}

static bool
snapshots_grow(struct gdb_machine *m)
{
    assert(m->snapshots <= m->snapshots_cap);
    if (m->snapshots < m->snapshots_cap)
        return true;
    size_t cap = m->snapshots_cap ? 2 * m->snapshots_cap : 32;
    struct gdb_snapshot *list = realloc(m->snapshot, cap * sizeof *list);
    if (!list)
        return false;
    m->snapshot = list;
    m->snapshots_cap = cap;
    return true;
}

/* Drops a snapshot; its pages become those of the one before. */
static bool
snapshot_drop(struct gdb_machine *m, size_t i)
{
    assert(i > 0 && i + 1 < m->snapshots);
    struct gdb_snapshot *s = &m->snapshot[i];
    bool ok = checkpoint_merge(s[-1].memory, s->memory);
    buf_free(&s->state);
    memmove(s, s + 1, (m->snapshots - i - 1) * sizeof *s);
    m->snapshots--;
    return ok;
}

/* Keeps distances in proportion to how long ago it was. */
static bool
thin_out(struct gdb_machine *m)
{
    uint64_t now = m->at.time;
    assert(m->snapshots > 2);
    for (size_t i = m->snapshots - 1; i-- > 1;) {
        const struct gdb_snapshot *s = &m->snapshot[i];
        assert(s[-1].at.time < s->at.time && s->at.time < s[1].at.time);
        uint64_t gap = s[1].at.time - s[-1].at.time;
        if (gap <= (now - s[1].at.time) / 16 && !snapshot_drop(m, i))
            return false;
    }
    return true;
}

bool
gdb_snapshot_take(struct gdb_machine *m)
{
    struct gdb_snapshot s = { .at = m->at };
    m->snapshot_due = m->at.time + GDB_SNAPSHOT_EVERY;
    if (m->blind)
        return false;
    if (m->snapshots && m->snapshot[m->snapshots - 1].at.time == m->at.time)
        return true;
    assert(!m->snapshots || m->snapshot[m->snapshots - 1].at.time < m->at.time);
    if (m->printing.drained)
        s.drained = *m->printing.drained;
    s.memory = checkpoint_create();
    if (!s.memory || !save_state(m, &s) || !snapshots_grow(m)) {
        snapshot_free(&s);
        return go_blind(m);
    }
    m->snapshot[m->snapshots++] = s;
    if (m->snapshots > 2 && !thin_out(m))
        return go_blind(m);
    m->run->sim->mem.checkpoint = s.memory;
    gdb_forget_spans(m);
    return true;
}

void
gdb_snapshot_restore(struct gdb_machine *m, size_t number)
{
    assert(number < m->snapshots);
    while (m->snapshots > number + 1) {
        struct gdb_snapshot *last = &m->snapshot[--m->snapshots];
        checkpoint_restore(last->memory);
        snapshot_free(last);
    }
    struct gdb_snapshot *s = &m->snapshot[number];
    checkpoint_restore(s->memory);
    checkpoint_forget(s->memory);
    m->run->sim->mem.checkpoint = s->memory;
    load_state(m, s);
    m->at = s->at;
    assert(m->at.time <= m->frontier && m->at.turn <= m->turns);
    m->over = false;
    m->run->fault = (struct ventus_sim_fault){ .lane = -1 };
    m->snapshot_due = m->at.time + GDB_SNAPSHOT_EVERY;
    if (m->printing.drained)
        *m->printing.drained = s->drained;
    gdb_forget_spans(m);
}

size_t
gdb_snapshot_before(const struct gdb_machine *m, uint64_t time)
{
    size_t i = m->snapshots;
    assert(i > 0);
    while (i > 1 && m->snapshot[i - 1].at.time > time)
        i--;
    return i - 1;
}

void
gdb_snapshot_begin_anew(struct gdb_machine *m)
{
    /* The user may have changed a register that no code touches. */
    atomic_store(&m->run->sim->code.rows, SIM_VREGS);
    m->frontier = m->at.time;
    m->turns = m->begun = m->at.turn;
    if (!m->snapshots)
        return;
    gdb_snapshot_free_all(m);
    gdb_snapshot_take(m);
}
