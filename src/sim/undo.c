/* SPDX-License-Identifier: Apache-2.0 */
/* Pages as they were, found by where they are on the host. */
#include "sim/undo.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sim/mem.h"

struct page {
    uint8_t *host; /* NULL: no page is here */
    uint8_t *was;  /* NULL: not written */
    bool read;
};

struct sim_undo {
    pthread_mutex_t lock;
    struct page *page; /* open addressing; cap: a power of two */
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
    for (size_t i = 0; i < u->cap; i++)
        free(u->page[i].was);
    free(u->page);
    pthread_mutex_destroy(&u->lock);
    free(u);
}

static struct page *
find(const struct sim_undo *u, const uint8_t *host)
{
    size_t i = (uintptr_t)host / SIM_PAGE * UINT64_C(0x9e3779b97f4a7c15) >> 20;
    while (u->page[i & (u->cap - 1)].host &&
           u->page[i & (u->cap - 1)].host != host)
        i++;
    return &u->page[i & (u->cap - 1)];
}

static bool
grow(struct sim_undo *u)
{
    struct sim_undo bigger = *u;
    bigger.cap = u->cap ? 2 * u->cap : 256;
    bigger.page = calloc(bigger.cap, sizeof *bigger.page);
    if (!bigger.page)
        return false;
    for (size_t i = 0; i < u->cap; i++)
        if (u->page[i].host)
            *find(&bigger, u->page[i].host) = u->page[i];
    free(u->page);
    u->page = bigger.page;
    u->cap = bigger.cap;
    return true;
}

/* With the lock held: the entry of a page; NULL: no room. */
static struct page *
enter(struct sim_undo *u, uint8_t *host)
{
    if (2 * u->n >= u->cap && !grow(u))
        return NULL;
    struct page *p = find(u, host);
    u->n += !p->host;
    p->host = host;
    return p;
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
    for (size_t i = 0; i < u->cap; i++)
        if (u->page[i].was)
            memcpy(u->page[i].host, u->page[i].was, SIM_PAGE);
}
