/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses outside of the object that their pointer is made of, which may be another
 * object.  A hint right before an access says which it is (docs/abi.md, Hints); the
 * access is done as without the check.
 */
#include <assert.h>

#include "abi/hints.h"
#include "sanitize/state.h"

struct object {
    struct sanitize_range range;
    enum sanitize_what what;
    const char *note;
};

static uint32_t
upper_of(const struct sim_warp *w, const struct sim_op *op)
{
    return w->page->words[op - w->page->ops] >> 12;
}

/* A variable of the kernel, of two hints before its access. */
static bool
find_variable(const struct sanitize *c, const struct sim_warp *w,
              const struct sim_op *op, bool private, struct object *to)
{
    const struct sim_op *place = op - 2, *size = op - 1;
    if (op - w->page->ops < 2 || place->code != VENTUS_ISA_LUI ||
        place->d != X_SINK)
        return false;
    const uint32_t at = upper_of(w, place);
    if (private != (bool)(at & HINT_PRIVATE))
        return false;
    *to = (struct object){
        .range = { (private ? 0 : c->quiet.own_local) + at % HINT_PRIVATE,
                   upper_of(w, size) },
        .what = SANITIZE_ARRAY,
        .note = "the pointer is made of one to another variable",
    };
    return true;
}

static bool
find_argument(const struct sanitize *c, const struct sim_op *hint,
              struct object *to)
{
    const unsigned n = (unsigned)hint->imm / HINT_KINDS;
    if (hint->s1 || (unsigned)hint->imm % HINT_KINDS != HINT_ARGUMENT ||
        n >= c->arguments || !c->argument[n].size_B)
        return false;
    *to = (struct object){
        .range = c->argument[n],
        .what = c->argument[n].at - SIM_LOCAL_BASE < SIM_LOCAL_SIZE
                    ? SANITIZE_LOCAL
                    : SANITIZE_OUTSIDE,
        .note = "the pointer is made of one to another argument",
    };
    return true;
}

static bool
is_within(const struct sanitize_range *r, uint64_t at, unsigned bytes)
{
    return at >= r->at && at + bytes <= r->at + r->size_B;
}

static void
note(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
     const struct object *object, int lane, uint64_t at, unsigned bytes,
     bool private)
{
    sanitize_note(c, w,
                  &(struct sanitize_finding){
                      .what = object->what,
                      .here = sanitize_party(w, op, lane),
                      .has_address = true,
                      .address = at,
                      .size_B = bytes,
                      .local = !private && at - SIM_LOCAL_BASE < SIM_LOCAL_SIZE,
                      .private = private,
                      .note = object->note,
                  });
}

/* Does the machine refuse it?  Then that is a finding already. */
static bool
is_refused(struct sim_warp *w, const struct sim_op *op, uint64_t at,
           unsigned bytes)
{
    const bool store = sanitize_operands[op->code].store;
    return at % bytes ||
           (!mmu_at(w->mmu, at, bytes, store ? MMU_WRITE : MMU_READ) &&
            w->mmu->why != VENTUS_SIM_FAULT_PERMISSION);
}

/* Private addresses of lanes count from 0: those before the machine places them. */
static void
look_at_private(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
                const struct sanitize_words *list, const struct object *object)
{
    const uint32_t *v = w->v + (size_t)op->s1 * w->lanes;
    const uint32_t size = w->worker->run->launch.pds_size_B;
    if (!sanitize_operands[op->code].v1)
        return;
    for (uint64_t rest = list->lanes; rest; rest &= rest - 1) {
        const int lane = __builtin_ctzll(rest);
        const uint32_t at = v[lane] + (uint32_t)op->imm;
        const unsigned bytes = list->bytes * list->words;
        if (!is_within(&object->range, at, bytes) && at < size &&
            at + bytes <= size)
            note(c, w, op, object, lane, at, bytes, true);
    }
}

static bool
find_object(const struct sanitize *c, const struct sim_warp *w,
            const struct sim_op *op, bool private, struct object *to)
{
    return op[-1].code == VENTUS_ISA_LUI
               ? find_variable(c, w, op, private, to)
               : !private && find_argument(c, op - 1, to);
}

void
sanitize_object(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
                const struct sanitize_words *list)
{
    struct object object;
    if (!list->n || !(c->options.kinds & SANITIZE_MEMORY) ||
        !find_object(c, w, op, list->private, &object))
        return;
    if (list->private) {
        look_at_private(c, w, op, list, &object);
        return;
    }
    const struct sanitize_range *r = &object.range;
    if (list->first >= r->at && list->last + list->bytes <= r->at + r->size_B)
        return;
    uint64_t lanes = list->scalar ? w->exec & -w->exec : list->lanes;
    for (unsigned i = 0; lanes; lanes &= lanes - 1)
        for (unsigned word = 0; word < list->words; word++, i++) {
            const uint64_t at = list->at[i];
            if (is_within(r, at, list->bytes) ||
                is_refused(w, op, at, list->bytes) ||
                sanitize_is_in_gap(c, at, list->bytes))
                continue;
            note(c, w, op, &object, __builtin_ctzll(lanes), at, list->bytes,
                 false);
        }
}

/* Is a usual access of lanes without a gap inside of its object? */
static bool
is_all_within(const struct sanitize *c, const struct sim_warp *w,
              const struct sim_op *op, enum quick_shape shape,
              const struct sanitize_range *r)
{
    const bool indexed = shape == SHAPE_INDEXED;
    const unsigned bytes = mem_bytes(w, op);
    uint32_t first, last;
    if (shape == SHAPE_SCALAR)
        return is_within(r, w->x[op->s1] + (uint32_t)op->imm, bytes);
    if (shape == SHAPE_OTHER || !w->exec || (w->exec & (w->exec + 1)))
        return false;
    c->rows_of->ends(w->v + (size_t)(indexed ? op->s2 : op->s1) * w->lanes,
                     (unsigned)__builtin_popcountll(w->exec),
                     indexed ? (uint32_t)mem_index_mask(op) : UINT32_MAX,
                     indexed ? w->x[op->s1] : (uint32_t)op->imm, &first, &last);
    return first >= r->at && last + (uint64_t)bytes <= r->at + r->size_B;
}

bool
sanitize_is_in_object(struct sanitize *c, struct sim_warp *w,
                      const struct sim_op *op, enum quick_shape shape)
{
    struct object object;
    return find_object(c, w, op, false, &object) &&
           is_all_within(c, w, op, shape, &object.range);
}
