// SPDX-License-Identifier: Apache-2.0
// One level of a breadth-first search over a graph in rows.
// @def node_first(n): return [i * 3 + i % 3 for i in range(n + 1)]
// @def node_edges(n): return [(j * 37 + j // 5) % n for j in range(3 * n + 3)]
// @def bfs_level(first, edges, level, d, n): out = list(level); [out.__setitem__(edges[e], d + 1) for i in range(n) if level[i] == d for e in range(first[i], first[i + 1]) if level[edges[e]] < 0]; return out
// @kernel bfs
// @grid 512 @local 128
// @in first u32 node_first(500)
// @in edges u32 node_edges(500)
// @inout level i32 [0 if i % 7 == 0 else 1 if i % 11 == 0 else -1 for i in range(500)]
// @out more u32 1
// @i32 depth 0
// @i32 n 500
// @expect level = bfs_level(first, edges, level, 0, 500)
// @expect more = [1]
kernel void
bfs(global const uint *first, global const uint *edges, global int *level,
    global uint *more, int depth, int n)
{
    int i = get_global_id(0);
    if (i >= n || level[i] != depth)
        return;
    for (uint e = first[i]; e < first[i + 1]; e++) {
        uint to = edges[e];
        if (level[to] < 0) {
            level[to] = depth + 1;
            *more = 1;
        }
    }
}
