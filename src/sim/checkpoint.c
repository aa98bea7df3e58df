/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of pages before their first write, found by host address. */
#include "sim/checkpoint.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/hash.h"
#include "base/held.h"
#include "sim/mem.h"

struct page {
    uint8_t *host;
    uint8_t *copy; /* NULL: not written */
    bool read;
};

struct sim_checkpoint {
    pthread_mutex_t lock;
    struct page *page;
    struct hash_index index; /* rows of `page` by host */
    size_t n, cap;
    atomic_bool incomplete;
};

struct sim_checkpoint *
checkpoint_create(void)
{
    struct sim_checkpoint *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    pthread_mutex_init(&c->lock, NULL);
    atomic_init(&c->incomplete, false);
    return c;
}

void
checkpoint_forget(struct sim_checkpoint *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->page[i].copy);
    free(c->page);
    hash_free(&c->index);
    c->page = NULL;
    c->n = c->cap = 0;
    atomic_store(&c->incomplete, false);
}

void
checkpoint_destroy(struct sim_checkpoint *c)
{
    if (!c)
        return;
    checkpoint_forget(c);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static bool
grow(struct sim_checkpoint *c)
{
    size_t cap = c->cap ? 2 * c->cap : 128;
    struct page *page = realloc(c->page, cap * sizeof *page);
    if (!page)
        return false;
    c->page = page;
    c->cap = cap;
    return true;
}

/* With the lock held: the entry of a page; NULL: no host memory. */
static struct page *
enter(struct sim_checkpoint *c, uint8_t *host)
{
    assert_held(&c->lock);
    assert((uintptr_t)host % SIM_PAGE == 0);
    uint32_t hash = hash_u64((uintptr_t)host), row;
    hash_each (&c->index, hash, row)
        if (c->page[row].host == host)
            return &c->page[row];
    if ((c->n == c->cap && !grow(c)) || !hash_add(&c->index, hash, c->n))
        return NULL;
    assert(c->n < c->cap);
    c->page[c->n] = (struct page){ .host = host };
    return &c->page[c->n++];
}

static bool
copy_page(struct page *p)
{
    if (p->copy)
        return true;
    p->copy = malloc(SIM_PAGE);
    if (p->copy)
        memcpy(p->copy, p->host, SIM_PAGE);
    return p->copy != NULL;
}

static uint8_t *
page_of(const uint8_t *host)
{
    return (uint8_t *)((uintptr_t)host & ~(uintptr_t)(SIM_PAGE - 1));
}

bool
checkpoint_before_write(struct sim_checkpoint *c, uint8_t *host)
{
    struct guard_lock held;
    guard_lock(&held, &c->lock);
    struct page *p = enter(c, page_of(host));
    bool copied = p && copy_page(p);
    if (!copied || p->read)
        atomic_store(&c->incomplete, true);
    guard_unlock(&held);
    return copied;
}

void
checkpoint_on_read(struct sim_checkpoint *c, const uint8_t *host)
{
    struct guard_lock held;
    guard_lock(&held, &c->lock);
    struct page *p = enter(c, page_of(host));
    if (p)
        p->read = true;
    if (!p || p->copy)
        atomic_store(&c->incomplete, true);
    guard_unlock(&held);
}

bool
checkpoint_is_complete(const struct sim_checkpoint *c)
{
    return !atomic_load(&c->incomplete);
}

bool
checkpoint_merge(struct sim_checkpoint *c, struct sim_checkpoint *later)
{
    bool ok = true;
    struct guard_lock held;
    guard_lock(&held, &c->lock);
    for (size_t i = 0; i < later->n; i++) {
        struct page *from = &later->page[i], *to;
        if (!from->copy)
            continue;
        to = enter(c, from->host);
        ok &= to != NULL;
        if (!to || to->copy)
            continue; /* it was written before the later one began */
        to->copy = from->copy;
        from->copy = NULL;
    }
    guard_unlock(&held);
    checkpoint_destroy(later);
    return ok;
}

void
checkpoint_restore(const struct sim_checkpoint *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->page[i].copy)
            memcpy(c->page[i].host, c->page[i].copy, SIM_PAGE);
}
