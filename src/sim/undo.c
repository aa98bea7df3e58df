/* SPDX-License-Identifier: Apache-2.0 */
/* Pages as they were, found by where they are on the host. */
#include "sim/undo.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/held.h"
#include "sim/mem.h"

struct page {
    uint8_t *host;
    uint8_t *was; /* NULL: not written */
    bool read;
};

struct sim_undo {
    pthread_mutex_t lock;
    struct page *page;
    struct hash_index index; /* rows of `page` by host */
    size_t n, cap;
    atomic_bool unsure;
};

struct sim_undo *
undo_create(void)
{
    struct sim_undo *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    pthread_mutex_init(&u->lock, NULL);
    atomic_init(&u->unsure, false);
    return u;
}

void
undo_destroy(struct sim_undo *u)
{
    if (!u)
        return;
    for (size_t i = 0; i < u->n; i++)
        free(u->page[i].was);
    free(u->page);
    hash_free(&u->index);
    pthread_mutex_destroy(&u->lock);
    free(u);
}

static bool
grow(struct sim_undo *u)
{
    size_t cap = u->cap ? 2 * u->cap : 128;
    struct page *page = realloc(u->page, cap * sizeof *page);
    if (!page)
        return false;
    u->page = page;
    u->cap = cap;
    return true;
}

/* With the lock held: the entry of a page; NULL: no room. */
static struct page *
enter(struct sim_undo *u, uint8_t *host)
{
    assert_held(&u->lock);
    assert((uintptr_t)host % SIM_PAGE == 0);
    uint32_t hash = hash_u64((uintptr_t)host), row;
    hash_each (&u->index, hash, row)
        if (u->page[row].host == host)
            return &u->page[row];
    if ((u->n == u->cap && !grow(u)) || !hash_add(&u->index, hash, u->n))
        return NULL;
    assert(u->n < u->cap);
    u->page[u->n] = (struct page){ .host = host };
    return &u->page[u->n++];
}

static bool
keep(struct page *p)
{
    if (p->was)
        return true;
    p->was = malloc(SIM_PAGE);
    if (p->was)
        memcpy(p->was, p->host, SIM_PAGE);
    return p->was != NULL;
}

static uint8_t *
page_of(const uint8_t *host)
{
    return (uint8_t *)((uintptr_t)host & ~(uintptr_t)(SIM_PAGE - 1));
}

bool
undo_write(struct sim_undo *u, uint8_t *host)
{
    pthread_mutex_lock(&u->lock);
    struct page *p = enter(u, page_of(host));
    bool kept = p && keep(p);
    if (!kept || p->read)
        atomic_store(&u->unsure, true);
    pthread_mutex_unlock(&u->lock);
    return kept;
}

void
undo_read(struct sim_undo *u, const uint8_t *host)
{
    pthread_mutex_lock(&u->lock);
    struct page *p = enter(u, page_of(host));
    if (p)
        p->read = true;
    if (!p || p->was)
        atomic_store(&u->unsure, true);
    pthread_mutex_unlock(&u->lock);
}

bool
undo_is_sure(const struct sim_undo *u)
{
    return !atomic_load(&u->unsure);
}

void
undo_restore(const struct sim_undo *u)
{
    for (size_t i = 0; i < u->n; i++)
        if (u->page[i].was)
            memcpy(u->page[i].host, u->page[i].was, SIM_PAGE);
}
