/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/capture/past.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
past_free_launch(struct past_launch *l)
{
    free(l->kernel);
    free(l->program);
    if (l->fd >= 0)
        close(l->fd);
}

/* The oldest `n`. */
static void
past_drop(struct past *p, size_t n)
{
    assert(n <= p->n);
    if (!n)
        return;
    for (size_t i = 0; i < n; i++) {
        p->used_B -= p->launch[i].size;
        past_free_launch(&p->launch[i]);
    }
    p->n -= n;
    memmove(p->launch, p->launch + n, p->n * sizeof *p->launch);
}

static bool
past_grow(struct past *p)
{
    if (p->n < p->cap)
        return true;
    size_t cap = p->cap ? 2 * p->cap : 16;
    struct past_launch *list = realloc(p->launch, cap * sizeof *list);
    if (!list)
        return false;
    p->launch = list;
    p->cap = cap;
    return true;
}

void
past_add(struct past *p, int fd, const char *kernel, const char *program)
{
    struct stat st;
    struct past_launch l = { .fd = fd,
                             .kernel = strdup(kernel),
                             .program = strdup(program) };
    p->launches++;
    if (fd < 0 || fstat(fd, &st) != 0 || !l.kernel || !l.program ||
        !past_grow(p)) {
        past_free_launch(&l);
        past_drop(p, p->n);
        return;
    }
    l.size = (uint64_t)st.st_size;
    p->launch[p->n++] = l;
    p->used_B += l.size;
    uint64_t used = p->used_B;
    size_t surplus = 0;
    for (; surplus < p->n && used > p->max_B; surplus++)
        used -= p->launch[surplus].size;
    past_drop(p, surplus);
}

const struct past_launch *
past_find(const struct past *p, uint64_t number)
{
    assert(number < p->launches && p->launches - number <= p->n);
    return &p->launch[p->n - (size_t)(p->launches - number)];
}

void
past_free(struct past *p)
{
    past_drop(p, p->n);
    free(p->launch);
    p->launch = NULL;
    p->cap = 0;
}
