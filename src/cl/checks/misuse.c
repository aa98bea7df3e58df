/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/checks/misuse.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

#include "cl/checks/call_site.h"
#include "cl/checks/checks.h"
#include "cl/memory/svm.h"

/* ---- maps for reading ---- */

struct snapshot {
    atomic_uint refs;
    atomic_bool taken;
    char bytes[];
};

struct snapshot *
snapshot_new(const size_t region[3])
{
    if (!checks_api())
        return NULL;
    struct snapshot *s = malloc(sizeof *s + region[0] * region[1] * region[2]);
    if (!s)
        return NULL;
    s->refs = 1;
    s->taken = false;
    return s;
}

struct snapshot *
snapshot_ref(struct snapshot *s)
{
    if (s)
        s->refs++;
    return s;
}

void
snapshot_unref(struct snapshot *s)
{
    assert(!s || s->refs);
    if (s && --s->refs == 0)
        free(s);
}

static const char *
row_at(const char *at, const struct box *box, size_t y, size_t z)
{
    return at + z * box->slice_pitch + y * box->row_pitch;
}

void
snapshot_take(struct snapshot *s, const char *at, const struct box *box,
              const size_t region[3])
{
    char *to = s->bytes;
    assert(!s->taken && "a map is done once");
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++, to += region[0])
            memcpy(to, row_at(at, box, y, z), region[0]);
    s->taken = true;
}

/* The index of the first different byte; n if all are equal. */
static size_t
first_difference(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    if (memcmp(a, b, n) == 0)
        return n;
    while (a[i] == b[i])
        i++;
    return i;
}

void
misuse_check_unmap(const struct mapping *p)
{
    const bool image = p->of->image;
    char caller[512];
    if (!p->seen || !p->seen->taken)
        return;
    const char *was = p->seen->bytes;
    for (size_t z = 0; z < p->region[2]; z++)
        for (size_t y = 0; y < p->region[1]; y++, was += p->region[0]) {
            size_t i = first_difference(row_at(p->at, &p->box, y, z), was,
                                        p->region[0]);
            if (i == p->region[0])
                continue;
            size_t at = p->box.origin + z * p->box.slice_pitch +
                        y * p->box.row_pitch + i;
            call_site_current(caller, sizeof caller);
            checks_note("map-written", NULL, "clEnqueueUnmapMemObject",
                        "byte %zu of object %llu was changed through a map "
                        "for reading, which %s%s made: the change is lost; "
                        "unmapped%s",
                        at, (unsigned long long)p->of->base.serial,
                        image ? "clEnqueueMapImage" : "clEnqueueMapBuffer",
                        p->made_by ? p->made_by : "", caller);
            return;
        }
}

void
misuse_tell_mapped(const struct mapping *p)
{
    const char *entry =
        p->of->image ? "clEnqueueMapImage" : "clEnqueueMapBuffer";
    checks_note("never-unmapped", NULL, entry,
                "%zu bytes from byte %zu of object %llu are mapped by %s%s, "
                "and never unmapped",
                p->region[0] * p->region[1] * p->region[2], p->box.origin,
                (unsigned long long)p->of->base.serial, entry,
                p->made_by ? p->made_by : "");
}

/* ---- memory of CL_MEM_USE_HOST_PTR ---- */

/* Whether devices have copies besides the program's memory. */
static bool
has_copy(cl_mem root)
{
    return checks_api() && root->host_ptr && !root->shared;
}

void
misuse_note_kernel(cl_mem m, const char *kernel)
{
    cl_mem root = mem_root(m);
    if (!has_copy(root))
        return;
    char *name = strdup(kernel);
    pthread_mutex_lock(&root->lock);
    free(root->left_by);
    root->left_by = name;
    pthread_mutex_unlock(&root->lock);
}

void
misuse_note_use(cl_mem m)
{
    cl_mem root = mem_root(m);
    pthread_mutex_lock(&root->lock);
    free(root->left_by);
    root->left_by = NULL;
    pthread_mutex_unlock(&root->lock);
}

enum misuse_compared { SAME, DIFFERENT, GONE };

/* Compares the bytes on a device, at `address`, with those of the program; *at: the
 * first difference. */
static enum misuse_compared
compare_copy(cl_mem root, cl_uint device, uint64_t address, size_t *at)
{
    enum { PIECE_B = 1 << 16 };
    struct ventus_dev *dev = root->context->devices[device]->dev;
    char *piece = malloc(PIECE_B);
    enum misuse_compared result = SAME;
    svm_hold_pages(root->context);
    if (!svm_host_permits(root->context, root->host_ptr, root->size, false))
        result = GONE;
    for (size_t i = 0; piece && result == SAME && i < root->size;
         i += PIECE_B) {
        size_t n = root->size - i < PIECE_B ? root->size - i : PIECE_B;
        if (!ventus_dev_read(dev, address + i, piece, n))
            break;
        size_t k = first_difference(piece, (const char *)root->host_ptr + i, n);
        *at = i + k;
        result = k < n ? DIFFERENT : SAME;
    }
    svm_release_pages(root->context);
    free(piece);
    return result;
}

void
misuse_check_host(cl_mem m, cl_uint device, const char *kernel,
                  const char *entry)
{
    cl_mem root = mem_root(m);
    uint64_t address;
    size_t at;
    if (!has_copy(root))
        return;
    pthread_mutex_lock(&root->lock);
    bool known = !root->mappings && !root->host_differs;
    pthread_mutex_unlock(&root->lock);
    if (!known || storage_use(root, device, false, &address) != CL_SUCCESS)
        return;
    switch (compare_copy(root, device, address, &at)) {
    case SAME:
        break;
    case DIFFERENT:
        checks_note(
            "host-memory-changed", kernel, entry,
            "the program has changed byte %zu of its memory that object "
            "%llu uses (CL_MEM_USE_HOST_PTR), without a map for "
            "writing: kernel '%s' does not see it",
            at, (unsigned long long)root->base.serial, kernel);
        break;
    case GONE:
        checks_note("host-memory-gone", kernel, entry,
                    "the memory of the program that object %llu uses "
                    "(CL_MEM_USE_HOST_PTR) does not exist any more",
                    (unsigned long long)root->base.serial);
    }
}

void
misuse_check_end(cl_mem root)
{
    cl_uint device = 0;
    size_t at;
    assert(!root->parent);
    if (root->left_by && has_copy(root)) {
        while (!root->valid[device])
            device++;
        if (compare_copy(root, device, root->address[device], &at) == DIFFERENT)
            checks_note("host-memory-stale", root->left_by,
                        "clReleaseMemObject",
                        "object %llu uses memory of the program "
                        "(CL_MEM_USE_HOST_PTR), %s created it; no map or read "
                        "fetched the results of kernel '%s': byte %zu is "
                        "stale",
                        (unsigned long long)root->base.serial,
                        root->made_by ? root->made_by : "the program",
                        root->left_by, at);
    }
    free(root->left_by);
}
