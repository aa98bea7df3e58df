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

/* The time of one piece in parallel that is too long, and of several, in ns.  A busy host
 * switches between threads in a thousand times the time of a cycle. */
static const double LATE = 100e6, LATEST = 4e9;

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
    unsigned pieces = p->tries ? 1 : p->far;
    double serial = 4 * PIECE * p->cycle_ns[0];
    double one = serial > LATE ? serial : LATE, most = pieces * one;
    most = most < LATEST ? most : LATEST;
    p->start = (double)clock_now_ns();
    p->late = p->patient ? 0 : p->start + (most > one ? most : one);
    return (uint64_t)PIECE * pieces;
}

bool
tuning_is_late(const struct tuning *p)
{
    return p->late > 0 && (double)clock_now_ns() > p->late;
}

/* Updates a time.  A busy host makes measurements longer, never shorter. */
static void
note_time(double *ns, double found)
{
    bool slower = *ns > 0 && found > *ns;
    *ns = slower ? *ns + (found - *ns) / 4 : found;
}

/* A partial piece, at the end of a launch, is too short to measure.  One that was late is
 * compared by its cycles: it has another part of the work than a whole one. */
void
tuning_end(struct tuning *p, uint64_t cycles, uint64_t work)
{
    bool late = p->all && tuning_is_late(p);
    if (!cycles || (!late && (cycles < PIECE || !work)))
        return;
    double ns = (double)clock_now_ns() - p->start;
    note_time(&p->ns[p->all], ns / (double)(work ? work : 1));
    note_time(&p->cycle_ns[p->all], ns / (double)cycles);
    p->was_late = p->all ? late : p->was_late;
    const double *found = p->was_late ? p->cycle_ns : p->ns;
    bool faster = found[p->all] <= found[!p->all];
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
