/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/memory/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

#include "cl/checks/call_site.h"
#include "cl/memory/svm.h"

typedef void(CL_CALLBACK *destructor_fn)(cl_mem, void *);

static const cl_mem_flags access_flags =
    CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
static const cl_mem_flags ptr_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
static const cl_mem_flags host_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

static void
call_destructor(callback_fn function, void *object, void *user_data)
{
    ((destructor_fn)function)(object, user_data);
}

static void
destroy_mem(void *object)
{
    cl_mem m = object;
    assert((!m->parent || !m->address) && "a part uses its parent's bytes");
    callback_run(m->destructors, m, call_destructor);
    mem_drop_maps(m);
    if (m->image)
        m->close_image(m);
    if (!m->parent) {
        misuse_check_end(m);
        conflict_end(&m->accesses);
        storage_close(m);
    }
    pthread_mutex_destroy(&m->lock);
    free(m->properties);
    free(m->made_by);
    object_unref(m->parent);
    object_unref(m->context);
}

static bool
at_most_one(cl_mem_flags flags)
{
    return !(flags & (flags - 1));
}

bool
mem_flags_are_valid(cl_mem_flags flags)
{
    cl_mem_flags ptr = flags & ptr_flags;
    return !(flags & ~(access_flags | ptr_flags | host_flags)) &&
           at_most_one(flags & access_flags) &&
           at_most_one(flags & host_flags) &&
           (!(ptr & CL_MEM_USE_HOST_PTR) || ptr == CL_MEM_USE_HOST_PTR);
}

bool
mem_host_ptr_fits(cl_mem_flags flags, const void *host_ptr)
{
    const cl_mem_flags needs_ptr = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    return !host_ptr == !(flags & needs_ptr);
}

cl_mem
mem_new(cl_context context, cl_mem parent, size_t size)
{
    assert(size > 0 && (!parent || !parent->parent) &&
           "parts of parts have the root as parent");
    cl_mem m = object_new(OBJECT_MEM, sizeof *m, destroy_mem);
    if (!m)
        return NULL;
    pthread_mutex_init(&m->lock, NULL);
    m->context = object_ref(context);
    m->parent = parent ? object_ref(parent) : NULL;
    m->size = size;
    m->type = CL_MEM_OBJECT_BUFFER;
    return m;
}

static bool
fits_a_device(cl_context c, size_t size)
{
    for (cl_uint i = 0; i < c->n_devices; i++)
        if (size <= c->devices[i]->max_alloc_B)
            return true;
    return false;
}

/* Copies the initial bytes of the application. */
static cl_int
copy_in(cl_mem m, const void *host_ptr)
{
    cl_uint d = 0;
    uint64_t address;
    while (!m->valid[d])
        d++;
    CL_CHECK(storage_use(m, d, true, &address));
    svm_hold_pages(m->context);
    bool there = svm_host_permits(m->context, host_ptr, m->size, false);
    bool ok = there && ((m->shared && address == (uintptr_t)host_ptr) ||
                        ventus_dev_write(m->context->devices[d]->dev, address,
                                         host_ptr, m->size));
    svm_release_pages(m->context);
    CL_EXPECT(there, CL_INVALID_HOST_PTR,
              "the memory of the host at this address cannot be used");
    CL_EXPECT(ok, CL_MEM_OBJECT_ALLOCATION_FAILURE, "%s", ventus_dev_message());
    return CL_SUCCESS;
}

cl_int
mem_fill_in(cl_mem m, cl_mem_flags flags, void *host_ptr,
            const cl_mem_properties *properties)
{
    assert(!m->parent && !m->address && "bytes are given to a root once");
    m->flags = flags & access_flags ? flags : flags | CL_MEM_READ_WRITE;
    if (flags & CL_MEM_USE_HOST_PTR)
        m->host_ptr = host_ptr;
    if (properties) { /* pairs that end with 0 */
        size_t n = 1;
        while (properties[n - 1])
            n += 2;
        m->properties = calloc(n, sizeof *m->properties);
        CL_REQUIRE(m->properties, CL_OUT_OF_HOST_MEMORY);
        memcpy(m->properties, properties, n * sizeof *m->properties);
        m->n_properties = n;
    }
    CL_CHECK(storage_open(m));
    cl_int code = host_ptr ? copy_in(m, host_ptr) : CL_SUCCESS;
    m->host_differs = false;
    return code;
}

/* Checks properties; one pair at most is supported. */
static cl_int
check_properties(const cl_mem_properties *p, bool *addressed)
{
    *addressed = false;
    if (!p || !p[0])
        return CL_SUCCESS;
    CL_EXPECT(p[0] == MEM_DEVICE_PRIVATE_ADDRESS, CL_INVALID_PROPERTY,
              "the property 0x%" PRIx64
              " is unknown; expected CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT",
              (uint64_t)p[0]);
    CL_EXPECT(p[1] == CL_TRUE || p[1] == CL_FALSE, CL_INVALID_PROPERTY,
              "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is %" PRIu64
              "; it must be CL_TRUE or CL_FALSE",
              (uint64_t)p[1]);
    CL_EXPECT(!p[2], CL_INVALID_PROPERTY,
              "the property 0x%" PRIx64 " is one too many", (uint64_t)p[2]);
    *addressed = p[1];
    return CL_SUCCESS;
}

static cl_int
create_buffer(cl_context context, const cl_mem_properties *properties,
              cl_mem_flags flags, size_t size, void *host_ptr, cl_mem *mem)
{
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    bool addressed;
    CL_CHECK(check_properties(properties, &addressed));
    CL_EXPECT(mem_flags_are_valid(flags), CL_INVALID_VALUE,
              "flags 0x%" PRIx64 " exclude each other, or are unknown",
              (uint64_t)flags);
    CL_EXPECT(size, CL_INVALID_BUFFER_SIZE, "size is 0; it must be at least 1");
    CL_EXPECT(fits_a_device(context, size), CL_INVALID_BUFFER_SIZE,
              "size is %zu; no device of the context has so much "
              "(CL_DEVICE_MAX_MEM_ALLOC_SIZE)",
              size);
    CL_EXPECT(mem_host_ptr_fits(flags, host_ptr), CL_INVALID_HOST_PTR,
              "host_ptr is %s; it must be given with CL_MEM_USE_HOST_PTR and "
              "CL_MEM_COPY_HOST_PTR, and only then",
              host_ptr ? "given" : "NULL");
    CL_EXPECT(!host_ptr || svm_is_whole(context, host_ptr, size),
              CL_INVALID_BUFFER_SIZE,
              "host_ptr is in an allocation that ends before %zu bytes", size);
    cl_mem m = mem_new(context, NULL, size);
    CL_REQUIRE(m, CL_OUT_OF_HOST_MEMORY);
    m->addressed = addressed;
    static unsigned count;
    m->made_by = call_site_describe("clCreateBuffer", &count);
    cl_int code = mem_fill_in(m, flags, host_ptr, properties);
    if (code == CL_SUCCESS)
        *mem = m;
    else
        object_unref(m);
    return code;
}

CL_API_ENTRY cl_mem CL_API_CALL
clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
               void *host_ptr, cl_int *errcode_ret)
{
    cl_mem mem = NULL;
    CL_RETURN(create_buffer(context, NULL, flags, size, host_ptr, &mem), mem);
}

CL_API_ENTRY cl_mem CL_API_CALL
clCreateBufferWithProperties(cl_context context,
                             const cl_mem_properties *properties,
                             cl_mem_flags flags, size_t size, void *host_ptr,
                             cl_int *errcode_ret)
{
    cl_mem mem = NULL;
    CL_RETURN(create_buffer(context, properties, flags, size, host_ptr, &mem),
              mem);
}

/* ---- sub-buffers ---- */

cl_int
mem_inherit_flags(cl_mem_flags parent, cl_mem_flags *flags)
{
    cl_mem_flags said = *flags;
    CL_EXPECT(!(said & ptr_flags), CL_INVALID_VALUE,
              "flags 0x%" PRIx64
              " choose the memory, which the parent determines",
              (uint64_t)said);
    CL_EXPECT(mem_flags_are_valid(said), CL_INVALID_VALUE,
              "flags 0x%" PRIx64 " exclude each other, or are unknown",
              (uint64_t)said);
    CL_EXPECT(
        !(parent & CL_MEM_WRITE_ONLY) ||
            !(said & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)),
        CL_INVALID_VALUE,
        "the parent is CL_MEM_WRITE_ONLY; kernels must not read a part of it");
    CL_EXPECT(
        !(parent & CL_MEM_READ_ONLY) ||
            !(said & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)),
        CL_INVALID_VALUE,
        "the parent is CL_MEM_READ_ONLY; kernels must not write a part of it");
    CL_EXPECT(!(parent & CL_MEM_HOST_WRITE_ONLY) ||
                  !(said & CL_MEM_HOST_READ_ONLY),
              CL_INVALID_VALUE,
              "the parent is CL_MEM_HOST_WRITE_ONLY; the host must not read a "
              "part of it");
    CL_EXPECT(!(parent & CL_MEM_HOST_READ_ONLY) ||
                  !(said & CL_MEM_HOST_WRITE_ONLY),
              CL_INVALID_VALUE,
              "the parent is CL_MEM_HOST_READ_ONLY; the host must not write a "
              "part of it");
    CL_EXPECT(!(parent & CL_MEM_HOST_NO_ACCESS) ||
                  !(said & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)),
              CL_INVALID_VALUE,
              "the parent is CL_MEM_HOST_NO_ACCESS; the host must not access a "
              "part of it");
    if (!(said & access_flags))
        said |= parent & access_flags;
    if (!(said & host_flags))
        said |= parent & host_flags;
    *flags = said | (parent & ptr_flags);
    return CL_SUCCESS;
}

static cl_int
create_sub_buffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                  const void *info, cl_mem *mem)
{
    const cl_buffer_region *r = info;
    CL_EXPECT(mem_is_buffer(parent), CL_INVALID_MEM_OBJECT,
              "buffer is not a buffer that exists");
    CL_EXPECT(!parent->parent, CL_INVALID_MEM_OBJECT,
              "buffer is a sub-buffer, which has none of its own");
    CL_CHECK(mem_inherit_flags(parent->flags, &flags));
    CL_EXPECT(
        type == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE,
        "buffer_create_type is 0x%x; it must be CL_BUFFER_CREATE_TYPE_REGION",
        type);
    CL_EXPECT(r, CL_INVALID_VALUE, "buffer_create_info is NULL");
    CL_EXPECT(mem_in_bounds(parent, r->origin, r->size), CL_INVALID_VALUE,
              "%zu bytes from byte %zu are not in the buffer, which has %zu",
              r->size, r->origin, parent->size);
    CL_EXPECT(r->size, CL_INVALID_BUFFER_SIZE,
              "the size of the region is 0; it must be at least 1");
    CL_EXPECT(r->origin % DEVICE_BASE_ALIGN_B == 0,
              CL_MISALIGNED_SUB_BUFFER_OFFSET,
              "the origin is %zu; it must be a multiple of %d", r->origin,
              DEVICE_BASE_ALIGN_B);
    cl_mem m = mem_new(parent->context, parent, r->size);
    CL_REQUIRE(m, CL_OUT_OF_HOST_MEMORY);
    m->origin = r->origin;
    assert(mem_is_aligned(m));
    m->flags = flags;
    if (parent->host_ptr)
        m->host_ptr = (char *)parent->host_ptr + r->origin;
    *mem = m;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_mem CL_API_CALL
clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                  cl_buffer_create_type buffer_create_type,
                  const void *buffer_create_info, cl_int *errcode_ret)
{
    cl_mem mem = NULL;
    CL_RETURN(create_sub_buffer(buffer, flags, buffer_create_type,
                                buffer_create_info, &mem),
              mem);
}

/* ---- all memory objects ---- */

CL_API_ENTRY cl_int CL_API_CALL
clRetainMemObject(cl_mem mem)
{
    return object_retain(mem, OBJECT_MEM, CL_INVALID_MEM_OBJECT);
}

CL_API_ENTRY cl_int CL_API_CALL
clReleaseMemObject(cl_mem mem)
{
    return object_release(mem, OBJECT_MEM, CL_INVALID_MEM_OBJECT);
}

CL_API_ENTRY cl_int CL_API_CALL
clSetMemObjectDestructorCallback(cl_mem m, destructor_fn pfn_notify,
                                 void *user_data)
{
    CL_REQUIRE(mem_is(m), CL_INVALID_MEM_OBJECT);
    CL_EXPECT(pfn_notify, CL_INVALID_VALUE, "pfn_notify is NULL");
    pthread_mutex_lock(&m->lock);
    bool ok =
        callback_push(&m->destructors, (callback_fn)pfn_notify, user_data);
    pthread_mutex_unlock(&m->lock);
    CL_REQUIRE(ok, CL_OUT_OF_HOST_MEMORY);
    return CL_SUCCESS;
}
