/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FPU of the Chisel design (microarchitecture.md, Execution units): when a result
 * leaves which of its pipelines.
 */
#include "model/pipeline/fpu.h"

#include <ventus/isa.h>

#include "base/debug_assert.h"

/* Registers between the way in and the way out. */
static const uint8_t depth_of[FPU_STAGES] = {
    [FPU_MULTIPLIER] = 2, [FPU_PRODUCTS] = 1, [FPU_TO_ADD_FUSED] = 1,
    [FPU_TO_ADD_SUM] = 1, [FPU_ADDER] = 2, /* a stage, and its queue */
    [FPU_COMPARE] = 2,    [FPU_CONVERT] = 2,
};

static bool
has_room(const struct fpu *f, enum fpu_stage stage)
{
    return f->pipe[stage].n < depth_of[stage];
}

static bool
is_ready(const struct fpu *f, enum fpu_stage stage, uint64_t now)
{
    return f->pipe[stage].n && f->pipe[stage].at[0] <= now;
}

static void
push_stage(struct fpu *f, enum fpu_stage stage, uint64_t now,
           const struct result *r)
{
    struct fpu_pipe *p = &f->pipe[stage];
    debug_assert(has_room(f, stage) &&
                 "a stage takes nothing while it is full");
    p->at[p->n] = now + depth_of[stage];
    p->item[p->n++] = *r;
    f->n++;
}

static struct result
pop_stage(struct fpu *f, enum fpu_stage stage, uint64_t now)
{
    struct fpu_pipe *p = &f->pipe[stage];
    struct result r = p->item[0];
    debug_assert(is_ready(f, stage, now) && f->n);
    for (unsigned i = 1; i < p->n; i++) {
        /* A follower had no register to move to before this one left. */
        p->at[i - 1] = p->at[i] > now ? p->at[i] : now + 1;
        p->item[i - 1] = p->item[i];
    }
    p->n--;
    f->n--;
    return r;
}

static enum fpu_stage
way_in(const struct model_op *op)
{
    switch ((enum fpu_kind)op->fpu) {
    case FPU_PRODUCT:
    case FPU_FUSED:
        return FPU_MULTIPLIER;
    case FPU_SUM:
        return FPU_TO_ADD_SUM;
    case FPU_SHORT:
        break;
    }
    return op->lat == VENTUS_ISA_LAT_FCVT ? FPU_CONVERT : FPU_COMPARE;
}

bool
fpu_has_room(const struct fpu *f, const struct model_op *op)
{
    return has_room(f, way_in(op));
}

void
fpu_take(struct fpu *f, uint64_t now, const struct result *r)
{
    push_stage(f, way_in(r->op), now, r);
}

/* The pipeline that has the way out; FPU_STAGES: none. */
static enum fpu_stage
way_out(const struct fpu *f, uint64_t now)
{
    static const uint8_t order[] = { FPU_ADDER, FPU_PRODUCTS, FPU_COMPARE,
                                     FPU_CONVERT };
    for (unsigned i = 0; i < sizeof order; i++)
        if (is_ready(f, (enum fpu_stage)order[i], now))
            return (enum fpu_stage)order[i];
    return FPU_STAGES;
}

const struct result *
fpu_front(const struct fpu *f, uint64_t now)
{
    enum fpu_stage out = way_out(f, now);
    return out == FPU_STAGES ? NULL : &f->pipe[out].item[0];
}

const struct result *
fpu_pop(struct fpu *f, uint64_t now)
{
    enum fpu_stage out = way_out(f, now);
    assert(out != FPU_STAGES);
    f->written = pop_stage(f, out, now);
    return &f->written;
}

static void
move_stage(struct fpu *f, uint64_t now, enum fpu_stage from, enum fpu_stage to)
{
    if (!is_ready(f, from, now) || !has_room(f, to))
        return;
    struct result r = pop_stage(f, from, now);
    push_stage(f, to, now, &r);
}

/* From the way out to the way in, so that what leaves makes room in the same cycle. */
void
fpu_tick(struct fpu *f, uint64_t now)
{
    bool fused = is_ready(f, FPU_TO_ADD_FUSED, now);
    move_stage(f, now, fused ? FPU_TO_ADD_FUSED : FPU_TO_ADD_SUM, FPU_ADDER);
    if (!is_ready(f, FPU_MULTIPLIER, now))
        return;
    const struct result *r = &f->pipe[FPU_MULTIPLIER].item[0];
    move_stage(f, now, FPU_MULTIPLIER,
               r->op->fpu == FPU_FUSED ? FPU_TO_ADD_FUSED : FPU_PRODUCTS);
}

uint64_t
fpu_next(const struct fpu *f)
{
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; f->n && i < FPU_STAGES; i++)
        if (f->pipe[i].n && f->pipe[i].at[0] < first)
            first = f->pipe[i].at[0];
    return first;
}
