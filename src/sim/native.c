/* SPDX-License-Identifier: Apache-2.0 */
/* The code that a launch reaches, and what its instructions are to a translator. */
#include "sim/native.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sim/bind.h"
#include "sim/cpu_level.h"

uint32_t
native_layout(void)
{
    static const size_t parts[] = { sizeof(struct sim_warp),
                                    offsetof(struct sim_warp, v),
                                    offsetof(struct sim_warp, slow),
                                    offsetof(struct sim_warp, mmu),
                                    offsetof(struct sim_warp, fp),
                                    offsetof(struct sim_warp, calls),
                                    offsetof(struct sim_warp, exec),
                                    offsetof(struct sim_warp, lane),
                                    offsetof(struct sim_warp, x),
                                    offsetof(struct sim_warp, rpc),
                                    offsetof(struct sim_warp, stack),
                                    offsetof(struct sim_warp, depth),
                                    offsetof(struct sim_warp, named),
                                    offsetof(struct sim_mmu, slot),
                                    offsetof(struct sim_mmu, local_slot),
                                    sizeof(struct sim_op),
                                    sizeof(struct sim_entry),
                                    sizeof(struct native_op),
                                    sizeof(struct native_place),
                                    sizeof(struct native_calls),
                                    NATIVE_FORMS,
                                    INT_COUNT,
                                    FP_COUNT };
    uint32_t hash = 0x811c9dc5; /* FNV-1a */
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hash = (hash ^ (uint32_t)parts[i]) * 0x01000193;
    return hash;
}

/* ---- what an instruction is ---- */

static bool
is_in(const struct sim_meaning *m, const char *name)
{
    for (; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return true;
    return false;
}

/* Rounding towards zero sets the mode of the host's FPU, which translated code leaves
 * as it is. */
static bool
sets_rounding(const struct sim_op *op)
{
    return op->kind == FP_fcvt_rtz_w_f || op->kind == FP_fcvt_rtz_wu_f;
}

static enum native_form
form_of_vector(const struct sim_lanes *l, const struct sim_op *op,
               uint8_t *mode)
{
    *mode = (uint8_t)mem_mode_of(op->code);
    if (op->kind < INT_COUNT && op->fn == l->vv[op->kind])
        return NATIVE_VV;
    if (op->kind < INT_COUNT && op->fn == l->vs[op->kind])
        return NATIVE_VS;
    if (op->fn == l->merge_v)
        return NATIVE_MERGE_V;
    if (op->fn == l->merge_s)
        return NATIVE_MERGE_S;
    if (op->fn == l->vid)
        return NATIVE_VID;
    if (op->kind < FP_COUNT && op->fn == l->fp_vv[op->kind])
        return sets_rounding(op) ? NATIVE_OTHER : NATIVE_FP_VV;
    if (op->kind < FP_COUNT && op->fn == l->fp_vs[op->kind])
        return NATIVE_FP_VS;
    if (op->kind < MEM_KINDS && op->fn == l->load[*mode][op->kind])
        return NATIVE_LOAD;
    if (op->kind < MEM_KINDS && op->fn == l->store[*mode][op->kind])
        return NATIVE_STORE;
    if (op->kind < BRANCH_COUNT && op->fn == l->branch[op->kind])
        return NATIVE_THREAD_BRANCH;
    return NATIVE_OTHER;
}

static const struct native_known *
find_known(const struct sim_op *op)
{
    for (const struct native_known *k = native_known; k->fn; k++)
        if (op->fn == k->fn)
            return k;
    return NULL;
}

static enum native_flow
flow_of(const struct sim_op *op)
{
    const struct native_known *k = find_known(op);
    bool branches = op->kind < BRANCH_COUNT && op->fn == ctrl_far_fns[op->kind];
    return k ? k->flow : branches ? NATIVE_FAR : NATIVE_GOES_ON;
}

static bool
is_on_pairs(enum native_form form)
{
    return form == NATIVE_PAIR_BRANCH || form == NATIVE_PAIR_THREAD_BRANCH;
}

static enum native_form
form_of_scalar(const struct ventus_sim *sim, const struct sim_op *op)
{
    const struct native_known *k = find_known(op);
    if (k && is_on_pairs(k->form) && op->mods != MOD_PAIR)
        return NATIVE_OTHER;
    if (k)
        return k->form;
    if (op->kind < INT_COUNT && op->fn == alu_scalar_fns[op->kind])
        return NATIVE_SCALAR;
    if (op->kind < MEM_KINDS && op->fn == lsu_load_fns[op->kind])
        return NATIVE_SCALAR_LOAD;
    if (op->kind < MEM_KINDS && op->fn == lsu_store_fns[op->kind])
        return NATIVE_SCALAR_STORE;
    if (op->kind < BRANCH_COUNT && op->fn == ctrl_near_fns[op->kind])
        return NATIVE_BRANCH;
    return op->fn == sim->lanes.join ? NATIVE_JOIN : NATIVE_OTHER;
}

/* Instructions whose function changes registers, memory and flags only: translated code
 * knows how many instructions are left. */
static bool
is_call(const struct sim_op *op)
{
    const char *name = ventus_isa_info[op->code].meaning;
    if (!op->code || flow_of(op) == NATIVE_ENDS || atomic_ends_slice(op))
        return false;
    if (is_in(fpu_meanings, name))
        return !sets_rounding(op);
    return is_in(alu_meanings, name) || is_in(lsu_meanings, name) ||
           is_in(atomic_meanings, name) || is_in(fixed_meanings, name);
}

/* Functions of vectors and of scalars differ, so the order does not matter. */
static enum native_form
form_of(const struct ventus_sim *sim, const struct sim_op *op, uint8_t *mode)
{
    enum native_form form = form_of_vector(&sim->lanes, op, mode);
    if (form == NATIVE_OTHER)
        form = form_of_scalar(sim, op);
    if (form == NATIVE_OTHER)
        form = native_form_of_wide(&sim->lanes, op, mode);
    if (form == NATIVE_OTHER && is_call(op))
        form = NATIVE_CALL;
    return form;
}

/* ---- what a launch reaches ---- */

static void
set_bit(uint64_t *bits, unsigned i)
{
    bits[i / 64] |= UINT64_C(1) << i % 64;
}

static bool
has_bit(const uint64_t *bits, unsigned i)
{
    return bits[i / 64] >> i % 64 & 1;
}

/* Addresses where blocks begin, that are still to be looked at. */
struct leads {
    struct sim_worker *worker;
    struct buf pcs;
};

static void
lead(struct leads *l, uint32_t pc)
{
    buf_u32(&l->pcs, pc);
}

static uint32_t
pc_of(const struct sim_code_page *p, unsigned i)
{
    return p->base + 4 * i;
}

/* Branches to pc + imm. */
static bool
is_relative(enum native_form form)
{
    return form == NATIVE_THREAD_BRANCH || is_on_pairs(form);
}

/* Adds what follows an instruction; false: the next one is not reached from it. */
static bool
follow(struct leads *l, const struct sim_code_page *p, unsigned i,
       enum native_form form)
{
    const struct sim_op *op = &p->ops[i];
    enum native_flow flow = flow_of(op);
    bool jumps = form == NATIVE_JUMP || flow == NATIVE_INDIRECT ||
                 (flow == NATIVE_FAR && op->code == VENTUS_ISA_JAL);
    if (form == NATIVE_BRANCH || form == NATIVE_JUMP)
        lead(l, pc_of(p, i) + 4 * (uint32_t)op->imm);
    else if (flow == NATIVE_FAR)
        lead(l, (uint32_t)op->imm);
    else if (is_relative(form))
        lead(l, op->pc + (uint32_t)op->imm);
    if (flow == NATIVE_ENDS || (jumps && op->d == X_SINK))
        return false;
    if (form != NATIVE_OTHER && form != NATIVE_BRANCH && !jumps &&
        !is_relative(form) && form != NATIVE_JOIN)
        return true;
    lead(l, pc_of(p, i + op->words));
    return false;
}

/* A block and what follows it in its page. */
static void
reach(struct leads *l, uint32_t pc)
{
    enum ventus_sim_fault_kind why;
    struct sim_code_page *p =
        pc % 4
            ? NULL
            : (struct sim_code_page *)(uintptr_t)code_page(l->worker, pc, &why);
    if (!p)
        return;
    if (!p->native)
        p->native = calloc(1, sizeof *p->native);
    struct native_page *n = p->native;
    if (!n)
        return;
    unsigned i = (pc - p->base) / 4;
    n->changed |= !has_bit(n->leads, i);
    set_bit(n->leads, i);
    while (i < CODE_WORDS && !has_bit(n->reached, i)) {
        uint8_t mode;
        enum native_form form = form_of(l->worker->sim, &p->ops[i], &mode);
        n->changed = true;
        set_bit(n->reached, i);
        if (form == NATIVE_JOIN)
            set_bit(n->leads, i);
        if (!follow(l, p, i, form))
            return;
        i += p->ops[i].words;
    }
    if (i >= CODE_WORDS)
        lead(l, pc_of(p, i));
}

void
native_reach(struct sim_worker *k, uint32_t pc)
{
    struct leads l = { .worker = k };
    lead(&l, pc);
    while (l.pcs.n) {
        l.pcs.n -= sizeof pc;
        memcpy(&pc, l.pcs.at + l.pcs.n, sizeof pc);
        reach(&l, pc);
    }
    buf_free(&l.pcs);
}

/* ---- requests ---- */

static struct native_op
describe(const struct ventus_sim *sim, const struct sim_code_page *p,
         unsigned i)
{
    const struct sim_op *op = &p->ops[i];
    struct native_op to = {
        .pc = op->pc,
        .imm = op->imm,
        .index = (uint16_t)i,
        .leads = has_bit(p->native->leads, i),
        .kind = op->kind,
        .words = op->words,
        .slow = (uint8_t)op->slow,
        .d = op->d,
        .s1 = op->s1,
        .s2 = op->s2,
        .s3 = op->s3,
        .aux = op->aux,
        .width = op->width,
        .to = native_results(op),
    };
    to.form = (uint8_t)form_of(sim, op, &to.mode);
    return to;
}

void
native_describe(const struct ventus_sim *sim, const struct sim_code_page *p,
                uint16_t *entry, struct buf *to)
{
    const struct native_page *n = p->native;
    struct native_request head = { .magic = NATIVE_MAGIC,
                                   .layout = native_layout(),
                                   .base = p->base,
                                   .lanes = sim->config.num_thread,
                                   .join_check = sim->config.join_check };
    uint16_t blocks = 0;
    for (unsigned i = 0; i < CODE_WORDS; i++) {
        head.n += has_bit(n->reached, i);
        entry[i] = has_bit(n->reached, i) && has_bit(n->leads, i)
                       ? blocks++
                       : NATIVE_NO_ENTRY;
    }
    entry[CODE_WORDS] = entry[CODE_WORDS + 1] = NATIVE_NO_ENTRY;
    buf_put(to, &head, sizeof head);
    for (unsigned i = 0; i < CODE_WORDS; i++) {
        if (!has_bit(n->reached, i))
            continue;
        struct native_op op = describe(sim, p, i);
        buf_put(to, &op, sizeof op);
    }
}
