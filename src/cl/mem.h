/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/context.h"

struct dev;

/*
 * Memory objects: buffers and sub-buffers.
 *
 * The bytes of a buffer are on the devices of its context, allocated when a
 * device needs them first.  A device's copy is valid until a command on
 * another device may have written; then it is brought up to date before the
 * next command there (storage.c).  A sub-buffer has no bytes of its own: all
 * from `lock` on is its parent's.
 *
 * What the host maps is a copy of the bytes at a fixed place: the
 * application's own memory with CL_MEM_USE_HOST_PTR, else memory of ours.  A
 * map copies from the device, an unmap of what was mapped for writing copies
 * back.
 */
struct mapping {
    struct mapping *next;
    void *at;
    size_t offset, size;
    cl_map_flags flags;
};

struct _cl_mem {
    struct object base;
    cl_context context;
    cl_mem parent; /* NULL: it is none's part */
    size_t origin, size;
    cl_mem_flags flags;
    void *host_ptr; /* as given, with CL_MEM_USE_HOST_PTR */
    cl_mem_properties *properties;
    size_t n_properties;

    pthread_mutex_t lock;
    struct mapping *mappings;     /* of this object, parent or part */
    struct callback *destructors; /* likewise */
    uint64_t *address;            /* by device of the context; 0: none */
    bool *valid;                  /* likewise */
    void *shadow;                 /* where it is mapped */
};

static inline bool
mem_is(cl_mem m)
{
    return object_is(m, OBJECT_MEM);
}

/* Where its bytes are kept. */
static inline cl_mem
mem_root(cl_mem m)
{
    return m->parent ? m->parent : m;
}

/* A place in a buffer of size `size` that has room for `count` bytes. */
static inline bool
mem_in_bounds(cl_mem m, size_t offset, size_t count)
{
    return offset <= m->size && count <= m->size - offset;
}

static inline bool
mem_is_aligned(cl_mem m)
{
    return m->origin % DEVICE_BASE_ALIGN_B == 0;
}

/* ---- storage.c ---- */

/* Room on the context's first device that has it, zeroed. */
cl_int
storage_open(cl_mem root);

void
storage_close(cl_mem root);

/*
 * The address of its first byte on a device, whose copy becomes valid; with
 * `write` it becomes the only valid one.
 */
cl_int
storage_use(cl_mem m, cl_uint device, bool write, uint64_t *address);

/* Where it is on the host when mapped; NULL: no memory. */
void *
storage_host(cl_mem m);
