/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The print buffer, as printf.c makes calls to these (docs/printf.md).
 *
 * It is a ring that all work-items append to and the host drains.  A record
 * is room reserved with one atomic addition, filled, and completed by its
 * first word, which is its size; the host takes complete records only and
 * leaves zeros behind.  Behind the ring is room for the rest of a record
 * that begins at its end.
 */
#include "ventus.h"

struct print_buffer {
    volatile uint head; /* bytes ever reserved, modulo 2^32 */
    volatile uint tail; /* bytes ever drained; the host writes it */
    uint size;          /* of the ring, a power of two */
    uint most;          /* bytes of the largest record */
    uint ring[];
};

static global struct print_buffer *
buffer(void)
{
    return (global struct print_buffer *)__ventus_knl_word(KNL_PRINT_ADDR);
}

/* The place of a record; 1, which is no place, if nothing can be printed. */
uint
__ventus_print_begin(uint size)
{
    global struct print_buffer *b = buffer();
    if (!b || size > b->most)
        return 1;
    return __sync_fetch_and_add(&b->head, size);
}

/* Where to write it, or NULL if the host must drain first, which it was asked
 * to do.  Work-items that got their place write and complete their records
 * before the others ask again: the host waits for these. */
global uint *
__ventus_print_slot(uint at, uint size)
{
    global struct print_buffer *b = buffer();
    if (at + size - b->tail <= b->size)
        return b->ring + (at & (b->size - 1)) / sizeof(uint);
    __ventus_print(1);
    return 0;
}

void
__ventus_print_end(global uint *record, uint size)
{
    enum { DEVICE = memory_scope_device << 3 };
    __ventus_fence(CLK_GLOBAL_MEM_FENCE | DEVICE);
    *(volatile global uint *)record = size;
}
