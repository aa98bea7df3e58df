/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The print buffer, for the calls that src/cc/llvm/front_printf.c makes of
 * printf; docs/printf.md has the format and the order of these calls.
 *
 * Work-items reserve room for a record, fill it, and complete it by its first
 * word, which is its size; the host hands on complete records.
 */
#include "ventus.h"

struct print_buffer {
    volatile uint used; /* bytes of records, complete or not */
    uint zero;
    uint records[];
};

static global struct print_buffer *
buffer(void)
{
    return (global struct print_buffer *)__ventus_knl_word(KNL_PRINT_ADDR);
}

/* Can a record of this size ever be written? */
int
__ventus_print_begin(uint size)
{
    global struct print_buffer *b = buffer();
    return b && size <= __ventus_knl_word(KNL_PRINT_SIZE) - sizeof *b;
}

/* Room for a record, or NULL: somebody else was faster, or the buffer is full
 * and the host was asked to empty it. */
global uint *
__ventus_print_slot(uint size)
{
    global struct print_buffer *b = buffer();
    uint used = b->used;
    if (used + size > __ventus_knl_word(KNL_PRINT_SIZE) - sizeof *b) {
        __ventus_print(1);
        return 0;
    }
    if (__sync_val_compare_and_swap(&b->used, used, used + size) != used)
        return 0;
    return b->records + used / sizeof(uint);
}

void
__ventus_print_end(global uint *record, uint size)
{
    enum { DEVICE = memory_scope_device << 3 };
    __ventus_fence(CLK_GLOBAL_MEM_FENCE | DEVICE);
    *(volatile global uint *)record = size;
}

/* Keeps work-items that have their record inside of the loop in which the
 * others still ask: a fence is not moved, and nothing is threaded past it. */
void
__ventus_print_again(void)
{
    __ventus_fence(CLK_GLOBAL_MEM_FENCE);
}
