/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serial or parallel?  SMs that wait for each other, as those do that flush the L2
 * in turn, are slower on several threads, and so is everything while the host is
 * busy.  The faster way is taken, for longer and longer, and in between the other one
 * is measured for a piece of the launch:
 *
 *      all  |one| all  all  |one| all  all  all  all  |one| ...
 *
 * Cycles do not depend on it, so the host's clock may decide.
 */
#include "pdes/tuning.h"

#include <time.h>

enum {
    PIECE = 1 << 14, /* cycles: some ms of the host */
    LONGEST = 64,    /* pieces */
    KNOWN = 8        /* of a new launch */
};

static double
now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Another kernel may be faster the other way: it is measured soon. */
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
    p->start = now_ns();
    return p->tries ? PIECE : (uint64_t)PIECE * p->far;
}

/* A busy host makes it slower, never faster. */
static void
note(double *ns, double found)
{
    bool slower = *ns > 0 && found > *ns;
    *ns = slower ? *ns + (found - *ns) / 4 : found;
}

/* A part of a piece, at the end of a launch, says little. */
void
tuning_end(struct tuning *p, uint64_t cycles, uint64_t work)
{
    if (cycles < PIECE || !work)
        return;
    note(&p->ns[p->all], (now_ns() - p->start) / (double)work);
    bool faster = p->ns[p->all] <= p->ns[!p->all];
    if (!p->tries) {
        p->tries = true;
        p->all = !p->all;
        return;
    }
    /* The measured way is taken now, or the other one still is. */
    p->tries = false;
    p->far = faster ? 1 : p->far < LONGEST ? 2 * p->far : LONGEST;
    p->all = faster ? p->all : !p->all;
}
