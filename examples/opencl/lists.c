// SPDX-License-Identifier: Apache-2.0
/*
 * A hash table whose chains the host builds with pointers and the device
 * follows: shared virtual memory.  Each work-item looks up a key, and counts at
 * the entry that it finds; nothing is copied to the device or back.
 *
 * With --memory svm all is in one piece of clSVMAlloc, which a device with
 * CL_DEVICE_SVM_COARSE_GRAIN_BUFFER takes.  With --memory malloc each entry is a
 * malloc of its own, for devices with CL_DEVICE_SVM_FINE_GRAIN_SYSTEM.
 */
#define CL_TARGET_OPENCL_VERSION          200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* example.h is for 1.2, too */
#include "example.h"

static const char source[] =
    "struct entry { global struct entry *next; uint key, found; };\n"
    "kernel void look_up(global struct entry *global *chain, uint chains,\n"
    "                    global const uint *keys, uint n)\n"
    "{\n"
    "    uint i = get_global_id(0);\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    global struct entry *e = chain[keys[i] % chains];\n"
    "    while (e && e->key != keys[i])\n"
    "        e = e->next;\n"
    "    if (e)\n"
    "        atomic_inc(&e->found);\n"
    "}\n";

enum { LOCAL = 64, CHAIN = 8 };

struct entry {
    struct entry *next;
    cl_uint key, found;
};

struct table {
    struct entry **chain;
    cl_uint chains;
    cl_uint *keys; /* to be looked up */
};

/* Memory for host and device: a part of the pool, or the host's own. */
struct pool {
    char *at;
    size_t used;
};

static void *
take(struct pool *pool, size_t count, size_t size)
{
    if (!pool->at)
        return example_alloc(count, size);
    void *p = pool->at + pool->used;
    pool->used += example_round_up(count * size, sizeof(void *));
    return p;
}

/* Even keys; what is looked up is even or odd. */
static struct table
build(struct pool *pool, int entries, int lookups)
{
    cl_uint chains = (cl_uint)(entries + CHAIN - 1) / CHAIN;
    struct table t = { take(pool, chains, sizeof *t.chain), chains,
                       take(pool, (size_t)lookups, sizeof *t.keys) };
    uint32_t seed = 11;
    /* What clSVMAlloc gives has no defined contents. */
    memset(t.chain, 0, chains * sizeof *t.chain);
    for (int i = 0; i < entries; i++) {
        struct entry *e = take(pool, 1, sizeof *e);
        struct entry **chain = &t.chain[2 * (cl_uint)i % t.chains];
        *e = (struct entry){ *chain, 2 * (cl_uint)i, 0 };
        *chain = e;
    }
    for (int i = 0; i < lookups; i++)
        t.keys[i] = example_random(&seed) % (2 * (cl_uint)entries);
    return t;
}

/* Entries whose count is not that of the host. */
static size_t
count_wrong(const struct table *t, int entries, int lookups, int repeat)
{
    cl_uint *expected = example_alloc((size_t)entries, sizeof *expected);
    size_t wrong = 0, seen = 0;
    for (int i = 0; i < lookups; i++)
        if (t->keys[i] % 2 == 0)
            expected[t->keys[i] / 2] += (cl_uint)repeat;
    for (cl_uint c = 0; c < t->chains; c++)
        for (const struct entry *e = t->chain[c]; e; e = e->next, seen++)
            wrong += e->found != expected[e->key / 2];
    free(expected);
    return wrong + (seen != (size_t)entries);
}

static void
free_entries(struct table *t)
{
    for (cl_uint c = 0; c < t->chains; c++)
        for (struct entry *e = t->chain[c], *next; e; e = next) {
            next = e->next;
            free(e);
        }
    free(t->chain);
    free(t->keys);
}

/* Ends the program if the device has not what is asked for. */
static void
require(const struct example *ex, bool any)
{
    cl_device_svm_capabilities has = 0;
    clGetDeviceInfo(ex->device, CL_DEVICE_SVM_CAPABILITIES, sizeof has, &has,
                    NULL);
    if (has & (any ? CL_DEVICE_SVM_FINE_GRAIN_SYSTEM
                   : CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
        return;
    fprintf(stderr, "error: this device has no %s memory\n",
            any ? "fine-grained system shared" : "shared");
    exit(2);
}

/* Host and device take turns: between map and unmap it is the host's. */
static void
map(struct example *ex, struct pool *pool, size_t size)
{
    if (pool->at)
        CHECK(clEnqueueSVMMap(ex->queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                              pool->at, size, 0, NULL, NULL));
}

int
main(int argc, char **argv)
{
    int entries = 20000, lookups = 50000;
    const char *memory = "svm";
    const struct example_option options[] = {
        { "n", "entries", &entries, 1, 1 << 20, NULL },
        { "lookups", "keys to be looked up", &lookups, 1, 1 << 20, NULL },
        { "memory", "svm or malloc", NULL, 0, 0, &memory },
        { 0 },
    };
    struct example ex = example_open("Chains of pointers that host and device "
                                     "share.",
                                     argc, argv, options);
    bool any = strcmp(memory, "malloc") == 0;
    if (!any && strcmp(memory, "svm") != 0)
        example_fail("unknown memory", memory);
    require(&ex, any);
    cl_kernel kernel = example_kernel(&ex, source, "look_up", "-cl-std=CL3.0");
    size_t size = (size_t)entries * (sizeof(struct entry) + sizeof(void *)) +
                  (size_t)lookups * sizeof(cl_uint) + 64;
    struct pool pool = { NULL, 0 };
    if (!any) {
        pool.at = clSVMAlloc(ex.context, CL_MEM_READ_WRITE, size, 0);
        if (!pool.at)
            example_fail("no memory for", "the table");
    }
    map(&ex, &pool, size);
    struct table t = build(&pool, entries, lookups);
    if (pool.at)
        CHECK(clEnqueueSVMUnmap(ex.queue, pool.at, 0, NULL, NULL));
    CHECK(clSetKernelArgSVMPointer(kernel, 0, t.chain));
    CHECK(clSetKernelArg(kernel, 1, sizeof t.chains, &t.chains));
    CHECK(clSetKernelArgSVMPointer(kernel, 2, t.keys));
    CHECK(clSetKernelArg(kernel, 3, sizeof lookups, &lookups));
    size_t global = example_round_up((size_t)lookups, LOCAL);
    for (int i = 0; i < ex.repeat; i++) {
        example_start(&ex);
        CHECK(clEnqueueNDRangeKernel(ex.queue, kernel, 1, NULL, &global,
                                     &(size_t){ LOCAL }, 0, NULL, NULL));
        example_stop(&ex);
    }
    map(&ex, &pool, size);
    size_t wrong = count_wrong(&t, entries, lookups, ex.repeat);
    if (pool.at)
        clSVMFree(ex.context, pool.at);
    else
        free_entries(&t);
    return example_close(&ex, wrong, (size_t)entries, "entries");
}
