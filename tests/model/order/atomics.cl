// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL3.0
// What orders and scopes of atomics promise, across SMs whose caches are not
// kept coherent.

// The last workgroup adds up what the others wrote.
// @kernel last_block
// @grid 1024 @local 64
// @in x u32 range(1024)
// @out part u32 16
// @out count u32 1
// @out sum u32 1
// @expect sum = [sum_(range(1024))]
kernel void
last_block(global const uint *x, global uint *part, global atomic_uint *count,
           global uint *sum)
{
    local uint a[64];
    local bool last;
    uint l = get_local_id(0);
    a[l] = x[get_global_id(0)];
    for (uint n = 32; n; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n)
            a[l] += a[l + n];
    }
    for (uint i = l; i < get_num_groups(0); i += 64)
        a[l] += part[i] & 0; // old values come into the cache
    if (l == 0) {
        part[get_group_id(0)] = a[0];
        last = atomic_fetch_add_explicit(count, 1, memory_order_acq_rel,
                                         memory_scope_device) ==
               get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last && l == 0) {
        uint s = 0;
        for (uint i = 0; i < get_num_groups(0); i++)
            s += part[i];
        *sum = s;
    }
}

// A release store is seen by an acquire loop, and so is what came before it.
// @kernel message
// @grid 128 @local 64
// @inout data u32 [7] * 64
// @out flag u32 1
// @out seen u32 64
// @expect seen = [1000 + i for i in range(64)]
kernel void
message(global uint *data, global atomic_uint *flag, global uint *seen)
{
    uint i = get_local_id(0);
    if (get_group_id(0)) {
        uint old = data[i];
        data[i] = old + 993 + i;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (i == 0)
            atomic_store_explicit(flag, 1, memory_order_release,
                                  memory_scope_device);
    } else {
        uint old = data[i];
        if (i == 0)
            while (!atomic_load_explicit(flag, memory_order_acquire,
                                         memory_scope_device))
                ;
        barrier(CLK_GLOBAL_MEM_FENCE);
        seen[i] = data[i] + (old == 1);
    }
}

// Plain atomic_store and atomic_load: two workgroups take turns.
// @kernel turns
// @grid 16 @local 8
// @out turn u32 1
// @inout sum u32 [5]
// @expect sum = [5 + 100]
// @expect turn = [20]
kernel void
turns(global atomic_uint *turn, global uint *sum)
{
    if (get_local_id(0))
        return;
    for (uint i = 0; i < 10; i++) {
        while (atomic_load(turn) != 2 * i + get_group_id(0))
            ;
        *sum += 5;
        atomic_store(turn, 2 * i + get_group_id(0) + 1);
    }
}

// A relaxed spin ends, with each kind of store.
// @kernel relaxed
// @grid 128 @local 64
// @out flag u32 4
// @expect flag = [1, 2, 3, 4]
kernel void
relaxed(global atomic_uint *flag)
{
    if (get_local_id(0))
        return;
    if (get_group_id(0)) {
        for (uint i = 0; i < 4; i++) {
            atomic_store_explicit(&flag[i], i + 1, memory_order_relaxed,
                                  memory_scope_device);
            for (uint k = 0; k < 50; k++)
                ((global volatile uint *)flag)[0];
        }
    } else
        for (uint i = 0; i < 4; i++)
            while (atomic_load_explicit(&flag[i], memory_order_relaxed,
                                        memory_scope_device) != i + 1)
                ;
}

// Fences with relaxed atomics.
// @kernel fences
// @grid 128 @local 64
// @inout data u32 [7] * 64
// @out flag u32 1
// @out seen u32 64
// @expect seen = [1000 + i for i in range(64)]
kernel void
fences(global uint *data, global atomic_uint *flag, global uint *seen)
{
    uint i = get_local_id(0);
    uint old = data[i];
    if (get_group_id(0)) {
        data[i] = old + 993 + i;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release,
                               memory_scope_device);
        atomic_fetch_add_explicit(flag, 1, memory_order_relaxed,
                                  memory_scope_device);
    } else {
        while (atomic_load_explicit(flag, memory_order_relaxed,
                                    memory_scope_device) != 64)
            ;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire,
                               memory_scope_device);
        seen[i] = data[i] + (old == 1);
    }
}

// Volatile words, bytes and halves, and OpenCL 1's fences.
// @kernel volatiles
// @grid 128 @local 64
// @out flag u32 3
// @out halves u16 3
// @out bytes u8 5
// @inout data u32 [7] * 64
// @out seen u32 64
// @expect seen = [1000 + i for i in range(64)]
// @expect flag = [0, 0, 5]
// @expect halves = [0, 3, 0]
// @expect bytes = [0, 0, 0, 200, 0]
kernel void
volatiles(volatile global uint *flag, volatile global ushort *halves,
          volatile global char *bytes, global uint *data, global uint *seen)
{
    uint i = get_local_id(0);
    uint old = data[i];
    if (get_group_id(0)) {
        data[i] = old + 993 + i;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (i)
            return;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        flag[2] = 5;
        while (halves[1] != 3)
            ;
        bytes[3] = -56;
    } else {
        while (flag[2] != 5)
            ;
        read_mem_fence(CLK_GLOBAL_MEM_FENCE);
        seen[i] = data[i] + (old == 1);
        halves[1] = 3;
        while (bytes[3] != -56)
            ;
    }
}

// Words of 64 bits: what their locks protect, and their orders.  A greedy
// scheduler keeps the warp that has the lock from being issued.
// @kernel wide
// @skip gto
// @grid 256 @local 64
// @inout sum u64 [1 << 40]
// @out flag u64 1
// @inout data u32 [7] * 256
// @out seen u32 1
// @expect sum = [(1 << 40) + (1 << 33) * 256]
// @expect seen = [sum_(range(256)) + 7 * 256]
// @expect flag = [256]
kernel void
wide(global atomic_ulong *sum, global atomic_ulong *flag, global uint *data,
     global uint *seen)
{
    uint i = get_global_id(0);
    uint s = 0;
    for (uint k = 0; k < 256; k++)
        s += data[k];
    data[i] = i + 7 + (s == 1);
    atomic_fetch_add_explicit(sum, 1UL << 33, memory_order_relaxed,
                              memory_scope_device);
    if (atomic_fetch_add_explicit(flag, 1, memory_order_acq_rel,
                                  memory_scope_device) == 255) {
        s = 0;
        for (uint k = 0; k < 256; k++)
            s += data[k];
        *seen = s;
    }
}

// A spinlock, by compare-exchange and by a flag; nobody's addition is lost.
// @kernel locks
// @grid 64 @local 8
// @out lock u32 1
// @out flag u32 1
// @inout a u32 [3]
// @inout b u32 [4]
// @expect a = [3 + 8]
// @expect b = [4 + 8]
kernel void
locks(global atomic_uint *lock, global atomic_flag *flag, global uint *a,
      global uint *b)
{
    if (get_local_id(0))
        return;
    uint zero = 0;
    while (!atomic_compare_exchange_strong_explicit(
        lock, &zero, 1u, memory_order_acquire, memory_order_relaxed,
        memory_scope_device))
        zero = 0;
    *a += 1;
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
    while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire,
                                             memory_scope_device))
        ;
    *b += 1;
    atomic_flag_clear_explicit(flag, memory_order_release,
                               memory_scope_device);
}

// An order that is known at run time only.
// @kernel chosen
// @grid 128 @local 64
// @u32 release 3
// @u32 acquire 2
// @u32 scope 2
// @inout data u32 [7] * 64
// @out flag u32 1
// @out seen u32 64
// @expect seen = [1000 + i for i in range(64)]
kernel void
chosen(uint release, uint acquire, uint scope, global uint *data,
       global atomic_uint *flag, global uint *seen)
{
    uint i = get_local_id(0);
    uint old = data[i];
    if (get_group_id(0)) {
        data[i] = old + 993 + i;
        atomic_fetch_add_explicit(flag, 1, (memory_order)release,
                                  (memory_scope)scope);
    } else {
        while (atomic_load_explicit(flag, (memory_order)acquire,
                                    (memory_scope)scope) != 64)
            ;
        seen[i] = data[i] + (old == 1);
    }
}

// Local and generic objects.
// @kernel generic_objects
// @grid 128 @local 64
// @out count u32 1
// @inout data u32 [7] * 128
// @out seen u32 2
// @expect seen = [sum_(range(64)), sum_(range(128))]
// @expect count = [2]
uint
bump(atomic_uint *p)
{
    return atomic_fetch_add(p, 1u);
}
kernel void
generic_objects(global atomic_uint *count, global uint *data,
                global uint *seen)
{
    local atomic_uint mine;
    local bool last;
    uint l = get_local_id(0), g = get_global_id(0);
    uint old = data[g ^ 64];
    if (l == 0)
        atomic_init(&mine, 0u);
    barrier(CLK_LOCAL_MEM_FENCE);
    data[g] = g + (old == 1);
    if (bump(&mine) == 63) { // the last of the workgroup
        uint n = bump(count), s = 0;
        for (uint i = 0; i < 64; i++)
            s += data[(g & 64) + i] - (g & 64);
        if (n == 0)
            seen[0] = s;
        else {
            s = 0;
            for (uint i = 0; i < 128; i++)
                s += data[i];
            seen[1] = s;
        }
    }
}
