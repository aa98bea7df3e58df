/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/queue/command.h"

#include <assert.h>
#include <stdlib.h>

void *
command_new(size_t size, cl_int (*run)(struct command *, cl_event))
{
    assert(size >= sizeof(struct command) && run);
    struct command *c = calloc(1, size);
    if (c)
        c->run = run;
    return c;
}

bool
command_use(struct command *c, void *object)
{
    if (c->n_uses == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 4;
        struct object **uses = realloc(c->uses, capacity * sizeof *uses);
        if (!uses)
            return false;
        c->uses = uses;
        c->capacity = capacity;
    }
    assert(c->n_uses < c->capacity);
    c->uses[c->n_uses++] = object_ref(object);
    return true;
}

void
command_free(struct command *c)
{
    if (!c)
        return;
    if (c->drop)
        c->drop(c);
    for (size_t i = 0; i < c->n_uses; i++)
        object_unref(c->uses[i]);
    free(c->uses);
    free(c);
}
