/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/check.h"

#include <assert.h>
#include <stdlib.h>

#include "tile/ranges.h"
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
    ranges_free(&m->check);
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
        if (thread_is_load(&op->in))
            kinds |= 1u << (share ? CHECK_SLD : CHECK_GLD);
        if (thread_is_store(&op->in))
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

/* Operations of two kinds that are both under way collide. */
static void
collide(struct tile_thread *t, const struct thread_op *op, unsigned reg,
        const struct check_touch touch[CHECK_KINDS], bool first_writes,
        bool second_writes)
{
    enum check_kind own = order_of(op);
    for (unsigned k = 0; k < CHECK_KINDS; k++)
        if (k != own && touch[k].seq > t->check.retired[k])
            hazard_report(
                &t->machine->check,
                (struct ventus_tile_hazard){ .pe = t->pe,
                                             .thread = t->index,
                                             .first_pc = touch[k].pc,
                                             .second_pc = op->pc,
                                             .first = hazard_unit(k),
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
        touch(t, op, in->td, n, !thread_is_store(in));
}

/* ---- memory -------------------------------------------------------------- */

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
    ranges_access(c, &a->range, a->op->unit, stays_under_way(a->op));
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
    bool store = thread_is_store(in);
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
    struct check_list *l = &t->machine->check.tma;
    for (size_t i = 0; i < l->n; i++)
        if (l->at[i].thread == t && l->at[i].seq == op->seq)
            l->at[i].complete = true;
}

void
check_tma_commit(struct tile_thread *t, uint32_t group)
{
    struct check_list *l = &t->machine->check.tma;
    for (size_t i = 0; i < l->n; i++)
        if (l->at[i].thread == t && l->at[i].group == ~0u)
            l->at[i].group = group;
}

void
check_tma_retire_group(struct tile_thread *t, uint32_t group)
{
    struct check_list *l = &t->machine->check.tma;
    for (size_t i = 0; i < l->n; i++)
        if (l->at[i].thread == t && l->at[i].group == group)
            ranges_drop(l, i--);
}

void
check_observe(struct ventus_tile_machine *m, uint64_t object)
{
    struct check_list *l = &m->check.tma;
    for (size_t i = 0; i < l->n; i++)
        if (l->at[i].complete && l->at[i].object == object)
            ranges_drop(l, i--);
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
    ranges_access(c, &r, VENTUS_TILE_UNIT_COUNT, false);
    if (!write)
        check_observe(t->machine, name);
}

static void
report_lost(struct tile_thread *t, const struct check_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct check_range *r = &l->at[i];
        if (r->thread == t && ranges_is_alive(r) && r->write)
            hazard_report(
                &t->machine->check,
                (struct ventus_tile_hazard){ .pe = t->pe,
                                             .thread = t->index,
                                             .first_pc = r->pc,
                                             .first = hazard_unit(r->kind),
                                             .second = VENTUS_TILE_UNIT_COUNT,
                                             .first_writes = true,
                                             .reg = -1,
                                             .address = r->from });
    }
}

void
check_exit(struct tile_thread *t)
{
    report_lost(t, &t->machine->check.rows);
    report_lost(t, &t->machine->check.tma);
}
