/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fixed point, carries, narrower and wider integers, and the instructions that
 * count masks: every width, lane by lane, and the table of functions by form.
 *
 *   SEW 8, 16   elements are the low bits of their lane, and so are those of
 *               2 * SEW bits; results are zero-extended
 *   SEW 32      elements of 2 * SEW bits are even register pairs
 *   pair        even registers are 64-bit pairs, as in any_width.c; there is nothing
 *               twice as wide to narrow
 */
#include <assert.h>

#include "sim/any_width.h"
#include "sim/bind.h"
#include "sim/lanes.h"
#include "sim/state.h"

static const struct sim_op *
illegal(struct sim_warp *w, const struct sim_op *op, const char *why)
{
    return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL, why);
}

/* 0, 1, 2, 3 for 8, 16, 32, 64 bits */
static unsigned
width_index(unsigned width)
{
    return width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : 3;
}

/* Reads vs2 and vs1, with ABS and NEG of a prefix; false after a fault. */
static bool
begin(struct sim_warp *w, const struct sim_op *op, struct any_width *a)
{
    if (!any_width_begin(w, op, a)) {
        illegal(w, op, "vtype is not valid");
        return false;
    }
    any_width_read(w, op, VENTUS_ISA_SLOT_1, a->n, a->width, a->s1);
    any_width_read(w, op, VENTUS_ISA_SLOT_2, a->n, a->width, a->s2);
    any_width_modify_int(op, a);
    return true;
}

static const struct sim_op *
write_result(struct sim_warp *w, const struct sim_op *op,
             const struct any_width *a)
{
    any_width_write(w, op, a);
    return op + op->words;
}

/* ---- fixed point ---- */

typedef uint64_t
fixed_fn(uint64_t a, uint64_t b, unsigned vxrm, unsigned *vxsat);

#define FIXED(name, W, A, B)                                          \
    static uint64_t name##_##W(uint64_t a, uint64_t b, unsigned vxrm, \
                               unsigned *vxsat)                       \
    {                                                                 \
        return sem_##name##_##W((A)a, (B)b, vxrm, vxsat);             \
    }
#define X(name)                         \
    FIXED(name, 8, uint8_t, uint8_t)    \
    FIXED(name, 16, uint16_t, uint16_t) \
    FIXED(name, 32, uint32_t, uint32_t) FIXED(name, 64, uint64_t, uint64_t)
SEM_FIXED_LIST(X)
#undef X
#define X(name)                       \
    FIXED(name, 8, uint16_t, uint8_t) \
    FIXED(name, 16, uint32_t, uint16_t) FIXED(name, 32, uint64_t, uint32_t)
SEM_NARROW_LIST(X)
#undef X

static fixed_fn *const fixed_fns[FIXED_COUNT][4] = {
#define X(name) [FIXED_##name] = { name##_8, name##_16, name##_32, name##_64 },
    SEM_FIXED_LIST(X)
#undef X
#define X(name) [FIXED_##name] = { name##_8, name##_16, name##_32 },
        SEM_NARROW_LIST(X)
#undef X
};

static const struct sim_op *
compute_fixed(struct sim_warp *w, const struct sim_op *op, struct any_width *a)
{
    fixed_fn *f = fixed_fns[op->kind][width_index(a->width)];
    assert(f && w->vxrm <= 3);
    for (uint64_t rest = a->exec; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctzll(rest), sat = 0;
        a->r[i] = f(a->s2[i], a->s1[i], w->vxrm, &sat);
        w->vxsat |= sat;
    }
    return write_result(w, op, a);
}

const struct sim_op *
any_width_fixed(struct sim_warp *w, const struct sim_op *op)
{
    struct any_width a;
    return begin(w, op, &a) ? compute_fixed(w, op, &a) : NULL;
}

const char *
any_width_twice_wrong(const struct sim_warp *w, unsigned r)
{
    if (w->sew != 32)
        return w->sew ? NULL : "vtype is not valid";
    return w->grouped ? "a 64-bit element needs LMUL 1"
           : r % 2    ? "a 64-bit element is an even register pair"
                      : NULL;
}

const struct sim_op *
any_width_narrow(struct sim_warp *w, const struct sim_op *op)
{
    struct any_width a;
    const char *wrong = any_width_twice_wrong(w, op->s2);
    if (wrong)
        return illegal(w, op, wrong);
    if (!begin(w, op, &a))
        return NULL;
    any_width_read(w, op, VENTUS_ISA_SLOT_2, a.n, w->sew == 32 ? 64 : 32, a.s2);
    any_width_modify(a.s2, a.n, 2 * w->sew, op->mods & MOD_ABS << 1,
                     op->mods & MOD_NEG << 1);
    return compute_fixed(w, op, &a);
}

static bool
bind_fixed(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
           struct sim_op *op)
{
    bool vectors = bind_is_vector(in, VENTUS_ISA_SLOT_1);
    op->fn = op->mods  ? any_width_fixed
             : vectors ? sim->lanes.fixed_vv[op->kind]
                       : sim->lanes.fixed_vs[op->kind];
    return true;
}

static bool
bind_narrow(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
            struct sim_op *op)
{
    bool vectors = bind_is_vector(in, VENTUS_ISA_SLOT_1);
    op->fn = op->mods  ? any_width_narrow
             : vectors ? sim->lanes.fixed_vv[op->kind]
                       : sim->lanes.fixed_vs[op->kind];
    return !(op->mods & MOD_PAIR);
}

/* ---- carries ---- */

typedef uint64_t
carry_fn(uint64_t a, uint64_t b, unsigned carry);

#define CARRY(name, W)                                                 \
    static uint64_t name##_##W(uint64_t a, uint64_t b, unsigned carry) \
    {                                                                  \
        return sem_##name##_##W((uint##W##_t)a, (uint##W##_t)b,        \
                                (uint##W##_t)carry);                   \
    }
#define X(name) CARRY(name, 8) CARRY(name, 16) CARRY(name, 32) CARRY(name, 64)
X(adc) /* clang-format off */
X(sbc)
X(madc)
X(msbc) /* clang-format on */
#undef X

static carry_fn *const carry_fns[CARRY_COUNT][4] = {
#define X(meaning, fn) \
    [CARRY_##meaning] = { fn##_8, fn##_16, fn##_32, fn##_64 },
    SEM_CARRY_LIST(X)
#undef X
};

const struct sim_op *
any_width_carry(struct sim_warp *w, const struct sim_op *op)
{
    struct any_width a;
    if (!begin(w, op, &a))
        return NULL;
    carry_fn *f = carry_fns[op->kind][width_index(a.width)];
    assert(f);
    bool carries = op->kind < CARRY_madc0;
    for (unsigned i = 0; i < a.n; i++)
        a.r[i] = f(a.s2[i], a.s1[i], carries ? w->v[i] & 1 : 0);
    return write_result(w, op, &a);
}

static bool
bind_carry(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
           struct sim_op *op)
{
    bool vectors = bind_is_vector(in, VENTUS_ISA_SLOT_1);
    op->fn = op->mods  ? any_width_carry
             : vectors ? sim->lanes.carry_vv[op->kind]
                       : sim->lanes.carry_vs[op->kind];
    return true;
}

/* ---- vzext, vsext ---- */

/* SEW is divided by this; and whether the sign comes in. */
static const struct {
    uint8_t part;
    uint64_t (*extend)(uint64_t x, unsigned bits);
} extend_how[EXTEND_COUNT] = {
#define X(meaning, fn, part) [EXTEND_##meaning] = { part, sem_##fn },
    SEM_EXTEND_LIST(X)
#undef X
};

const struct sim_op *
any_width_extend(struct sim_warp *w, const struct sim_op *op)
{
    struct any_width a;
    if (!any_width_begin(w, op, &a))
        return illegal(w, op, "vtype is not valid");
    unsigned bits = a.width / extend_how[op->kind].part;
    if (bits < 8)
        return illegal(w, op, "no elements of fewer than 8 bits");
    /* the source is in one register even where the result is a pair */
    any_width_read(w, op, VENTUS_ISA_SLOT_2, a.n, 32, a.s2);
    any_width_modify(a.s2, a.n, bits, op->mods & MOD_ABS << 1,
                     op->mods & MOD_NEG << 1);
    for (unsigned i = 0; i < a.n; i++)
        a.r[i] = sem_zext(extend_how[op->kind].extend(a.s2[i], bits), a.width);
    return write_result(w, op, &a);
}

static bool
bind_extend(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
            struct sim_op *op)
{
    (void)in;
    op->fn = op->mods ? any_width_extend : sim->lanes.extend[op->kind];
    return true;
}

/* ---- how many lanes, and which is the first ---- */

/* Bit 0 of each lane of register r, for the active ones from `first` on. */
static uint64_t
mask_lanes(const struct sim_warp *w, const struct sim_op *op, unsigned half)
{
    assert(op->s2 + half < SIM_VREGS);
    unsigned n = w->num_thread, from = half * n;
    const uint32_t *v = w->v + (size_t)(op->s2 + half) * w->lanes;
    const uint32_t *v0 = w->v + (size_t)half * w->lanes;
    uint32_t vl = w->vl > from ? w->vl - from : 0;
    uint64_t on = w->mask & first_lanes(vl < n ? vl : n), set = 0;
    for (; on; on &= on - 1) {
        unsigned i = (unsigned)__builtin_ctzll(on);
        if (v[i] & 1 && (!(op->slow & SLOW_MASK) || v0[i] & 1))
            set |= UINT64_C(1) << i;
    }
    return set;
}

enum { COUNT_ALL, COUNT_FIRST };

/* With LMUL 2 a mask is in two registers, as compares leave it. */
static const struct sim_op *
count_mask(struct sim_warp *w, const struct sim_op *op)
{
    if (!w->sew)
        return illegal(w, op, "vtype is not valid");
    if (w->grouped && op->s2 % 2)
        return illegal(w, op, "a group of two registers starts at an even one");
    uint64_t low = mask_lanes(w, op, 0);
    uint64_t high = w->grouped ? mask_lanes(w, op, 1) : 0;
    uint32_t x = 0;
    if (op->kind == COUNT_ALL)
        x = (uint32_t)(__builtin_popcountll(low) + __builtin_popcountll(high));
    else if (low)
        x = (uint32_t)__builtin_ctzll(low);
    else
        x = high ? w->num_thread + (uint32_t)__builtin_ctzll(high) : UINT32_MAX;
    w->x[op->d] = x;
    return op + op->words;
}

static bool
bind_count(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
           struct sim_op *op)
{
    (void)sim;
    (void)in;
    op->fn = count_mask;
    return true;
}

const struct sim_meaning fixed_meanings[] = {
#define X(name) { #name, { bind_fixed, FIXED_##name } },
    SEM_FIXED_LIST(X)
#undef X
#define X(name) { #name, { bind_narrow, FIXED_##name } },
        SEM_NARROW_LIST(X)
#undef X
#define X(meaning, fn) { #meaning, { bind_carry, CARRY_##meaning } },
            SEM_CARRY_LIST(X)
#undef X
#define X(meaning, fn, part) { #meaning, { bind_extend, EXTEND_##meaning } },
                SEM_EXTEND_LIST(X)
#undef X
                    { "cpop", { bind_count, COUNT_ALL } },
    { "first", { bind_count, COUNT_FIRST } },
    { NULL, { NULL, 0 } }
};
