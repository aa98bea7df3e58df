/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdatomic.h>

#include "cl/context.h"

struct ventus_dev;

/* A box of bytes in a memory object or in host memory. */
struct box {
    size_t origin; /* of its first byte */
    size_t row_pitch, slice_pitch;
};

/* A box with all its bytes in one piece. */
static inline struct box
box_line(size_t offset)
{
    return (struct box){ offset, 0, 0 };
}

/*
 * Memory objects: buffers, sub-buffers and images (image.h).
 *
 * The bytes of a buffer are on the devices of its context, allocated when a
 * device needs them first.  A device's copy is valid until a command on
 * another device may have written; then it is brought up to date before the
 * next command there (storage.c).  A sub-buffer has no bytes of its own: all
 * from `lock` on is its parent's.  So it is with an image made from a buffer.
 *
 * What the host maps is a copy of the bytes at a fixed place: the
 * application's own memory with CL_MEM_USE_HOST_PTR, else memory of ours.  A
 * map copies from the device, an unmap of what was mapped for writing copies
 * back.
 */
struct mapping {
    struct mapping *next;
    cl_mem of; /* the buffer, its part or its image; lives as long */
    void *at;
    struct box box;   /* in the object, and as much on the host */
    size_t region[3]; /* bytes, rows, slices */
    cl_map_flags flags;
    struct snapshot *seen; /* of a map for reading (misuse.h); or NULL */
    char *made_by;         /* where it was made (origin.h); or NULL */
};

/* cl_ext_buffer_device_address, which the header of this system lacks. */
enum {
    MEM_DEVICE_PRIVATE_ADDRESS = 0x5000, /* CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT */
    MEM_DEVICE_ADDRESS = 0x5001,         /* CL_MEM_DEVICE_ADDRESS_EXT */
    MEM_EXEC_INFO_DEVICE_PTRS = 0x5002   /* CL_KERNEL_EXEC_INFO_..._PTRS_EXT */
};

struct _cl_mem {
    struct object base;
    cl_context context;
    cl_mem parent; /* NULL: it is none's part */
    size_t origin, size;
    cl_mem_flags flags;
    cl_mem_object_type type;
    struct image *image;           /* NULL: a buffer */
    void (*close_image)(cl_mem m); /* with an image: gives back what it owns */
    void *host_ptr;                /* as given, with CL_MEM_USE_HOST_PTR */
    char *made_by;                 /* origin.h, or NULL */
    cl_mem_properties *properties;
    size_t n_properties;

    pthread_mutex_t lock;
    struct mapping *mappings;     /* of the whole and its parts, in the whole */
    struct callback *destructors; /* of this object, parent or part */
    uint64_t *address;            /* by device of the context; 0: none */
    bool *valid;                  /* likewise */
    void *shadow;                 /* where it is mapped */
    bool addressed; /* on each device from the start, which says its address */
    bool shared;    /* host_ptr is shared memory: all devices' bytes */
    /* For misuse.h: the kernel whose results nothing has used, or NULL; are bytes of
     * host_ptr others than those of devices, as far as commands tell? */
    char *left_by;
    atomic_bool host_differs;
    struct access *accesses; /* conflict.h; under lock */
};

/* Has the application mapped some of its bytes for writing, by this object or another of
 * the same memory, and not begun to unmap them? */
bool
mem_is_mapped_to_write(cl_mem m);

/* Maps of the object that it still has go with it. */
void
mem_drop_maps(cl_mem m);

cl_uint
mem_count_maps(cl_mem m);

static inline bool
mem_is(cl_mem m)
{
    return object_is(m, OBJECT_MEM);
}

static inline bool
mem_is_buffer(cl_mem m)
{
    return mem_is(m) && !m->image;
}

static inline bool
mem_is_image(cl_mem m)
{
    return mem_is(m) && m->image;
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

static inline cl_int
mem_check_bounds(cl_mem m, size_t offset, size_t size)
{
    CL_EXPECT(mem_in_bounds(m, offset, size), CL_INVALID_VALUE,
              "%zu bytes from byte %zu are not in the object, which has %zu",
              size, offset, m->size);
    return CL_SUCCESS;
}

/* The flags with which the object was created let the host read it. */
static inline cl_int
mem_check_host_reads(cl_mem m)
{
    CL_EXPECT(!(m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)),
              CL_INVALID_OPERATION,
              "it was created with CL_MEM_HOST_%s: the host must not read it",
              m->flags & CL_MEM_HOST_NO_ACCESS ? "NO_ACCESS" : "WRITE_ONLY");
    return CL_SUCCESS;
}

/* ... and write it. */
static inline cl_int
mem_check_host_writes(cl_mem m)
{
    CL_EXPECT(!(m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)),
              CL_INVALID_OPERATION,
              "it was created with CL_MEM_HOST_%s: the host must not write it",
              m->flags & CL_MEM_HOST_NO_ACCESS ? "NO_ACCESS" : "READ_ONLY");
    return CL_SUCCESS;
}

/* role: what a refusal calls the object, as "source". */
static inline cl_int
mem_check_aligned(cl_mem m, const char *role)
{
    CL_EXPECT(mem_is_aligned(m), CL_MISALIGNED_SUB_BUFFER_OFFSET,
              "the %s begins at byte %zu of its buffer; it must be a "
              "multiple of %d",
              role, m->origin, DEVICE_BASE_ALIGN_B);
    return CL_SUCCESS;
}

/* ---- mem.c: what images are made with, too ---- */

bool
mem_flags_are_valid(cl_mem_flags flags);

/* Does the application have to give a host pointer, and did it? */
bool
mem_host_ptr_fits(cl_mem_flags flags, const void *host_ptr);

/* Of an object that is part of, or made from, another: what is not said is
 * the other's, what is said must not widen it. */
cl_int
mem_inherit_flags(cl_mem_flags from, cl_mem_flags *flags);

/* Without bytes; NULL: no memory. */
cl_mem
mem_new(cl_context context, cl_mem parent, size_t size);

/* Gives a new object its bytes, from host_ptr if it is not NULL.  Properties
 * are a list that was checked, or NULL. */
cl_int
mem_fill_in(cl_mem m, cl_mem_flags flags, void *host_ptr,
            const cl_mem_properties *properties);

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

/* misuse.c: the object goes.  Did the program ever get what kernels left in memory of
 * CL_MEM_USE_HOST_PTR? */
void
misuse_check_end(cl_mem root);

/* Where it is on the host when mapped; NULL: no memory. */
void *
storage_host(cl_mem m);
