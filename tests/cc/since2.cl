// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL3.0
// Functions that came with OpenCL C 2.0, where one was missing or wrong once.
// @skip pocl (has no generic pointers)

// @kernel ctz_of_all_types
// @in a i64 [0, 1, -2**63, 6 << 40, 3 << 31, 1 << 15, 1 << 16, 0x180, -256, -1]
// @def zeros(x, n): return next((i for i in range(n) if x >> i & 1), n)
// @out o i64 60
// @grid 10
// @expect o = [zeros(x, n) for x in a for n in (8, 16, 32, 64, 32, 64)]
kernel void
ctz_of_all_types(global const long *a, global long *o)
{
    int i = get_global_id(0);
    o[6 * i] = ctz((char)a[i]);
    o[6 * i + 1] = ctz((ushort)a[i]);
    o[6 * i + 2] = ctz((int)a[i]);
    o[6 * i + 3] = ctz(a[i]);
    o[6 * i + 4] = ctz((uint3)(1, 2, (uint)a[i])).z;
    o[6 * i + 5] = ctz((ulong2)(4, (ulong)a[i])).y;
}

// The atomic_uintptr_t of a 32-bit device takes a ptrdiff_t, which is an int;
// version2.cl has the other.
// @kernel uintptr_differences
// @skip v2 v2-off v2-spill v2-o0
// @inout s i32 [1000, 7]
// @grid 64
// @expect s = [1000 - sum(range(64)), 7 + sum(range(64)) - 64]
kernel void
uintptr_differences(global atomic_uintptr_t *s)
{
    ptrdiff_t d = get_global_id(0);
    atomic_fetch_add_explicit(&s[0], -d, memory_order_relaxed,
                              memory_scope_device);
    atomic_fetch_sub(&s[1], 1 - d);
}

// By the bits: -0 is not 0, a NaN is itself.
// @kernel compare_floats
// @inout s f32 [0.0, 1.5]
// @inout d f64 [0.25]
// @out o i32 3
// @grid 32
// @expect s = [0.0, 1.5 + 32 * 2]
// @expect d = [0.25 + 32 * 4]
// @expect o = [0, 0x80000000 - 2**32, 1]
kernel void
compare_floats(global atomic_float *s, global atomic_double *d, global int *o)
{
    float f = -0.0f, old = 0.0f;
    if (get_global_id(0) == 0) {
        o[2] = as_int(f) == as_int(-0.0f);
        o[0] = atomic_compare_exchange_strong(&s[0], &f, 9.0f);
        o[1] = as_int(-f);
    }
    while (!atomic_compare_exchange_weak(&s[1], &old, old + 2.0f))
        ;
    double seen = 0.0;
    while (!atomic_compare_exchange_strong_explicit(
        d, &seen, seen + 4.0, memory_order_acq_rel, memory_order_acquire,
        memory_scope_device))
        ;
}

// Pointers whose space is known: no run time is needed to know the answer.
// @kernel fence_of
// @grid 1
// @out o i32 8
// @expect o = [2, 1, 0, 1, 1, 0, 0, 0]
kernel void
fence_of(global int *o)
{
    local int t;
    const void *p = o, *q = &t;
    o[0] = get_fence(p);
    o[1] = get_fence(q);
    o[2] = to_local(o) != 0;
    o[3] = to_local(&t) != 0;
    o[4] = to_global(o) == o;
    o[5] = to_global(&t) != 0;
    o[6] = to_private(o) != 0;
    o[7] = (local int *)(generic int *)o != 0; // nowhere
}
