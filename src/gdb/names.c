/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/names.h"

#include <assert.h>

static uint64_t
number_at(void *const *at)
{
    return at ? (uintptr_t)*at : 0;
}

uint64_t
gdb_name_of(const struct gdb_names *n, const struct gdb_machine *m,
            const struct gdb_thread *t)
{
    return number_at(map_find_number(&n->number, gdb_thread_number(m, t)));
}

uint64_t
gdb_name_told(struct gdb_names *n, const struct gdb_machine *m,
              const struct gdb_thread *t)
{
    uint64_t item = gdb_thread_number(m, t);
    void **at = map_put_number(&n->arena, &n->number, item);
    if (*at)
        return number_at(at);
    vec_push(&n->arena, &n->known, item);
    uint64_t number = n->known.n;
    vec_push(&n->arena, &n->told, number);
    *at = (void *)(uintptr_t)number;
    return number;
}

/* GDB drops those that its next list lacks. */
static void
forget_ended(struct gdb_names *n, const struct gdb_machine *m)
{
    size_t left = 0;
    for (size_t i = 0; i < n->told.n; i++) {
        struct gdb_thread t;
        uint64_t number = n->told.at[i];
        assert(number && number <= n->known.n && "numbers are counted from 1");
        if (gdb_thread_of(m, n->known.at[number - 1], &t))
            n->told.at[left++] = number;
        else
            *map_find_number(&n->number, n->known.at[number - 1]) = NULL;
    }
    n->told.n = left;
}

void
gdb_names_list(struct gdb_names *n, const struct gdb_machine *m)
{
    forget_ended(n, m);
    for (uint64_t item = 0; (item = gdb_thread_next(m, item));) {
        struct gdb_thread t;
        gdb_thread_of(m, item, &t);
        gdb_name_told(n, m, &t);
    }
}

bool
gdb_named(const struct gdb_names *n, const struct gdb_machine *m,
          uint64_t number, struct gdb_thread *t)
{
    if (!number || number > n->known.n)
        return false;
    uint64_t item = n->known.at[number - 1];
    return number_at(map_find_number(&n->number, item)) == number &&
           gdb_thread_of(m, item, t);
}

void
gdb_names_free(struct gdb_names *n)
{
    arena_free(&n->arena);
}
