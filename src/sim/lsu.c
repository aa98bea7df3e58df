/* SPDX-License-Identifier: Apache-2.0 */
/* The load/store unit: scalar accesses, fence, and the table of functions by
 * instruction. */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "sim/bind.h"
#include "sim/lanes.h"
#include "sim/state.h"

/* The host address of an access that is misaligned, or that no memory has; NULL
 * after a fault. */
static uint8_t *
place_of(struct sim_warp *w, const struct sim_op *op, uint32_t at,
         unsigned bytes, unsigned access)
{
    if (!(at & (bytes - 1)))
        return padding_at(w, op, at, -1, bytes, access);
    warp_fault(w, op, VENTUS_SIM_FAULT_MISALIGNED, -1, at);
    return NULL;
}

/* x[d] = memory at x[s1] + imm */
#define LOAD(name, type, extended)                                        \
    static const struct sim_op *name(struct sim_warp *w,                  \
                                     const struct sim_op *op)             \
    {                                                                     \
        uint32_t at = w->x[op->s1] + (uint32_t)op->imm;                   \
        const uint8_t *host = mmu_at(w->mmu, at, sizeof(type), MMU_READ); \
        if (!host || at & (sizeof(type) - 1))                             \
            host = place_of(w, op, at, sizeof(type), MMU_READ);           \
        if (!host)                                                        \
            return NULL;                                                  \
        type value;                                                       \
        memcpy(&value, host, sizeof value);                               \
        w->x[op->d] = (uint32_t)(extended)value;                          \
        return op + op->words;                                            \
    }
LOAD(lb, uint8_t, int8_t)
LOAD(lbu, uint8_t, uint8_t)
LOAD(lh, uint16_t, int16_t)
LOAD(lhu, uint16_t, uint16_t)
LOAD(lw, uint32_t, uint32_t)
#undef LOAD

/* memory at x[s1] + imm = x[s2] */
#define STORE(name, type)                                            \
    static const struct sim_op *name(struct sim_warp *w,             \
                                     const struct sim_op *op)        \
    {                                                                \
        uint32_t at = w->x[op->s1] + (uint32_t)op->imm;              \
        uint8_t *host = mmu_at(w->mmu, at, sizeof(type), MMU_WRITE); \
        if (!host || at & (sizeof(type) - 1))                        \
            host = place_of(w, op, at, sizeof(type), MMU_WRITE);     \
        if (!host)                                                   \
            return NULL;                                             \
        type value = (type)w->x[op->s2];                             \
        memcpy(host, &value, sizeof value);                          \
        return op + op->words;                                       \
    }
STORE(sb, uint8_t)
STORE(sh, uint16_t)
STORE(sw, uint32_t)
#undef STORE

static const struct sim_op *
fence(struct sim_warp *w, const struct sim_op *op)
{
    (void)w;
    atomic_thread_fence(memory_order_seq_cst);
    return op + op->words;
}

static bool
bind_fence(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
           struct sim_op *op)
{
    (void)sim;
    (void)in;
    op->fn = fence;
    return true;
}

static const struct sim_op *
narrow_fault(struct sim_warp *w, const struct sim_op *op)
{
    return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL,
                           "an access of several words has words, no bytes or "
                           "halfwords");
}

/*
 * Decodes the prefix of an access: words a lane (op->width), the width of
 * the address and the space.  Sets op->fn unless it is a plain one, for which
 * the caller has a function.  False: it needs registers after the last.
 */
static bool
prefix_of_access(const struct ventus_isa_insn *in, struct sim_op *op,
                 bool scalar)
{
    bool store = ventus_isa_info[in->op].flags & VENTUS_ISA_F_STORE;
    unsigned data = op->aux & MEM_DATA_S2 ? op->s2 : op->d;
    if (ventus_isa_is_pair(in, VENTUS_ISA_SLOT_1))
        op->aux |= MEM_WIDE_ADDRESS;
    op->mods = 0; /* the pair is the address, the data have 32 bits */
    if (in->width > 1 && op->kind != MEM_W)
        op->fn = narrow_fault;
    else if (op->aux & MEM_WIDE_ADDRESS || in->space || in->width > 1)
        op->fn = store ? mem_lanewise_store : mem_lanewise_load;
    unsigned last = data + (in->width ? in->width - 1u : 0);
    return data == X_SINK || last < (scalar ? SIM_XREGS : SIM_VREGS);
}

sim_fn *const lsu_load_fns[MEM_KINDS] = { lb, lh, lw, lbu, lhu };
sim_fn *const lsu_store_fns[MEM_KINDS] = { sb, sh, sw, sb, sh };

static bool
bind_scalar(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
            struct sim_op *op)
{
    bool store = ventus_isa_info[in->op].flags & VENTUS_ISA_F_STORE;
    (void)sim;
    op->aux = (uint16_t)(op->aux | (store ? MEM_DATA_S2 : 0) | MEM_SCALAR);
    assert(!bind_has_vector(in));
    if (!prefix_of_access(in, op, true))
        return false;
    if (!op->fn)
        op->fn = store ? lsu_store_fns[op->kind] : lsu_load_fns[op->kind];
    return true;
}

/* ld, sd: a word at a 64-bit address */
static bool
bind_scalar_wide(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
                 struct sim_op *op)
{
    op->aux = MEM_WIDE_ADDRESS;
    return bind_scalar(sim, in, op);
}

static bool
bind_vector(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
            struct sim_op *op)
{
    bool store = ventus_isa_info[in->op].flags & VENTUS_ISA_F_STORE;
    enum mem_mode mode = mem_mode_of(in->op);
    if (store && bind_is_vector(in, VENTUS_ISA_SLOT_2) && mode != MODE_INDEX)
        op->aux |= MEM_DATA_S2;
    if (!prefix_of_access(in, op, false))
        return false;
    assert(bind_is_vector(in, op->aux & MEM_DATA_S2 ? VENTUS_ISA_SLOT_2
                                                    : VENTUS_ISA_SLOT_D));
    if (mode == MODE_OFFSET && !op->space && !(op->aux & MEM_WIDE_ADDRESS) &&
        bind_is_vector(in, VENTUS_ISA_SLOT_1))
        op->aux |= MEM_PLAIN;
    if (!op->fn)
        op->fn = store ? sim->lanes.store[mode][op->kind]
                       : sim->lanes.load[mode][op->kind];
    return op->fn != NULL;
}

/* vluxei8.v and similar: kind is what an index has, elements have SEW bits. */
static bool
bind_indexed(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
             struct sim_op *op)
{
    unsigned index = op->kind;
    op->kind = MEM_W;
    if (!bind_vector(sim, in, op))
        return false;
    op->aux |= index == MEM_BU   ? MEM_INDEX_8
               : index == MEM_HU ? MEM_INDEX_16
                                 : 0;
    return true;
}

/* vlb12d.v and similar: 64-bit addresses */
static bool
bind_vector_wide(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
                 struct sim_op *op)
{
    op->aux = MEM_WIDE_ADDRESS;
    return bind_vector(sim, in, op);
}

#define SCALAR(name, kind)          \
    {                               \
#name,                      \
        {                           \
            bind_scalar, MEM_##kind \
        }                           \
    }
#define VECTOR(name, kind)          \
    {                               \
#name,                      \
        {                           \
            bind_vector, MEM_##kind \
        }                           \
    }
#define INDEXED(name, kind)          \
    {                                \
#name,                       \
        {                            \
            bind_indexed, MEM_##kind \
        }                            \
    }
#define WIDE(name, kind)                 \
    {                                    \
#name,                           \
        {                                \
            bind_vector_wide, MEM_##kind \
        }                                \
    }

const struct sim_meaning lsu_meanings[] = {
    SCALAR(lb, B),
    SCALAR(lh, H),
    SCALAR(lw, W),
    SCALAR(lbu, BU),
    SCALAR(lhu, HU),
    SCALAR(sb, B),
    SCALAR(sh, H),
    SCALAR(sw, W),
    VECTOR(vlb, B),
    VECTOR(vlh, H),
    VECTOR(vlw, W),
    VECTOR(vlbu, BU),
    VECTOR(vlhu, HU),
    VECTOR(vsb, B),
    VECTOR(vsh, H),
    VECTOR(vsw, W),
    VECTOR(vlb_private, B),
    VECTOR(vlh_private, H),
    VECTOR(vlw_private, W),
    VECTOR(vlbu_private, BU),
    VECTOR(vlhu_private, HU),
    VECTOR(vsb_private, B),
    VECTOR(vsh_private, H),
    VECTOR(vsw_private, W),
    VECTOR(vle8, BU),
    VECTOR(vle16, HU),
    VECTOR(vle32, W),
    VECTOR(vse8, B),
    VECTOR(vse16, H),
    VECTOR(vse32, W),
    VECTOR(vlse32, W),
    VECTOR(vsse32, W),
    VECTOR(vlse8, BU),
    VECTOR(vlse16, HU),
    VECTOR(vsse8, B),
    VECTOR(vsse16, H),
    INDEXED(vlxei8, BU),
    INDEXED(vlxei16, HU),
    INDEXED(vlxei32, W),
    INDEXED(vsxei8, BU),
    INDEXED(vsxei16, HU),
    INDEXED(vsxei32, W),
    WIDE(vlb_d, B),
    WIDE(vlh_d, H),
    WIDE(vlw_d, W),
    WIDE(vlbu_d, BU),
    WIDE(vlhu_d, HU),
    WIDE(vsb_d, B),
    WIDE(vsh_d, H),
    WIDE(vsw_d, W),
    { "lw_d", { bind_scalar_wide, MEM_W } },
    { "sw_d", { bind_scalar_wide, MEM_W } },
    { "fence", { bind_fence, 0 } },
    { NULL, { NULL, 0 } }
};
#undef SCALAR
#undef VECTOR
#undef INDEXED
#undef WIDE
