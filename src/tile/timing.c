/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles.  The hart takes one for each instruction.  A tile instruction
 * occupies its unit, which the threads of a PE share, for `interval` cycles a
 * tile, and is done `latency` cycles after it began; a t_wait continues when the
 * operations it waits for are done.  Values do not depend on any of this.
 *
 *     unit   |== op 1 ==|== op 2 ==|            interval each
 *     op 1   [--- latency ---]
 *     op 2              [--- latency ---]
 *     hart   i i t_wait ................ i      mode timing only
 */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "isa/words.h"
#include "tile/check.h"
#include "tile/load.h"
#include "tile/thread.h"
#include "tile/tma.h"

/* glsu stands for slsu in the table. */
static unsigned
class_of(const struct thread_op *op)
{
    return op->unit == VENTUS_TILE_UNIT_SLSU ? VENTUS_TILE_LAT_SLSU
                                             : tile_words.rows[op->in.op].lat;
}

static uint64_t
tiles_of(const struct thread_op *op)
{
    if (op->unit == VENTUS_TILE_UNIT_TMA)
        return (tma_bytes(op) + VENTUS_TILE_B - 1) / VENTUS_TILE_B;
    if (op->in.op >= VENTUS_TILE_ATOM_R && op->in.op <= VENTUS_TILE_RED_R)
        return 1;
    return UINT64_C(1) << op->in.n;
}

void
timing_issue(struct tile_thread *t, const struct thread_op *op)
{
    struct ventus_tile_machine *m = t->machine;
    unsigned kinds = check_kinds(op), class = class_of(op);
    assert(kinds && class < VENTUS_TILE_LAT_COUNT);
    uint64_t *unit_free = &m->pe[t->pe].unit_free[op->unit];
    for (unsigned k = 0; k < CHECK_KINDS; k++)
        if (kinds >> k & 1)
            timing_wait(t, (enum check_kind)k, THREAD_RING - 2);
    uint64_t start = t->hart.cycle > *unit_free ? t->hart.cycle : *unit_free;
    uint64_t busy = m->costs.interval[class] * tiles_of(op);
    uint64_t done = start + m->costs.latency[class] + busy -
                    (busy ? m->costs.interval[class] : 0);
    assert(done >= start);
    *unit_free = start + busy;
    for (unsigned k = 0; k < CHECK_KINDS; k++)
        if (kinds >> k & 1)
            t->done[k][t->issued[k]++ % THREAD_RING] = done;
}

void
timing_wait(struct tile_thread *t, enum check_kind kind, unsigned left)
{
    if (!t->machine->options.timing || t->issued[kind] <= left ||
        left >= THREAD_RING)
        return;
    uint64_t done = t->done[kind][(t->issued[kind] - left - 1) % THREAD_RING];
    if (done > t->hart.cycle)
        t->hart.cycle = done;
}

/* Reads are `interval` cycles apart, writes one; the document says 2 and 1. */
void
timing_csr(struct tile_thread *t, const struct ventus_tile_insn *in)
{
    const struct ventus_tile_timing *costs = &t->machine->costs;
    unsigned class = tile_words.rows[in->op].lat;
    if (t->csr_free > t->hart.cycle)
        t->hart.cycle = t->csr_free;
    t->csr_free = t->hart.cycle + costs->interval[class];
}

/* ---- configuration ------------------------------------------------------- */

static int
find_class(const char *name, size_t length)
{
    for (int i = 0; i < VENTUS_TILE_LAT_COUNT; i++) {
        const char *own = tile_words.latencies[i].name;
        if (strlen(own) == length && memcmp(own, name, length) == 0)
            return i;
    }
    return -1;
}

/* "CLASS LATENCY [INTERVAL]"; false if it is not that. */
static bool
read_line(struct ventus_tile_timing *t, const char *line, const char *end)
{
    const char *name = line;
    while (line < end && !isspace((unsigned char)*line))
        line++;
    int class = find_class(name, (size_t)(line - name));
    char *after;
    unsigned long latency = strtoul(line, &after, 10);
    if (class < 0 || after == line || after > end || latency > 1000000)
        return false;
    t->latency[class] = (unsigned)latency;
    const char *rest = after;
    unsigned long interval = strtoul(rest, &after, 10);
    if (after == rest || after > end)
        return true;
    t->interval[class] = (unsigned)interval;
    return interval <= 1000000;
}

bool
tile_read_timing(struct ventus_tile_timing *t, const char *name,
                 const char *text, struct diag_sink *sink)
{
    bool ok = true;
    unsigned number = 1;
    for (const char *line = text; *line; number++) {
        const char *end = strchr(line, '\n');
        if (!end)
            end = line + strlen(line);
        const char *at = line;
        while (at < end && isspace((unsigned char)*at))
            at++;
        if (at < end && *at != '#' && !read_line(t, at, end)) {
            diag_report(sink, DIAG_ERROR,
                        (struct diag_at){ name, number, 1, line },
                        "expected CLASS LATENCY [INTERVAL], a class of "
                        "tile.isa and numbers up to 1000000");
            ok = false;
        }
        line = *end ? end + 1 : end;
    }
    return ok;
}
