/* SPDX-License-Identifier: Apache-2.0 */
/* Random operands, and the comparison of two machines that ran the same launch. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "sim/state.h"

static uint64_t state;

static inline uint32_t
random_below(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

/* Often a corner: of integers, of binary32, the high half of one of binary64. */
static inline uint32_t
random_word(void)
{
    static const uint32_t corners[] = {
        0,          1,          2,          31,         0x7fffffff, 0x80000000,
        0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
        0x7f800001, 0xffc00001, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff,
        0x4b000001, 0xcf000000, 0x4f800000, 0x33800000, 0x3f800001, 0x4b7fffff,
        0x3effffff, 0x00ffffff, 0x7fbfffff, 0x7ff00000, 0xfff80000, 0x7ff7ffff,
        0x000fffff, 0x3ff00000, 0x41dfffff, 0xc1e00000, 0x7f,       0xff80
    };
    if (random_below(3))
        return corners[random_below(sizeof corners / sizeof *corners)];
    return random_below(0x10000) << 16 | random_below(0x10000);
}

static inline const char *
name_element(const struct sim_warp *a, const struct sim_warp *b)
{
    static char text[80];
    unsigned i = 0;
    while (a->v[i] == b->v[i])
        i++;
    snprintf(text, sizeof text,
             "v%u, lane %u, 0x%08x and 0x%08x:", i / a->lanes, i % a->lanes,
             a->v[i], b->v[i]);
    return text;
}

/* The difference between two warps that ran the same; NULL: there is none. */
static inline const char *
compare_warps(const struct sim_warp *a, const struct sim_warp *b)
{
    size_t bytes = (size_t)SIM_VREGS * a->lanes * sizeof *a->v;
    if (memcmp(a->x, b->x, SIM_XREGS * sizeof *a->x))
        return "scalar registers";
    if (memcmp(a->v, b->v, bytes))
        return name_element(a, b);
    if (a->fflags != b->fflags)
        return "flags";
    if (a->mask != b->mask || a->exec != b->exec || a->depth != b->depth)
        return "active lanes";
    if (a->rpc != b->rpc || a->vl != b->vl || a->vtype != b->vtype ||
        a->frm != b->frm || a->vxsat != b->vxsat)
        return "control registers";
    if (a->retired != b->retired)
        return "count of instructions";
    if (!a->next || !b->next)
        return a->next == b->next ? NULL : "beginnings";
    return a->next->pc != b->next->pc || a->stop != b->stop ? "pc" : NULL;
}

/* The same of the warps of the last workgroup. */
static inline const char *
compare_groups(const struct ventus_sim *a, const struct ventus_sim *b)
{
    const struct sim_group *g = a->worker[0].group, *h = b->worker[0].group;
    for (unsigned i = 0; i < g->warps; i++) {
        const char *what = compare_warps(&g->warp[i], &h->warp[i]);
        if (what)
            return what;
    }
    return NULL;
}

static inline bool
is_same_fault(const struct ventus_sim_fault *a,
              const struct ventus_sim_fault *b)
{
    return a->kind == b->kind && a->lane == b->lane &&
           a->address == b->address && !strcmp(a->text, b->text);
}
