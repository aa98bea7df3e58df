// SPDX-License-Identifier: Apache-2.0
// Control flow that divides warps.

// @kernel nested
// @def nest(i): return (i * 3 if i % 3 == 0 else i + 100 if i % 2 else i - 7) + (50 if i > 40 else 0)
// @grid 80 @local 40
// @out o i32 80
// @expect o = [nest(i) for i in range(80)]
kernel void
nested(global int *o)
{
    int i = get_global_id(0), r;
    if (i % 3 == 0) {
        r = i * 3;
    } else {
        if (i & 1)
            r = i + 100;
        else
            r = i - 7;
    }
    if (i > 40)
        r += 50;
    o[i] = r;
}

// @kernel early
// @grid 64 @local 32
// @in a i32 [(i * 37) % 64 for i in range(64)]
// @inout o i32 [-1 for i in range(64)]
// @expect o = [-1 if a[i] < 20 else a[i] * 2 if a[i] < 40 else a[i] + i for i in range(64)]
kernel void
early(global const int *a, global int *o)
{
    int i = get_global_id(0);
    if (a[i] < 20)
        return;
    if (a[i] < 40) {
        o[i] = a[i] * 2;
        return;
    }
    o[i] = a[i] + i;
}

// Threads break out of the middle: iterations overtake each other.
// @kernel overtake
// @def walk(i, n, k=0, s=0): return s * 100 + k if k == n else s * 100 + k if (k + i) % 3 == 0 and (k * i) % 7 == 5 else walk(i, n, k + 1, s + (k if (k + i) % 3 == 0 else 2))
// @grid 64 @local 64
// @i32 n 30
// @out o i32 64
// @expect o = [walk(i, 30) for i in range(64)]
kernel void
overtake(int n, global int *o)
{
    int i = get_global_id(0), s = 0, k;
    for (k = 0; k < n; k++) {
        if ((k + i) % 3 == 0) {
            if ((k * i) % 7 == 5)
                break;
            s += k;
        } else {
            s += 2;
        }
    }
    o[i] = s * 100 + k;
}

// @kernel select_case
// @def pick(i): return {0: i, 1: i * i, 2: -i, 5: 1000, 9: i ^ 0x55}.get(i % 11, 7)
// @grid 66 @local 33
// @out o i32 66
// @expect o = [pick(i) for i in range(66)]
kernel void
select_case(global int *o)
{
    int i = get_global_id(0), r;
    switch (i % 11) {
    case 0: r = i; break;
    case 1: r = i * i; break;
    case 2: r = -i; break;
    case 5: r = 1000; break;
    case 9: r = i ^ 0x55; break;
    default: r = 7;
    }
    o[i] = r;
}

// A uniform value is changed in one arm while the other arm waits.
// @kernel arms
// @grid 32 @local 32
// @in a i32 [3 * i for i in range(64)]
// @i32 k 5
// @out o i32 32
// @expect o = [a[5] * 7 + i + a[6] if i % 2 else a[7] * 11 - i + a[8] + 5 for i in range(32)]
kernel void
arms(global const int *a, int k, global int *o)
{
    int i = get_global_id(0);
    if (i & 1) {
        int x = a[k], y = a[k + 1];
        o[i] = x * 7 + i + y;
    } else {
        int x = a[k + 2], y = a[k + 3];
        o[i] = x * 11 - i + y + k;
    }
}

// @kernel while_nest
// @def inner(i, j): return sum_(range(j, i + j, 3))
// @grid 50 @local 25
// @out o i32 50
// @expect o = [sum_(inner(i, j) for j in range(0, i, 5)) for i in range(50)]
kernel void
while_nest(global int *o)
{
    int i = get_global_id(0), s = 0;
    for (int j = 0; j < i; j += 5)
        for (int k = j; k < i + j; k += 3)
            s += k;
    o[i] = s;
}

// @kernel gotos
// @def hop(i, s=0, n=0): return s if n > 20 else hop(i, s + 1, n + 3) if (i + n) % 4 == 0 else hop(i, s + 10 * n, n + 5) if (i + n) % 4 == 1 else hop(i, s * 2, n + 1)
// @grid 40 @local 20
// @out o i32 40
// @expect o = [hop(i) for i in range(40)]
kernel void
gotos(global int *o)
{
    int i = get_global_id(0), s = 0, n = 0;
again:
    if (n > 20)
        goto out;
    if ((i + n) % 4 == 0) {
        s += 1;
        n += 3;
        goto again;
    }
    if ((i + n) % 4 == 1) {
        s += 10 * n;
        n += 5;
        goto again;
    }
    s *= 2;
    n += 1;
    goto again;
out:
    o[i] = s;
}

// @kernel barrier_loop
// @def scan(x, i): return sum_(x[i // 32 * 32:i + 1])
// @grid 64 @local 32
// @in x i32 [i * i % 23 for i in range(64)]
// @out o i32 64
// @expect o = [scan(x, i) for i in range(64)]
kernel void
barrier_loop(global const int *x, global int *o)
{
    local int t[32];
    int l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    for (int d = 1; d < 32; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int v = l >= d ? t[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += v;
    }
    o[get_global_id(0)] = t[l];
}

// Two loops with one head: threads wait at the inner loop's exit while others
// go on counting.
// @kernel one_head
// @def heads(i, n, c=0, s=0): return s * 100 + c if n == 0 else heads(i, n, c + 1, s) if (c + i) % 5 else heads(i, n - 1, c + 1, s + c)
// @grid 32 @local 32
// @i32 n 6
// @out o i32 32
// @expect o = [heads(i, 6) for i in range(32)]
kernel void
one_head(int n, global int *o)
{
    int i = get_global_id(0), c = 0, s = 0;
again:
    if ((c + i) % 5) {
        c++;
        goto again;
    }
    s += c;
    c++;
    if (--n)
        goto again;
    o[i] = s * 100 + c;
}
