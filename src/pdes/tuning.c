/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice between one thread and all.  SMs that wait for each other, for example
 * when they flush the L2 in turn, are slower on several threads, and so is everything
 * while the host is busy.  The faster way is used for longer and longer intervals, and
 * in between the other one is measured for a piece of the launch:
 *
 *      all  |one| all  all  |one| all  all  all  all  |one| ...
 *
 * Cycles do not depend on the choice, so the host's clock may decide.
 */
#include "pdes/tuning.h"
#include "base/clock.h"

#include <time.h>

enum {
    PIECE = 1 << 14, /* cycles of a piece: some ms of the host */
    LONGEST = 64,    /* maximal interval in pieces */
    KNOWN = 8        /* interval of a new launch */
};

/* A new kernel may be faster the other way: the next measurement is soon. */
void
tuning_begin(struct tuning *p)
{
    bool known = p->ns[0] > 0 && p->ns[1] > 0;
    p->all = !known || p->ns[1] <= p->ns[0];
    p->tries = false;
    p->far = !p->far ? 1 : p->far > KNOWN ? KNOWN : p->far;
}

uint64_t
tuning_cycles(struct tuning *p)
{
    p->start = (double)clock_now_ns();
    return p->tries ? PIECE : (uint64_t)PIECE * p->far;
}

/* Updates a time.  A busy host makes measurements longer, never shorter. */
static void
note_time(double *ns, double found)
{
    bool slower = *ns > 0 && found > *ns;
    *ns = slower ? *ns + (found - *ns) / 4 : found;
}

/* A partial piece, at the end of a launch, is too short to measure. */
void
tuning_end(struct tuning *p, uint64_t cycles, uint64_t work)
{
    if (cycles < PIECE || !work)
        return;
    note_time(&p->ns[p->all],
              ((double)clock_now_ns() - p->start) / (double)work);
    bool faster = p->ns[p->all] <= p->ns[!p->all];
    if (!p->tries) {
        p->tries = true;
        p->all = !p->all;
        return;
    }
    /* The measured way becomes the choice, or the other one stays it. */
    p->tries = false;
    p->far = faster ? 1 : p->far < LONGEST ? 2 * p->far : LONGEST;
    p->all = faster ? p->all : !p->all;
}
