/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>

#include "base/hash.h"
#include "sanitize/copy_log.h"
#include "sanitize/loops.h"
#include "sanitize/operands.h"
#include "sanitize/quick.h"
#include "sanitize/race.h"
#include "sanitize/rows.h"
#include "sanitize/sanitize.h"
#include "sanitize/shadow.h"
#include "sim/instrumentation.h"
#include "sim/lanes.h"
#include "sim/state.h"

/* Rows of state beside vector registers: after v255 some that a wide access may
 * write, and one that is always known. */
enum { SANITIZE_NO_VECTOR = SIM_VREGS + 8, SANITIZE_VECTORS };

/* The order that a work-item's atomics and fences make, with all work-groups or with
 * its own one: times of the launch's clock. */
struct sanitize_order {
    uint32_t acquired;
    uint32_t seen;   /* releases that its atomics saw: acquired by a fence */
    uint32_t fenced; /* its last fence: released by its atomics */
};

struct sanitize_item {
    struct sanitize_order wide, in_group;
    uint32_t passed_on; /* what releases in the group had acquired */
    bool loads_acquire; /* its last lr did */
};

/* State beside a warp. */
struct sanitize_warp {
    /* Lanes of vector registers, and scalar registers, whose value depends on
     * what nothing has written; these come first (groups.c). */
    uint64_t unknown[SANITIZE_VECTORS];
    uint64_t x_unknown; /* a bit each */
    /* The unknown ones of which only bit 0 is unknown: results of compares. */
    uint64_t x_bit_0, bit_0[SANITIZE_VECTORS];
    bool sew_32; /* elements of twice SEW are pairs */
    bool waits;  /* at the barrier at pc */
    uint32_t barrier_pc;
    unsigned barrier_orders; /* imm of the barrier */
    uint32_t
        sub[2]; /* times of its last sub-group barriers: as `barrier` below */
    uint64_t fence;  /* lanes that had a fence since the last barrier */
    uint32_t fenced; /* time of the last fence with which all of them had one */
    uint64_t acquired; /* lanes whose order is not that of the work-group */
    struct sanitize_item item[SIM_LANES_MAX];
    struct infinite_loop_warp loops;
    struct copy_warp copy;
};

/*
 * Scalar registers of a warp whose lanes have diverged.  The lanes share them,
 * but a lane may only read what its own path has written:
 *
 *     x5 = 1          all lanes              right: all      expected
 *     if (lanes 0, 1)
 *         x5 = 2      lanes 0, 1             right: 0, 1     2, 3 ...: 1
 *     else ... x5     the others read it: a finding
 *
 * `right` has the lanes that may read a register; `expected` has what another lane
 * would have read, so that a register that is saved and restored, or set to the
 * same value on both paths, is right again.
 */
enum { SCALAR_RPC = SIM_XREGS, SCALAR_REGS, SCALAR_WRITTEN = 4 };

struct sanitize_scalar {
    uint64_t stale; /* registers that some lane may not read: sanitize_bit_of */
    uint64_t
        joined; /* the last rpc at which a join was seen; UINT64_MAX: none */
    uint64_t right[SCALAR_REGS];
    struct sanitize_writer {
        uint32_t pc;
        uint8_t lane;
        bool known;
    } writer[SCALAR_REGS];
    uint32_t expected[SCALAR_REGS][SIM_LANES_MAX];
};

/* State beside a workgroup. */
struct sanitize_group {
    struct sanitize_group *next; /* of all there are */
    bool busy;                   /* a workgroup runs */
    unsigned warps, warps_capacity;
    struct sanitize_warp *warp;
    struct sanitize_scalar *scalar; /* of each warp; NULL: not checked */
    uint32_t local_B;               /* of the arrays below */
    uint32_t touched_B;             /* nothing is after that in them */
    uint64_t *local_race;           /* a word each */
    uint64_t *local_unknown;        /* a bit a byte */
    uint32_t first_item;
    uint32_t barrier[2]; /* time of the last one that orders local, global */
    uint32_t met;        /* of the last one, whatever it orders */
    /* Through barriers, by all warps: of local memory, global memory. */
    uint32_t acquired[2], acquired_in_group[2];
    struct copy_log copies;
};

/* An instruction that accesses memory. */
struct sanitize_site {
    uint64_t pc;
    unsigned aqrl;
    bool load;        /* an atomic that only reads */
    bool conditional; /* sc */
    bool released;    /* a fence is shortly before it */
};

struct sanitize_row {
    uint64_t kernel, pc, other;
    enum sanitize_what what;
    uint64_t count;
};

enum { SANITIZE_RELEASES = 1 << 12 };

struct sanitize {
    struct sanitize_options options;
    const struct sanitize_rows *rows_of;
    struct ventus_sim_instrumentation instrumentation;
    struct shadow shadow;
    struct sanitize_group *groups;
    struct sanitize_site site[RACE_SITES];
    unsigned sites;
    uint16_t recent[RACE_SITES]; /* by pc */
    uint32_t time;
    uint32_t
        release[SANITIZE_RELEASES]; /* by address: when it was the last time */
    struct sanitize_quiet quiet;
    const struct sanitize_gap *gap;
    size_t gaps;
    const struct sanitize_range *argument;
    size_t arguments;
    struct infinite_loops loops;
    struct sanitize_quick quick[QUICK_ROWS]; /* by address of the instruction */
    /* findings.c */
    pthread_mutex_t lock;
    bool quiet_again; /* what runs was checked before */
    sanitize_report_fn *report;
    void *ctx;
    struct sanitize_row *row;
    size_t rows, rows_cap;
    struct hash_index index;
};

/* Is the access left out, because no argument is about what it touches? */
static inline bool
sanitize_is_in_gap(const struct sanitize *c, uint64_t at, unsigned bytes)
{
    for (size_t i = 0; i < c->gaps; i++)
        if (at < c->gap[i].to && at + bytes > c->gap[i].from)
            return true;
    return false;
}

static inline struct sanitize_group *
sanitize_group_of(const struct sim_warp *w)
{
    return w->group->checked;
}

static inline struct sanitize_warp *
sanitize_warp_of(const struct sim_warp *w)
{
    struct sanitize_group *g = w->group->checked;
    return &g->warp[w->id];
}

/* predecode.c: what the run loop needs to know of an instruction. */
static inline struct sanitize_quick *
sanitize_quick_row(struct sanitize *c, const struct sim_op *op)
{
    return &c->quick[(uintptr_t)op / sizeof *op % QUICK_ROWS];
}

/* As sanitize_quick_of, of an instruction that has no row yet. */
const struct sanitize_quick *
sanitize_quick_find(struct sanitize *c, const struct sim_warp *w,
                    const struct sim_op *op);

static inline const struct sanitize_quick *
sanitize_quick_of(struct sanitize *c, const struct sim_warp *w,
                  const struct sim_op *op)
{
    const struct sanitize_quick *q = sanitize_quick_row(c, op);
    return q->op == op && !w->grouped ? q : sanitize_quick_find(c, w, op);
}

/* Is the value of a scalar register unknown?  Those after x63 are known. */
static inline bool
sanitize_x_is_unknown(const struct sanitize_warp *k, unsigned r)
{
    return r < SIM_XREGS && k->x_unknown >> r & 1;
}

static inline void
sanitize_set_x(struct sanitize_warp *k, unsigned r, bool unknown)
{
    if (!r || r >= SIM_XREGS)
        return;
    uint64_t bit = UINT64_C(1) << r;
    k->x_unknown = unknown ? k->x_unknown | bit : k->x_unknown & ~bit;
    k->x_bit_0 &= ~bit;
}

/* The words of local memory up to `local` have state: a new workgroup resets it. */
static inline void
sanitize_touch_local(struct sanitize_group *g, uint64_t local)
{
    if (local >= g->touched_B)
        g->touched_B = (uint32_t)(local / 64 + 1) * 64;
}

/* vadd12.vi has its source here, unless a prefix makes it a slow one. */
static inline unsigned
sanitize_vector_2(const struct sim_op *op, const struct sanitize_operands *o)
{
    return o->add12 && !op->s2 ? op->s1 : op->s2;
}

/* findings.c: counts it, and reports it if it is new. */
void
sanitize_note(struct sanitize *c, const struct sim_warp *w,
              const struct sanitize_finding *finding);

/* The work-item that executes, as far as known: lane -1 is the warp. */
struct sanitize_party
sanitize_party(const struct sim_warp *w, const struct sim_op *op, int lane);

/* run.c: the run loop; what it does for a launch that was taken back. */
void
sanitize_run(void *ctx, struct sim_warp *w, uint64_t instructions);

void
sanitize_run_again(void *ctx, struct sim_warp *w, uint64_t instructions);

/* An instruction by the function that does it. */
static inline const struct sim_op *
sanitize_call(struct sim_warp *w, const struct sim_op *op)
{
    return w->grouped ? grouped_call(w, op) : op->fn(w, op);
}

/* memory.c: does an access without the lanes whose access is wrong. */
const struct sim_op *
sanitize_call_access(struct sanitize *c, struct sim_warp *w,
                     const struct sim_op *op);

/* objects.c: notes an access that is not of the object that a hint before it says. */
void
sanitize_object(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
                const struct sanitize_words *list);

/* Is there a hint before it? */
static inline bool
sanitize_has_object(const struct sim_warp *w, const struct sim_op *op)
{
    const struct sim_op *before = op - 1;
    return op != w->page->ops && before->d == X_SINK &&
           (before->code == VENTUS_ISA_LUI || before->code == VENTUS_ISA_SLTI);
}

/* access.c: the words of an access. */
void
sanitize_find_words(const struct sanitize *c, struct sim_warp *w,
                    const struct sim_op *op, const struct sanitize_operands *o,
                    enum quick_shape shape, struct sanitize_words *list);

/* predecode.c */
enum quick_shape
sanitize_shape(const struct sim_op *op, const struct sanitize_operands *o);

/* values.c: takes the value of a register for unwritten if it says so. */
void
sanitize_unwritten(struct sanitize *c, struct sim_warp *w,
                   const struct sim_op *op);

/* memory.c: what a hint of -fcheck-bounds says of the lanes that come to it;
 * SANITIZE_WHATS: it is none. */
enum sanitize_what
sanitize_hint_says(const struct sim_op *op);

/* memory.c: does a hint, and notes it if an index is outside of its array. */
const struct sim_op *
sanitize_bounds(struct sanitize *c, struct sim_warp *w,
                const struct sim_op *op);

/* access.c: does an access and follows it in the state beside memory. */
const struct sim_op *
sanitize_access(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
                const struct sanitize_operands *o, enum quick_shape shape);

/* objects.c: is a usual access, whose lanes lie in order, inside of its object? */
bool
sanitize_is_in_object(struct sanitize *c, struct sim_warp *w,
                      const struct sim_op *op, enum quick_shape shape);

/* access.c: as sanitize_object, of an access whose words nothing else needs. */
void
sanitize_object_alone(struct sanitize *c, struct sim_warp *w,
                      const struct sim_op *op,
                      const struct sanitize_operands *o);

static inline bool
sanitize_is_in(const struct sanitize_range *r, uint64_t at)
{
    return at - r->at < r->size_B;
}

static inline bool
sanitize_is_quiet(const struct sanitize *c, uint64_t at)
{
    return sanitize_is_in(&c->quiet.print, at) ||
           sanitize_is_in(&c->quiet.nowhere, at);
}

/* Does any of [first, last] lie there? */
static inline bool
sanitize_meets(const struct sanitize_range *r, uint64_t first, uint64_t last)
{
    return first < r->at + r->size_B && last >= r->at;
}

/* Events that happened before some lanes of a warp continue: times of the launch's clock. */
struct sanitize_acquired {
    uint32_t wide, in_group; /* of all; of the work-group */
};

/* The latest of these lanes and of the work-group. */
static inline struct sanitize_acquired
sanitize_acquired(const struct sanitize_group *g, const struct sanitize_warp *k,
                  uint64_t lanes, bool local)
{
    const unsigned memory = local ? 0 : 1;
    struct sanitize_acquired a = { g->acquired[memory],
                                   g->acquired_in_group[memory] };
    for (uint64_t rest = lanes & k->acquired; rest; rest &= rest - 1) {
        const struct sanitize_item *x = &k->item[__builtin_ctzll(rest)];
        a.wide = x->wide.acquired > a.wide ? x->wide.acquired : a.wide;
        a.in_group = x->in_group.acquired > a.in_group ? x->in_group.acquired
                                                       : a.in_group;
    }
    return a;
}

/* happens_before.c: races of an access that is about to be done; fences. */
void
sanitize_races(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
               const struct sanitize_operands *o,
               const struct sanitize_words *list);

void
sanitize_fence(struct sanitize *c, struct sim_warp *w, const struct sim_op *op);

/*
 * The work-group as a whole accesses bytes of a word (a bit each): whether it races
 * with an access before, and whose that was.  No record is made.
 */
bool
sanitize_races_of_all(struct sanitize *c, struct sim_warp *w, uint64_t word,
                      unsigned bytes, bool write, struct sanitize_party *other);

/* sync.c: the warp has come to a barrier; it continues after one. */
void
sanitize_barrier(struct sanitize *c, struct sim_warp *w,
                 const struct sim_op *op, const struct sanitize_operands *o);

void
sanitize_resume(struct sanitize *c, struct sim_warp *w);

/* Is the operand of a slot a pair of registers? */
static inline bool
sanitize_is_pair(const struct sanitize_warp *k, const struct sim_op *op,
                 const struct sanitize_operands *o, enum ventus_isa_slot slot)
{
    return o->fixed ? o->pair[slot]
                    : op->mods & MOD_PAIR || (o->twice[slot] && k->sew_32);
}

/* scalar.c: what an instruction finds in scalar registers, before it is done. */
struct sanitize_before {
    uint64_t mask;
    unsigned depth;
    uint32_t x[SCALAR_WRITTEN], rpc; /* x: from the destination on */
};

void
sanitize_scalar_start(struct sanitize_scalar *s);

/* Does the kernel declare the registers of an instruction? */
void
sanitize_declared(struct sanitize *c, const struct sim_warp *w,
                  const struct sim_op *op, const struct sanitize_operands *o);

/* Lanes of `mask` have parted: they meet where rpc says. */
void
sanitize_scalar_split(struct sanitize *c, struct sim_warp *w,
                      const struct sim_op *op, uint64_t mask);

/* May sanitize_scalar_before and _after be left out?  A branch needs the split. */
static inline bool
sanitize_scalar_is_idle(const struct sim_warp *w,
                        const struct sanitize_scalar *s,
                        const struct sanitize_quick *q)
{
    bool whole = !(w->items & ~w->mask);
    return !(s->stale & q->touches) && (whole || !q->writes);
}

void
sanitize_scalar_before(struct sanitize *c, struct sim_warp *w,
                       const struct sim_op *op,
                       const struct sanitize_operands *o,
                       struct sanitize_before *before);

void
sanitize_scalar_after(struct sanitize *c, struct sim_warp *w,
                      const struct sim_op *op,
                      const struct sanitize_operands *o,
                      const struct sanitize_before *before);

/* values.c: does what is no access, and finds what its result depends on. */
const struct sim_op *
sanitize_values(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
                const struct sanitize_operands *o);

/* A finding of `init` in the first of the lanes; the registers are known then. */
void
sanitize_uninit(struct sanitize *c, const struct sim_warp *w,
                const struct sim_op *op, enum sanitize_what what,
                uint64_t lanes);
