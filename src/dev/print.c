/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/print.h"

#include <assert.h>
#include <string.h>

#include "dev/program.h"

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

/* The size of a record, 0 if it is not complete, or nonsense that never will be. */
static uint32_t
complete_size(const uint8_t *record, uint32_t left)
{
    uint32_t size = left >= 4 ? load_word(record) : 0;
    return size < 4 || size % 4 || size > left ? 0 : size;
}

/* Size of a record that is not complete when a launch has ended: one that was begun
 * says how long it is, one that was only reserved is zero up to the next. */
static uint32_t
skipped_size(const uint8_t *record, uint32_t left)
{
    uint32_t word = left >= 4 ? load_word(record) : 0;
    if (word)
        return word > 4 && word % 4 == 1 && word - 1 <= left ? word - 1 : left;
    return left < 4 ? left : 4;
}

static uint32_t
used_B(const struct print *p)
{
    uint32_t used = load_word(p->at),
             available = (uint32_t)(p->size - PRINT_HEADER_B);
    return used < available ? used : available;
}

/* Hands on what is complete, up to the first record that is not.  A kernel may have
 * written anything over the number of bytes used: fewer than were drained, too. */
static void
hand_on_complete(struct print *p, uint32_t used)
{
    const uint8_t *records = p->at + PRINT_HEADER_B;
    uint32_t end = p->drained, size;
    while (end < used && (size = complete_size(records + end, used - end)))
        end += size;
    if (end > p->drained)
        hand_on(p, records + p->drained, end - p->drained);
    p->drained = end;
}

/* Other warps may append while this runs on the thread of one of them. */
void
print_drain(struct print *p)
{
    assert(p->size > PRINT_HEADER_B && p->drained <= p->size - PRINT_HEADER_B);
    uint32_t used = used_B(p);
    hand_on_complete(p, used);
    if (p->drained < used || !used)
        return;
    /* Room is reused zeroed, so that a record that was not begun has size 0. */
    memset(p->at + PRINT_HEADER_B, 0, used);
    uint32_t expected = used;
    if (__atomic_compare_exchange_n((uint32_t *)(void *)p->at, &expected, 0,
                                    false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        p->drained = 0;
}

void
print_end(struct print *p)
{
    uint32_t used = used_B(p);
    for (hand_on_complete(p, used); p->drained < used;
         hand_on_complete(p, used))
        p->drained += skipped_size(p->at + PRINT_HEADER_B + p->drained,
                                   used - p->drained);
}
