/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <string.h>

#include "tile/hart.h"

/*
 * How the functions of instructions are written.  Each exists twice, for 2 and
 * for 4 bytes, because the distance to the next slot is then a constant: it is
 * on the critical path of the interpreter.
 *
 *     HANDLER(add)
 *     {
 *         h->x[i->rd] = h->x[i->rs1] + h->x[i->rs2];
 *         return i + step;
 *     }
 */
#define HANDLER(name)                                                  \
    static inline const struct hart_insn *do_##name(                   \
        struct hart *h, const struct hart_insn *i, unsigned step);     \
    const struct hart_insn *exec_##name##_2(struct hart *h,            \
                                            const struct hart_insn *i) \
    {                                                                  \
        return do_##name(h, i, 1);                                     \
    }                                                                  \
    const struct hart_insn *exec_##name##_4(struct hart *h,            \
                                            const struct hart_insn *i) \
    {                                                                  \
        return do_##name(h, i, 2);                                     \
    }                                                                  \
    static inline const struct hart_insn *do_##name(                   \
        struct hart *h __attribute__((unused)),                        \
        const struct hart_insn *i __attribute__((unused)),             \
        unsigned step __attribute__((unused)))

#define DECLARE(row, meaning) hart_fn exec_##meaning##_2, exec_##meaning##_4;
VENTUS_RV64_ROWS(DECLARE)
#undef DECLARE

/* Is [at, at + 8) plain memory? */
static inline bool
exec_direct(const struct hart *h, uint64_t at)
{
    return at - MEMORY_BASE < h->fast;
}

static inline bool
exec_load(struct hart *h, const struct hart_insn *i, uint64_t at, void *to,
          unsigned size)
{
    if (!__builtin_expect(exec_direct(h, at), 1))
        return hart_load(h, i, at, to, size);
    memcpy(to, h->ram + at, size);
    return true;
}

static inline bool
exec_store(struct hart *h, const struct hart_insn *i, uint64_t at,
           const void *from, unsigned size)
{
    if (!__builtin_expect(exec_direct(h, at), 1))
        return hart_store(h, i, at, from, size);
    memcpy(h->ram + at, from, size);
    return true;
}
