/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and images in the application's address space, at the addresses that mem.h
 * describes. */
#include <assert.h>
#include <stdlib.h>

#include <ventus/dev.h>

#include "base/held.h"
#include "cl/checks/call_site.h"
#include "cl/checks/checks.h"
#include "cl/checks/misuse.h"
#include "cl/memory/image.h"
#include "cl/memory/transfer.h"

static const cl_map_flags writes =
    CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

static bool
flags_are_valid(cl_map_flags f)
{
    if (f & ~(CL_MAP_READ | writes))
        return false;
    return !(f & CL_MAP_WRITE_INVALIDATE_REGION) ||
           f == CL_MAP_WRITE_INVALIDATE_REGION;
}

/* Whether the flags for host access of the object allow the map. */
static bool
host_may(cl_mem m, cl_map_flags f)
{
    if (f & CL_MAP_READ &&
        m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS))
        return false;
    return !(f & writes &&
             m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
}

/* ---- the list of maps ---- */

/* Whether the row [from, to) may have bytes of the map.  Addresses are the host's. */
static bool
touches_row(const struct mapping *p, uintptr_t from, uintptr_t to)
{
    for (size_t z = 0; z < p->region[2]; z++) {
        uintptr_t row = (uintptr_t)p->at + z * p->box.slice_pitch;
        size_t y = 0; /* first row whose end is after `from` */
        if (row + p->region[0] <= from && p->region[1] > 1)
            y = (from - row - p->region[0]) / p->box.row_pitch + 1;
        row += y * p->box.row_pitch;
        if (y < p->region[1] && row < to && from < row + p->region[0])
            return true;
    }
    return false;
}

/* Whether two maps share bytes and one is for writing: the bytes are then undefined by
 * the specification. */
static bool
maps_collide(const struct mapping *p, const struct mapping *q)
{
    if (!((p->flags | q->flags) & writes))
        return false;
    for (size_t z = 0; z < q->region[2]; z++)
        for (size_t y = 0; y < q->region[1]; y++) {
            uintptr_t row = (uintptr_t)q->at + z * q->box.slice_pitch +
                            y * q->box.row_pitch;
            if (touches_row(p, row, row + q->region[0]))
                return true;
        }
    return false;
}

/* The origin of a colliding map of the same memory, for a message; NULL: none
 * collides. */
static const char *
find_collision(cl_mem root, const struct mapping *mapping)
{
    cl_mem of = mapping->of;
    assert_held(&root->lock);
    for (const struct mapping *p = root->mappings; p; p = p->next)
        if (maps_collide(p, mapping))
            return p->of == of     ? ""
                   : of == root    ? " by a part of it"
                   : p->of == root ? " by the buffer that it is a part of"
                                   : " by another part of its buffer";
    return NULL;
}

bool
mem_is_mapped_to_write(cl_mem m)
{
    cl_mem root = mem_root(m);
    bool found = false;
    pthread_mutex_lock(&root->lock);
    if (root->mappings) { /* maps need memory of the host */
        char *host = root->host_ptr ? root->host_ptr : root->shadow;
        uintptr_t from = (uintptr_t)host + m->origin;
        for (struct mapping *p = root->mappings; p && !found; p = p->next)
            found = p->flags & writes &&
                    (p->of == m || touches_row(p, from, from + m->size));
    }
    pthread_mutex_unlock(&root->lock);
    return found;
}

/* Frees what a map owns. */
static void
free_of(const struct mapping *p)
{
    snapshot_unref(p->seen);
    free(p->made_by);
}

/* Reports maps of an object that still exist at the end of the program. */
static void
tell_maps(void *object)
{
    cl_mem m = object, root = mem_root(m);
    pthread_mutex_lock(&root->lock);
    for (const struct mapping *p = root->mappings; p; p = p->next)
        if (p->of == m)
            misuse_tell_mapped(p);
    pthread_mutex_unlock(&root->lock);
}

void
mem_drop_maps(cl_mem m)
{
    cl_mem root = mem_root(m);
    pthread_mutex_lock(&root->lock);
    for (struct mapping **link = &root->mappings, *p; (p = *link);) {
        if (p->of != m) {
            link = &p->next;
            continue;
        }
        *link = p->next;
        misuse_tell_mapped(p);
        free_of(p);
        free(p);
    }
    pthread_mutex_unlock(&root->lock);
}

cl_uint
mem_count_maps(cl_mem m)
{
    cl_mem root = mem_root(m);
    cl_uint n = 0;
    pthread_mutex_lock(&root->lock);
    for (const struct mapping *p = root->mappings; p; p = p->next)
        n += p->of == m;
    pthread_mutex_unlock(&root->lock);
    return n;
}

/* Adds a map to the list before it is enqueued, because unmaps search the list.
 * `collides` becomes the text of find_collision.  False: no memory. */
static bool
remember_map(const struct mapping *mapping, const char **collides)
{
    cl_mem root = mem_root(mapping->of);
    struct mapping *p = malloc(sizeof *p);
    if (!p)
        return false;
    *p = *mapping;
    pthread_mutex_lock(&root->lock);
    *collides = find_collision(root, mapping);
    p->next = root->mappings;
    root->mappings = p;
    pthread_mutex_unlock(&root->lock);
    return true;
}

/* Removes the newest map at this address. */
static bool
remove_map(cl_mem m, const void *at, struct mapping *mapping)
{
    cl_mem root = mem_root(m);
    pthread_mutex_lock(&root->lock);
    struct mapping **link = &root->mappings;
    while (*link && ((*link)->at != at || (*link)->of != m))
        link = &(*link)->next;
    struct mapping *p = *link;
    if (p)
        *link = p->next;
    pthread_mutex_unlock(&root->lock);
    if (p)
        *mapping = *p;
    free(p); /* the caller owns its members */
    return p != NULL;
}

/* ---- map and unmap ---- */

static void
note_collision(const struct mapping *mapping, const char *by)
{
    unsigned long long serial = mapping->of->base.serial;
    size_t from = mapping->box.origin, to = from + mapping->region[0];
    if (mapping->of->image)
        checks_note("map-overlap", NULL, "clEnqueueMapImage",
                    "a region of object %llu is mapped while some of it is "
                    "mapped already%s, and one map is for writing",
                    serial, by);
    else
        checks_note("map-overlap", NULL, "clEnqueueMapBuffer",
                    "bytes %zu to %zu of object %llu are mapped while some of "
                    "them are mapped already%s, and one map is for writing",
                    from, to, serial, by);
}

/* Maps, after the checks; `mapping` is complete except for its address. */
static cl_int
map_region(cl_command_queue q, cl_mem m, bool blocking, struct mapping *mapping,
           const struct wait *wait, cl_event *event)
{
    assert(mapping->region[0] && mapping->region[1] && mapping->region[2]);
    char *host = storage_host(m);
    CL_EXPECT(host, CL_MAP_FAILURE,
              "the object has no memory of the host to be mapped to");
    mapping->at = host + mapping->box.origin;
    const char *collides;
    if (!(mapping->flags & writes))
        mapping->seen = snapshot_new(mapping->region);
    mapping->made_by = call_site_copy();
    checks_at_end(OBJECT_MEM, tell_maps);
    if (!remember_map(mapping, &collides)) {
        free_of(mapping);
        return cl_refuse_plain(CL_OUT_OF_HOST_MEMORY);
    }
    if (collides)
        note_collision(mapping, collides);
    const size_t *region = mapping->region;
    struct transfer t = { .kind = TRANSFER_READ,
                          .from = m,
                          .host = host,
                          .source = mapping->box,
                          .target = mapping->box,
                          .region = { region[0], region[1], region[2] },
                          .maps = true,
                          .seen = snapshot_ref(mapping->seen) };
    if (mapping->flags & CL_MAP_WRITE_INVALIDATE_REGION)
        t.region[0] = 0; /* no copy: the bytes will be overwritten */
    cl_command_type type =
        m->image ? CL_COMMAND_MAP_IMAGE : CL_COMMAND_MAP_BUFFER;
    cl_int code = transfer_enqueue(q, type, &t, wait, blocking, event);
    struct mapping removed;
    if (code != CL_SUCCESS && remove_map(m, mapping->at, &removed))
        free_of(&removed);
    return code;
}

static cl_int
map_buffer(cl_command_queue q, cl_mem m, bool blocking, cl_map_flags flags,
           size_t offset, size_t size, const struct wait *wait, cl_event *event,
           void **at)
{
    CL_CHECK(transfer_check_buffer(q, m));
    CL_CHECK(mem_check_bounds(m, offset, size));
    CL_EXPECT(size, CL_INVALID_VALUE, "size is 0; it must be at least 1");
    CL_EXPECT(flags_are_valid(flags), CL_INVALID_VALUE,
              "map_flags are 0x%" PRIx64
              "; expected CL_MAP_READ, CL_MAP_WRITE or both, or "
              "CL_MAP_WRITE_INVALIDATE_REGION",
              (uint64_t)flags);
    CL_CHECK(event_check_list(q->context, wait->n, wait->list));
    CL_CHECK(mem_check_aligned(m, "sub-buffer"));
    CL_EXPECT(host_may(m, flags), CL_INVALID_OPERATION,
              "the object was created with CL_MEM_HOST_* flags that do not "
              "allow map_flags");
    struct mapping mapping = { .of = m,
                               .box = box_line(offset),
                               .region = { size, 1, 1 },
                               .flags = flags };
    CL_CHECK(map_region(q, m, blocking, &mapping, wait, event));
    *at = mapping.at;
    return CL_SUCCESS;
}

/* Maps an image, with its own pitches. */
static cl_int
map_image(cl_command_queue q, cl_mem m, bool blocking, cl_map_flags flags,
          const size_t *origin, const size_t *region, size_t *row_pitch,
          size_t *slice_pitch, const struct wait *wait, cl_event *event,
          void **at)
{
    CL_CHECK(image_check(q, m));
    CL_CHECK(image_check_region(m, origin, region));
    CL_EXPECT(row_pitch, CL_INVALID_VALUE, "image_row_pitch is NULL");
    CL_EXPECT(!image_has_slices(m) || slice_pitch, CL_INVALID_VALUE,
              "image_slice_pitch is NULL; an image with slices needs it");
    CL_EXPECT(flags_are_valid(flags), CL_INVALID_VALUE,
              "map_flags are 0x%" PRIx64
              "; expected CL_MAP_READ, CL_MAP_WRITE or both, or "
              "CL_MAP_WRITE_INVALIDATE_REGION",
              (uint64_t)flags);
    CL_CHECK(event_check_list(q->context, wait->n, wait->list));
    CL_EXPECT(host_may(m, flags), CL_INVALID_OPERATION,
              "the object was created with CL_MEM_HOST_* flags that do not "
              "allow map_flags");
    struct mapping mapping = { .of = m,
                               .box = image_box(m, origin),
                               .flags = flags };
    image_region(m, region, mapping.region);
    CL_CHECK(map_region(q, m, blocking, &mapping, wait, event));
    *row_pitch = m->image->row_pitch;
    if (slice_pitch)
        *slice_pitch = m->image->slice_pitch;
    *at = mapping.at;
    return CL_SUCCESS;
}

CL_API_ENTRY void *CL_API_CALL
clEnqueueMapBuffer(cl_command_queue q, cl_mem buffer, cl_bool blocking_map,
                   cl_map_flags map_flags, size_t offset, size_t size,
                   cl_uint num_events_in_wait_list,
                   const cl_event *event_wait_list, cl_event *event,
                   cl_int *errcode_ret)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    void *at = NULL;
    CL_RETURN(map_buffer(q, buffer, blocking_map, map_flags, offset, size,
                         &wait, event, &at),
              at);
}

CL_API_ENTRY void *CL_API_CALL
clEnqueueMapImage(cl_command_queue q, cl_mem image, cl_bool blocking_map,
                  cl_map_flags map_flags, const size_t *origin,
                  const size_t *region, size_t *image_row_pitch,
                  size_t *image_slice_pitch, cl_uint num_events_in_wait_list,
                  const cl_event *event_wait_list, cl_event *event,
                  cl_int *errcode_ret)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    void *at = NULL;
    CL_RETURN(map_image(q, image, blocking_map, map_flags, origin, region,
                        image_row_pitch, image_slice_pitch, &wait, event, &at),
              at);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *mapped_ptr,
                        cl_uint num_events_in_wait_list,
                        const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    struct mapping mapping;
    CL_CHECK(transfer_check(q, m));
    CL_CHECK(event_check_list(q->context, wait.n, wait.list));
    CL_EXPECT(mapped_ptr && remove_map(m, mapped_ptr, &mapping),
              CL_INVALID_VALUE,
              "mapped_ptr is %p; the object is not mapped there", mapped_ptr);
    misuse_check_unmap(&mapping);
    free_of(&mapping);
    struct transfer t = { .kind = TRANSFER_WRITE,
                          .maps = true,
                          .to = m,
                          .host = (char *)mapping.at - mapping.box.origin,
                          .source = mapping.box,
                          .target = mapping.box,
                          .region = { mapping.region[0], mapping.region[1],
                                      mapping.region[2] } };
    if (!(mapping.flags & writes))
        t.region[0] = 0; /* no copy: the device's bytes are the host's */
    return transfer_enqueue(q, CL_COMMAND_UNMAP_MEM_OBJECT, &t, &wait, false,
                            event);
}
