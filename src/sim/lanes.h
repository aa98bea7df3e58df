/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "isa/sem.h"
#include "isa/sem_fp_cvt.h"
#include "sim/fp.h"
#include "sim/warp.h"

/*
 * The lane loops.  Their files (those that include lane_loop.h) are compiled
 * once for each processor level and number of lanes; this table holds the ones
 * that are best here.  They act on 32-bit elements and, the pair_ ones, on
 * pairs; everything else (narrow elements, ABS, NEG) is any_width.c.
 */
#define X(name) INT_##name,
enum int_kind { SEM_LIST2(X) SEM_LIST3(X) INT_COUNT };
#undef X

#define X(meaning, fn, as, bs) WIDE_##meaning,
enum wide_kind { SEM_WIDE_LIST(X) WIDE_COUNT };
#undef X

#define X(name) FIXED_##name,
enum fixed_kind { SEM_FIXED_LIST(X) SEM_NARROW_LIST(X) FIXED_COUNT };
#undef X

#define X(meaning, fn) CARRY_##meaning,
enum carry_kind { SEM_CARRY_LIST(X) CARRY_COUNT };
#undef X

#define X(meaning, fn, part) EXTEND_##meaning,
enum extend_kind { SEM_EXTEND_LIST(X) EXTEND_COUNT };
#undef X

#define X(meaning) CVT_##meaning,
enum cvt_kind { SEM_CVT_MEANINGS(X) CVT_COUNT };
#undef X

#define X(name, compare) BRANCH_##name,
enum branch_kind { SEM_BRANCH_LIST(X) BRANCH_COUNT };
#undef X

/* The data that one lane of an access moves. */
enum mem_kind { MEM_B, MEM_H, MEM_W, MEM_BU, MEM_HU, MEM_KINDS };

/* The source of the addresses of a vector access. */
enum mem_mode {
    MODE_OFFSET,  /* v[s1] + imm */
    MODE_PRIVATE, /* the same, interleaved over threads, + pds */
    MODE_UNIT,    /* x[s1] + lane * bytes */
    MODE_STRIDE,  /* x[s1] + lane * x[s2] */
    MODE_INDEX,   /* x[s1] + v[s2]; elements have SEW bits */
    MODE_COUNT
};

/* op->aux of accesses */
enum {
    MEM_WIDE_ADDRESS = 1, /* the base is a 64-bit pair */
    MEM_DATA_S2 = 2,      /* stores whose data is in slot 2 */
    MEM_INDEX_8 = 4,      /* MODE_INDEX: the index has 8 bits */
    MEM_INDEX_16 = 8,
    MEM_SCALAR = 16, /* one word for the warp, no atomic */
    MEM_PLAIN = 32 /* most: 32-bit addresses in a vector, an offset, no space */
};

struct sim_lanes {
    const char *name;
    sim_fn *vv[INT_COUNT];   /* two vectors */
    sim_fn *vs[INT_COUNT];   /* a vector, and x[s1] + imm */
    sim_fn *fp_vv[FP_COUNT]; /* also those of one source */
    sim_fn *fp_vs[FP_COUNT];
    sim_fn *pair_vv[INT_COUNT]; /* any registers */
    sim_fn *pair_vs[INT_COUNT];
    sim_fn *fp_pair_vv[FP_COUNT]; /* any registers, ABS and NEG of doubles */
    sim_fn *fp_pair_vs[FP_COUNT];
    sim_fn *merge_v, *merge_s, *vid;
    sim_fn *fixed_vv[FIXED_COUNT], *fixed_vs[FIXED_COUNT]; /* any SEW */
    sim_fn *carry_vv[CARRY_COUNT], *carry_vs[CARRY_COUNT];
    sim_fn *extend[EXTEND_COUNT];
    sim_fn *half_to_float, *float_to_half;
    sim_fn *pair_merge_v, *pair_merge_s;
    sim_fn *load[MODE_COUNT][MEM_KINDS];
    sim_fn *store[MODE_COUNT][MEM_KINDS];
    sim_fn *branch[BRANCH_COUNT]; /* of threads */
    sim_fn *branch_outcome;       /* 0 or 1 a lane, in the row after v255 */
    sim_fn *join;
};

/* Chooses for this processor; `portable`: the plain C ones. */
void
lanes_select(struct sim_lanes *lanes, unsigned num_thread, bool portable);

/*
 * By name: "plain", "v2", "v3", "v3_32" and the like; NULL: the best.  False,
 * and nothing is changed, if it is not for this processor, this build or so
 * many lanes.  Before the first launch of a machine.
 */
bool
lanes_select_level(struct sim_lanes *lanes, unsigned num_thread,
                   const char *level);

/* The functions for what lane loops do not do: any_width.c, fixed.c, fpu_wide.c,
 * mem_lanewise.c. */
sim_fn any_width_int, any_width_merge, any_width_vid, any_width_wide;
sim_fn any_width_fixed, any_width_narrow, any_width_carry, any_width_extend,
    any_width_convert;
sim_fn mem_lanewise_load, mem_lanewise_store;

/*
 * Lane by lane, in ascending order, for accesses no fast way fits: misaligned,
 * over several spans, or faulty.  NULL after a fault.
 */
const struct sim_op *
mem_load_each(struct sim_warp *w, const struct sim_op *op, const uint32_t *at,
              uint64_t exec, unsigned bytes, uint32_t *result);

const struct sim_op *
mem_store_each(struct sim_warp *w, const struct sim_op *op, const uint32_t *at,
               uint64_t exec, unsigned bytes, const uint32_t *data);

/* The mode of a vector load or store, by its format. */
enum mem_mode
mem_mode_of(unsigned op);

/* Addresses of all lanes of a vector access, or [0] of a scalar one. */
void
mem_addresses(const struct sim_warp *w, const struct sim_op *op,
              uint64_t at[SIM_LANES_MAX]);

/* atomic.c: the same for atomics, before mem_into_space. */
void
atomic_bases(const struct sim_warp *w, const struct sim_op *op,
             uint64_t at[SIM_LANES_MAX]);

/* Whether an atomic may leave its warp fewer instructions than it had. */
bool
atomic_ends_slice(const struct sim_op *op);

/*
 * The address that is meant by `at` in the space of op, which its prefix may
 * name; word: which of several.
 */
uint64_t
mem_into_space(const struct sim_warp *w, const struct sim_op *op, uint64_t at,
               unsigned lane, unsigned word);

/*
 * Whether word k of an access at `base` is inside of the space: false after a
 * fault for what is outside of the lane's private memory; the fault's lane is
 * `lane`.
 */
bool
mem_check_space(struct sim_warp *w, const struct sim_op *op, uint64_t base,
                unsigned k, int lane, unsigned access);

/* Word k of an access at `base`: in the padding of private memory, and where? */
bool
mem_is_private_padding(const struct sim_warp *w, const struct sim_op *op,
                       uint64_t base, unsigned k, uint64_t *offset);

/*
 * padding.c: the host address of an aligned access that mmu_at has nothing for, or of one to
 * the padding of private memory; tells the host of it.  NULL after a fault.
 */
uint8_t *
padding_at(struct sim_warp *w, const struct sim_op *op, uint64_t at, int lane,
           unsigned bytes, unsigned access);

uint8_t *
padding_private(struct sim_warp *w, const struct sim_op *op, uint64_t offset,
                int lane, unsigned bytes, unsigned access);

/* Which bits of a lane are an index. */
static inline uint32_t
mem_index_mask(const struct sim_op *op)
{
    return op->aux & MEM_INDEX_8    ? 0xff
           : op->aux & MEM_INDEX_16 ? 0xffff
                                    : UINT32_MAX;
}

/* Bytes a lane moves now, all its words together; 0: no memory access. */
unsigned
mem_bytes(const struct sim_warp *w, const struct sim_op *op);

/*
 * The address of every word, `*bytes` long, that the active lanes of an access
 * touch, MEM_WORDS_MAX at most; returns how many.  0: no access.
 */
enum { MEM_LANE_WORDS = 8, MEM_WORDS_MAX = MEM_LANE_WORDS * SIM_LANES_MAX };

unsigned
mem_words(const struct sim_warp *w, const struct sim_op *op, uint64_t exec,
          uint64_t at[MEM_WORDS_MAX], unsigned *bytes);

/* Words, as mem_words, of an access of one word a lane; base: from mem_addresses. */
unsigned
mem_single_words(const struct sim_warp *w, const struct sim_op *op,
                 uint64_t exec, uint64_t base[SIM_LANES_MAX],
                 uint64_t at[SIM_LANES_MAX], unsigned *bytes);

/* Words, as mem_words, for LMUL 2 (w->grouped): the second half follows the first. */
unsigned
grouped_words(struct sim_warp *w, const struct sim_op *op,
              uint64_t at[MEM_WORDS_MAX], unsigned *bytes);

/* A word of private memory as the program addresses it (semantics.md, Private
 * memory). */
static inline uint32_t
mem_private(uint32_t pds, uint32_t a, uint32_t group_threads, uint32_t thread)
{
    return pds + (a & ~3u) * group_threads + (a & 3) + 4 * thread;
}

/*
 * Whether the offsets up to `end` are inside of a thread's private memory;
 * also remembers how much of it was stored to.
 */
static inline bool
mem_private_fits(const struct sim_warp *w, uint64_t end, bool store)
{
    struct sim_group *g = w->group;
    if (end > w->pds_size_B)
        return false;
    if (store && end > g->pds_used)
        g->pds_used = (uint32_t)end;
    return true;
}

/* Threads of the workgroup as the formula counts them: full warps. */
static inline uint32_t
mem_group_threads(const struct sim_warp *w)
{
    return w->group->warps * w->num_thread;
}
