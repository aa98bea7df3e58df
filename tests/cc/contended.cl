// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL2.0
// @skip pocl (has no atomics of 64 bits of OpenCL C 2.0)
// Many threads at one lock of the 64-bit atomics: the warp that has it must come to
// give it back, however the others wait.

// @kernel exchanged
// @grid 128 @local 32
// @inout p u64 [0, 0]
// @expect p = [0, 128]
kernel void
exchanged(global atomic_ulong *p)
{
    ulong e = 0;
    while (!atomic_compare_exchange_strong_explicit(
        p + 1, &e, e + 1, memory_order_acq_rel, memory_order_acquire,
        memory_scope_device))
        ;
}

// @kernel added
// @grid 64 @local 64
// @inout p u64 [0]
// @expect p = [2016]
kernel void
added(global atomic_ulong *p)
{
    atomic_fetch_add_explicit(p, get_global_id(0), memory_order_relaxed,
                              memory_scope_device);
}

// @kernel long_lock
// @grid 64 @local 64
// @inout lock u64 [0]
// @inout sum i32 [0]
// @expect sum = [64]
kernel void
long_lock(global atomic_ulong *lock, global int *sum)
{
    ulong free = 0;
    while (!atomic_compare_exchange_strong_explicit(
        lock, &free, 1ul << 40, memory_order_acquire,
        memory_order_relaxed, memory_scope_device))
        free = 0;
    *sum += 1;
    atomic_store_explicit(lock, 0ul, memory_order_release,
                          memory_scope_device);
}
