/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers, fences, and copies by the whole workgroup. */
#include "ventus.h"

/* The bits behind the fence flags, 2 is the device (opencl-c-base.h). */
enum { SCOPE_SHIFT = 3 };

OVERLOAD void
barrier(cl_mem_fence_flags flags)
{
    __ventus_barrier(flags | memory_scope_work_group << SCOPE_SHIFT);
}

OVERLOAD void
work_group_barrier(cl_mem_fence_flags flags)
{
    barrier(flags);
}

OVERLOAD void
work_group_barrier(cl_mem_fence_flags flags, memory_scope scope)
{
    __ventus_barrier(flags | scope << SCOPE_SHIFT);
}

OVERLOAD void
mem_fence(cl_mem_fence_flags flags)
{
    __ventus_fence(flags | memory_scope_work_group << SCOPE_SHIFT);
}

OVERLOAD void
read_mem_fence(cl_mem_fence_flags flags)
{
    mem_fence(flags);
}

OVERLOAD void
write_mem_fence(cl_mem_fence_flags flags)
{
    mem_fence(flags);
}

OVERLOAD void
atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                       memory_scope scope)
{
    if (order != memory_order_relaxed)
        __ventus_fence(flags | scope << SCOPE_SHIFT);
}

/*
 * The copies are complete when the call returns for all work-items, which is
 * at the barrier of wait_group_events: events themselves hold nothing.  spir
 * takes them by a generic pointer in every version, hence the name.
 */
void
wait_events(int n, const void *events) __asm__(
    "_Z17wait_group_eventsiPU3AS49ocl_event");
void
wait_events(int n, const void *events)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

static uint
group_size(void)
{
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

/* Element i of one side goes to element i of the other; the side that is
 * global may have a stride. */
#define COPY(TO_STRIDE, FROM_STRIDE)                               \
    {                                                              \
        uint step = group_size();                                  \
        for (size_t i = __ventus_local_linear(); i < n; i += step) \
            to[i * (TO_STRIDE)] = from[i * (FROM_STRIDE)];         \
        return event;                                              \
    }

#define COPIES(T)                                                              \
    OVERLOAD event_t async_work_group_copy(local T *to, const global T *from,  \
                                           size_t n, event_t event) COPY(1, 1) \
        OVERLOAD event_t                                                       \
        async_work_group_copy(global T *to, const local T *from, size_t n,     \
                              event_t event) COPY(1, 1) OVERLOAD event_t       \
        async_work_group_strided_copy(local T *to, const global T *from,       \
                                      size_t n, size_t stride, event_t event)  \
            COPY(1, stride) OVERLOAD event_t                                   \
            async_work_group_strided_copy(global T *to, const local T *from,   \
                                          size_t n, size_t stride,             \
                                          event_t event) COPY(stride, 1)       \
                OVERLOAD void                                                  \
                prefetch(const global T *p, size_t n)                          \
    {                                                                          \
    }

#define ALL_COPIES(T) FOR_WIDTHS(COPIES, T)
FOR_SCALARS(ALL_COPIES)
