/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdalign.h>

#include <ventus/sim.h>

#include "base/recurrence.h"
#include "sim/mmu.h"

/*
 * State while a kernel runs, and what an instruction is to the interpreter.
 *
 *   sim        the machine: memory, decoded code, configuration
 *   sim_worker a host thread: cached translations, the workgroups it runs
 *   sim_group  a workgroup: its warps, its local memory
 *   sim_warp   registers, active mask, SIMT stack
 *   sim_op     one decoded instruction: a function and its operands
 *
 * The run loop is `op = op->fn(w, op)` until that is NULL: a function does its
 * instruction and returns the next one.  NULL means that the warp cannot go
 * on; w->stop says why and w->next where it continues later.
 */
struct fp_host;
struct native_calls;
struct sim_warp;
struct sim_op;

typedef const struct sim_op *
sim_fn(struct sim_warp *w, const struct sim_op *op);

enum { SIM_LANES_MAX = 64, SIM_XREGS = 64, SIM_VREGS = 256 };

enum { JOIN_BITS = 512 };

/*
 * Scalar registers after the 64 real ones: where writes to x0 (a pair) go,
 * and a pair that is always 0, which a pair at x0 reads.
 */
enum { X_SINK = 64, X_ZERO = 66, X_COUNT = 68 };

/* CSRs from tid to gidz, which are constant while a warp runs. */
enum { CSR_CONSTANT = 0x800, CSR_CONSTANTS = 11 };

/* Why the plain 32-bit lane loop over all lanes will not do. */
enum { SLOW_MASK = 1, SLOW_SEW = 2 };

/* sim_op.mods */
enum { MOD_PAIR = 1, MOD_ABS = 2, MOD_NEG = 16, MOD_FIXED32 = 128 };

struct sim_op {
    sim_fn *fn;
    uint32_t pc; /* of the instruction word, not its prefix */
    int32_t imm; /* or what the function's comment says */
    /* x or v registers, by slot of the encoding; s3 of what accumulates: where
     * the accumulator is read, d unless the prefix says otherwise. */
    uint8_t d, s1, s2, s3;
    uint16_t code;        /* enum ventus_isa_op; 0: no instruction */
    uint16_t aux;         /* CSR number, vtype, rounding mode */
    uint8_t words;        /* to the next instruction */
    uint8_t slow;         /* SLOW_MASK if vm = 0 */
    uint8_t kind;         /* which operation of its unit */
    uint8_t mods;         /* pair; abs << 1; neg << 4; width fixed at 32 */
    uint8_t space, width; /* of pre_m_* */
};

/* Decoded code, a page of it.  Filled under a lock, then only read. */
enum { CODE_WORDS = SIM_PAGE / 4 };

struct native_page;
struct native_code;

struct sim_code_page {
    uint32_t base;
    bool valid, fresh; /* fresh: read since the checkpoint */
    /* Joins that a setrpc somewhere names: code_names_join found them. */
    _Atomic uint64_t named[CODE_WORDS / 64];
    unsigned n;                     /* words that could be read */
    uint32_t words[CODE_WORDS + 1]; /* and the first of the next page */
    /* native.h: what is known of it, and its code, or NULL; instructions that were
     * interpreted since that was looked at. */
    struct native_page *native;
    struct native_code *_Atomic code;
    _Atomic uint64_t hot;
    /* After the last one two that continue in the next page: a pair of words at
     * the end skips the first of them. */
    struct sim_op ops[CODE_WORDS + 2];
};

struct sim_entry {
    uint32_t rpc, pc;
    uint64_t mask;
};

enum sim_stop {
    STOP_SLICE,   /* its share of instructions is used up */
    STOP_BARRIER, /* waits */
    STOP_END,
    STOP_FAULT
};

/* A warp at a barrier: barrier.h. */
struct barrier_wait {
    uint32_t needs;   /* threads; 0: all */
    uint32_t threads; /* its own */
    bool here;        /* it has arrived and waits */
};

struct sim_warp {
    uint64_t left;  /* instructions until the run loop must return */
    uint32_t *v;    /* register r, lane i: v[r * lanes + i]; one row more */
    unsigned lanes; /* num_thread, at least 8 */
    uint32_t pds_size_B;
    unsigned num_thread;
    unsigned slow; /* SLOW_* */
    struct sim_worker *worker;
    struct sim_mmu *mmu; /* of the worker */
    struct fp_host *fp;  /* of the worker: isa/hostfloat.h */
    const struct native_calls
        *calls; /* native.h: for translated code; or NULL */
    const struct sim_code_page *page; /* the pc is in */
    uint64_t mask;                    /* active lanes */
    uint64_t exec;                    /* active lanes below vl */
    uint64_t start_mask; /* lanes that run: with all_lanes all of them */
    uint64_t items;      /* lanes that have a work-item */
    alignas(64) uint32_t lane[SIM_LANES_MAX]; /* exec, 0 or ~0 a lane */
    uint32_t x[X_COUNT];
    uint32_t constant[CSR_CONSTANTS]; /* values from CSR_CONSTANT on */

    const struct sim_op *next; /* NULL: not started */
    enum sim_stop stop;
    const struct sim_op *barrier; /* the last that it came to */
    struct barrier_wait wait;     /* and what it waits for there */
    unsigned sew;                 /* 8, 16, 32; 0: vtype is not supported */
    bool grouped;                 /* LMUL 2: grouped.c */
    uint32_t vl, vtype, rpc;
    uint32_t fflags, frm, mstatus, mtvec, print, gds;
    uint32_t vstart, vxsat, vxrm;
    struct sim_entry *stack;
    unsigned depth, stack_max;
    unsigned id;             /* in its workgroup */
    uint64_t slice, retired; /* left at the start of the slice; before it */
    uint64_t tell_at; /* `retired` from which its group is counted again */
    struct sim_group *group;
    struct ventus_sim_fault *fault; /* of the worker, filled on STOP_FAULT */

    /* Words that rpc was set to, by word modulo the bits; for join_check. */
    uint64_t named[JOIN_BITS / 64];

    /* Reservations of lr, a lane each. */
    uint64_t reserved;      /* which lanes have one */
    uint64_t reserved_wide; /* those of two words */
    uint64_t reserved_at[SIM_LANES_MAX];
    uint64_t reserved_value[SIM_LANES_MAX];
};

/* State of livelock detection in a workgroup: livelock.c. */
struct sim_livelock {
    struct recurrence state; /* of the states after turns */
    uint64_t period, left;   /* of the repetition, in turns; left to check */
    bool fine;               /* turns are short */
    bool stored, quiet, settled, is_sure;
    uint64_t events, sure_of; /* at the start of the period; when sure */
};

/* Padding that may be accessed past the private memory of each thread: padding.c. */
struct sim_padding {
    uint8_t
        *host; /* NULL until the first access; zero when a workgroup begins */
    uint32_t bytes;  /* of a thread; 0: an access there is a fault */
    size_t capacity; /* bytes at `host` */
    bool dirty;      /* some of them was written */
};

struct sim_group {
    uint64_t number;
    uint32_t at[3];
    unsigned live; /* warps that have not ended */
    unsigned warps, warps_capacity;
    struct sim_warp *warp;
    struct sim_local local;
    uint32_t pds;
    struct sim_livelock livelock;
    uint32_t pds_used; /* of each thread's, below the highest byte stored */
    struct sim_padding padding;
    void *checked; /* of instrumentation.h */
    uint64_t told; /* instructions that the launch's `executed` has of it */
};

/* Ends the run of the warp with a fault at op; always NULL. */
const struct sim_op *
warp_fault(struct sim_warp *w, const struct sim_op *op,
           enum ventus_sim_fault_kind kind, int lane, uint64_t address);

/* Like warp_fault, with text after the name of the kind. */
const struct sim_op *
warp_fault_text(struct sim_warp *w, const struct sim_op *op,
                enum ventus_sim_fault_kind kind, const char *text);

/* The instruction at a pc outside of w->page; NULL after a fault at op. */
const struct sim_op *
warp_jump_far(struct sim_warp *w, const struct sim_op *op, uint32_t pc);

/* The instruction at pc; NULL after a fault. */
static inline const struct sim_op *
warp_jump(struct sim_warp *w, const struct sim_op *op, uint32_t pc)
{
    uint32_t offset = pc - w->page->base;
    if (__builtin_expect(offset < SIM_PAGE && !(pc & 3), 1))
        return &w->page->ops[offset / 4];
    return warp_jump_far(w, op, pc);
}

/* Sets the active lanes and all that follows from them. */
void
warp_set_mask(struct sim_warp *w, uint64_t mask);

/* Sets vtype, and vl as far as it goes; the width of elements follows. */
void
warp_set_vtype(struct sim_warp *w, uint32_t vl, uint32_t vtype);

/* csr.c: fills w->constant when a warp starts. */
void
warp_set_constants(struct sim_warp *w);

/* Does an instruction while w->grouped. */
const struct sim_op *
grouped_call(struct sim_warp *w, const struct sim_op *op);

/* rpc has been set: a join there ends a branch. */
static inline void
warp_name_join(struct sim_warp *w)
{
    uint32_t bit = w->rpc / 4 % JOIN_BITS;
    w->named[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* Instructions this warp has executed, this one included. */
static inline uint64_t
warp_retired(const struct sim_warp *w)
{
    return w->retired + (w->slice - w->left);
}

/* Lanes 0 .. n-1. */
static inline uint64_t
first_lanes(unsigned n)
{
    return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

/* Adds to fflags what the host's FPU has collected for this warp. */
void
fp_collect(struct sim_warp *w);

/* The lanes that an instruction with vm = 0 may change. */
static inline uint64_t
warp_vm_lanes(const struct sim_warp *w)
{
    uint64_t on = 0;
    for (unsigned i = 0; i < w->lanes; i++)
        on |= (uint64_t)(w->v[i] & 1) << i;
    return on;
}

/* Lanes in which op acts. */
static inline uint64_t
warp_op_lanes(const struct sim_warp *w, const struct sim_op *op)
{
    return op->slow & SLOW_MASK ? w->exec & warp_vm_lanes(w) : w->exec;
}
