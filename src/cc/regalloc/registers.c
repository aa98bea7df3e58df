/* SPDX-License-Identifier: Apache-2.0 */
/* The registers that may be assigned: those that need no prefix word come first. */
#include <assert.h>

#include "cc/call.h"
#include "cc/regalloc/registers.h"

enum { TEMPORARIES = 8 }; /* beside the registers that calls take */

static const uint8_t scalar_order[] = { 5,  7,  11, 12, 13, 14, 15, 16, 17, 28,
                                        29, 30, 31, 10, 8,  9,  18, 19, 20, 21,
                                        22, 23, 24, 25, 26, 27, 3,  32, 33, 34,
                                        35, 36, 37, 38, 39, 40, 41, 42, 43, 44,
                                        45, 46, 47, 48, 49, 50, 51, 52, 53, 54,
                                        55, 56, 57, 58, 59, 60, 61, 62, 63 };

int
ra_register(const struct ra_graph *g, enum ir_class cls, unsigned i)
{
    if (cls == IR_V) {
        unsigned n = ra_limit(g, cls);
        /* v0, the mask, last of those without prefix */
        unsigned r = i < 31 ? i + 1 : i == 31 ? 0 : i;
        if (n < 32)
            r = i + 1 < n ? i + 1 : 0;
        return i < n ? (int)r : -1;
    }
    unsigned n = ra_limit(g, cls);
    assert(n <= sizeof scalar_order);
    return i < n ? scalar_order[i] : -1;
}

unsigned
ra_limit(const struct ra_graph *g, enum ir_class cls)
{
    const struct cc_options *o = g->c->options;
    unsigned calls = g->f->call_vgprs ? g->f->call_vgprs + TEMPORARIES : 0;
    if (cls == IR_V && o->max_vgprs && o->max_vgprs < calls)
        return calls;
    unsigned most = cls == IR_V ? 256 : sizeof scalar_order;
    unsigned limit = cls == IR_V ? o->max_vgprs : o->max_sgprs;
    if (g->f->is_limited) /* the first of scalar_order */
        most = cls == IR_V ? CC_CALLER_VECTORS : CC_CALLER_SCALARS;
    return limit && limit < most ? limit : most;
}
