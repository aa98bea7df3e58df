// SPDX-License-Identifier: Apache-2.0
/*
 * Breadth-first search: how many edges is each vertex of a graph away from
 * vertex 0?  Each launch goes one edge further.  A work-item whose vertex was
 * reached last gives its neighbours, few or many, the next distance; the
 * others have nothing to do, which is what makes this hard for wide machines.
 *
 * The neighbours of vertex v are edges[first[v]] to edges[first[v + 1] - 1].
 */
#include "example.h"

static const char source[] =
    "kernel void bfs(global const int *first, global const int *edges,\n"
    "                global int *distance, int n, int level,\n"
    "                global int *again)\n"
    "{\n"
    "    int v = get_global_id(0);\n"
    "    if (v >= n || distance[v] != level)\n"
    "        return;\n"
    "    for (int e = first[v]; e < first[v + 1]; e++) {\n"
    "        /* Several may find the same vertex; they write the same. */\n"
    "        if (distance[edges[e]] < 0) {\n"
    "            distance[edges[e]] = level + 1;\n"
    "            *again = 1;\n"
    "        }\n"
    "    }\n"
    "}\n";

enum { LOCAL = 64 };

struct graph {
    int n, *first, *edges;
};

/* One neighbour to three times `degree`, most of them near by. */
static struct graph
random_graph(int n, int degree)
{
    struct graph g = { .n = n };
    uint32_t seed = 7;
    g.first = example_alloc((size_t)n + 1, sizeof(int));
    g.edges = example_alloc((size_t)n * 3 * (size_t)degree, sizeof(int));
    int edges = 0;
    for (int v = 0; v < n; v++) {
        uint32_t random = example_random(&seed);
        int wanted = 1 + (int)(random % (uint32_t)degree);
        if (random >> 24 < 16) /* one of 16 has many */
            wanted *= 3;
        g.first[v] = edges;
        for (int i = 0; i < wanted; i++) {
            uint32_t step = example_random(&seed);
            uint32_t reach = step >> 24 < 250 ? 1000 : (uint32_t)n;
            g.edges[edges++] =
                (int)(((uint32_t)v + step % reach) % (uint32_t)n);
        }
    }
    g.first[n] = edges;
    return g;
}

/* With a queue, as it is done on one processor. */
static void
host_bfs(const struct graph *g, int *distance)
{
    int *queue = example_alloc((size_t)g->n, sizeof(int));
    int head = 0, tail = 0;
    for (int v = 0; v < g->n; v++)
        distance[v] = -1;
    distance[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        int v = queue[head++];
        for (int e = g->first[v]; e < g->first[v + 1]; e++) {
            int to = g->edges[e];
            if (distance[to] < 0) {
                distance[to] = distance[v] + 1;
                queue[tail++] = to;
            }
        }
    }
    free(queue);
}

/* A launch for each level, until one finds nothing; returns how many. */
static int
device_bfs(struct example *ex, cl_kernel kernel, int n, cl_mem distance,
           cl_mem again)
{
    size_t rest = ((size_t)n - 1) * sizeof(cl_int);
    CHECK(clEnqueueFillBuffer(ex->queue, distance, &(cl_int){ 0 },
                              sizeof(cl_int), 0, sizeof(cl_int), 0, NULL,
                              NULL));
    if (rest)
        CHECK(clEnqueueFillBuffer(ex->queue, distance, &(cl_int){ -1 },
                                  sizeof(cl_int), sizeof(cl_int), rest, 0, NULL,
                                  NULL));
    size_t global = example_round_up((size_t)n, LOCAL);
    cl_int level = 0, found = 1;
    for (; found; level++) {
        found = 0;
        CHECK(clEnqueueWriteBuffer(ex->queue, again, CL_TRUE, 0, sizeof found,
                                   &found, 0, NULL, NULL));
        CHECK(clSetKernelArg(kernel, 4, sizeof level, &level));
        CHECK(clEnqueueNDRangeKernel(ex->queue, kernel, 1, NULL, &global,
                                     &(size_t){ LOCAL }, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(ex->queue, again, CL_TRUE, 0, sizeof found,
                                  &found, 0, NULL, NULL));
    }
    return level;
}

int
main(int argc, char **argv)
{
    int n = 20000, degree = 6;
    const struct example_option options[] = {
        { "n", "vertices", &n, 1, 1 << 22, NULL },
        { "degree", "most neighbours of most vertices", &degree, 1, 64, NULL },
        { 0 },
    };
    struct example ex = example_open("Breadth-first search in a random graph.",
                                     argc, argv, options);
    cl_kernel kernel = example_kernel(&ex, source, "bfs", "");

    struct graph g = random_graph(n, degree);
    size_t size = (size_t)n * sizeof(cl_int);
    cl_mem first =
        example_buffer(&ex, CL_MEM_READ_ONLY, size + sizeof(cl_int), g.first);
    cl_mem edges = example_buffer(&ex, CL_MEM_READ_ONLY,
                                  (size_t)g.first[n] * sizeof(cl_int), g.edges);
    cl_mem distance = example_buffer(&ex, CL_MEM_READ_WRITE, size, NULL);
    cl_mem again = example_buffer(&ex, CL_MEM_READ_WRITE, sizeof(cl_int), NULL);
    CHECK(clSetKernelArg(kernel, 0, sizeof first, &first));
    CHECK(clSetKernelArg(kernel, 1, sizeof edges, &edges));
    CHECK(clSetKernelArg(kernel, 2, sizeof distance, &distance));
    CHECK(clSetKernelArg(kernel, 3, sizeof(cl_int), &n));
    CHECK(clSetKernelArg(kernel, 5, sizeof again, &again));
    int levels = 0;
    for (int i = 0; i < ex.repeat; i++) {
        example_start(&ex);
        levels = device_bfs(&ex, kernel, n, distance, again);
        example_stop(&ex);
    }
    int *found = example_alloc((size_t)n, sizeof(int));
    CHECK(clEnqueueReadBuffer(ex.queue, distance, CL_TRUE, 0, size, found, 0,
                              NULL, NULL));

    int *expected = example_alloc((size_t)n, sizeof(int));
    host_bfs(&g, expected);
    size_t wrong = 0;
    for (int v = 0; v < n; v++)
        wrong += found[v] != expected[v];
    printf("%d vertices, %d edges, %d levels\n", n, g.first[n], levels);
    free(g.first);
    free(g.edges);
    free(found);
    free(expected);
    return example_close(&ex, wrong, (size_t)n, "distances");
}
