// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL3.0
// Functions of a whole workgroup, and of its sub-groups, the warps.
// @skip pocl (has no sub-groups)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// @kernel reduce
// @grid 90 @local 45
// @in x i32 [(i * 7919) % 1000 - 500 for i in range(90)]
// @out o i64 360
// @def part(v, i): return v[i // 45 * 45:i // 45 * 45 + 45]
// @expect o = [k for i in range(90) for k in (sum(part(x, i)), min(part(x, i)), max(part(x, i)) << 40, int(i < 45))]
kernel void
reduce(global const int *x, global long *o)
{
    int i = get_global_id(0);
    o[4 * i] = work_group_reduce_add(x[i]);
    o[4 * i + 1] = work_group_reduce_min(x[i]);
    o[4 * i + 2] = work_group_reduce_max((long)x[i] << 40);
    o[4 * i + 3] = work_group_any(i == 7);
}

// @kernel scan
// @grid 64 @local 64
// @in x u32 [(i * 7919) % 1000 for i in range(64)]
// @out a u32 64
// @out b u32 64
// @out c f32 64
// @out d u64 64
// @expect a = [sum(x[:i + 1]) for i in range(64)]
// @expect b = [sum(x[:i]) for i in range(64)]
// @expect c = [float(max(x[:i + 1])) for i in range(64)]
// @expect d = [min([v << 40 for v in x[:i]] + [2**64 - 1]) for i in range(64)]
kernel void
scan(global const uint *x, global uint *a, global uint *b, global float *c,
     global ulong *d)
{
    int i = get_global_id(0);
    a[i] = work_group_scan_inclusive_add(x[i]);
    b[i] = work_group_scan_exclusive_add(x[i]);
    c[i] = work_group_scan_inclusive_max((float)x[i]);
    d[i] = work_group_scan_exclusive_min((ulong)x[i] << 40);
}

// @kernel votes
// @grid 20,3 @local 20,3
// @out o u32 60
// @expect o = [0b1010 + (17 * 3 + 2) * 16] * 60
kernel void
votes(global uint *o)
{
    int i = get_global_id(0) + 20 * get_global_id(1);
    uint bits = work_group_all(i > 0) | work_group_all(i >= 0) << 1;
    bits |= work_group_any(i > 59) << 2 | work_group_any(i == 59) << 3;
    o[i] = bits + 16 * work_group_broadcast(i * 3 + 2, 17, 0);
}

// The numbers of a sub-group's work-items are what the workgroup's say.
// @kernel sub_groups
// @grid 90 @local 45
// @out o u32 90
// @expect o = [15] * 90
kernel void
sub_groups(global uint *o)
{
    uint i = get_local_linear_id(), most = get_max_sub_group_size();
    uint ok = get_sub_group_id() * most + get_sub_group_local_id() == i;
    ok |= (get_num_sub_groups() == (45 + most - 1) / most) << 1;
    uint last = get_sub_group_id() == get_num_sub_groups() - 1;
    uint size = last ? 45 - most * (get_num_sub_groups() - 1) : most;
    ok |= (get_sub_group_size() == size) << 2;
    ok |= (get_enqueued_num_sub_groups() == get_num_sub_groups()) << 3;
    o[get_global_id(0)] = ok;
}

// Against a loop over the members.
// @kernel sub_group_sums
// @grid 90 @local 45
// @in x i32 [(i * 7919) % 1000 - 500 for i in range(90)]
// @out o u32 90
// @expect o = [255] * 90
kernel void
sub_group_sums(global const int *x, global uint *o)
{
    int i = get_global_id(0);
    uint first = i - get_sub_group_local_id(), n = get_sub_group_size();
    int sum = 0, before = 0, least = INT_MAX;
    long most = LONG_MIN;
    for (uint k = first; k < first + n; k++) {
        before += k < i ? x[k] : 0;
        sum += x[k];
        least = min(least, x[k]);
        most = max(most, (long)x[k] << 33);
    }
    uint ok = sub_group_reduce_add(x[i]) == sum;
    ok |= (sub_group_scan_exclusive_add(x[i]) == before) << 1;
    ok |= (sub_group_scan_inclusive_add(x[i]) == before + x[i]) << 2;
    ok |= (sub_group_reduce_min(x[i]) == least) << 3;
    ok |= (sub_group_reduce_max((long)x[i] << 33) == most) << 4;
    ok |= (sub_group_broadcast(x[i], n - 1) == x[first + n - 1]) << 5;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    ok |= (sub_group_all(i >= first) && !sub_group_all(i != first)) << 6;
    ok |= (sub_group_any(i == first) && !sub_group_any(i < first)) << 7;
    o[i] = ok;
}

// Sub-groups that meet as often as their number says: none waits for another.
// @kernel apart
// @grid 128 @local 64
// @out o u32 128
// @expect o = [1] * 128
kernel void
apart(global uint *o)
{
    local uint place[64];
    uint i = get_local_id(0), v = i, n = get_sub_group_size();
    uint lane = get_sub_group_local_id(), id = get_sub_group_id();
    for (uint k = 0; k <= id; k++) {
        place[i] = v;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        v = place[i - lane + (lane + 1) % n];
        sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
    }
    o[get_global_id(0)] = v == i - lane + (lane + id + 1) % n;
}

// Sums of quarters, which halves hold exactly in any order.
// @kernel halves
// @grid 90 @local 45
// @in x f16 [(i * 7919 % 61 - 30) / 4 for i in range(90)]
// @out o f16 720
// @def group(v, i): return v[i // 45 * 45:i // 45 * 45 + 45]
// @def before(v, i): return v[i // 45 * 45:i]
// @def votes(v): return [sum(v), min(v), max(v)]
// @def scans(v, w): return [sum(w), sum(v), min(v + [math.inf]), max(w)]
// @expect o = [k for i in range(90) for k in votes(group(x, i)) + scans(before(x, i), before(x, i) + [x[i]]) + [group(x, i)[44]]]
kernel void
halves(global const half *x, global half *o)
{
    int i = get_global_id(0);
    o[8 * i] = work_group_reduce_add(x[i]);
    o[8 * i + 1] = work_group_reduce_min(x[i]);
    o[8 * i + 2] = work_group_reduce_max(x[i]);
    o[8 * i + 3] = work_group_scan_inclusive_add(x[i]);
    o[8 * i + 4] = work_group_scan_exclusive_add(x[i]);
    o[8 * i + 5] = work_group_scan_exclusive_min(x[i]);
    o[8 * i + 6] = work_group_scan_inclusive_max(x[i]);
    o[8 * i + 7] = work_group_broadcast(x[i], 44);
}

// Against sums of integers.
// @kernel sub_group_halves
// @grid 90 @local 45
// @in x i32 [i * 7919 % 61 - 30 for i in range(90)]
// @out o u32 90
// @expect o = [255] * 90
kernel void
sub_group_halves(global const int *x, global uint *o)
{
    int i = get_global_id(0);
    uint first = i - get_sub_group_local_id(), n = get_sub_group_size();
    int sum = 0, before = 0, least = INT_MAX, most = INT_MIN, upto = INT_MIN;
    for (uint k = first; k < first + n; k++) {
        before += k < i ? x[k] : 0;
        upto = k < i ? max(upto, x[k]) : upto;
        sum += x[k];
        least = min(least, x[k]);
        most = max(most, x[k]);
    }
    half y = x[i], none = -INFINITY;
    uint ok = sub_group_reduce_add(y) == sum;
    ok |= (sub_group_scan_exclusive_add(y) == before) << 1;
    ok |= (sub_group_scan_inclusive_add(y) == before + x[i]) << 2;
    ok |= (sub_group_reduce_min(y) == least) << 3;
    ok |= (sub_group_reduce_max(y) == most) << 4;
    ok |= (sub_group_broadcast(y, n - 1) == x[first + n - 1]) << 5;
    ok |= (sub_group_scan_exclusive_max(y) == (i == first ? none : upto)) << 6;
    ok |= (sub_group_scan_inclusive_min(y) <= y) << 7;
    o[i] = ok;
}

// Lanes that have left a loop by what a function of sub-groups said met no others.
// @kernel together_after_a_loop
// @grid 64 @local 32
// @inout x u32 [i * 7 % 64 for i in range(64)]
// @expect x = [1] * 64
kernel void
together_after_a_loop(global uint *x)
{
    int i = get_global_id(0);
    uint h = x[i];
    uint4 all = sub_group_ballot(1);
    for (int k = 0; k < 2; k++) {
        if (h % 4 == 0)
            break;
        h = h * 5 + sub_group_ballot_bit_count(sub_group_ballot(1)) % 2;
    }
    uint4 now = sub_group_ballot(1);
    x[i] = all.x == now.x && all.y == now.y;
}

// Lanes that came to one block of a switch by different labels came one after the other.
// @kernel together_by_labels
// @grid 64 @local 32
// @inout x u32 [i * 7 % 64 for i in range(64)]
// @expect x = [1] * 64
kernel void
together_by_labels(global uint *x)
{
    int i = get_global_id(0);
    uint label = x[i] % 8;
    bool is_odd = label == 1 || label == 3 || label == 6;
    uint4 some = sub_group_ballot(is_odd), others = sub_group_ballot(!is_odd), now;
    switch (label) {
    case 1:
    case 3:
    case 6:
        now = sub_group_ballot(1);
        x[i] = now.x == some.x && now.y == some.y;
        break;
    default:
        now = sub_group_ballot(1);
        x[i] = now.x == others.x && now.y == others.y;
    }
}

// Conditions on one value, which the front end makes a switch.
// @kernel together_by_conditions
// @grid 64 @local 32
// @inout x u32 [i * 7 % 64 for i in range(64)]
// @expect x = [1] * 64
kernel void
together_by_conditions(global uint *x)
{
    int i = get_global_id(0);
    uint h = x[i] / 2 % 8, seen = 1;
    uint4 some = sub_group_ballot(h != 6 && h != 2);
    if ((h ^ 1) < 7)
        if ((h ^ 5) < 7) {
            uint4 now = sub_group_ballot(1);
            seen = now.x == some.x && now.y == some.y;
        }
    x[i] = seen;
}
