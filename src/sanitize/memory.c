/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses that the machine refuses.  It stops at the first wrong lane; the check
 * records the finding and executes the instruction again without that lane.
 * So correct accesses cost nothing.  What only lacks permission is done after them:
 * the contents of memory are those of a launch without the check.
 *
 * It is harmless that lower lanes load or store a second time.  For atomics it is
 * not, so their lanes are checked in advance.
 */
#include <assert.h>

#include "abi/hints.h"
#include "sanitize/state.h"
#include "sim/lanes.h"

enum { NULL_PAGE = 4096 };

/* Kinds of fault that are about one access. */
static bool
is_access_fault(const struct sim_warp *w, const struct sim_op *op)
{
    if (w->stop != STOP_FAULT || w->fault->pc != op->pc)
        return false;
    switch (w->fault->kind) {
    case VENTUS_SIM_FAULT_MISALIGNED:
    case VENTUS_SIM_FAULT_UNMAPPED:
    case VENTUS_SIM_FAULT_PERMISSION:
    case VENTUS_SIM_FAULT_PRIVATE:
    case VENTUS_SIM_FAULT_LOCAL:
        return true;
    case VENTUS_SIM_FAULT_NONE:
    case VENTUS_SIM_FAULT_ILLEGAL:
    case VENTUS_SIM_FAULT_STACK:
    case VENTUS_SIM_FAULT_JOIN:
    case VENTUS_SIM_FAULT_ENDPRG:
    case VENTUS_SIM_FAULT_NO_FIT:
    case VENTUS_SIM_FAULT_DEADLOCK:
    case VENTUS_SIM_FAULT_LIMIT:
    case VENTUS_SIM_FAULT_LAUNCH:
    case VENTUS_SIM_FAULT_MEMORY:
    case VENTUS_SIM_FAULT_ENDLESS:
    case VENTUS_SIM_FAULT_STOPPED:
    case VENTUS_SIM_FAULT_STUCK:
    case VENTUS_SIM_FAULT_INTERNAL:
    case VENTUS_SIM_FAULT_COUNT:
        break;
    }
    return false;
}

static enum sanitize_what
what_of(enum ventus_sim_fault_kind kind, uint64_t address)
{
    if (kind == VENTUS_SIM_FAULT_PRIVATE)
        return SANITIZE_PRIVATE;
    if (kind == VENTUS_SIM_FAULT_LOCAL)
        return SANITIZE_LOCAL;
    if (kind == VENTUS_SIM_FAULT_PERMISSION)
        return SANITIZE_PERMISSION;
    if (address < NULL_PAGE)
        return SANITIZE_NULL;
    return kind == VENTUS_SIM_FAULT_MISALIGNED ? SANITIZE_MISALIGNED
                                               : SANITIZE_OUTSIDE;
}

static struct sanitize_finding
finding_of(const struct sim_warp *w, const struct sim_op *op,
           enum ventus_sim_fault_kind kind, int lane, uint64_t address)
{
    uint64_t local = address - SIM_LOCAL_BASE;
    return (struct sanitize_finding){
        .what = what_of(kind, address),
        .here = sanitize_party(w, op, lane),
        .has_address = true,
        .address = address,
        .size_B = mem_bytes(w, op),
        .local = local < SIM_LOCAL_SIZE,
        .private = kind == VENTUS_SIM_FAULT_PRIVATE,
    };
}

static void
note(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
     enum ventus_sim_fault_kind kind, int lane, uint64_t address)
{
    struct sanitize_finding f = finding_of(w, op, kind, lane, address);
    sanitize_note(c, w, &f);
}

/* An atomic that may only write: the machine does it, and the program cannot rely on
 * what it has read (OpenCL 3.0, 5.2.1, CL_MEM_WRITE_ONLY). */
static void
note_atomic_read(struct sanitize *c, struct sim_warp *w,
                 const struct sim_op *op, int lane, uint64_t address)
{
    struct sanitize_finding f =
        finding_of(w, op, VENTUS_SIM_FAULT_PERMISSION, lane, address);
    f.here.write = false;
    f.note = "an atomic reads what it changes";
    sanitize_note(c, w, &f);
}

/* Registers that a suppressed access would have written. */
static void
clear_result(struct sim_warp *w, const struct sim_op *op, uint64_t lanes)
{
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    unsigned words = op->width > 1 ? op->width : 1;
    bool vector = o->vd || (o->atomic && !w->worker->sim->config.scalar_amo);
    for (unsigned k = 0; o->load && k < words; k++) {
        if (!vector) {
            w->x[op->d == X_SINK ? X_SINK : op->d + k] = 0;
            continue;
        }
        assert(op->d + k < SIM_VREGS);
        uint32_t *d = w->v + (size_t)(op->d + k) * w->lanes;
        for (uint64_t rest = lanes; rest; rest &= rest - 1)
            d[__builtin_ctzll(rest)] = 0;
    }
}

/* Does the access lack nothing but the permission of a buffer's flags? */
static bool
may_be_done(struct sim_warp *w, bool store, uint64_t address)
{
    w->mmu->yields = true;
    bool done = mmu_at(w->mmu, address, 1, store ? MMU_WRITE : MMU_READ);
    w->mmu->yields = false;
    return done;
}

/* Lanes that are not done; of these, those to be done although they are refused. */
struct refused {
    uint64_t wrong, permitted;
};

static void
refuse(struct sim_warp *w, const struct sim_op *op,
       enum ventus_sim_fault_kind kind, int lane, uint64_t address,
       struct refused *r)
{
    const bool store = sanitize_operands[op->code].store;
    const uint64_t bit = UINT64_C(1) << lane;
    r->wrong |= bit;
    if (kind == VENTUS_SIM_FAULT_PERMISSION && may_be_done(w, store, address))
        r->permitted |= bit;
}

/* Notes the lanes of an atomic that the machine would refuse, besides those known to be
 * wrong. */
static void
refuse_lanes(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
             struct refused *r)
{
    uint64_t at[MEM_WORDS_MAX], lanes = w->exec & ~r->wrong;
    unsigned bytes, i = 0, words = op->width > 1 ? op->width : 1;
    unsigned n = mem_words(w, op, lanes, at, &bytes);
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    unsigned access = o->store ? MMU_WRITE : MMU_READ;
    bool reads = o->load && o->store && !(o->swap && op->d == X_SINK);
    if (w->worker->sim->config.scalar_amo || op->space || !n)
        return; /* one access: it faults before it has an effect */
    assert(n == words * (unsigned)__builtin_popcountll(lanes));
    for (; lanes; lanes &= lanes - 1, i += words) {
        int lane = __builtin_ctzll(lanes);
        bool odd = at[i] & (4 * words - 1);
        if (!odd && mmu_at_words(w->mmu, &at[i], words, access)) {
            if (reads && !mmu_at_words(w->mmu, &at[i], words, MMU_READ))
                note_atomic_read(c, w, op, lane, at[i]);
            continue;
        }
        const enum ventus_sim_fault_kind why =
            odd ? VENTUS_SIM_FAULT_MISALIGNED : w->mmu->why;
        note(c, w, op, why, lane, at[i]);
        refuse(w, op, why, lane, at[i], r);
    }
}

/* Lanes whose access touches memory of no argument; they are noted.  Of a scalar
 * access lane 0 stands for all. */
static uint64_t
lanes_in_gaps(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
              bool scalar)
{
    uint64_t at[MEM_WORDS_MAX], wrong = 0;
    uint64_t lanes = scalar ? 1 : warp_op_lanes(w, op);
    unsigned bytes, words = op->width > 1 ? op->width : 1, i = 0;
    if (w->grouped || mem_mode_of(op->code) == MODE_PRIVATE ||
        op->space == VENTUS_ISA_SPACE_PRIVATE ||
        !mem_words(w, op, lanes, at, &bytes))
        return 0;
    for (; lanes; lanes &= lanes - 1)
        for (unsigned k = 0; k < words; k++, i++) {
            int lane = __builtin_ctzll(lanes);
            if (wrong >> lane & 1 || !sanitize_is_in_gap(c, at[i], bytes))
                continue;
            note(c, w, op, VENTUS_SIM_FAULT_UNMAPPED, scalar ? -1 : lane,
                 at[i]);
            wrong |= UINT64_C(1) << lane;
        }
    return wrong;
}

/* By the lanes of `mask` without those that are refused; NULL: another fault. */
static const struct sim_op *
call_some(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
          uint64_t mask, struct refused *r)
{
    for (;;) {
        warp_set_mask(w, mask & ~r->wrong);
        const struct sim_op *next = sanitize_call(w, op);
        if (next || !is_access_fault(w, op) || w->fault->lane < 0)
            return next;
        const struct ventus_sim_fault *f = w->fault;
        note(c, w, op, f->kind, f->lane, f->address);
        w->stop = STOP_SLICE;
        refuse(w, op, f->kind, f->lane, f->address, r);
    }
}

/* Goes on after a fault, without its lanes; NULL: with another fault. */
static const struct sim_op *
call_without(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
             struct refused r)
{
    const uint64_t mask = w->mask;
    const struct sim_op *next = call_some(c, w, op, mask, &r);
    uint64_t left_out = r.wrong & ~r.permitted;
    if (next && r.permitted) {
        struct refused again = { .wrong = left_out };
        w->mmu->yields = true;
        next = call_some(c, w, op, r.permitted, &again);
        w->mmu->yields = false;
        left_out = again.wrong;
    }
    warp_set_mask(w, mask);
    if (next)
        clear_result(w, op, left_out);
    return next;
}

/* The same of an access for the whole warp. */
static const struct sim_op *
call_scalar(struct sim_warp *w, const struct sim_op *op)
{
    const struct ventus_sim_fault f = *w->fault;
    const bool store = sanitize_operands[op->code].store;
    w->stop = STOP_SLICE;
    if (f.kind == VENTUS_SIM_FAULT_PERMISSION &&
        may_be_done(w, store, f.address)) {
        w->mmu->yields = true;
        const struct sim_op *next = sanitize_call(w, op);
        w->mmu->yields = false;
        if (next)
            return next;
        w->stop = STOP_SLICE;
    }
    clear_result(w, op, 0);
    return op + op->words;
}

const struct sim_op *
sanitize_call_access(struct sanitize *c, struct sim_warp *w,
                     const struct sim_op *op)
{
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    if (!(c->options.kinds & SANITIZE_MEMORY))
        return sanitize_call(w, op);
    bool scalar = o->atomic ? w->worker->sim->config.scalar_amo : !o->vector;
    struct refused r = {
        .wrong = c->gaps ? lanes_in_gaps(c, w, op, scalar) : 0,
    };
    if (r.wrong && scalar) {
        clear_result(w, op, 0);
        return op + op->words;
    }
    if (o->atomic)
        refuse_lanes(c, w, op, &r);
    if (r.wrong)
        return call_without(c, w, op, r);
    const struct sim_op *next = sanitize_call(w, op);
    if (next || !is_access_fault(w, op))
        return next;
    const struct ventus_sim_fault *f = w->fault;
    note(c, w, op, f->kind, f->lane, f->address);
    if (f->lane < 0)
        return call_scalar(w, op);
    w->stop = STOP_SLICE;
    refuse(w, op, f->kind, f->lane, f->address, &r);
    return call_without(c, w, op, r);
}

enum sanitize_what
sanitize_hint_says(const struct sim_op *op)
{
    if (op->code != VENTUS_ISA_SLTI || op->s1)
        return SANITIZE_WHATS;
    return op->imm == HINT_BOUNDS   ? SANITIZE_ARRAY
           : op->imm == HINT_IMAGE  ? SANITIZE_IMAGE
           : op->imm == HINT_ALIGN  ? SANITIZE_MISALIGNED
           : op->imm == HINT_DIVIDE ? SANITIZE_DIVIDE
                                    : SANITIZE_WHATS;
}

const struct sim_op *
sanitize_bounds(struct sanitize *c, struct sim_warp *w, const struct sim_op *op)
{
    const enum sanitize_what what = sanitize_hint_says(op);
    const char *note =
        what == SANITIZE_MISALIGNED
            ? "a vector or a value of 64 bits is not aligned to its size"
            : NULL;
    for (uint64_t rest = what == SANITIZE_WHATS ? 0 : w->mask; rest;
         rest &= rest - 1)
        sanitize_note(c, w,
                      &(struct sanitize_finding){
                          .what = what,
                          .here = sanitize_party(w, op, __builtin_ctzll(rest)),
                          .note = note,
                      });
    return sanitize_call(w, op);
}
