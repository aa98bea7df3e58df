/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/command.h"

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
    if (c->n_uses == c->room) {
        size_t room = c->room ? 2 * c->room : 4;
        struct object **uses = realloc(c->uses, room * sizeof *uses);
        if (!uses)
            return false;
        c->uses = uses;
        c->room = room;
    }
    assert(c->n_uses < c->room);
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
