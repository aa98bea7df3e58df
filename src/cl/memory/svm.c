/* SPDX-License-Identifier: Apache-2.0 */
/* The allocations of shared memory in a context, by ascending address. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "cl/memory/svm.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bisect.h"
#include "base/held.h"
#include "cl/checks/checks.h"
#include "cl/memory/host_pages.h"

enum { PAGE = 4096 };

struct svm_list {
    struct svm_allocation *at;
    size_t n, cap;
};

bool
svm_has(cl_context c, cl_device_svm_capabilities wanted)
{
    for (cl_uint i = 0; i < c->n_devices; i++)
        if (wanted && (c->devices[i]->svm & wanted) == wanted)
            return true;
    return false;
}

bool
svm_is_supported(cl_context c)
{
    return svm_has(c, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
}

bool
svm_is_system(cl_context c)
{
    return svm_has(c, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
}

/* The index of the first allocation after the address; the lock is held. */
static size_t
upper_bound(const struct svm_list *l, const void *address)
{
    size_t i;
    BISECT(i, l->n, l->at[i].at <= (const char *)address);
    return i;
}

static bool
insert_allocation(struct svm_list *l, const struct svm_allocation *a)
{
    if (l->n == l->cap) {
        size_t cap = l->cap ? 2 * l->cap : 16;
        struct svm_allocation *at = realloc(l->at, cap * sizeof *at);
        if (!at)
            return false;
        l->at = at;
        l->cap = cap;
    }
    size_t i = upper_bound(l, a->at);
    assert(l->n < l->cap && (!i || l->at[i - 1].at < a->at) &&
           "the list is sorted by address");
    memmove(&l->at[i + 1], &l->at[i], (l->n - i) * sizeof *l->at);
    l->at[i] = *a;
    l->n++;
    return true;
}

/* ---- pages ---- */

/* Reserves pages, and an inaccessible one after them; NULL: failed. */
static char *
reserve_pages(size_t mapped_B)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *at = mmap(NULL, mapped_B + PAGE, PROT_NONE, flags, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    if (mprotect(at, mapped_B, PROT_READ | PROT_WRITE) == 0)
        return at;
    munmap(at, mapped_B + PAGE);
    return NULL;
}

/* Unmaps an allocation from the first `n` devices of the context, and frees its pages. */
static void
give_back(cl_context c, cl_uint n, const struct svm_allocation *a)
{
    for (cl_uint i = 0; i < n; i++)
        if (c->devices[i]->svm)
            ventus_dev_free(c->devices[i]->dev, (uintptr_t)a->at);
    pthread_rwlock_wrlock(&c->pages);
    munmap(a->at, a->mapped_B + PAGE);
    pthread_rwlock_unlock(&c->pages);
}

static bool
share_pages(cl_context c, const struct svm_allocation *a)
{
    for (cl_uint i = 0; i < c->n_devices; i++)
        if (c->devices[i]->svm &&
            !ventus_dev_share(c->memory[i], a->at, a->size, 0)) {
            give_back(c, i, a);
            return false;
        }
    return true;
}

/* ---- the list ---- */

static void
close_list(cl_context c)
{
    struct svm_list *l = c->svm;
    assert(l && c->close_svm == close_list);
    for (size_t i = 0; i < l->n; i++)
        give_back(c, c->n_devices, &l->at[i]);
    free(l->at);
    free(l);
    c->svm = NULL;
}

/* The list, which the first allocation makes; NULL: no memory.  The lock is held. */
static struct svm_list *
list_of(cl_context c)
{
    assert_held(&c->lock);
    if (!c->svm) {
        c->svm = calloc(1, sizeof *c->svm);
        c->close_svm = close_list;
    }
    return c->svm;
}

static bool
devices_fit(cl_context c, size_t size)
{
    for (cl_uint i = 0; i < c->n_devices; i++)
        if (c->devices[i]->svm && size > c->devices[i]->max_alloc_B)
            return false;
    return size > 0;
}

/* Adds an allocation to the context's list; false: no memory. */
static bool
keep_allocation(cl_context c, const struct svm_allocation *a)
{
    pthread_mutex_lock(&c->lock);
    struct svm_list *l = list_of(c);
    bool ok = l && insert_allocation(l, a);
    pthread_mutex_unlock(&c->lock);
    return ok;
}

static cl_int
make_allocation(cl_context c, struct svm_allocation *a, size_t alignment)
{
    if (!devices_fit(c, a->size))
        return cl_refuse(CL_INVALID_BUFFER_SIZE,
                         "the size must be 1 to CL_DEVICE_MAX_MEM_ALLOC_SIZE");
    if (alignment > PAGE || (alignment & (alignment - 1)))
        return cl_refuse(CL_INVALID_VALUE,
                         "the alignment must be a power of two up to 4096");
    a->mapped_B = (a->size + PAGE - 1) / PAGE * PAGE;
    a->at = reserve_pages(a->mapped_B);
    if (!a->at)
        return cl_refuse(CL_OUT_OF_HOST_MEMORY, "the host has no memory left");
    if (!share_pages(c, a))
        return cl_refuse(CL_OUT_OF_RESOURCES,
                         "the devices have no memory left");
    if (keep_allocation(c, a)) {
        checks_shared(1, a->size);
        return CL_SUCCESS;
    }
    give_back(c, c->n_devices, a);
    return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                     "the host has no memory for a list");
}

void *
svm_alloc(cl_context c, const struct svm_allocation *wanted, size_t alignment,
          cl_int *code)
{
    struct svm_allocation a = *wanted;
    *code = make_allocation(c, &a, alignment);
    return *code == CL_SUCCESS ? a.at : NULL;
}

bool
svm_find(cl_context c, const void *at, size_t size,
         struct svm_allocation *found)
{
    bool ok = false;
    pthread_mutex_lock(&c->lock);
    size_t i = c->svm ? upper_bound(c->svm, at) : 0;
    if (i) {
        const struct svm_allocation *a = &c->svm->at[i - 1];
        size_t offset = (size_t)((const char *)at - a->at);
        ok = offset < a->size && size <= a->size - offset;
        if (ok && found)
            *found = *a;
    }
    pthread_mutex_unlock(&c->lock);
    return ok;
}

/* Between allocations there is at least the page after each, which is its own. */
bool
svm_is_whole(cl_context c, const void *at, size_t size)
{
    uintptr_t lo = (uintptr_t)at, below = 0, above = UINTPTR_MAX;
    pthread_mutex_lock(&c->lock);
    const struct svm_list *l = c->svm;
    size_t i = l ? upper_bound(l, at) : 0;
    if (i)
        below = (uintptr_t)l->at[i - 1].at + l->at[i - 1].mapped_B + PAGE;
    if (l && i < l->n)
        above = (uintptr_t)l->at[i].at;
    pthread_mutex_unlock(&c->lock);
    return svm_find(c, at, size, NULL) || (lo >= below && size <= above - lo);
}

bool
svm_begins(cl_context c, const void *at)
{
    struct svm_allocation a;
    return svm_find(c, at, 0, &a) && a.at == at;
}

/* ---- locking of pages ---- */

void
svm_hold_pages(cl_context c)
{
    pthread_rwlock_rdlock(&c->pages);
}

void
svm_release_pages(cl_context c)
{
    pthread_rwlock_unlock(&c->pages);
}

bool
svm_host_has(cl_context c, const void *at, size_t size)
{
    return svm_is_whole(c, at, size) && host_pages_are_mapped(at, size);
}

/* Memory inside one allocation is always accessible. */
bool
svm_host_permits(cl_context c, const void *at, size_t size, bool write)
{
    return svm_host_has(c, at, size) &&
           (svm_find(c, at, size, NULL) || host_pages_permit(at, size, write));
}

bool
svm_is_usable(cl_context c, const void *at, size_t size)
{
    return svm_is_system(c) ? svm_host_has(c, at, size)
                            : svm_find(c, at, size, NULL);
}

void
svm_report_host(cl_context c, const char *what, const void *at, size_t size)
{
    char text[200];
    snprintf(text, sizeof text,
             "%s: %zu bytes at %p are not memory of this process, or end "
             "beyond a shared allocation, or may not be accessed so; was it "
             "freed?",
             what, size, at);
    context_report(c, text);
}

void
svm_report_unknown(cl_context c, const char *what, const void *at)
{
    char text[120];
    snprintf(text, sizeof text,
             "%s: no shared allocation begins at %p; was it freed twice?", what,
             at);
    context_report(c, text);
}

bool
svm_free(cl_context c, void *at)
{
    struct svm_allocation a = { .at = NULL };
    pthread_mutex_lock(&c->lock);
    struct svm_list *l = c->svm;
    size_t i = l ? upper_bound(l, at) : 0;
    if (i && l->at[i - 1].at == at) {
        a = l->at[i - 1];
        memmove(&l->at[i - 1], &l->at[i], (l->n - i) * sizeof *l->at);
        l->n--;
    }
    pthread_mutex_unlock(&c->lock);
    if (!a.at)
        return false;
    checks_shared(-1, a.size);
    give_back(c, c->n_devices, &a);
    return true;
}

/* ---- entries ---- */

static cl_int
check_flags(cl_context c, cl_svm_mem_flags flags)
{
    const cl_svm_mem_flags access =
        CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER;
    const cl_svm_mem_flags atomics = CL_MEM_SVM_ATOMICS;
    cl_svm_mem_flags one = flags & access;
    if (flags & ~(access | fine | atomics) || one & (one - 1))
        return cl_refuse(CL_INVALID_VALUE,
                         "flags must be of clSVMAlloc, one of them for access");
    if (flags & atomics && !(flags & fine))
        return cl_refuse(CL_INVALID_VALUE, "atomics need fine grain");
    if (flags & fine && !svm_has(c, CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
        return cl_refuse(CL_INVALID_VALUE,
                         "no device of the context has fine-grained buffers");
    if (flags & atomics && !svm_has(c, CL_DEVICE_SVM_ATOMICS))
        return cl_refuse(CL_INVALID_VALUE,
                         "no device of the context has atomics in SVM");
    return CL_SUCCESS;
}

static cl_int
check_alloc(cl_context c, cl_svm_mem_flags flags)
{
    CL_REQUIRE(context_is(c), CL_INVALID_CONTEXT);
    if (!svm_is_supported(c))
        return cl_refuse(CL_INVALID_VALUE,
                         "no device of the context has shared memory");
    return check_flags(c, flags);
}

/* The entry returns no code: the log of calls has the reason for NULL. */
CL_API_ENTRY void *CL_API_CALL
clSVMAlloc(cl_context c, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    cl_int code = check_alloc(c, flags);
    const struct svm_allocation wanted = { .size = size,
                                           .type = CL_MEM_TYPE_UNKNOWN_INTEL };
    return code == CL_SUCCESS ? svm_alloc(c, &wanted, alignment, &code) : NULL;
}

/* The entry returns no code. */
CL_API_ENTRY void CL_API_CALL
clSVMFree(cl_context c, void *svm_pointer)
{
    if (context_is(c) && svm_pointer && !svm_free(c, svm_pointer))
        svm_report_unknown(c, "clSVMFree", svm_pointer);
}
