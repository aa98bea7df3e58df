/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The print buffer, for the calls that src/cc/front/printf.c makes of
 * printf; docs/printf.md has the format and the order of these calls.
 *
 * Work-items reserve room for a record, begin it by its first word, the size plus 1, fill
 * it, and complete it by the same word, which is its size then; the host hands on complete
 * records.
 */
#include "ventus.h"

#define RELAXED memory_order_relaxed, memory_scope_device

struct print_buffer {
    atomic_uint used; /* bytes of records, complete or not */
    uint zero;
    uint records[];
};

static global struct print_buffer *
buffer(void)
{
    return (global struct print_buffer *)(size_t)__ventus_knl_word(
        KNL_PRINT_ADDR);
}

/* Can a record of this size ever be written? */
int
__ventus_print_begin(uint size)
{
    global struct print_buffer *b = buffer();
    return b && size <= __ventus_knl_word(KNL_PRINT_SIZE) - sizeof *b;
}

/*
 * 1, after four divisions.  Without them the warps that ask again and again can
 * take all of the fetch bandwidth from the warps whose records are not complete: the
 * Chisel design fetches for the lowest slot first (docs/microarchitecture.md, Fetch).
 */
static uint
backoff(global const struct print_buffer *b)
{
    uint one = b->zero + 1, x = UINT_MAX;
    for (int i = 0; i < 4; i++)
        x /= one;
    return x & 1;
}

/* Room for a record, or NULL: another work-item was faster, or the buffer is full
 * and the host was asked to empty it. */
global uint *
__ventus_print_slot(uint size)
{
    global struct print_buffer *b = buffer();
    uint used = __opencl_atomic_load(&b->used, RELAXED);
    if (used + size > __ventus_knl_word(KNL_PRINT_SIZE) - sizeof *b) {
        __ventus_print(backoff(b));
        return 0;
    }
    global uint *record = b->records + used / sizeof(uint);
    if (!__opencl_atomic_compare_exchange_strong(
            &b->used, &used, used + size, memory_order_relaxed, RELAXED))
        return 0;
    __opencl_atomic_store((global atomic_uint *)record, size + 1, RELAXED);
    return record;
}

void
__ventus_print_end(global uint *record, uint size)
{
    __opencl_atomic_store((global atomic_uint *)record, size,
                          memory_order_release, memory_scope_device);
}

/* Keeps work-items that have their record inside of the loop in which the
 * others still ask: a fence is not moved, and nothing is threaded past it. */
void
__ventus_print_again(void)
{
    __ventus_fence(FENCE_DRAIN);
}
