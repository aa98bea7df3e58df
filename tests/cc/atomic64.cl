// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL3.0
// Atomic operations of 64 bits, which many threads do on the same words.

// @kernel sums
// @grid 96 @local 48
// @inout s i64 [0, 1 << 40, 2**63 - 1, 0, 7, -1, 2**63 - 1, -2**63]
// @expect s = [sum((i << 31) + 1 for i in range(96)), (1 << 40) - sum((i << 31) for i in range(96)), 0, 2**63 - 1, 7 ^ (1 << 50) ^ (1 << 33), -1 & ~(5 << 40), -(1 << 40) * 95, (1 << 33) * 95]
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void
sums(global long *s)
{
    long i = get_global_id(0);
    atom_add(&s[0], (i << 31) + 1);
    if (i % 3)
        atom_sub(&s[1], i << 31);
    else
        atom_sub(&s[1], i << 31);
    atom_and(&s[2], ~(1L << i % 64));
    atom_or(&s[3], i < 63 ? 1L << i : 0);
    if (i == 50 || i == 33)
        atom_xor(&s[4], 1L << i);
    atom_and(&s[5], i % 2 ? ~(1L << 40) : ~(1L << 42));
    atom_min(&s[6], -(1L << 40) * i);
    atom_max(&s[7], (1L << 33) * i);
}

// Unsigned extremes; what inc and dec return are all numbers once.
// @kernel numbers
// @grid 64 @local 32
// @inout s u64 [2**32 - 10, 2**32 + 20, 2**64 - 1, 0]
// @out o u64 64
// @out p u64 64
// @expect s = [2**32 + 54, 2**32 - 44, 1 << 35, 63 + (1 << 63)]
// @expect o = [1] * 64
// @expect p = [1] * 64
kernel void
numbers(global ulong *s, global ulong *o, global ulong *p)
{
    ulong i = get_global_id(0);
    ulong x = atom_inc(&s[0]), y = atom_dec(&s[1]);
    atom_min(&s[2], (1UL << 35) + i);
    atom_max(&s[3], (1UL << 63) + i);
    atom_add(&o[x - (0xffffffffUL - 9)], 1);
    atom_add(&p[0xffffffffUL + 21 - y], 1);
}

// Exchanges pass every number on exactly once; the last stays.
// @kernel chain
// @grid 64 @local 64
// @inout s u64 [1000 << 32]
// @out seen u32 65
// @expect seen = [1 if i != s[0] >> 32 else 1 for i in range(64)] + [1]
kernel void
chain(global ulong *s, global uint *seen)
{
    ulong i = get_global_id(0);
    ulong old = atom_xchg(&s[0], i << 32 | 5);
    uint n = old >> 32;
    atomic_inc(&seen[n == 1000 ? 64 : n]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 0)
        atomic_inc(&seen[s[0] >> 32]);
}

// Compare and exchange in a loop, in local memory, under divergence.
// @kernel compare
// @grid 80 @local 40
// @out o u64 80
// @expect o = [sum((k << 33) + 3 for k in range(g * 40, g * 40 + 40) if k % 5 != 2) for g in range(2) for _ in range(40)]
kernel void
compare(global ulong *o)
{
    local ulong s;
    ulong i = get_global_id(0);
    if (get_local_id(0) == 0)
        s = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i % 5 != 2) {
        ulong old = 0, seen;
        while ((seen = atom_cmpxchg(&s, old, old + (i << 33) + 3)) != old)
            old = seen;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = s;
}

// @kernel c11
// @grid 64 @local 32
// @inout s i64 [0, 5, 0]
// @inout d f64 [0.5]
// @out o i64 64
// @expect s = [64 * 2**40, 5, sum(1 << i for i in range(64))]
// @expect o = [5] * 64
// @expect d = [2.0**70]
kernel void
c11(global atomic_long *s, global atomic_double *d, global long *o)
{
    int i = get_global_id(0);
    atomic_fetch_add_explicit(&s[0], 1L << 40, memory_order_relaxed,
                              memory_scope_device);
    o[i] = atomic_load(&s[1]);
    long old = atomic_load(&s[2]);
    while (!atomic_compare_exchange_strong(&s[2], &old, old + (1L << i)))
        ;
    atomic_store(&d[0], 0x1p+70);
}
