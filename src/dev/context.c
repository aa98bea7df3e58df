/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: the memory that programs can access.  dev/paging.h has the tables. */
#include <assert.h>
#include <stdlib.h>

#include "base/debug_assert.h"
#include "dev/device.h"
#include "dev/error.h"
#include "dev/load.h"
#include "dev/memory.h"
#include "dev/program.h"
#include "dev/queue.h"

struct ventus_dev_context *
ventus_dev_context_new(struct ventus_dev *d)
{
    struct ventus_dev_context *c = calloc(1, sizeof *c);
    if (c)
        c->dev = d;
    else
        dev_fail_memory("a context");
    return c;
}

/* Takes memory of launches out of a context that is freed; the next launch maps it in
 * its own. */
static void
release_scratch(struct ventus_dev_context *c, struct scratch *s)
{
    assert(!s->context || s->context->dev == c->dev);
    if (s->context != c)
        return;
    paging_unmap(&c->dev->paging, &c->tables, s->address, s->capacity);
    space_find(&c->dev->space, s->address)->owner = NULL;
    s->context = NULL;
}

static void
remove_context(struct ventus_dev_context *c)
{
    struct ventus_dev *d = c->dev;
    release_scratch(c, &d->args);
    release_scratch(c, &d->private_memory);
    release_scratch(c, &d->print);
    for (struct ventus_dev_program *p = d->programs, *next; p; p = next) {
        next = program_next(p);
        if (program_context(p) == c)
            program_remove(p);
    }
    for (size_t i = d->space.n; i-- > 0;)
        if (d->space.range[i].owner == c)
            memory_free(d, &d->space.range[i]);
    paging_remove_context(&d->paging, &c->tables);
    struct ventus_dev_context **link = &d->contexts;
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    assert(!c->tables.roots);
}

void
ventus_dev_context_free(struct ventus_dev_context *c)
{
    if (!c)
        return;
    struct ventus_dev *d = c->dev;
    queue_wait_all(d);
    ticket_lock_acquire(&d->lock);
    assert(c != &d->own);
    if (c->linked)
        remove_context(c);
    ticket_lock_release(&d->lock);
    free(c);
}
