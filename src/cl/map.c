/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and images in the application's address space; mem.h says where. */
#include <assert.h>
#include <stdlib.h>

#include <ventus/dev.h>

#include "cl/checks.h"
#include "cl/image.h"
#include "cl/transfer.h"

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

/* Does host access as the object was created for allow this? */
static bool
host_may(cl_mem m, cl_map_flags f)
{
    if (f & CL_MAP_READ &&
        m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS))
        return false;
    return !(f & writes &&
             m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
}

bool
mem_is_mapped_to_write(cl_mem m)
{
    bool found = false;
    pthread_mutex_lock(&m->lock);
    for (const struct mapping *p = m->mappings; p && !found; p = p->next)
        found = p->flags & writes;
    pthread_mutex_unlock(&m->lock);
    return found;
}

/* Of a buffer: the specification leaves open what a region is that is mapped twice,
 * once for writing. */
static bool
overlaps(cl_mem m, const struct mapping *mapping)
{
    size_t at = mapping->box.origin, end = at + mapping->region[0];
    bool found = false;
    pthread_mutex_lock(&m->lock);
    for (const struct mapping *p = m->mappings; p && !found; p = p->next)
        found = (p->flags | mapping->flags) & writes && p->box.origin < end &&
                at < p->box.origin + p->region[0];
    pthread_mutex_unlock(&m->lock);
    return found;
}

/* Among the maps before it is enqueued: unmaps look there. */
static bool
remember(cl_mem m, const struct mapping *mapping)
{
    struct mapping *p = malloc(sizeof *p);
    if (!p)
        return false;
    *p = *mapping;
    pthread_mutex_lock(&m->lock);
    p->next = m->mappings;
    m->mappings = p;
    pthread_mutex_unlock(&m->lock);
    return true;
}

/* Removes the newest map at this place. */
static bool
remove_map(cl_mem m, const void *at, struct mapping *mapping)
{
    pthread_mutex_lock(&m->lock);
    struct mapping **link = &m->mappings;
    while (*link && (*link)->at != at)
        link = &(*link)->next;
    struct mapping *p = *link;
    if (p)
        *link = p->next;
    pthread_mutex_unlock(&m->lock);
    if (p)
        *mapping = *p;
    free(p);
    return p != NULL;
}

/* What is behind the checks; `mapping` has all but where it is. */
static cl_int
map(cl_command_queue q, cl_mem m, bool blocking, struct mapping *mapping,
    const struct wait *wait, cl_event *event)
{
    assert(mapping->region[0] && mapping->region[1] && mapping->region[2]);
    char *host = storage_host(m);
    CL_EXPECT(host, CL_MAP_FAILURE,
              "the object has no memory of the host to be mapped to");
    mapping->at = host + mapping->box.origin;
    CL_REQUIRE(remember(m, mapping), CL_OUT_OF_HOST_MEMORY);
    const size_t *region = mapping->region;
    struct transfer t = { .kind = TRANSFER_READ,
                          .from = m,
                          .host = host,
                          .source = mapping->box,
                          .target = mapping->box,
                          .region = { region[0], region[1], region[2] } };
    if (mapping->flags & CL_MAP_WRITE_INVALIDATE_REGION)
        t.region[0] = 0; /* what was there is overwritten */
    cl_command_type type =
        m->image ? CL_COMMAND_MAP_IMAGE : CL_COMMAND_MAP_BUFFER;
    cl_int code = transfer_enqueue(q, type, &t, wait, blocking, event);
    struct mapping removed;
    if (code != CL_SUCCESS)
        remove_map(m, mapping->at, &removed);
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
    struct mapping mapping = { .box = box_line(offset),
                               .region = { size, 1, 1 },
                               .flags = flags };
    if (overlaps(m, &mapping))
        checks_note("map-overlap", NULL, "clEnqueueMapBuffer",
                    "bytes %zu to %zu of object %llu are mapped while some of "
                    "them are mapped already, and one map is for writing",
                    offset, offset + size, (unsigned long long)m->base.serial);
    CL_CHECK(map(q, m, blocking, &mapping, wait, event));
    *at = mapping.at;
    return CL_SUCCESS;
}

/* The pitches are those of the image. */
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
    struct mapping mapping = { .box = image_box(m, origin), .flags = flags };
    image_region(m, region, mapping.region);
    CL_CHECK(map(q, m, blocking, &mapping, wait, event));
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
    struct transfer t = { .kind = TRANSFER_WRITE,
                          .to = m,
                          .host = (char *)mapping.at - mapping.box.origin,
                          .source = mapping.box,
                          .target = mapping.box,
                          .region = { mapping.region[0], mapping.region[1],
                                      mapping.region[2] } };
    if (!(mapping.flags & writes))
        t.region[0] = 0; /* the device has what the host had */
    return transfer_enqueue(q, CL_COMMAND_UNMAP_MEM_OBJECT, &t, &wait, false,
                            event);
}
