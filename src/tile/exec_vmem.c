/* SPDX-License-Identifier: Apache-2.0 */
/* Vector loads and stores: the element width is the instruction's own. */
#include <assert.h>

#include "tile/exec.h"
#include "tile/vector.h"

/* EMUL = EEW / SEW * LMUL must be 1/8 to 8, and the register a multiple. */
static bool
group_fits(const struct hart *h, const struct hart_insn *i, unsigned eew)
{
    if (h->vtype >> 31)
        return false;
    int lmul =
        (h->vtype & 7) < 4 ? (int)(h->vtype & 7) : (int)(h->vtype & 7) - 8;
    int emul = lmul + (int)eew - (int)vector_sew(h);
    if (emul < -3 || emul > 3)
        return false;
    return emul <= 0 || i->rd % (1u << emul) == 0;
}

static const struct hart_insn *
each(struct hart *h, const struct hart_insn *i, unsigned eew, uint64_t stride,
     bool store, unsigned step)
{
    if (!group_fits(h, i, eew))
        return hart_fault(h, i, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    assert(h->vl <= h->vlmax); /* so that EMUL registers hold them */
    for (unsigned e = 0; e < h->vl; e++) {
        if (!vector_active(h, i->vm, e))
            continue;
        uint64_t at = h->x[i->rs1] + e * stride;
        uint8_t *element = vector_at(h, i->rd, e, eew);
        bool done = store ? exec_store(h, i, at, element, 1u << eew)
                          : exec_load(h, i, at, element, 1u << eew);
        if (!done)
            return NULL;
    }
    return i + step;
}

#define WIDTH(bits, eew)                                   \
    HANDLER(vle##bits)                                     \
    {                                                      \
        return each(h, i, eew, 1u << eew, false, step);    \
    }                                                      \
    HANDLER(vse##bits)                                     \
    {                                                      \
        return each(h, i, eew, 1u << eew, true, step);     \
    }                                                      \
    HANDLER(vlse##bits)                                    \
    {                                                      \
        return each(h, i, eew, h->x[i->rs2], false, step); \
    }                                                      \
    HANDLER(vsse##bits)                                    \
    {                                                      \
        return each(h, i, eew, h->x[i->rs2], true, step);  \
    }
WIDTH(8, 0)
WIDTH(16, 1)
WIDTH(32, 2)
WIDTH(64, 3)

static const struct hart_insn *
whole(struct hart *h, const struct hart_insn *i, unsigned bytes, bool store,
      unsigned step)
{
    assert(bytes <= HART_VLENB);
    for (unsigned b = 0; b < bytes; b++) {
        uint64_t at = h->x[i->rs1] + b;
        bool done = store ? exec_store(h, i, at, &h->v[i->rd][b], 1)
                          : exec_load(h, i, at, &h->v[i->rd][b], 1);
        if (!done)
            return NULL;
    }
    return i + step;
}

HANDLER(vl1r)
{
    return whole(h, i, HART_VLENB, false, step);
}

HANDLER(vs1r)
{
    return whole(h, i, HART_VLENB, true, step);
}

HANDLER(vlm)
{
    if (h->vtype >> 31)
        return hart_fault(h, i, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    return whole(h, i, (h->vl + 7) / 8, false, step);
}

HANDLER(vsm)
{
    if (h->vtype >> 31)
        return hart_fault(h, i, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    return whole(h, i, (h->vl + 7) / 8, true, step);
}
