/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/print.h"

#include <assert.h>
#include <string.h>

bool
print_wanted(const struct ventus_dev_launch *l)
{
    return !l->bare && ((l->hooks && l->hooks->print) ||
                        (l->printed && program_formats(l->kernel->program)));
}

void
print_open(struct print *p, struct ventus_dev *d,
           const struct ventus_dev_launch *l)
{
    struct space_range *r = space_find(&d->space, d->print.address);
    assert(r && r->address == d->print.address); /* prepare has made it */
    *p = (struct print){ .launch = l, .dev = d, .size = d->print.size };
    p->text_limit = (size_t)d->config.value[CONFIG_print_text];
    uint64_t there;
    p->at = d->ops->pointer(d->machine, r->physical, &there);
    assert(p->at && there >= p->size && (uintptr_t)p->at % 4 == 0);
    memset(p->at, 0, p->size);
}

static void
hand_on(struct print *p, const uint8_t *records, size_t size)
{
    assert(size >= 4 && size % 4 == 0);
    const struct ventus_dev_hooks *hooks = p->launch->hooks;
    if (p->quiet)
        return;
    if (hooks && hooks->print)
        hooks->print(hooks->ctx, records, size);
    else
        printed_write(p, records, size);
}

static uint32_t
load_word(const uint8_t *at)
{
    return __atomic_load_n((const uint32_t *)(const void *)at,
                           __ATOMIC_ACQUIRE);
}

/* Other warps may append while this runs on the thread of one of them. */
void
print_drain(struct print *p)
{
    uint8_t *records = p->at + PRINT_HEADER_B;
    uint32_t room = (uint32_t)(p->size - PRINT_HEADER_B);
    assert(p->size > PRINT_HEADER_B && p->drained <= room);
    uint32_t used = load_word(p->at);
    if (used > room)
        used = room;
    uint32_t end = p->drained;
    while (end < used && used - end >= 4) {
        uint32_t size = load_word(records + end);
        if (size < 4 || size % 4 || size > used - end)
            break; /* not complete yet, or nonsense that is never completed */
        end += size;
    }
    if (end > p->drained)
        hand_on(p, records + p->drained, end - p->drained);
    p->drained = end;
    if (end < used || !used)
        return;
    /* Room is reused zeroed, so that an unfinished record has size 0. */
    memset(records, 0, used);
    uint32_t expected = used;
    if (__atomic_compare_exchange_n((uint32_t *)(void *)p->at, &expected, 0,
                                    false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        p->drained = 0;
}
