/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers, fences, and copies by the whole workgroup. */
#include "abi/hints.h"
#include "ventus.h"

/*
 * The scope of a barrier as the instruction has it (manual 4.2.4), which is not
 * OpenCL's number; a sub-group's has no code, the workgroup's is wider.
 */
static int
barrier_scope(int scope)
{
    return scope == __OPENCL_MEMORY_SCOPE_WORK_ITEM         ? 1
           : scope == __OPENCL_MEMORY_SCOPE_DEVICE          ? 2
           : scope == __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES ? 3
                                                            : 0;
}

OVERLOAD void
barrier(cl_mem_fence_flags flags)
{
    __ventus_barrier(flags, 0);
}

OVERLOAD void
work_group_barrier(cl_mem_fence_flags flags)
{
    __ventus_barrier(flags, 0);
}

OVERLOAD void
work_group_barrier(cl_mem_fence_flags flags, memory_scope scope)
{
    __ventus_barrier(flags, barrier_scope(scope));
}

/* The instruction has no scope: what is wider than a warp is a fence. */
OVERLOAD void
sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope)
{
    if (barrier_scope(scope) > 1)
        atomic_work_item_fence(flags, memory_order_acq_rel, scope);
    __ventus_barriersub(flags);
}

OVERLOAD void
sub_group_barrier(cl_mem_fence_flags flags)
{
    __ventus_barriersub(flags);
}

/*
 * The weakest fence that says it.  Images are global memory, of which there is
 * no other cache.  What is local, or stays in the workgroup, has one order of
 * the L1D or the local memory already: that in which the warps' accesses come
 * to it.
 */
OVERLOAD void
atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                       memory_scope scope)
{
    if (order == memory_order_relaxed || scope == memory_scope_work_item)
        return;
    if (!IS_WIDE(scope) || !(flags & (CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE)))
        __ventus_fence(FENCE_DRAIN);
    else if (order == memory_order_acquire)
        __ventus_fence(FENCE_ACQUIRE);
    else if (order == memory_order_release)
        __ventus_fence(FENCE_RELEASE);
    else if (order == memory_order_acq_rel)
        __ventus_fence(FENCE_BOTH);
    else
        __ventus_fence(FENCE_ALL);
}

/* OpenCL C 1.2, 6.12.9: "committed to memory", not only to the workgroup. */
OVERLOAD void
mem_fence(cl_mem_fence_flags flags)
{
    atomic_work_item_fence(flags, memory_order_acq_rel, memory_scope_device);
}

OVERLOAD void
read_mem_fence(cl_mem_fence_flags flags)
{
    atomic_work_item_fence(flags, memory_order_acquire, memory_scope_device);
}

OVERLOAD void
write_mem_fence(cl_mem_fence_flags flags)
{
    atomic_work_item_fence(flags, memory_order_release, memory_scope_device);
}

/*
 * The copies are complete when the call returns for all work-items, which is
 * at the barrier of wait_group_events.  An event is a word that is not 0: where the
 * first copy that it stands for goes.  Only a checker looks at it.  spir passes
 * events by a generic pointer in every version, hence name and type.
 */
typedef __attribute__((address_space(4))) event_t generic_event;

void
wait_events(int n, const generic_event *events)
    __asm__("_Z17wait_group_eventsiPU3AS49ocl_event");
void
wait_events(int n, const generic_event *events)
{
    __ventus_hint(HINT_WAIT);
    for (int i = 0; i < n; i++)
        __ventus_tell(__ventus_event_word(events[i]));
    __ventus_hint(HINT_WAITS);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/* clang calls this where the index of an array is outside of it (-fcheck-bounds). */
void
__ubsan_handle_out_of_bounds_minimal(void);
void
__ubsan_handle_out_of_bounds_minimal(void)
{
    __ventus_hint(HINT_BOUNDS);
}

/* The compiler calls this before an access, with the bits of its address that have to be
 * 0 (-fcheck-bounds). */
void
__ventus_check_alignment(uint wrong);
void
__ventus_check_alignment(uint wrong)
{
    if (wrong)
        __ventus_hint(HINT_ALIGN);
}

static uint
group_size(void)
{
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

static void
tell_address(size_t address)
{
    __ventus_tell((uint)address);
    if (sizeof address > 4)
        __ventus_tell((uint)((ulong)address >> 32));
}

static event_t
tell_copy(size_t to, size_t from, size_t n, size_t stride, event_t event)
{
    uint word = __ventus_event_word(event);
    tell_address(to);
    tell_address(from);
    __ventus_tell((uint)n);
    __ventus_tell((uint)stride);
    __ventus_tell(word);
    __ventus_hint(HINT_START);
    return __ventus_event(word ? word : (uint)to | 1);
}

/* Element i goes to element i; the global side may have a stride. */
/* clang-format off */
#define TELL_SIZE(HINT, T) \
    __ventus_hint(HINT + HINT_KINDS * __builtin_ctz(sizeof(T)))
#define COPY(T, TO, FROM)                                             \
    OVERLOAD event_t                                                  \
    async_work_group_copy(TO T *to, const FROM T *from, size_t n,     \
                          event_t event)                              \
    {                                                                 \
        uint step = group_size();                                     \
        TELL_SIZE(HINT_COPY, T);                                      \
        event = tell_copy((size_t)to, (size_t)from, n, 0, event);     \
        for (size_t i = __ventus_local_linear(); i < n; i += step)    \
            to[i] = from[i];                                          \
        __ventus_hint(HINT_END);                                      \
        return event;                                                 \
    }
#define STRIDED_COPY(T, TO, FROM, TO_STRIDE, FROM_STRIDE, HINT)       \
    OVERLOAD event_t                                                  \
    async_work_group_strided_copy(TO T *to, const FROM T *from,       \
                                  size_t n, size_t stride,            \
                                  event_t event)                      \
    {                                                                 \
        uint step = group_size();                                     \
        TELL_SIZE(HINT, T);                                           \
        event = tell_copy((size_t)to, (size_t)from, n, stride, event);\
        for (size_t i = __ventus_local_linear(); i < n; i += step)    \
            to[i * (TO_STRIDE)] = from[i * (FROM_STRIDE)];            \
        __ventus_hint(HINT_END);                                      \
        return event;                                                 \
    }
#define PREFETCH(T)                                                   \
    OVERLOAD void                                                     \
    prefetch(const global T *p, size_t n)                             \
    {                                                                 \
    }
#define COPIES(T)                                                     \
    COPY(T, local, global)                                            \
    COPY(T, global, local)                                            \
    STRIDED_COPY(T, local, global, 1, stride, HINT_FROM)              \
    STRIDED_COPY(T, global, local, stride, 1, HINT_TO)                \
    PREFETCH(T)

#define ALL_COPIES(T) FOR_WIDTHS(COPIES, T)
FOR_SCALARS(ALL_COPIES) ALL_COPIES(half)

/* The same of a divisor of zero. */
void
__ubsan_handle_divrem_overflow_minimal(void);
void
__ubsan_handle_divrem_overflow_minimal(void)
{
    __ventus_hint(HINT_DIVIDE);
}
