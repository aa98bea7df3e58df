/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/pipeline/inflight.h"

#include <ventus/model.h>

/*
 * Accesses without what makes them slow, for an upper bound of what a change of the
 * kernel gains.  Only the lines that the LSU asks for change; values do not.
 *
 *     ideal_access = lines   Lanes that touch twice the lines that their bytes fill, or
 *                            more, lie together.  If they are equally far from each other
 *                            the array is transposed, so that other accesses meet in the
 *                            same lines as before; else the others follow the first.
 *     ideal_access = local   Before that, a row and a column of local memory.
 *     ideal_banks            Lanes of an access of local memory lie together.
 *     ideal_atomics          An atomic asks for no line.
 */

/* Changes the addresses of an access that the LSU begins; how many requests to
 * local memory go before it. */
unsigned
ideal_move(const struct ventus_model_config *c, unsigned num_thread,
           struct inflight *f);

/* Is any of them wanted? */
static inline bool
ideal_moves(const struct ventus_model_config *c)
{
    return c->ideal_access || c->ideal_banks || c->ideal_atomics;
}

static inline unsigned
ideal_change(const struct ventus_model_config *c, unsigned num_thread,
             struct inflight *f)
{
    return ideal_moves(c) ? ideal_move(c, num_thread, f) : 0;
}
