/* SPDX-License-Identifier: Apache-2.0 */
/* The integer unit: scalar handlers, and the table of handlers by form. */
#include "sim/any_width.h"
#include "sim/bind.h"
#include "sim/state.h"

/* x[d] = f(x[s1], x[s2] + imm): one of the two is always 0 */
#define X(name)                                                              \
    static const struct sim_op *x_##name(struct sim_warp *w,                 \
                                         const struct sim_op *op)            \
    {                                                                        \
        w->x[op->d] =                                                        \
            sem_##name##_32(w->x[op->s1], w->x[op->s2] + (uint32_t)op->imm); \
        return op + op->words;                                               \
    }
SEM_LIST2(X)
#undef X

sim_fn *const alu_scalar_fns[INT_COUNT] = {
#define X(name) [INT_##name] = x_##name,
    SEM_LIST2(X)
#undef X
};

/* imm: the result */
const struct sim_op *
alu_constant(struct sim_warp *w, const struct sim_op *op)
{
    w->x[op->d] = (uint32_t)op->imm;
    return op + op->words;
}

const struct sim_op *
alu_move(struct sim_warp *w, const struct sim_op *op)
{
    w->x[op->d] = w->x[op->s1];
    return op + op->words;
}

/* imm and aux: the low and the high half */
const struct sim_op *
alu_constant_pair(struct sim_warp *w, const struct sim_op *op)
{
    w->x[op->d] = (uint32_t)op->imm;
    w->x[op->d + 1] = (uint32_t)(int16_t)op->aux;
    return op + op->words;
}

/* The immediate is sign-extended, like in RV64. */
static void
bind_constant(struct sim_op *op, int64_t value)
{
    op->imm = (int32_t)(uint32_t)value;
    op->aux = (uint16_t)(value >> 32);
    bool pair = op->mods & MOD_PAIR && op->d % 2 == 0;
    op->fn = pair ? alu_constant_pair : alu_constant;
}

static bool
bind_lui(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
         struct sim_op *op)
{
    (void)sim;
    bind_constant(op, (int32_t)((uint32_t)in->imm << 12));
    return true;
}

static bool
bind_auipc(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
           struct sim_op *op)
{
    (void)sim;
    bind_constant(op, (int64_t)op->pc + (int32_t)((uint32_t)in->imm << 12));
    return true;
}

/* vadd12.vi and vsub12.vi compute addresses: 32 bits whatever SEW is. */
static bool
bind_add12(const struct ventus_sim *sim, struct sim_op *op)
{
    if (sim->config.vadd12_signed)
        op->imm = (int32_t)((uint32_t)op->imm << 20) >> 20;
    bool plain = !op->mods;
    op->mods |= MOD_FIXED32;
    op->fn = plain ? sim->lanes.vs[op->kind] : any_width_int;
    if (plain) {
        op->s2 = op->s1;
        op->s1 = 0;
    }
    return true;
}

static bool
bind_int(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
         struct sim_op *op)
{
    bool vector = bind_is_vector(in, VENTUS_ISA_SLOT_D);
    unsigned format = ventus_isa_info[in->op].format;
    if (format == VENTUS_ISA_FORMAT_VI12)
        return bind_add12(sim, op);
    if (format ==
        VENTUS_ISA_FORMAT_MM) /* masks: whole elements, whatever SEW is */
        op->mods |= MOD_FIXED32;
    bool vectors = vector && bind_is_vector(in, VENTUS_ISA_SLOT_1);
    if (vector && op->mods == MOD_PAIR)
        op->fn = vectors ? sim->lanes.pair_vv[op->kind]
                         : sim->lanes.pair_vs[op->kind];
    else if (op->mods & ~MOD_FIXED32)
        op->fn = any_width_int;
    else if (!vector)
        op->fn = op->kind == INT_mv ? alu_move : alu_scalar_fns[op->kind];
    else
        op->fn = vectors ? sim->lanes.vv[op->kind] : sim->lanes.vs[op->kind];
    return op->fn != NULL;
}

static bool
bind_merge(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
           struct sim_op *op)
{
    bool vectors = bind_is_vector(in, VENTUS_ISA_SLOT_1);
    if (op->mods == MOD_PAIR)
        op->fn = vectors ? sim->lanes.pair_merge_v : sim->lanes.pair_merge_s;
    else if (op->mods)
        op->fn = any_width_merge;
    else
        op->fn = vectors ? sim->lanes.merge_v : sim->lanes.merge_s;
    return true;
}

static bool
bind_vid(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
         struct sim_op *op)
{
    (void)in;
    op->fn = op->mods ? any_width_vid : sim->lanes.vid;
    return true;
}

static bool
bind_wide(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
          struct sim_op *op)
{
    (void)sim;
    (void)in;
    op->mods |= MOD_PAIR;
    op->fn = any_width_wide;
    return true;
}

/* ---- a vector value becomes a scalar one ---- */

/* imm: the lane; -1: the last active one */
static const struct sim_op *
read_lane(struct sim_warp *w, const struct sim_op *op)
{
    unsigned lane = 0;
    if (op->imm < 0 && w->exec)
        lane = 63 - (unsigned)__builtin_clzll(w->exec);
    const uint32_t *v = w->v + (size_t)op->s2 * w->lanes + lane;
    /* Narrow elements are sign-extended, like in RVV. */
    unsigned shift = w->sew ? 32 - w->sew : 0;
    uint64_t x = (uint64_t)(int64_t)((int32_t)(*v << shift) >> shift);
    if (op->mods & MOD_PAIR && op->s2 % 2 == 0)
        x = *v | (uint64_t)v[w->lanes] << 32;
    x = any_width_modified(x, 64, op->mods & MOD_ABS << 1,
                           op->mods & MOD_NEG << 1);
    w->x[op->d] = (uint32_t)x;
    if (op->mods & MOD_PAIR && op->d % 2 == 0)
        w->x[op->d + 1] = (uint32_t)(x >> 32);
    return op + op->words;
}

static bool
bind_read_lane(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
               struct sim_op *op)
{
    (void)sim;
    op->imm = in->op == VENTUS_ISA_VMV_X_S ? -1 : 0;
    op->fn = read_lane;
    return true;
}

const struct sim_op *
alu_nop(struct sim_warp *w, const struct sim_op *op)
{
    (void)w;
    return op + op->words;
}

/* A prefix by itself: what follows is nothing it can act on. */
static bool
bind_nop(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
         struct sim_op *op)
{
    (void)sim;
    (void)in;
    op->fn = alu_nop;
    return true;
}

/* clang-format off */
const struct sim_meaning alu_meanings[] = {
#define X(name) { #name, { bind_int, INT_##name } },
    SEM_LIST2(X)
    SEM_LIST3(X)
#undef X
#define X(meaning, fn, as, bs) { #meaning, { bind_wide, WIDE_##meaning } },
    SEM_WIDE_LIST(X)
#undef X
    { "lui", { bind_lui, 0 } },
    { "auipc", { bind_auipc, 0 } },
    { "merge", { bind_merge, 0 } },
    { "vid", { bind_vid, 0 } },
    { "vmv_x_s", { bind_read_lane, 0 } },
    { "vfmv_f_s", { bind_read_lane, 0 } },
    { "nop", { bind_nop, 0 } },
    { NULL, { NULL, 0 } }
};
/* clang-format on */
