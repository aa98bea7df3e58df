/* SPDX-License-Identifier: Apache-2.0 */
#include "dbg/access.h"

#include <assert.h>
#include <stdbool.h>

#include "model/memory/local.h"

enum { LANES_MAX = 64 };

/* Sorts the addresses of the active lanes; returns their number. */
static unsigned
sort_addresses(uint64_t at[LANES_MAX], const struct ventus_sim_step *s)
{
    unsigned n = 0;
    if (s->scalar_access) {
        at[0] = s->addresses[0];
        return 1;
    }
    for (uint64_t left = s->exec; left; left &= left - 1) {
        uint64_t x = s->addresses[__builtin_ctzll(left)];
        unsigned i = n++;
        for (; i && at[i - 1] > x; i--)
            at[i] = at[i - 1];
        at[i] = x;
    }
    return n;
}

static void
count_lines(struct spot_use *u, const uint64_t *at, unsigned n,
            unsigned access_B, unsigned line_B)
{
    unsigned lines = 0, different = 0;
    uint64_t next = 0; /* lines below `next` are counted */
    for (unsigned i = 0; i < n; i++) {
        uint64_t first = at[i] / line_B, last = (at[i] + access_B - 1) / line_B;
        different += !i || at[i] != at[i - 1];
        if (first < next)
            first = next;
        for (; first <= last; first++)
            lines++;
        if (last + 1 > next)
            next = last + 1;
    }
    u->accesses++;
    if (different > 1 && !u->private && !u->atomic) {
        u->several++;
        u->several_lines += lines;
    }
    u->scalars += access_B == 4 && different == n && n > 1 &&
                  at[n - 1] - at[0] == 4 * (n - 1);
    u->bytes += (uint64_t)n * access_B;
    u->lines += lines;
    u->least += ((uint64_t)different * access_B + line_B - 1) / line_B;
    u->same += different == 1 && u->accesses > 1 && u->last == at[0];
    u->last = at[0];
}

/* Counts the passes of local memory.  The LSU asks for one line at a time; lanes of a
 * line whose words are in one bank, even the same word, are served one after the
 * other. */
static void
count_passes(struct spot_use *u, const uint64_t *at, unsigned n, unsigned banks,
             unsigned line_B)
{
    assert(banks <= LANES_MAX && "the array has an element for each bank");
    for (unsigned i = 0; i < n;) {
        unsigned in[LANES_MAX] = { 0 }, most = 0;
        uint64_t line = at[i] / line_B;
        for (; i < n && at[i] / line_B == line; i++) {
            unsigned now = ++in[at[i] / 4 % banks];
            most = now > most ? now : most;
        }
        u->passes += most;
    }
    u->local++;
    u->least_passes += (n + banks - 1) / banks;
}

void
spot_count(struct spot_use *u, const struct ventus_sim_step *s, unsigned line_B,
           unsigned banks)
{
    const struct ventus_isa_info *info = &ventus_isa_info[s->in->op];
    uint64_t at[LANES_MAX];
    u->barrier = info->flags & VENTUS_ISA_F_BARRIER;
    if (info->format == VENTUS_ISA_FORMAT_VB) {
        u->branches++;
        u->splits += s->next_mask != s->mask;
    }
    unsigned n = s->access_B ? sort_addresses(at, s) : 0;
    if (!n)
        return;
    u->load = info->flags & VENTUS_ISA_F_LOAD;
    u->private = info->flags & VENTUS_ISA_F_PRIVATE;
    u->atomic = info->flags & VENTUS_ISA_F_ATOMIC;
    u->atomics += u->atomic && !local_has(at[0]) ? n : 0;
    if (!local_has(at[0]))
        count_lines(u, at, n, s->access_B, line_B);
    else if (banks)
        count_passes(u, at, n, banks, line_B);
}
