/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/stops.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gdb/agent.h"
#include "gdb/machine.h"
#include "gdb/packet.h"
#include "gdb/snapshot.h"
#include "gdb/target.h"

/* ---- the lists ---- */

static void
free_conditions(struct gdb_breakpoint *b)
{
    for (size_t i = 0; i < b->conditions; i++)
        free(b->condition[i].code);
    free(b->condition);
    b->condition = NULL;
    b->conditions = 0;
}

/* The next of ";X size,bytes". */
static bool
read_condition(struct gdb_text *t, struct gdb_condition *c)
{
    uint64_t size;
    if (!gdb_take_text(t, ";X") && !gdb_take_text(t, "X"))
        return false;
    if (!gdb_take_number(t, &size) || !size || !gdb_take_text(t, ",") ||
        size > (size_t)(t->end - t->at) / 2)
        return false;
    c->size = (size_t)size;
    c->code = malloc(c->size);
    return c->code && gdb_take_bytes(t, c->code, c->size);
}

static bool
read_conditions(struct gdb_breakpoint *b, const char *text)
{
    struct gdb_text t = { text, text + strlen(text) };
    while (t.at < t.end) {
        struct gdb_condition c = { 0 }, *more;
        if (!read_condition(&t, &c)) {
            free(c.code);
            return false;
        }
        more = realloc(b->condition, (b->conditions + 1) * sizeof *more);
        if (!more) {
            free(c.code);
            return false;
        }
        b->condition = more;
        b->condition[b->conditions++] = c;
    }
    return true;
}

bool
gdb_stops_add_break(struct gdb_stops *s, uint32_t pc, const char *conditions)
{
    struct gdb_breakpoint b = { .pc = pc }, *more;
    gdb_stops_remove_break(s, pc); /* its conditions are new */
    more = realloc(s->breakpoint, (s->breakpoints + 1) * sizeof *more);
    if (more)
        s->breakpoint = more;
    if (!more || !read_conditions(&b, conditions)) {
        free_conditions(&b);
        return false;
    }
    assert(!b.old); /* the machine does not run */
    s->breakpoint[s->breakpoints++] = b;
    return true;
}

void
gdb_stops_remove_break(struct gdb_stops *s, uint32_t pc)
{
    for (size_t i = 0; i < s->breakpoints; i++) {
        if (s->breakpoint[i].pc != pc)
            continue;
        free_conditions(&s->breakpoint[i]);
        s->breakpoint[i] = s->breakpoint[--s->breakpoints];
        return;
    }
}

bool
gdb_stops_add_watch(struct gdb_stops *s, const struct gdb_watchpoint *w)
{
    struct gdb_watchpoint *more =
        realloc(s->watchpoint, (s->watchpoints + 1) * sizeof *more);
    if (!more)
        return false;
    s->watchpoint = more;
    s->watchpoint[s->watchpoints++] = *w;
    return true;
}

void
gdb_stops_remove_watch(struct gdb_stops *s, uint64_t asked, uint64_t size,
                       enum gdb_watch kind)
{
    for (size_t i = s->watchpoints; i-- > 0;) {
        const struct gdb_watchpoint *w = &s->watchpoint[i];
        if (w->asked == asked && w->asked_B == size && w->kind == kind)
            s->watchpoint[i] = s->watchpoint[--s->watchpoints];
    }
}

void
gdb_stops_forget_breaks(struct gdb_stops *s)
{
    for (size_t i = 0; i < s->breakpoints; i++)
        free_conditions(&s->breakpoint[i]);
    s->breakpoints = 0;
}

void
gdb_stops_free(struct gdb_stops *s)
{
    gdb_stops_forget_breaks(s);
    free(s->breakpoint);
    free(s->watchpoint);
    *s = (struct gdb_stops){ 0 };
}

/* ---- while the machine runs ---- */

static unsigned
accesses_of(enum gdb_watch kind)
{
    unsigned read = kind != GDB_WATCH_WRITE, write = kind != GDB_WATCH_READ;
    return read << MMU_READ | write << MMU_WRITE;
}

bool
gdb_stops_arm(struct gdb_stops *s, struct gdb_machine *m)
{
    for (size_t i = 0; i < s->breakpoints; i++) {
        struct gdb_breakpoint *b = &s->breakpoint[i];
        assert(!b->old);
        b->old = code_replace(m->k, b->pc, gdb_break);
    }
    assert(!m->guard.range && !m->guard.n);
    if (!s->watchpoints)
        return true;
    m->guard.range = calloc(s->watchpoints, sizeof *m->guard.range);
    if (!m->guard.range)
        return false;
    m->guard.n = (unsigned)s->watchpoints;
    for (size_t i = 0; i < s->watchpoints; i++) {
        const struct gdb_watchpoint *w = &s->watchpoint[i];
        m->guard.range[i] =
            (struct sim_guarded){ w->address, w->size, accesses_of(w->kind) };
    }
    gdb_forget_spans(m);
    return true;
}

void
gdb_stops_disarm(struct gdb_stops *s, struct gdb_machine *m)
{
    for (size_t i = s->breakpoints; i-- > 0;) {
        struct gdb_breakpoint *b = &s->breakpoint[i];
        if (b->old)
            code_replace(m->k, b->pc, b->old);
        b->old = NULL;
    }
    if (!m->guard.n)
        return;
    free(m->guard.range);
    m->guard.range = NULL;
    m->guard.n = 0;
    gdb_forget_spans(m);
}

/* ---- for whom it stops ---- */

struct looking {
    const struct gdb_machine *m;
    const struct gdb_launch *l;
    struct gdb_thread t;
};

static bool
read_register(void *ctx, unsigned number, uint64_t *value)
{
    const struct looking *k = ctx;
    uint8_t at[GDB_REG_MAX_B];
    size_t n = gdb_register_read(k->m, k->l, &k->t, number, at);
    *value = 0;
    if (!n || n > sizeof *value)
        return false;
    for (size_t i = n; i-- > 0;)
        *value = *value << 8 | at[i];
    return true;
}

static bool
read_memory(void *ctx, uint64_t address, void *to, size_t size)
{
    const struct looking *k = ctx;
    /* GDB computes with more bits than addresses of version 1 have. */
    if (!gdb_target_is_wide(k->m))
        address &= UINT32_MAX;
    return gdb_memory_read(k->m, &k->t, address, to, size) == size;
}

/* A condition that cannot be evaluated stops; GDB then says what is wrong. */
static bool
holds(const struct gdb_breakpoint *b, struct looking *k)
{
    struct gdb_agent agent = { k, read_register, read_memory };
    for (size_t i = 0; i < b->conditions; i++) {
        uint64_t value;
        if (!gdb_agent_evaluate(&agent, b->condition[i].code,
                                b->condition[i].size, &value) ||
            value)
            return true;
    }
    return !b->conditions;
}

static const struct gdb_breakpoint *
find_breakpoint(const struct gdb_stops *s, uint32_t pc)
{
    for (size_t i = 0; i < s->breakpoints; i++)
        if (s->breakpoint[i].pc == pc)
            return &s->breakpoint[i];
    return NULL;
}

int
gdb_stops_lane(const struct gdb_stops *s, const struct gdb_machine *m,
               const struct gdb_launch *l, unsigned preferred)
{
    const struct sim_warp *w = gdb_machine_warp(m);
    const struct gdb_breakpoint *b = find_breakpoint(s, gdb_warp_pc(w));
    struct looking k = { m, l, { w->group->number, w->id, preferred } };
    assert(w->num_thread <= SIM_LANES_MAX && w->id < w->group->warps);
    if (!b)
        return -1;
    if (preferred < w->num_thread && w->mask >> preferred & 1 && holds(b, &k))
        return (int)preferred;
    for (uint64_t rest = w->mask; rest; rest &= rest - 1) {
        k.t.lane = (unsigned)__builtin_ctzll(rest);
        if (holds(b, &k))
            return (int)k.t.lane;
    }
    return -1;
}

const struct gdb_watchpoint *
gdb_stops_touched(const struct gdb_stops *s, const struct gdb_machine *m)
{
    uint64_t group = m->k->group[m->at.slot].number;
    assert(m->touched);
    for (size_t i = 0; i < s->watchpoints; i++) {
        const struct gdb_watchpoint *p = &s->watchpoint[i];
        bool local = p->address - SIM_LOCAL_BASE < SIM_LOCAL_SIZE;
        bool inside = m->touched_at < p->address + p->size &&
                      p->address < m->touched_at + 4;
        if (inside && accesses_of(p->kind) >> m->touched_access & 1 &&
            (!local || p->group == group))
            return p;
    }
    return NULL;
}
