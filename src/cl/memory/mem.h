/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdatomic.h>

#include "cl/context/context.h"

struct ventus_dev;

/* A box of bytes in a memory object or in host memory. */
struct box {
    size_t origin; /* offset of its first byte */
    size_t row_pitch, slice_pitch;
};

/* The box of contiguous bytes. */
static inline struct box
box_line(size_t offset)
{
    return (struct box){ offset, 0, 0 };
}

/*
 * Memory objects: buffers, sub-buffers and images (image.h).
 *
 * The bytes of a buffer are on the devices of its context, allocated at a device's
 * first use.  A device's copy is valid until a command on another device may have
 * written; it is updated before the next command there (storage.c).  A sub-buffer, or
 * an image made from a buffer, has no bytes of its own: all members from `lock` on are
 * its parent's.
 *
 * A map is a copy of the bytes at a fixed address of the host: the application's own
 * memory with CL_MEM_USE_HOST_PTR, else memory of the runtime.  A map copies from the
 * device, an unmap after a map for writing copies back.
 */
struct mapping {
    struct mapping *next;
    cl_mem of; /* the buffer, its part or its image; outlives the map */
    void *at;
    /* Position in the object, and relative to the host's memory. */
    struct box box;
    size_t region[3]; /* bytes, rows, slices */
    cl_map_flags flags;
    struct snapshot *seen; /* copy of a map for reading (misuse.h); or NULL */
    char *made_by;         /* call that made it (call_site.h); or NULL */
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
    cl_mem parent; /* NULL: not part of another */
    size_t origin, size;
    cl_mem_flags flags;
    cl_mem_object_type type;
    struct image *image;           /* NULL: a buffer */
    void (*close_image)(cl_mem m); /* with an image: frees its members */
    void *host_ptr;                /* as given with CL_MEM_USE_HOST_PTR */
    char *made_by; /* call that made it (call_site.h), or NULL */
    cl_mem_properties *properties;
    size_t n_properties;

    pthread_mutex_t lock;
    /* Maps of an object and its parts, kept in the root. */
    struct mapping *mappings;
    struct callback *destructors; /* callbacks of this object, parent or part */
    uint64_t *address;            /* by device of the context; 0: none */
    bool *valid;                  /* by device of the context */
    void *shadow;                 /* address of maps on the host */
    /* Allocated on each device from the start, which fixes its address. */
    bool addressed;
    bool shared; /* host_ptr is shared memory, which all devices use */
    /* For misuse.h: the kernel whose results were never used, or NULL; whether bytes
     * at host_ptr differ from those of devices, as far as commands tell. */
    char *left_by;
    atomic_bool host_differs;
    struct access *accesses; /* conflict.h; protected by lock */
};

/* Whether the application has mapped some of the bytes for writing, by this object or
 * another one of the same memory, and has not begun to unmap them. */
bool
mem_is_mapped_to_write(cl_mem m);

/* Drops the maps that the object still has. */
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

/* The object that keeps the bytes: the parent of a part. */
static inline cl_mem
mem_root(cl_mem m)
{
    return m->parent ? m->parent : m;
}

/* Whether [offset, offset + count) is inside the object. */
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

/* Checks that the flags of the object allow the host to read it. */
static inline cl_int
mem_check_host_reads(cl_mem m)
{
    CL_EXPECT(!(m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)),
              CL_INVALID_OPERATION,
              "it was created with CL_MEM_HOST_%s: the host must not read it",
              m->flags & CL_MEM_HOST_NO_ACCESS ? "NO_ACCESS" : "WRITE_ONLY");
    return CL_SUCCESS;
}

/* Checks that the flags of the object allow the host to write it. */
static inline cl_int
mem_check_host_writes(cl_mem m)
{
    CL_EXPECT(!(m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)),
              CL_INVALID_OPERATION,
              "it was created with CL_MEM_HOST_%s: the host must not write it",
              m->flags & CL_MEM_HOST_NO_ACCESS ? "NO_ACCESS" : "READ_ONLY");
    return CL_SUCCESS;
}

/* Checks the alignment for devices; role: the object's name in a refusal, as "source". */
static inline cl_int
mem_check_aligned(cl_mem m, const char *role)
{
    CL_EXPECT(mem_is_aligned(m), CL_MISALIGNED_SUB_BUFFER_OFFSET,
              "the %s begins at byte %zu of its buffer; it must be a "
              "multiple of %d",
              role, m->origin, DEVICE_BASE_ALIGN_B);
    return CL_SUCCESS;
}

/* ---- mem.c: shared with images ---- */

bool
mem_flags_are_valid(cl_mem_flags flags);

/* Whether a host pointer is given exactly if the flags require one. */
bool
mem_host_ptr_fits(cl_mem_flags flags, const void *host_ptr);

/* Completes the flags of an object that is part of, or made from, another: missing
 * ones are taken from the other, given ones must not allow more. */
cl_int
mem_inherit_flags(cl_mem_flags from, cl_mem_flags *flags);

/* Makes an object without bytes; NULL: no memory. */
cl_mem
mem_new(cl_context context, cl_mem parent, size_t size);

/* Gives a new object its bytes, from host_ptr if it is not NULL.  Properties are a
 * checked list, or NULL. */
cl_int
mem_fill_in(cl_mem m, cl_mem_flags flags, void *host_ptr,
            const cl_mem_properties *properties);

/* ---- storage.c ---- */

/* Allocates the bytes, zeroed, on the context's first device with enough memory. */
cl_int
storage_open(cl_mem root);

void
storage_close(cl_mem root);

/* The address of the first byte on a device, whose copy becomes valid; with `write` it
 * becomes the only valid one. */
cl_int
storage_use(cl_mem m, cl_uint device, bool write, uint64_t *address);

/* Checks an object that is destroyed: whether the program ever saw the results of
 * kernels in memory of CL_MEM_USE_HOST_PTR (misuse.c). */
void
misuse_check_end(cl_mem root);

/* The address of the object's maps on the host; NULL: no memory. */
void *
storage_host(cl_mem m);
