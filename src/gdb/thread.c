/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/thread.h"

#include <assert.h>
#include <string.h>

#include "gdb/snapshot.h"
#include "sim/lanes.h"

/* ---- numbers ---- */

static unsigned
lanes_of(const struct gdb_machine *m)
{
    return m->run->sim->config.num_thread;
}

uint64_t
gdb_thread_number(const struct gdb_machine *m, const struct gdb_thread *t)
{
    assert(t->warp < m->run->launch.warps && t->lane < lanes_of(m));
    uint64_t warp = t->group * m->run->launch.warps + t->warp;
    return warp * lanes_of(m) + t->lane + 1;
}

static struct gdb_thread
split(const struct gdb_machine *m, uint64_t number)
{
    uint64_t item = number - 1, warp = item / lanes_of(m);
    return (struct gdb_thread){
        .group = warp / m->run->launch.warps,
        .warp = (unsigned)(warp % m->run->launch.warps),
        .lane = (unsigned)(item % lanes_of(m)),
    };
}

struct sim_group *
gdb_group_of(const struct gdb_machine *m, uint64_t number, unsigned *slot)
{
    for (unsigned i = 0; i < m->run->resident; i++) {
        struct sim_group *g = &m->k->group[i];
        if (!m->busy[i] || g->number != number)
            continue;
        if (slot)
            *slot = i;
        return g;
    }
    return NULL;
}

bool
gdb_thread_of(const struct gdb_machine *m, uint64_t number,
              struct gdb_thread *t)
{
    if (!number)
        return false;
    *t = split(m, number);
    const struct sim_group *g = gdb_group_of(m, t->group, NULL);
    if (!g || t->warp >= g->warps)
        return false;
    const struct sim_warp *w = &g->warp[t->warp];
    return w->stop != STOP_END && w->start_mask >> t->lane & 1;
}

/* The lowest workgroup that runs and is not below a number; NULL: none. */
static const struct sim_group *
group_from(const struct gdb_machine *m, uint64_t number)
{
    const struct sim_group *best = NULL;
    for (unsigned i = 0; i < m->run->resident; i++) {
        const struct sim_group *g = &m->k->group[i];
        if (m->busy[i] && g->number >= number &&
            (!best || g->number < best->number))
            best = g;
    }
    return best;
}

uint64_t
gdb_thread_next(const struct gdb_machine *m, uint64_t number)
{
    struct gdb_thread t = split(m, number + 1), found;
    const struct sim_group *g = group_from(m, t.group);
    uint64_t next = number;
    while (g) {
        struct gdb_thread last = { g->number, g->warps - 1, lanes_of(m) - 1 };
        struct gdb_thread first = { .group = g->number };
        uint64_t end = gdb_thread_number(m, &last);
        if (next + 1 < gdb_thread_number(m, &first))
            next = gdb_thread_number(m, &first) - 1;
        while (next < end)
            if (gdb_thread_of(m, ++next, &found))
                return next;
        g = group_from(m, g->number + 1);
    }
    return GDB_NO_THREAD;
}

struct sim_warp *
gdb_thread_warp(const struct gdb_machine *m, const struct gdb_thread *t)
{
    struct sim_group *g = gdb_group_of(m, t->group, NULL);
    assert(g && t->warp < g->warps);
    return &g->warp[t->warp];
}

/* ---- places ---- */

bool
gdb_thread_active(const struct sim_warp *w, unsigned lane)
{
    assert(lane < SIM_LANES_MAX);
    return w->mask >> lane & 1;
}

uint32_t
gdb_warp_pc(const struct sim_warp *w)
{
    if (!w->next)
        return (uint32_t)w->worker->run->launch.pc;
    return w->next->pc - 4 * (w->next->words - 1u);
}

uint32_t
gdb_thread_pc(const struct sim_warp *w, unsigned lane)
{
    if (gdb_thread_active(w, lane))
        return gdb_warp_pc(w);
    for (unsigned i = w->depth; i-- > 0;)
        if (w->stack[i].mask >> lane & 1)
            return w->stack[i].pc;
    return gdb_warp_pc(w);
}

/* ---- memory ---- */

/* Windows of addresses that are not mapped, for debug information: docs/abi.md. */
enum {
    WINDOW_B = 0x10000000,
    WINDOW_PRIVATE = 0x40000000,
    WINDOW_X = 0x50000000,
    WINDOW_V = 0x50000400,
    WINDOW_LOCAL = 0x60000000, /* after the stacks of the warps */
    STACK_B = 1024
};

/* A register in its window, as memory. */
static uint8_t *
find_register(const struct gdb_machine *m, const struct gdb_thread *t,
              uint64_t address, uint64_t *available)
{
    struct sim_warp *w = gdb_thread_warp(m, t);
    uint64_t x = (address - WINDOW_X) / 4, v = (address - WINDOW_V) / 4;
    uint32_t *at = NULL;
    if (address >= WINDOW_V && v < SIM_VREGS)
        at = &w->v[v * w->lanes + t->lane];
    else if (address < WINDOW_V && x < SIM_XREGS)
        at = &w->x[x];
    *available = 4 - address % 4;
    return at ? (uint8_t *)at + address % 4 : NULL;
}

uint64_t
gdb_memory_address(const struct gdb_machine *m, const struct gdb_thread *t,
                   uint64_t address)
{
    const struct sim_group *g = gdb_group_of(m, t->group, NULL);
    if (g && address - WINDOW_LOCAL < WINDOW_B)
        return address - WINDOW_LOCAL + SIM_LOCAL_BASE +
               (uint64_t)g->warps * STACK_B;
    if (address - WINDOW_PRIVATE < WINDOW_B)
        address -= WINDOW_PRIVATE;
    if (!g || address >= m->run->launch.pds_size_B)
        return address;
    unsigned threads = g->warps * lanes_of(m);
    return mem_private(g->pds, (uint32_t)address, threads,
                       t->warp * lanes_of(m) + t->lane);
}

/* Finds local memory on the host, and how many bytes follow there. */
static uint8_t *
find_local(struct sim_group *g, uint64_t address, uint64_t *available)
{
    struct sim_local *l = &g->local;
    uint64_t at = address - SIM_LOCAL_BASE;
    assert(at < SIM_LOCAL_SIZE && l->declared <= l->capacity);
    if (at < l->declared) {
        *available = l->declared - at;
        return l->host + at;
    }
    *available = SIM_PAGE - at % SIM_PAGE;
    uint8_t *page = l->open ? local_page(l, (uint32_t)(at / SIM_PAGE)) : NULL;
    return page ? page + at % SIM_PAGE : NULL;
}

static uint8_t *
find_host(const struct gdb_machine *m, const struct gdb_thread *t,
          uint64_t address, uint64_t *available)
{
    static const unsigned perms[] = { VENTUS_SIM_READ, VENTUS_SIM_EXEC,
                                      VENTUS_SIM_WRITE };
    struct sim_group *g = gdb_group_of(m, t->group, NULL);
    uint64_t at = gdb_memory_address(m, t, address);
    struct sim_span span;
    uint64_t physical;
    if (g && address - WINDOW_X < WINDOW_B)
        return find_register(m, t, address, available);
    if (g && at - SIM_LOCAL_BASE < SIM_LOCAL_SIZE)
        return find_local(g, at, available);
    for (size_t i = 0; i < sizeof perms / sizeof *perms; i++) {
        if (mmu_translate(&m->run->sim->mem, m->run->launch.ptbr, at, perms[i],
                          MMU_PADDED, &span, &physical))
            continue;
        *available =
            at == address ? span.size - (at - span.lo) : 4 - address % 4;
        return span.host + (at - span.lo);
    }
    return NULL;
}

size_t
gdb_memory_read(const struct gdb_machine *m, const struct gdb_thread *t,
                uint64_t address, void *to, size_t size)
{
    size_t done = 0;
    while (done < size) {
        uint64_t available;
        const uint8_t *host = find_host(m, t, address + done, &available);
        if (!host)
            break;
        assert(available > 0);
        size_t n = available < size - done ? (size_t)available : size - done;
        memcpy((uint8_t *)to + done, host, n);
        done += n;
    }
    return done;
}

/* Local memory remembers what must be zeroed later. */
static void
note_local(struct gdb_machine *m, const struct gdb_thread *t, uint64_t address)
{
    struct sim_group *g = gdb_group_of(m, t->group, NULL);
    assert(g && address - SIM_LOCAL_BASE < SIM_LOCAL_SIZE);
    mmu_set_local(&m->k->mmu, &g->local);
    m->local_of = g;
    mmu_span(&m->k->mmu, address, 1, MMU_WRITE);
}

size_t
gdb_memory_write(struct gdb_machine *m, const struct gdb_thread *t,
                 uint64_t address, const void *from, size_t size)
{
    size_t done = 0;
    while (done < size && gdb_machine_may_change(m)) {
        uint64_t available, at = address + done;
        uint8_t *host = find_host(m, t, at, &available);
        if (!host)
            break;
        uint64_t left = SIM_PAGE - at % SIM_PAGE;
        available = available < left ? available : left;
        assert(available > 0);
        size_t n = available < size - done ? (size_t)available : size - done;
        uint64_t there = gdb_memory_address(m, t, at);
        if (there - SIM_LOCAL_BASE < SIM_LOCAL_SIZE)
            note_local(m, t, there);
        memcpy(host, (const uint8_t *)from + done, n);
        done += n;
    }
    if (done)
        gdb_snapshot_begin_anew(m);
    return done;
}
