/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/check.h"

#include <assert.h>
#include <stdlib.h>

#include "base/oom.h"
#include "tile/tma.h"

bool
check_create(struct ventus_tile_machine *m)
{
    m->check.on = m->options.check;
    if (!m->check.on)
        return true;
    for (unsigned i = 0; i < m->threads; i++) {
        struct check_thread *c = &m->thread[i].check;
        c->read = calloc(VENTUS_TILE_REGISTERS, sizeof *c->read);
        c->write = calloc(VENTUS_TILE_REGISTERS, sizeof *c->write);
        if (!c->read || !c->write)
            return false;
    }
    return true;
}

void
check_destroy(struct ventus_tile_machine *m)
{
    for (unsigned i = 0; m->thread && i < m->threads; i++) {
        free(m->thread[i].check.read);
        free(m->thread[i].check.write);
    }
    free(m->check.range);
}

/* ---- what is found ------------------------------------------------------- */

static enum ventus_tile_unit
unit_of(unsigned kind)
{
    assert(kind <= CHECK_HART);
    static const enum ventus_tile_unit units[] = {
        VENTUS_TILE_UNIT_GLSU, VENTUS_TILE_UNIT_GLSU, VENTUS_TILE_UNIT_SLSU,
        VENTUS_TILE_UNIT_SLSU, VENTUS_TILE_UNIT_TMA,  VENTUS_TILE_UNIT_MMA,
        VENTUS_TILE_UNIT_ALU,  VENTUS_TILE_UNIT_COUNT
    };
    return units[kind];
}

/* Once for each pair of instructions. */
static void
report(struct check *c, struct ventus_tile_hazard found)
{
    assert(c->hazards <= CHECK_HAZARDS_MAX);
    for (size_t i = 0; i < c->hazards; i++)
        if (c->hazard[i].first_pc == found.first_pc &&
            c->hazard[i].second_pc == found.second_pc)
            return;
    if (c->hazards < CHECK_HAZARDS_MAX)
        c->hazard[c->hazards++] = found;
}

/* ---- registers ----------------------------------------------------------- */

unsigned
check_kinds(const struct thread_op *op)
{
    bool share = op->unit == VENTUS_TILE_UNIT_SLSU;
    unsigned kinds = 0;
    switch (op->unit) {
    case VENTUS_TILE_UNIT_TMA:
        return 1u << CHECK_TMA;
    case VENTUS_TILE_UNIT_MMA:
        return 1u << CHECK_MMA;
    case VENTUS_TILE_UNIT_ALU:
        return 1u << CHECK_ALU;
    default:
        if (tile_queue_is_load(&op->in))
            kinds |= 1u << (share ? CHECK_SLD : CHECK_GLD);
        if (tile_queue_is_store(&op->in))
            kinds |= 1u << (share ? CHECK_SST : CHECK_GST);
        return kinds;
    }
}

/* The kind that it is in order with: an atomic is a store first of all. */
static enum check_kind
order_of(const struct thread_op *op)
{
    unsigned kinds = check_kinds(op);
    assert(kinds); /* each operation of a queue is counted as something */
    unsigned k = CHECK_KINDS - 1;
    while (!(kinds >> k & 1))
        k--;
    return (enum check_kind)k;
}

/* Of another kind and not counted out: they collide. */
static void
collide(struct tile_thread *t, const struct thread_op *op, unsigned reg,
        const struct check_touch touch[CHECK_KINDS], bool first_writes,
        bool second_writes)
{
    enum check_kind own = order_of(op);
    for (unsigned k = 0; k < CHECK_KINDS; k++)
        if (k != own && touch[k].seq > t->check.retired[k])
            report(&t->machine->check,
                   (struct ventus_tile_hazard){ .pe = t->pe,
                                                .thread = t->index,
                                                .first_pc = touch[k].pc,
                                                .second_pc = op->pc,
                                                .first = unit_of(k),
                                                .second = op->unit,
                                                .first_writes = first_writes,
                                                .second_writes = second_writes,
                                                .reg = (int)reg });
}

static bool
stays_under_way(const struct thread_op *op)
{
    return !(ventus_tile_flags_of(&op->in) & VENTUS_TILE_F_TOREG);
}

/* Registers first .. first + n - 1 are read or written. */
static void
touch(struct tile_thread *t, const struct thread_op *op, unsigned first,
      unsigned n, bool write)
{
    struct check_thread *c = &t->check;
    unsigned kinds = check_kinds(op);
    for (unsigned r = first; r < first + n && r < VENTUS_TILE_REGISTERS; r++) {
        collide(t, op, r, c->write[r], true, write);
        if (write)
            collide(t, op, r, c->read[r], false, true);
        for (unsigned k = 0; k < CHECK_KINDS && stays_under_way(op); k++)
            if (kinds >> k & 1)
                (write ? c->write : c->read)[r][k] =
                    (struct check_touch){ op->seq, op->pc };
    }
}

static void
touch_mma(struct tile_thread *t, const struct thread_op *op)
{
    const struct ventus_tile_insn *in = &op->in;
    unsigned n = 1u << in->n;
    if (in->op == VENTUS_TILE_MMA_TT || in->op == VENTUS_TILE_MMA_TV)
        touch(t, op, in->ts1, in->multi ? n : 1, false);
    if (in->op == VENTUS_TILE_MMA_TT || in->op == VENTUS_TILE_MMA_VT)
        touch(t, op, in->ts2, in->multi ? 1 : n, false);
    touch(t, op, in->td, n, true);
}

static void
touch_alu(struct tile_thread *t, const struct thread_op *op)
{
    const struct ventus_tile_insn *in = &op->in;
    if (in->op >= VENTUS_TILE_MV_TVI && in->op <= VENTUS_TILE_MV_FTR) {
        touch(t, op, in->td, 1, stays_under_way(op));
        return;
    }
    touch(t, op, in->ts1, 1, false);
    if (in->op == VENTUS_TILE_ALU2_T || in->op == VENTUS_TILE_ALU3_T)
        touch(t, op, in->ts2, 1, false);
    if (in->op >= VENTUS_TILE_ALU3_T && in->op <= VENTUS_TILE_ALU3_FH)
        touch(t, op, in->ts3, 1, false);
    touch(t, op, in->td, 1, true);
}

static bool
is_register_atomic(const struct ventus_tile_insn *in)
{
    return in->op >= VENTUS_TILE_ATOM_R && in->op <= VENTUS_TILE_RED_R;
}

static bool
is_tile_atomic(const struct ventus_tile_insn *in)
{
    return in->op == VENTUS_TILE_ATOMT_I || in->op == VENTUS_TILE_ATOMT_R;
}

static void
touch_registers(struct tile_thread *t, const struct thread_op *op)
{
    const struct ventus_tile_insn *in = &op->in;
    unsigned n = 1u << in->n;
    if (op->unit == VENTUS_TILE_UNIT_MMA)
        touch_mma(t, op);
    else if (op->unit == VENTUS_TILE_UNIT_ALU)
        touch_alu(t, op);
    else if (is_tile_atomic(in))
        touch(t, op, in->td, n, in->rtn);
    else if (op->unit != VENTUS_TILE_UNIT_TMA && !is_register_atomic(in))
        touch(t, op, in->td, n, !tile_queue_is_store(in));
}

/* ---- memory -------------------------------------------------------------- */

static bool
is_alive(const struct check_range *r)
{
    assert(r->kind < CHECK_KINDS && r->seq <= r->thread->check.seq);
    return r->seq > r->thread->check.retired[r->kind];
}

static void
drop(struct check *c, size_t i)
{
    assert(i < c->ranges);
    c->range[i] = c->range[--c->ranges];
}

/* The same instruction at the same place: the later one is under way for as
 * long as both.  TMA's have groups and objects of their own. */
static bool
is_again(const struct check_range *r, const struct check_range *new)
{
    return r->pc == new->pc && r->from == new->from && r->to == new->to &&
           r->thread == new->thread && r->kind == new->kind &&
           r->kind != CHECK_TMA && r->write == new->write &&
           r->atomic == new->atomic;
}

/* Finds collisions with a new range, and removes completed ranges on the way;
 * the range that it repeats, or NULL. */
static struct check_range *
search(struct check *c, const struct check_range *new,
       enum ventus_tile_unit unit)
{
    size_t again = SIZE_MAX;
    for (size_t i = 0; i < c->ranges; i++) {
        const struct check_range *r = &c->range[i];
        if (!is_alive(r)) {
            drop(c, i--);
            continue;
        }
        if (is_again(r, new))
            again = i; /* what is removed is behind it */
        bool ordered = r->thread == new->thread && r->kind == new->kind;
        if (ordered || r->to <= new->from || new->to <= r->from ||
            !(r->write || new->write) || (r->atomic && new->atomic))
            continue;
        report(c, (struct ventus_tile_hazard){ .pe = new->thread->pe,
                                               .thread = new->thread->index,
                                               .first_pc = r->pc,
                                               .second_pc = new->pc,
                                               .first = unit_of(r->kind),
                                               .second = unit,
                                               .first_writes = r->write,
                                               .second_writes = new->write,
                                               .reg = -1,
                                               .address = new->from });
    }
    assert(again == SIZE_MAX || again < c->ranges);
    return again == SIZE_MAX ? NULL : &c->range[again];
}

static void
add(struct check *c, const struct check_range *new)
{
    assert(new->from < new->to &&new->kind < CHECK_KINDS);
    if (c->ranges && new->seq == c->range[c->ranges - 1].seq &&new->thread ==
                         c->range[c->ranges - 1].thread &&new->from ==
                         c->range[c->ranges - 1].to &&new->write ==
                         c->range[c->ranges - 1].write) {
        c->range[c->ranges - 1].to = new->to;
        return;
    }
    if (c->ranges == c->room) {
        size_t room = c->room ? 2 * c->room : 256;
        struct check_range *range = realloc(c->range, room * sizeof *range);
        if (!range)
            base_out_of_memory(room, sizeof *range);
        c->range = range;
        c->room = room;
    }
    assert(c->ranges < c->room);
    c->range[c->ranges++] = *new;
}

/* A range that is being collected. */
struct access {
    struct tile_thread *t;
    const struct thread_op *op;
    struct check_range range;
};

static void
access(struct access *a, uint64_t from, uint64_t size, bool write)
{
    struct check *c = &a->t->machine->check;
    if (!size)
        return;
    a->range.from = from;
    a->range.to = from + size;
    a->range.write = write;
    struct check_range *again = search(c, &a->range, a->op->unit);
    if (!stays_under_way(a->op))
        return;
    if (again)
        again->seq = a->range.seq;
    else
        add(c, &a->range);
}

static void
access_rows(struct access *a, bool write)
{
    assert((unsigned)VENTUS_TILE_ROWS << a->op->in.n <= THREAD_ROWS_MAX);
    const struct ventus_tile_insn *in = &a->op->in;
    enum memory_space space = (enum memory_space)in->space;
    for (unsigned j = 0; j < (unsigned)VENTUS_TILE_ROWS << in->n; j++)
        if (a->op->tmask >> j & 1)
            access(a,
                   memory_name(&a->t->machine->memory, space, a->t->pe,
                               unit_row_address(a->op, j)),
                   VENTUS_TILE_ROW_B, write);
}

static void
access_descriptor(struct access *a, const uint32_t d[4], unsigned tiles)
{
    for (unsigned i = 0; i < tiles; i++)
        for (unsigned r = 0; r < VENTUS_TILE_ROWS; r++)
            access(a,
                   memory_name(&a->t->machine->memory, MEMORY_SHARE, a->t->pe,
                               d[0] + (uint64_t)i * d[2] + (uint64_t)r * d[1]),
                   VENTUS_TILE_ROW_B, false);
}

static void
access_mapped_row(void *ctx, const struct tma_row *r)
{
    struct access *a = ctx;
    access(a, r->mapped, r->inside, tma_stores(&a->op->in));
}

static uint64_t
object_of(const struct tile_thread *t, const struct thread_op *op, unsigned pe)
{
    switch (tma_completion_of(&op->in)) {
    case TMA_MBARRIER:
        return memory_name(&t->machine->memory, MEMORY_SHARE, pe, op->c);
    case TMA_SEMAPHORE:
        return ~(uint64_t)(pe * THREAD_SEMAPHORES + (unsigned)op->in.imm);
    case TMA_BULK:
        break;
    }
    return 0;
}

static void
access_tma(struct access *a)
{
    const struct thread_op *op = a->op;
    const struct tile_memory *m = &a->t->machine->memory;
    bool store = tma_stores(&op->in), linear = tma_is_linear(&op->in);
    a->range.group = op->group;
    for (unsigned pe = 0; pe < VENTUS_TILE_PES; pe++) {
        if (!op->in.mc && pe != a->t->pe)
            continue;
        struct tma_side to = tma_side(op, true);
        a->range.object = object_of(a->t, op, pe);
        if (!store)
            access(a, memory_name(m, to.space, pe, to.address), tma_bytes(op),
                   true);
    }
    struct tma_side from = tma_side(op, false);
    if (store || linear)
        access(a, memory_name(m, from.space, a->t->pe, from.address),
               tma_bytes(op), false);
    if (!linear)
        tma_rows(op, access_mapped_row, a);
}

static void
access_memory(struct tile_thread *t, const struct thread_op *op)
{
    const struct ventus_tile_insn *in = &op->in;
    unsigned n = 1u << in->n;
    bool store = tile_queue_is_store(in);
    struct access a = { .t = t, .op = op };
    a.range = (struct check_range){ .seq = op->seq,
                                    .pc = op->pc,
                                    .thread = t,
                                    .atomic = is_register_atomic(in) ||
                                              is_tile_atomic(in) };
    a.range.kind = (uint8_t)order_of(op);
    if (op->unit == VENTUS_TILE_UNIT_TMA)
        access_tma(&a);
    else if (in->op == VENTUS_TILE_MMA_VT || in->op == VENTUS_TILE_MMA_VV)
        access_descriptor(&a, op->descriptor[0], in->multi ? n : 1);
    if (in->op == VENTUS_TILE_MMA_TV || in->op == VENTUS_TILE_MMA_VV)
        access_descriptor(&a, op->descriptor[1], in->multi ? 1 : n);
    if (is_register_atomic(in))
        access(&a,
               memory_name(&t->machine->memory, (enum memory_space)in->space,
                           t->pe, op->a),
               8, true);
    else if (op->unit == VENTUS_TILE_UNIT_GLSU ||
             op->unit == VENTUS_TILE_UNIT_SLSU)
        access_rows(&a, store);
}

/* ---- events -------------------------------------------------------------- */

void
check_issue(struct tile_thread *t, struct thread_op *op)
{
    struct check_thread *c = &t->check;
    if (!t->machine->check.on)
        return;
    op->seq = ++c->seq;
    touch_registers(t, op);
    if (op->unit != VENTUS_TILE_UNIT_ALU)
        access_memory(t, op);
    unsigned kinds = check_kinds(op);
    for (unsigned k = 0; k < CHECK_KINDS && stays_under_way(op); k++)
        if (kinds >> k & 1)
            c->last[k][c->count[k]++ % CHECK_COUNTED] = op->seq;
}

void
check_retire(struct tile_thread *t, enum check_kind kind, unsigned left)
{
    struct check_thread *c = &t->check;
    if (!t->machine->check.on || c->count[kind] <= left ||
        left >= CHECK_COUNTED)
        return;
    uint64_t seq = c->last[kind][(c->count[kind] - left - 1) % CHECK_COUNTED];
    assert(seq <= c->seq && left < c->count[kind]);
    if (seq > c->retired[kind])
        c->retired[kind] = seq;
}

void
check_tma_complete(struct tile_thread *t, const struct thread_op *op)
{
    struct check *c = &t->machine->check;
    for (size_t i = 0; c->on && i < c->ranges; i++)
        if (c->range[i].thread == t && c->range[i].seq == op->seq)
            c->range[i].complete = true;
}

void
check_tma_commit(struct tile_thread *t, uint32_t group)
{
    struct check *c = &t->machine->check;
    for (size_t i = 0; c->on && i < c->ranges; i++)
        if (c->range[i].thread == t && c->range[i].kind == CHECK_TMA &&
            c->range[i].group == ~0u)
            c->range[i].group = group;
}

void
check_tma_retire_group(struct tile_thread *t, uint32_t group)
{
    struct check *c = &t->machine->check;
    for (size_t i = 0; c->on && i < c->ranges; i++)
        if (c->range[i].thread == t && c->range[i].kind == CHECK_TMA &&
            c->range[i].group == group)
            drop(c, i--);
}

void
check_observe(struct ventus_tile_machine *m, uint64_t object)
{
    struct check *c = &m->check;
    for (size_t i = 0; c->on && i < c->ranges; i++)
        if (c->range[i].kind == CHECK_TMA && c->range[i].complete &&
            c->range[i].object == object)
            drop(c, i--);
}

void
check_scalar(struct tile_thread *t, uint64_t pc, uint64_t name, uint64_t size,
             bool write)
{
    struct check *c = &t->machine->check;
    if (!c->on)
        return;
    struct check_range r = { .from = name,
                             .to = name + size,
                             .pc = pc,
                             .thread = t,
                             .kind = CHECK_HART,
                             .write = write };
    search(c, &r, VENTUS_TILE_UNIT_COUNT);
    if (!write)
        check_observe(t->machine, name);
}

void
check_exit(struct tile_thread *t)
{
    struct check *c = &t->machine->check;
    for (size_t i = 0; c->on && i < c->ranges; i++) {
        const struct check_range *r = &c->range[i];
        if (r->thread == t && is_alive(r) && r->write)
            report(c, (struct ventus_tile_hazard){ .pe = t->pe,
                                                   .thread = t->index,
                                                   .first_pc = r->pc,
                                                   .first = unit_of(r->kind),
                                                   .second =
                                                       VENTUS_TILE_UNIT_COUNT,
                                                   .first_writes = true,
                                                   .reg = -1,
                                                   .address = r->from });
    }
}
