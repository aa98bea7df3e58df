/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of work-groups with a mistake each, in the notation of mistakes.cl, and
 * then some without.
 */

kernel void
size_differs(global int *in, global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    event_t e = async_work_group_copy(tile, in, i == 63 ? 1 : 64, 0); /* divergent-copy */
    wait_group_events(1, &e);
    out[get_global_id(0)] = tile[0];
}

/* Each warp agrees with itself. */
kernel void
source_differs(global int *in, global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    event_t e = async_work_group_copy(tile, in + (i < 32 ? 0 : 1), 63, 0); /* divergent-copy */
    wait_group_events(1, &e);
    out[get_global_id(0)] = tile[0];
}

kernel void
some_copy(global int *in, global int *out)
{
    local int tile[64], more[64];
    int i = get_local_id(0);
    event_t e = async_work_group_copy(tile, in, 64, 0);
    if (i == 0)
        e = async_work_group_copy(more, in, 1, e); /* divergent-copy */
    wait_group_events(1, &e);
    out[get_global_id(0)] = tile[i];
}

kernel void
warp_copies(global int *in, global int *out)
{
    local int tile[64], more[64];
    int i = get_local_id(0);
    event_t e = async_work_group_copy(tile, in, 64, 0);
    if (i >= 32)
        e = async_work_group_copy(more, in, 1, e); /* divergent-copy */
    wait_group_events(1, &e);
    out[get_global_id(0)] = tile[i];
}

kernel void
events_differ(global int *in, global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    event_t e[2];
    e[0] = async_work_group_copy(tile, in, 32, 0);
    e[1] = async_work_group_copy(tile + 32, in, 32, 0);
    wait_group_events(1, e + (i & 1)); /* divergent-copy */
    out[get_global_id(0)] = i;
}

kernel void
wait_in_branch(global int *in, global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    event_t e = async_work_group_copy(tile, in, 64, 0);
    if (i > 13)
        wait_group_events(1, &e); /* divergent-barrier */
    out[get_global_id(0)] = i;
}

kernel void
never_waited(global int *in, global int *out)
{
    local int tile[64];
    async_work_group_copy(tile, in, 64, 0); /* copy-not-waited */
    out[get_global_id(0)] = get_local_id(0);
}

kernel void
one_of_two_waited(global int *in, global int *out)
{
    local int tile[64], more[64];
    event_t e[2];
    e[0] = async_work_group_copy(tile, in, 64, 0);
    e[1] = async_work_group_copy(more, in, 64, 0); /* copy-not-waited */
    wait_group_events(1, e);
    out[get_global_id(0)] = tile[get_local_id(0)];
}

kernel void
event_of_nothing(global int *out)
{
    event_t e = 0;
    wait_group_events(1, &e); /* invalid-event */
    out[get_global_id(0)] = 1;
}

kernel void
waited_twice(global int *in, global int *out)
{
    local int tile[64];
    event_t e = async_work_group_copy(tile, in, 64, 0);
    wait_group_events(1, &e);
    wait_group_events(1, &e); /* invalid-event */
    out[get_global_id(0)] = tile[get_local_id(0)];
}

kernel void
read_too_early(global int *in, global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    event_t e = async_work_group_copy(tile, in, 64, 0);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = tile[i]; /* race */
    wait_group_events(1, &e);
}

kernel void
source_written(global int *in, global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    event_t e = async_work_group_copy(tile, in, 64, 0);
    in[i] = 7; /* race */
    wait_group_events(1, &e);
    out[get_global_id(0)] = tile[i];
}

/* The work-item that copies the element is the one that has written it. */
kernel void
written_before(global int *in, global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    tile[i] = i + 1;
    event_t e = async_work_group_copy(out, tile, 64, 0); /* race */
    wait_group_events(1, &e);
    in[i] = 7;
}

kernel void
copies_overlap(global int *in, global int *out)
{
    local int tile[64];
    event_t e = async_work_group_copy(tile, in, 40, 0);
    e = async_work_group_copy(tile + 39, in + 64, 20, e); /* race */
    wait_group_events(1, &e);
    out[get_global_id(0)] = tile[0];
}

kernel void
stride_hits(global int *in, global int *out)
{
    local int tile[16];
    int i = get_local_id(0);
    if (i < 16)
        tile[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_strided_copy(out, tile, 16, 4, 0);
    out[4 * (i & 15)] = 5; /* race */
    wait_group_events(1, &e);
}

/* ---- without a mistake ---- */

kernel void
in_and_out(global int *in, global int *out)
{
    local int tile[64];
    size_t at = 64 * get_group_id(0);
    event_t e = async_work_group_copy(tile, in + at, 64, 0);
    wait_group_events(1, &e);
    tile[get_local_id(0)] *= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + at, tile, 64, 0);
    wait_group_events(1, &e);
}

/* One tile is filled while the other one is used. */
kernel void
two_tiles(global int *in, global int *out)
{
    local int tile[2][64];
    int i = get_local_id(0), sum = 0;
    event_t e = async_work_group_copy(tile[0], in, 64, 0);
    for (int k = 0; k < 4; k++) {
        wait_group_events(1, &e);
        if (k < 3)
            e = async_work_group_copy(tile[(k + 1) % 2], in + 64 * (k + 1), 64,
                                      0);
        sum += tile[k % 2][63 - i];
    }
    out[get_global_id(0)] = sum;
}

kernel void
joined(global int *in, global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    event_t e = 0;
    for (int k = 0; k < 64; k += 16)
        e = async_work_group_copy(tile + k, in + k, 16, e);
    wait_group_events(1, &e);
    out[get_global_id(0)] = tile[i];
}

kernel void
list_of_events(global int *in, global int *out)
{
    local int tile[64];
    event_t e[4];
    e[0] = async_work_group_copy(tile, in, 1, 0);
    e[1] = e[0];
    e[2] = async_work_group_copy(tile + 1, in + 1, 63, 0);
    e[3] = e[0];
    wait_group_events(4, e);
    out[get_global_id(0)] = tile[get_local_id(0)];
}

/* What lies between the elements, and beside the copy, is not of the copy. */
kernel void
between_elements(global int *in, global int *out)
{
    local int tile[17];
    int i = get_local_id(0);
    event_t e = async_work_group_strided_copy(tile, in, 16, 4, 0);
    if (i & 3)
        in[i] = 5;
    if (i == 0)
        tile[16] = 3;
    wait_group_events(1, &e);
    out[get_global_id(0)] = tile[i & 15];
}

/* Bytes that no word has alone, and no element at all. */
kernel void
odd_bytes(global uchar *in, global uchar *out)
{
    local uchar tile[64];
    int i = get_local_id(0);
    event_t e = async_work_group_copy(tile + 1, in + 3, 5, 0);
    e = async_work_group_copy(tile + 9, in, 0, e);
    if (i > 5)
        tile[i] = i;
    wait_group_events(1, &e);
    out[i] = tile[i ? i : 1];
}
