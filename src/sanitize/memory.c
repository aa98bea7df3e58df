/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses that the machine refuses.  It stops at the first wrong lane; the check
 * records the finding and executes the instruction again without that lane.
 * So correct accesses cost nothing.
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

/* Lanes of an atomic that the machine would refuse, besides those known to be wrong;
 * they are noted. */
static uint64_t
wrong_lanes(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
            uint64_t known)
{
    uint64_t at[MEM_WORDS_MAX], wrong = 0, lanes = w->exec & ~known;
    unsigned bytes, i = 0, words = op->width > 1 ? op->width : 1;
    unsigned n = mem_words(w, op, lanes, at, &bytes);
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    unsigned access = o->store ? MMU_WRITE : MMU_READ;
    bool reads = o->load && o->store && !(o->swap && op->d == X_SINK);
    if (w->worker->sim->config.scalar_amo || op->space || !n)
        return 0; /* one access: it faults before it has an effect */
    assert(n == words * (unsigned)__builtin_popcountll(lanes));
    for (; lanes; lanes &= lanes - 1, i += words) {
        int lane = __builtin_ctzll(lanes);
        bool odd = at[i] & (4 * words - 1);
        if (!odd && mmu_at_words(w->mmu, &at[i], words, access)) {
            if (reads && !mmu_at_words(w->mmu, &at[i], words, MMU_READ))
                note_atomic_read(c, w, op, lane, at[i]);
            continue;
        }
        note(c, w, op, odd ? VENTUS_SIM_FAULT_MISALIGNED : w->mmu->why, lane,
             at[i]);
        wrong |= UINT64_C(1) << lane;
    }
    return wrong;
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

/* Goes on behind a fault, without its lanes; NULL: with another fault. */
static const struct sim_op *
call_without(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
             uint64_t wrong)
{
    const uint64_t mask = w->mask;
    const struct sim_op *next = NULL;
    bool again = true;
    while (again) {
        warp_set_mask(w, mask & ~wrong);
        next = sanitize_call(w, op);
        again = !next && is_access_fault(w, op) && w->fault->lane >= 0;
        if (!again)
            break;
        note(c, w, op, w->fault->kind, w->fault->lane, w->fault->address);
        wrong |= UINT64_C(1) << w->fault->lane;
        w->stop = STOP_SLICE;
    }
    warp_set_mask(w, mask);
    if (next)
        clear_result(w, op, wrong);
    return next;
}

const struct sim_op *
sanitize_call_access(struct sanitize *c, struct sim_warp *w,
                     const struct sim_op *op)
{
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    bool scalar = o->atomic ? w->worker->sim->config.scalar_amo : !o->vector;
    uint64_t wrong = c->gaps ? lanes_in_gaps(c, w, op, scalar) : 0;
    if (wrong && scalar) {
        clear_result(w, op, 0);
        return op + op->words;
    }
    if (o->atomic)
        wrong |= wrong_lanes(c, w, op, wrong);
    if (wrong)
        return call_without(c, w, op, wrong);
    const struct sim_op *next = sanitize_call(w, op);
    if (next || !is_access_fault(w, op))
        return next;
    int lane = w->fault->lane;
    note(c, w, op, w->fault->kind, lane, w->fault->address);
    w->stop = STOP_SLICE;
    if (lane >= 0)
        return call_without(c, w, op, UINT64_C(1) << lane);
    clear_result(w, op, 0);
    return op + op->words;
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
