// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL2.0
// @skip pocl (its atomics with a memory order take no pointers to global memory)
// As locks.cl, with acquire and release.

#define ACQUIRE memory_order_acquire, memory_order_relaxed, memory_scope_device

// @kernel ticket_c11
// @grid 64 @local 64
// @inout l i32 [0, 0]
// @inout sum i32 [0]
// @expect sum = [64]
kernel void
ticket_c11(global atomic_int *l, global int *sum)
{
    int mine = atomic_fetch_add_explicit(l, 1, memory_order_relaxed,
                                         memory_scope_device);
    while (atomic_load_explicit(l + 1, memory_order_acquire,
                                memory_scope_device) != mine)
        ;
    *sum += 1;
    atomic_fetch_add_explicit(l + 1, 1, memory_order_release,
                              memory_scope_device);
}

// @kernel acquire_release
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [sum_(range(128))]
kernel void
acquire_release(global atomic_int *lock, global int *sum)
{
    int free = 0;
    while (!atomic_compare_exchange_strong_explicit(lock, &free, 1, ACQUIRE))
        free = 0;
    *sum += get_global_id(0);
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}

// @kernel flag_c11
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
flag_c11(global atomic_flag *lock, global int *sum)
{
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire,
                                             memory_scope_device))
        ;
    *sum += 1;
    atomic_flag_clear_explicit(lock, memory_order_release,
                               memory_scope_device);
}
