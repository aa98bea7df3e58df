/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/segments.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "dev/device.h"
#include "dev/error.h"

enum { PF_X = 1, PF_W = 2 };

bool
segments_is_loaded(const struct elf_segment *s)
{
    return s->type == ELF_PT_LOAD && s->mem_size;
}

static int
by_address(const void *a, const void *b)
{
    const struct elf_segment *const *x = a, *const *y = b;
    return ((*x)->vaddr > (*y)->vaddr) - ((*x)->vaddr < (*y)->vaddr);
}

static bool
check_place(const char *name, const struct elf_segment *s)
{
    if (s->vaddr >= DEV_CODE && s->mem_size <= DEV_CODE_SIZE &&
        s->vaddr - DEV_CODE <= DEV_CODE_SIZE - s->mem_size)
        return true;
    return dev_fail("%s: segment at 0x%" PRIx64 " of %" PRIu64
                    " bytes is not between 0x80000000 and 0x8fffffff",
                    name, s->vaddr, s->mem_size);
}

/* Sorts the segments that are loaded by address; NULL, with dev_fail: one is where
 * none may be. */
static const struct elf_segment **
sort(struct arena *a, const char *name, const struct elf *elf,
     const struct config *config, size_t *count)
{
    uint64_t most = config->value[CONFIG_program_segments], size_B = 0;
    const struct elf_segment **list =
        arena_new(a, const struct elf_segment *, elf->n_segments + 1);
    size_t n = 0;
    for (size_t i = 0; i < elf->n_segments; i++) {
        const struct elf_segment *s = &elf->segment[i];
        if (!segments_is_loaded(s))
            continue;
        if (!check_place(name, s))
            return NULL;
        list[n++] = s;
        size_B += s->mem_size; /* 65535 of 256 MiB at most: no overflow */
    }
    *count = n;
    if (!n)
        dev_fail("%s: nothing to load; is it linked?", name);
    else if (n > most)
        dev_fail("%s: expected %" PRIu64 " segments at most "
                 "(program_segments), found %zu",
                 name, most, n);
    else if (size_B > config->value[CONFIG_program_size])
        dev_fail("%s: expected segments of %" PRIu64 " bytes at most "
                 "(program_size), found %" PRIu64,
                 name, config->value[CONFIG_program_size], size_B);
    else
        qsort(list, n, sizeof(const struct elf_segment *), by_address);
    return n && n <= most && size_B <= config->value[CONFIG_program_size]
               ? list
               : NULL;
}

/* The next one, by address: a part of the last run, or a run of its own. */
static void
add_run(struct segments *s, const struct elf_segment *g)
{
    struct segment_run *last = s->n ? &s->run[s->n - 1] : NULL;
    uint64_t end = g->vaddr + g->mem_size;
    assert(!last || g->vaddr >= last->hi); /* by address, none overlaps */
    if (last && g->vaddr < space_pages(last->hi))
        last->hi = end;
    else
        s->run[s->n++] =
            (struct segment_run){ .lo = g->vaddr / SPACE_PAGE * SPACE_PAGE,
                                  .hi = end };
}

static void
add_perm(struct segments *s, const struct elf_segment *g)
{
    unsigned perm = ENGINE_READ | (g->flags & PF_W ? ENGINE_WRITE : 0) |
                    (g->flags & PF_X ? ENGINE_EXEC : 0);
    uint64_t last = (g->vaddr + g->mem_size - 1 - s->lo) / SPACE_PAGE;
    assert(g->vaddr >= s->lo && last < (s->hi - s->lo) / SPACE_PAGE);
    for (uint64_t i = (g->vaddr - s->lo) / SPACE_PAGE; i <= last; i++)
        s->perm[i] |= (uint8_t)perm;
}

bool
segments_read(struct arena *a, const char *name, const struct elf *elf,
              const struct config *config, struct segments *s)
{
    size_t n;
    const struct elf_segment **list = sort(a, name, elf, config, &n);
    *s = (struct segments){ .n = 0 };
    if (!list)
        return false;
    for (size_t i = 1; i < n; i++)
        if (list[i]->vaddr < list[i - 1]->vaddr + list[i - 1]->mem_size)
            return dev_fail("%s: segment at 0x%" PRIx64 " overlaps the one at "
                            "0x%" PRIx64 " of %" PRIu64 " bytes",
                            name, list[i]->vaddr, list[i - 1]->vaddr,
                            list[i - 1]->mem_size);
    s->run = arena_new(a, struct segment_run, n);
    for (size_t i = 0; i < n; i++)
        add_run(s, list[i]);
    s->lo = s->run[0].lo;
    s->hi = space_pages(s->run[s->n - 1].hi);
    assert(s->lo >= DEV_CODE && s->hi <= DEV_CODE + DEV_CODE_SIZE);
    s->perm = arena_new(a, uint8_t, (s->hi - s->lo) / SPACE_PAGE);
    for (size_t i = 0; i < n; i++)
        add_perm(s, list[i]);
    return true;
}

void
segments_pad(struct segments *s, bool padded)
{
    for (size_t i = 0; i < s->n; i++) {
        struct segment_run *r = &s->run[i];
        r->end = space_pages(r->hi);
        unsigned perm = s->perm[(r->end - SPACE_PAGE - s->lo) / SPACE_PAGE];
        bool is_free = i + 1 == s->n ? r->end < DEV_CODE + DEV_CODE_SIZE
                                     : r->end < s->run[i + 1].lo;
        if (!padded || perm & ENGINE_EXEC)
            continue;
        if (is_free)
            r->end += SPACE_PAGE;
        uint64_t rest = r->end - r->hi;
        r->padding = rest < SPACE_PADDING ? rest : SPACE_PADDING;
    }
}
