/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/padding.h"

#include <string.h>

void
padding_open(struct padding *p)
{
    p->n = p->others = 0;
    pthread_mutex_init(&p->lock, NULL);
}

void
padding_close(struct padding *p)
{
    pthread_mutex_destroy(&p->lock);
}

static struct padding_access *
find_access(struct padding *p, uint64_t pc)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->at[i].pc == pc)
            return &p->at[i];
    return NULL;
}

void
padding_add(struct padding *p, const struct ventus_sim_fault *f, unsigned bytes,
            bool write)
{
    pthread_mutex_lock(&p->lock);
    struct padding_access *a = find_access(p, f->pc);
    bool is_new = !a;
    if (is_new && p->n < PADDING_TOLD)
        a = &p->at[p->n++];
    if (!a)
        p->others++;
    else if (is_new || f->group < a->group) {
        *a = (struct padding_access){ .kind = f->kind,
                                      .pc = f->pc,
                                      .group = f->group,
                                      .address = f->address,
                                      .warp = f->warp,
                                      .bytes = bytes,
                                      .lane = f->lane,
                                      .write = write };
        memcpy(a->group_at, f->group_at, sizeof a->group_at);
    }
    pthread_mutex_unlock(&p->lock);
}
