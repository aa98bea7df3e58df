// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL3.0
// Global sizes that are no multiples of local sizes: what work-items of the
// smaller work-groups at the end of a row are told.
// @skip pocl (asks for uniform work-groups)

// @kernel whose
// @grid 10,7 @local 4,4
// @out n u32 490
// @def here(i): return (i % 10, i // 10)
// @def size(i): return tuple(min(4, e - c // 4 * 4) for c, e in zip(here(i), (10, 7)))
// @def linear(i): return here(i)[1] % 4 * size(i)[0] + here(i)[0] % 4
// @expect n = [k for i in range(70) for k in (i, here(i)[0] % 4, here(i)[1] % 4, *size(i), linear(i), 432)]
kernel void
whose(global uint *n)
{
    uint i = get_global_linear_id();
    n[7 * i] = get_global_id(1) * 10 + get_global_id(0);
    n[7 * i + 1] = get_local_id(0);
    n[7 * i + 2] = get_local_id(1);
    n[7 * i + 3] = get_local_size(0);
    n[7 * i + 4] = get_local_size(1);
    n[7 * i + 5] = get_local_linear_id();
    n[7 * i + 6] = get_enqueued_local_size(0) * 100 +
                   get_num_groups(0) * 10 + get_num_groups(1);
}

// In three dimensions, with a required size, behind a barrier.
// @kernel turned
// @grid 5,5,3 @local 2,2,2
// @out n u32 75
// @def at(i): return (i % 5, i // 5 % 5, i // 25)
// @def sizes(i): return [min(2, e - c // 2 * 2) for c, e in zip(at(i), (5, 5, 3))]
// @def last(i): return [c // 2 * 2 + s - 1 - c % 2 for c, s in zip(at(i), sizes(i))]
// @def number(c): return c[0] + 5 * c[1] + 25 * c[2]
// @expect n = [number(last(i)) for i in range(75)]
__attribute__((reqd_work_group_size(2, 2, 2))) kernel void
turned(global uint *n)
{
    local uint all[8];
    uint x = get_local_size(0), y = get_local_size(1), z = get_local_size(2);
    uint i = (get_local_id(2) * y + get_local_id(1)) * x + get_local_id(0);
    all[i] = get_global_linear_id();
    barrier(CLK_LOCAL_MEM_FENCE);
    n[get_global_linear_id()] = all[x * y * z - 1 - i];
}

// Functions of the work-group, of which the last has 3 x 2 work-items.
// @kernel together
// @grid 10,7 @local 7,5
// @out n u32 140
// @def part(i): return (min(7, 10 - i % 10 // 7 * 7), min(5, 7 - i // 50 * 5))
// @expect n = [k for i in range(70) for k in (part(i)[0] * part(i)[1], part(i)[0] * part(i)[1] - 1)]
kernel void
together(global uint *n)
{
    uint i = get_global_linear_id();
    n[2 * i] = work_group_reduce_add(1u);
    n[2 * i + 1] = work_group_reduce_max((uint)get_local_linear_id());
}

// Addresses that the program has as numbers.
constant uint *constant places[] = { (constant uint *)0x1234, 0,
                                     (constant uint *)0x80000000 + 3 };

// @kernel literal_addresses
// @grid 8 @local 8
// @out x u32 8
// @expect x = [0x20c, 7, 1, 0x1234, 0, 0x8000000c, 0, 0]
kernel void
literal_addresses(global uint *x)
{
    int i = get_global_id(0);
    if (i == 0) {
        x[0] = (uint)(size_t)((global uint *)0x200 + 3);
        if (x == (global uint *)0x90000000) // where the first buffer is
            *(volatile global uint *)0x90000004 = 7;
        else
            x[1] = 7;
        x[2] = x != (global uint *)0x100;
    }
    if (i >= 3)
        x[i] = i < 6 ? (uint)(size_t)places[i - 3] : 0;
}
