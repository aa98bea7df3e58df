/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <stdlib.h>

#include <ventus/dev.h>
#include <ventus/dev_check.h>

#include "base/held.h"
#include "cl/checks/recorder.h"
#include "cl/memory/mem.h"
#include "cl/memory/svm.h"

enum { PAGE = 4096, MOVED_AT_ONCE = 1 << 20 };

/* Whether the bytes on a device are the host's. */
static bool
is_shared(cl_mem root, cl_uint device)
{
    return root->shared && root->context->devices[device]->svm;
}

/* The flags for accesses of kernels, which `--check` enforces. */
static unsigned
flags_of(const struct _cl_mem *root)
{
    if (root->type != CL_MEM_OBJECT_BUFFER ||
        (!cl_env("VENTUS_CHECK") && !recorder_is_wanted()))
        return 0;
    unsigned flags = root->flags & CL_MEM_READ_ONLY    ? VENTUS_DEV_READ_ONLY
                     : root->flags & CL_MEM_WRITE_ONLY ? VENTUS_DEV_WRITE_ONLY
                                                       : 0;
    return flags ? flags | VENTUS_DEV_WHEN_CHECKED : 0;
}

/* Allocates the bytes on a device if necessary; the lock is held. */
static bool
ensure_allocated(cl_mem root, cl_uint device)
{
    assert(!root->parent && device < root->context->n_devices &&
           "only roots have bytes");
    struct ventus_dev_context *memory = root->context->memory[device];
    if (is_shared(root, device))
        root->address[device] = (uintptr_t)root->host_ptr;
    else if (!root->address[device]) {
        root->address[device] =
            ventus_dev_alloc_in(memory, root->size, flags_of(root));
        ventus_dev_check_origin(root->context->devices[device]->dev,
                                root->address[device], root->made_by);
    }
    return root->address[device] != 0;
}

cl_int
storage_open(cl_mem root)
{
    assert(!root->parent && !root->address && !root->valid &&
           "a root is opened once");
    cl_context c = root->context;
    root->address = calloc(c->n_devices, sizeof *root->address);
    root->valid = calloc(c->n_devices, sizeof *root->valid);
    CL_REQUIRE(root->address && root->valid, CL_OUT_OF_HOST_MEMORY);
    root->shared =
        root->host_ptr && svm_find(c, root->host_ptr, root->size, NULL);
    bool found = false;
    for (cl_uint i = 0; i < c->n_devices && (!found || root->addressed); i++) {
        bool has = root->size <= c->devices[i]->max_alloc_B &&
                   ensure_allocated(root, i);
        if (has && !found)
            root->valid[i] = found = true;
    }
    if (found)
        return CL_SUCCESS;
    return cl_refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                     "no device has enough memory");
}

void
storage_close(cl_mem root)
{
    assert(!root->parent && "only roots have bytes");
    cl_context c = root->context;
    for (cl_uint i = 0; root->address && i < c->n_devices; i++)
        if (root->address[i] && !is_shared(root, i))
            ventus_dev_free(c->devices[i]->dev, root->address[i]);
    free(root->address);
    free(root->valid);
    free(root->shadow);
}

/* Copies from one device to another, through the host; the lock is held. */
static bool
move_between(cl_mem root, cl_uint from, cl_uint to)
{
    assert_held(&root->lock);
    assert(from != to && root->valid[from] && !root->valid[to] &&
           "bytes move to a device without them");
    cl_device_id *d = root->context->devices;
    char *bytes = malloc(MOVED_AT_ONCE);
    bool ok = bytes != NULL;
    for (size_t at = 0; ok && at < root->size; at += MOVED_AT_ONCE) {
        size_t n = root->size - at;
        if (n > MOVED_AT_ONCE)
            n = MOVED_AT_ONCE;
        ok =
            ventus_dev_read(d[from]->dev, root->address[from] + at, bytes, n) &&
            ventus_dev_write(d[to]->dev, root->address[to] + at, bytes, n);
    }
    free(bytes);
    return ok;
}

/* Makes the copy of a device valid; the lock is held. */
static bool
bring_up_to_date(cl_mem root, cl_uint device)
{
    assert_held(&root->lock);
    cl_uint from = 0;
    if (!ensure_allocated(root, device))
        return false;
    while (!root->valid[from])
        from++;
    if (root->address[from] == root->address[device] && is_shared(root, from) &&
        is_shared(root, device))
        return true;
    return move_between(root, from, device);
}

cl_int
storage_use(cl_mem m, cl_uint device, bool write, uint64_t *address)
{
    cl_mem root = mem_root(m);
    pthread_mutex_lock(&root->lock);
    assert(m->origin <= root->size && m->size <= root->size - m->origin &&
           "a part is inside its root");
    bool ok = root->valid[device] || bring_up_to_date(root, device);
    if (ok)
        root->valid[device] = true;
    for (cl_uint i = 0; ok && write && i < root->context->n_devices; i++)
        root->valid[i] = i == device;
    if (ok && write)
        root->host_differs = true;
    *address = root->address[device] + m->origin;
    pthread_mutex_unlock(&root->lock);
    CL_EXPECT(ok, CL_MEM_OBJECT_ALLOCATION_FAILURE, "%s", ventus_dev_message());
    return CL_SUCCESS;
}

void *
storage_host(cl_mem m)
{
    cl_mem root = mem_root(m);
    if (root->host_ptr)
        return (char *)root->host_ptr + m->origin;
    pthread_mutex_lock(&root->lock);
    if (!root->shadow && posix_memalign(&root->shadow, PAGE, root->size) != 0)
        root->shadow = NULL;
    char *shadow = root->shadow;
    pthread_mutex_unlock(&root->lock);
    return shadow ? shadow + m->origin : NULL;
}
