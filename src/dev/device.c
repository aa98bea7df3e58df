/* SPDX-License-Identifier: Apache-2.0 */
/* The lock of a machine, and the contexts in the list of a device. */
#include "dev/device.h"

#include <assert.h>

#include "base/debug_assert.h"

void
ticket_lock_acquire(struct ticket_lock *t)
{
    pthread_mutex_lock(&t->lock);
    uint64_t mine = t->next++;
    while (t->serving != mine)
        pthread_cond_wait(&t->changed, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void
ticket_lock_release(struct ticket_lock *t)
{
    pthread_mutex_lock(&t->lock);
    assert(t->serving < t->next); /* it was taken */
    t->serving++;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

bool
ticket_lock_is_held(struct ticket_lock *t)
{
    pthread_mutex_lock(&t->lock);
    bool taken = t->serving < t->next;
    pthread_mutex_unlock(&t->lock);
    return taken;
}

void
context_link(struct ventus_dev_context *c)
{
    debug_assert(ticket_lock_is_held(&c->dev->lock));
    if (c->linked)
        return;
    c->linked = true;
    c->next = c->dev->contexts;
    c->dev->contexts = c;
}

void
context_forget_all(struct ventus_dev *d)
{
    for (struct ventus_dev_context *c = d->contexts, *next; c; c = next) {
        next = c->next;
        c->tables = (struct paging_context){ 0 };
        c->linked = false;
    }
    d->contexts = NULL;
}
