/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* process_vm_readv */
#include "dev/capture/before_images.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static bool
before_images_grow(struct before_images *h)
{
    if (h->n < h->cap)
        return true;
    size_t cap = h->cap ? 2 * h->cap : 64;
    struct host_page *page = realloc(h->page, cap * sizeof *page);
    if (!page)
        return false;
    h->page = page;
    h->cap = cap;
    return true;
}

/*
 * Copies a page of this process by a system call: parts of it may be memory that the
 * program must not read itself, such as AddressSanitizer's zones in its heap.
 */
static bool
read_page(uint8_t *to, const void *at)
{
    union {
        const void *from;
        void *base; /* which is not written */
    } page = { .from = at };
    struct iovec local = { to, HOST_PAGE }, remote = { page.base, HOST_PAGE };
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == HOST_PAGE;
}

void
before_images_add(struct before_images *h, uint64_t address, const void *bytes)
{
    uint32_t hash = hash_u64(address), row;
    assert(address % HOST_PAGE == 0 && h->n < HASH_NONE);
    hash_each (&h->index, hash, row)
        if (h->page[row].address == address)
            return;
    uint8_t *copy = malloc(HOST_PAGE);
    if (!copy || !before_images_grow(h) || !hash_add(&h->index, hash, h->n)) {
        free(copy);
        h->lost = true;
        return;
    }
    if (!read_page(copy, bytes))
        memcpy(copy, bytes, HOST_PAGE);
    h->page[h->n++] = (struct host_page){ address, copy };
}

static int
by_address(const void *a, const void *b)
{
    const struct host_page *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

void
before_images_sort(struct before_images *h)
{
    hash_free(&h->index);
    if (h->n)
        qsort(h->page, h->n, sizeof *h->page, by_address);
}

size_t
before_images_run(const struct before_images *h, size_t first)
{
    size_t n = 1;
    assert(first < h->n);
    while (first + n < h->n &&
           h->page[first + n].address == h->page[first].address + n * HOST_PAGE)
        n++;
    return n;
}

uint8_t *
before_images_join(struct arena *a, const struct before_images *h, size_t first,
                   size_t n)
{
    uint8_t *all = arena_new(a, uint8_t, n * HOST_PAGE);
    assert(first + n <= h->n);
    for (size_t i = 0; i < n; i++)
        memcpy(all + i * HOST_PAGE, h->page[first + i].bytes, HOST_PAGE);
    return all;
}

uint8_t *
before_images_now(struct arena *a, uint64_t at, const uint8_t *found,
                  size_t size)
{
    uint8_t *now = arena_new(a, uint8_t, size);
    memcpy(now, found, size);
    for (size_t i = 0; i < size; i += HOST_PAGE)
        if (!read_page(now + i, (const void *)(uintptr_t)(at + i)))
            memcpy(now + i, found + i, HOST_PAGE);
    return now;
}

void
before_images_free(struct before_images *h)
{
    for (size_t i = 0; i < h->n; i++)
        free(h->page[i].bytes);
    free(h->page);
    hash_free(&h->index);
    *h = (struct before_images){ .n = 0 };
}
