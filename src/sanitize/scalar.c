/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scalar registers, which the lanes of a warp share: reads of what another path
 * has written (state.h), branches whose rpc is another path's or names no join,
 * and registers that the kernel does not declare.
 *
 * While no lanes have diverged no state is kept: a write is right for all lanes.
 */
#include <stdio.h>
#include <string.h>

#include "sanitize/state.h"

void
sanitize_scalar_start(struct sanitize_scalar *s)
{
    s->stale = 0;
    s->joined = UINT64_MAX;
    memset(s->right, 0xff, sizeof s->right);
    memset(s->writer, 0, sizeof s->writer);
}

static struct sanitize_scalar *
scalar_of(const struct sim_warp *w)
{
    struct sanitize_group *g = w->group->checked;
    return &g->scalar[w->id];
}

/* By default the operands of atomics are vectors, whatever the table says. */
static bool
has_scalars(const struct sim_warp *w, const struct sanitize_operands *o)
{
    return !o->atomic || w->worker->sim->config.scalar_amo;
}

static uint64_t
bit_of(unsigned r)
{
    return r == SCALAR_RPC ? QUICK_RPC_BIT : UINT64_C(1) << r;
}

/* ---- reads ---- */

static const char *
name_of(unsigned r, char name[16])
{
    snprintf(name, 16, r == SCALAR_RPC ? "rpc" : "x%u", r);
    return name;
}

static void
note_path(struct sanitize *c, const struct sim_warp *w, const struct sim_op *op,
          unsigned r, uint64_t wrong, uint32_t value)
{
    struct sanitize_scalar *s = scalar_of(w);
    const struct sanitize_writer *by = &s->writer[r];
    unsigned lane = (unsigned)__builtin_ctzll(wrong);
    char name[16], note[160];
    snprintf(note, sizeof note,
             "%s is 0x%08x; on the path of this work-item it was 0x%08x: the "
             "work-items of a warp share it",
             name_of(r, name), value, s->expected[r][lane]);
    struct sanitize_finding f = {
        .what = r == SCALAR_RPC ? SANITIZE_RPC_PATH : SANITIZE_SCALAR_PATH,
        .here = sanitize_party(w, op, (int)lane),
        .note = note,
    };
    if (by->known) {
        f.other = f.here;
        f.other.pc = by->pc;
        f.other.lane = by->lane;
        f.other.write = true;
    }
    sanitize_note(c, w, &f);
    s->right[r] |= wrong; /* once */
}

static void
check_read(struct sanitize *c, const struct sim_warp *w,
           const struct sim_op *op, unsigned r, bool pair, uint64_t lanes)
{
    const struct sanitize_scalar *s = scalar_of(w);
    pair &= r && r % 2 == 0; /* a pair at x0 is 0 */
    for (unsigned i = r; i <= r + pair && i < SIM_XREGS; i++) {
        uint64_t wrong = lanes & ~s->right[i];
        if (s->stale & bit_of(i) && wrong)
            note_path(c, w, op, i, wrong, w->x[i]);
    }
}

static void
check_reads(struct sanitize *c, const struct sim_warp *w,
            const struct sim_op *op, const struct sanitize_operands *o)
{
    struct sanitize_warp *k = sanitize_warp_of(w);
    uint64_t lanes = o->vector ? warp_op_lanes(w, op) : w->mask;
    k->sew_32 = w->sew == 32;
    if (o->x1)
        check_read(c, w, op, op->s1,
                   sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_1), lanes);
    if (o->x2)
        check_read(c, w, op, op->s2,
                   sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_2), lanes);
    if (o->x3)
        check_read(c, w, op, op->s3,
                   sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_3), lanes);
}

/* ---- registers that are not declared ---- */

/* The highest register of a kind that an instruction names; -1: none. */
static int
highest(const struct sim_op *op, const struct sanitize_operands *o, bool vector,
        unsigned width)
{
    const bool used[] = { vector ? o->vd || o->data : o->xd,
                          vector ? o->v1 : o->x1, vector ? o->v2 : o->x2,
                          vector ? o->v3 : o->x3 };
    const unsigned r[] = { op->d + width - 1, op->s1, op->s2, op->s3 };
    int most = -1;
    for (unsigned i = 0; i < 4; i++)
        if (used[i] && (int)r[i] > most && (vector || r[i] < SIM_XREGS))
            most = (int)r[i];
    return most;
}

void
sanitize_declared(struct sanitize *c, const struct sim_warp *w,
                  const struct sim_op *op, const struct sanitize_operands *o)
{
    const struct ventus_sim_launch *l = &w->worker->run->launch;
    if (!op->code)
        return;
    bool access = o->load || o->store;
    unsigned width = access && op->width > 1 ? op->width : 1;
    bool scalars = has_scalars(w, o);
    int x = scalars ? highest(op, o, false, width) : -1;
    int v = highest(op, o, true, width);
    bool wide = x >= (int)l->sgpr;
    if (!wide && v < (int)l->vgpr)
        return;
    char note[120];
    snprintf(note, sizeof note, "it uses %c%d, the kernel declares %u %s%s",
             wide ? 'x' : 'v', wide ? x : v, wide ? l->sgpr : l->vgpr,
             wide ? "scalar" : "vector", " registers");
    sanitize_note(c, w,
                  &(struct sanitize_finding){ .what = SANITIZE_REGISTER,
                                              .here = sanitize_party(w, op, -1),
                                              .note = note });
}

void
sanitize_scalar_before(struct sanitize *c, struct sim_warp *w,
                       const struct sim_op *op,
                       const struct sanitize_operands *o,
                       struct sanitize_before *before)
{
    before->mask = w->mask;
    before->depth = w->depth;
    before->rpc = w->rpc;
    if (!has_scalars(w, o))
        return;
    if (scalar_of(w)->stale)
        check_reads(c, w, op, o);
    if (o->xd)
        memcpy(before->x, &w->x[op->d], sizeof before->x);
}

/* ---- writes ---- */

/* The lanes, of these, that may read the register: the new value is right for them. */
static uint64_t
right_besides(struct sanitize_scalar *s, unsigned r, uint64_t lanes,
              uint32_t old, uint32_t new)
{
    uint64_t right = 0;
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (s->right[r] >> lane & 1)
            s->expected[r][lane] = old;
        if (s->expected[r][lane] == new)
            right |= UINT64_C(1) << lane;
    }
    return right;
}

/* Which lanes may read it now that the lanes of `mask` have written it. */
static void
set_right(struct sanitize_scalar *s, const struct sim_warp *w,
          const struct sim_op *op, unsigned r, uint64_t mask, uint32_t old,
          uint32_t new)
{
    uint64_t right = mask;
    if (s->stale & bit_of(r) || old == new)
        right |= right_besides(s, r, w->items & ~mask, old, new);
    else
        for (unsigned lane = 0; lane < SIM_LANES_MAX; lane++)
            s->expected[r][lane] = old; /* all might read it */
    s->right[r] = right | ~w->items;
    s->writer[r] = (struct sanitize_writer){
        .pc = op->pc,
        .lane = (uint8_t)__builtin_ctzll(mask),
        .known = true,
    };
    bool stale = s->right[r] != UINT64_MAX;
    s->stale = (s->stale & ~bit_of(r)) | (stale ? bit_of(r) : 0);
}

static void
wrote(struct sim_warp *w, const struct sim_op *op,
      const struct sanitize_before *b, unsigned r, uint32_t old, uint32_t new)
{
    struct sanitize_scalar *s = scalar_of(w);
    bool stale = s->stale & bit_of(r);
    if (!stale && (!(w->items & ~b->mask) || old == new))
        return;
    set_right(s, w, op, r, b->mask, old, new);
}

/* How many scalar registers from op->d on it has written. */
static unsigned
written(const struct sim_warp *w, const struct sim_op *op,
        const struct sanitize_operands *o)
{
    const struct sanitize_warp *k = sanitize_warp_of(w);
    if (o->load && op->width > 1)
        return op->width < SCALAR_WRITTEN ? op->width : SCALAR_WRITTEN;
    return sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_D) ? 2 : 1;
}

/* ---- branches ---- */

static bool
is_join(const struct sim_warp *w, uint32_t pc)
{
    enum ventus_sim_fault_kind why;
    struct ventus_isa_insn in = { 0 };
    const struct sim_code_page *p = code_page(w->worker, pc, &why);
    if (pc % 4 || !p || (pc - p->base) / 4 >= p->n)
        return false;
    ventus_isa_decode_word(w->worker->sim->config.isa,
                           p->words[(pc - p->base) / 4], &in);
    return in.op == VENTUS_ISA_JOIN;
}

void
sanitize_scalar_split(struct sanitize *c, struct sim_warp *w,
                      const struct sim_op *op, uint64_t mask)
{
    struct sanitize_scalar *s = scalar_of(w);
    uint64_t wrong =
        s->stale & bit_of(SCALAR_RPC) ? mask & ~s->right[SCALAR_RPC] : 0;
    if (wrong)
        note_path(c, w, op, SCALAR_RPC, wrong, w->rpc);
    if (s->joined == w->rpc)
        return;
    if (is_join(w, w->rpc)) {
        s->joined = w->rpc;
        return;
    }
    char note[120];
    snprintf(note, sizeof note,
             "rpc is 0x%08x, where work-items that have parted never meet%s",
             w->rpc,
             w->rpc ? "" : ": a setrpc before the branch names the join");
    sanitize_note(c, w,
                  &(struct sanitize_finding){
                      .what = SANITIZE_NO_JOIN,
                      .here = sanitize_party(w, op, __builtin_ctzll(mask)),
                      .note = note });
}

void
sanitize_scalar_after(struct sanitize *c, struct sim_warp *w,
                      const struct sim_op *op,
                      const struct sanitize_operands *o,
                      const struct sanitize_before *b)
{
    if (o->xd && has_scalars(w, o)) {
        unsigned n = written(w, op, o);
        for (unsigned i = 0; i < n && op->d + i < SIM_XREGS; i++)
            wrote(w, op, b, op->d + i, b->x[i], w->x[op->d + i]);
    }
    if (op->code == VENTUS_ISA_SETRPC || w->rpc != b->rpc)
        wrote(w, op, b, SCALAR_RPC, b->rpc, w->rpc);
    if (w->depth > b->depth)
        sanitize_scalar_split(c, w, op, b->mask);
}
