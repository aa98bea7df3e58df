/* SPDX-License-Identifier: Apache-2.0 */
/* Commands on images: after the checks they move boxes of bytes. */
#include <assert.h>
#include <string.h>

#include <ventus/dev.h>

#include "cl/memory/image.h"
#include "cl/memory/transfer.h"
#include "cl/queue/limit.h"

/* ---- regions ---- */

cl_int
image_check(cl_command_queue q, cl_mem m)
{
    CL_CHECK(transfer_check(q, m));
    CL_EXPECT(mem_is_image(m), CL_INVALID_MEM_OBJECT,
              "it is a buffer, not an image");
    return CL_SUCCESS;
}

cl_int
image_check_region(cl_mem m, const size_t *origin, const size_t *region)
{
    const size_t *count = m->image->count;
    CL_EXPECT(origin && region, CL_INVALID_VALUE, "%s is NULL",
              origin ? "region" : "origin");
    for (int i = 0; i < 3; i++) {
        CL_EXPECT(region[i], CL_INVALID_VALUE,
                  "region[%d] is 0; it must be at least 1", i);
        CL_EXPECT(origin[i] <= count[i], CL_INVALID_VALUE,
                  "origin[%d] is %zu; the image has %zu there", i, origin[i],
                  count[i]);
        CL_EXPECT(
            region[i] <= count[i] - origin[i], CL_INVALID_VALUE,
            "origin[%d] is %zu and region[%d] is %zu; the image has %zu there",
            i, origin[i], i, region[i], count[i]);
    }
    return CL_SUCCESS;
}

/* The distance from one y to the next: the layers of a 1D array are its slices. */
static size_t
row_step(const struct image *i)
{
    return i->desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? i->slice_pitch
                                                             : i->row_pitch;
}

struct box
image_box(cl_mem m, const size_t *origin)
{
    const struct image *i = m->image;
    size_t row = row_step(i);
    assert(row >= i->count[0] * i->format->pixel_B);
    return (struct box){ origin[0] * i->format->pixel_B + origin[1] * row +
                             origin[2] * i->slice_pitch,
                         row, i->slice_pitch };
}

void
image_region(cl_mem m, const size_t *region, size_t bytes[3])
{
    bytes[0] = region[0] * m->image->format->pixel_B;
    bytes[1] = region[1];
    bytes[2] = region[2];
}

/* ---- to and from the host ---- */

/* Makes the box of a region in host memory, with the application's pitches. */
static cl_int
host_box(cl_mem m, const size_t *region, size_t row_pitch, size_t slice_pitch,
         struct box *box)
{
    bool row_of_rows = m->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t row = region[0] * m->image->format->pixel_B;
    CL_EXPECT(!row_pitch || row_pitch >= row, CL_INVALID_VALUE,
              "the row pitch is %zu; it must be 0 or at least %zu", row_pitch,
              row);
    if (!row_pitch)
        row_pitch = row;
    size_t slice = row_of_rows ? row_pitch : row_pitch * region[1];
    CL_EXPECT(!slice_pitch || image_has_slices(m), CL_INVALID_VALUE,
              "the slice pitch is %zu; it must be 0, the image has no slices",
              slice_pitch);
    CL_EXPECT(!slice_pitch || slice_pitch >= slice, CL_INVALID_VALUE,
              "the slice pitch is %zu; it must be 0 or at least %zu",
              slice_pitch, slice);
    if (!slice_pitch)
        slice_pitch = slice;
    *box =
        (struct box){ 0, row_of_rows ? slice_pitch : row_pitch, slice_pitch };
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueReadImage(cl_command_queue q, cl_mem m, cl_bool blocking_read,
                   const size_t *origin, const size_t *region, size_t row_pitch,
                   size_t slice_pitch, void *ptr,
                   cl_uint num_events_in_wait_list,
                   const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    struct transfer t = { .kind = TRANSFER_READ, .from = m, .host = ptr };
    CL_CHECK(image_check(q, m));
    CL_CHECK(image_check_region(m, origin, region));
    CL_CHECK(host_box(m, region, row_pitch, slice_pitch, &t.target));
    CL_EXPECT(ptr, CL_INVALID_VALUE, "ptr is NULL");
    CL_CHECK(event_check_list(q->context, wait.n, wait.list));
    CL_CHECK(mem_check_host_reads(m));
    t.source = image_box(m, origin);
    image_region(m, region, t.region);
    return transfer_enqueue(q, CL_COMMAND_READ_IMAGE, &t, &wait, blocking_read,
                            event);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueWriteImage(cl_command_queue q, cl_mem m, cl_bool blocking_write,
                    const size_t *origin, const size_t *region,
                    size_t input_row_pitch, size_t input_slice_pitch,
                    const void *ptr, cl_uint num_events_in_wait_list,
                    const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    struct transfer t = { .kind = TRANSFER_WRITE,
                          .to = m,
                          .host = (char *)(uintptr_t)ptr };
    CL_CHECK(image_check(q, m));
    CL_CHECK(image_check_region(m, origin, region));
    CL_CHECK(
        host_box(m, region, input_row_pitch, input_slice_pitch, &t.source));
    CL_EXPECT(ptr, CL_INVALID_VALUE, "ptr is NULL");
    CL_CHECK(event_check_list(q->context, wait.n, wait.list));
    CL_CHECK(mem_check_host_writes(m));
    t.target = image_box(m, origin);
    image_region(m, region, t.region);
    return transfer_enqueue(q, CL_COMMAND_WRITE_IMAGE, &t, &wait,
                            blocking_write, event);
}

/* ---- copies ---- */

static bool
same_format(cl_mem a, cl_mem b)
{
    return a->image->format == b->image->format;
}

/* Whether two images overlap.  Images from the same buffer may have any pitches;
 * different ones are assumed to overlap. */
static bool
images_overlap(cl_mem src, cl_mem dst, const struct transfer *t)
{
    if (mem_root(src) != mem_root(dst))
        return false;
    if (src != dst)
        return true;
    struct box pitch = t->source;
    if (!pitch.slice_pitch)
        pitch.slice_pitch = src->size; /* with one slice */
    return transfer_boxes_overlap(t->source.origin, t->target.origin, &pitch,
                                  t->region);
}

static cl_int
copy_image(const struct submission *s, cl_mem src, cl_mem dst,
           const size_t *src_origin, const size_t *dst_origin,
           const size_t *region)
{
    struct transfer t = { .kind = TRANSFER_COPY, .from = src, .to = dst };
    CL_CHECK(image_check(s->queue, src));
    CL_CHECK(image_check(s->queue, dst));
    CL_EXPECT(same_format(src, dst), CL_IMAGE_FORMAT_MISMATCH,
              "the images have different formats");
    CL_CHECK(image_check_region(src, src_origin, region));
    CL_CHECK(image_check_region(dst, dst_origin, region));
    CL_CHECK(submission_check_list(s));
    t.source = image_box(src, src_origin);
    t.target = image_box(dst, dst_origin);
    image_region(src, region, t.region);
    CL_EXPECT(!images_overlap(src, dst, &t), CL_MEM_COPY_OVERLAP,
              "the regions overlap");
    return transfer_submit(s, CL_COMMAND_COPY_IMAGE, &t);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueCopyImage(cl_command_queue queue, cl_mem src, cl_mem dst,
                   const size_t *src_origin, const size_t *dst_origin,
                   const size_t *region, cl_uint num_events_in_wait_list,
                   const cl_event *event_wait_list, cl_event *event)
{
    const struct submission s = submission_to_queue(
        queue, num_events_in_wait_list, event_wait_list, event);
    return copy_image(&s, src, dst, src_origin, dst_origin, region);
}

CL_API_ENTRY cl_int CL_API_CALL
image_record_copy(cl_command_buffer_khr command_buffer,
                  cl_command_queue command_queue,
                  const cl_command_properties_khr *properties, cl_mem src,
                  cl_mem dst, const size_t *src_origin,
                  const size_t *dst_origin, const size_t *region,
                  cl_uint num_sync_points_in_wait_list,
                  const cl_sync_point_khr *sync_point_wait_list,
                  cl_sync_point_khr *sync_point,
                  cl_mutable_command_khr *mutable_handle)
{
    struct submission s;
    CL_CHECK(submission_record(&s, command_buffer, command_queue, properties,
                               num_sync_points_in_wait_list,
                               sync_point_wait_list, sync_point,
                               mutable_handle));
    return copy_image(&s, src, dst, src_origin, dst_origin, region);
}

/* Makes a box of a region's pixels stored contiguously in a buffer, from `offset`. */
static cl_int
buffer_box(cl_mem buffer, size_t offset, const size_t bytes[3], struct box *box)
{
    *box = (struct box){ offset, bytes[0], bytes[0] * bytes[1] };
    CL_EXPECT(mem_in_bounds(buffer, offset, box->slice_pitch * bytes[2]),
              CL_INVALID_VALUE,
              "%zu bytes from byte %zu are not in the buffer, which has %zu",
              box->slice_pitch * bytes[2], offset, buffer->size);
    return CL_SUCCESS;
}

static cl_int
copy_to_buffer(const struct submission *s, cl_mem src, cl_mem dst,
               const size_t *src_origin, const size_t *region,
               size_t dst_offset)
{
    struct transfer t = { .kind = TRANSFER_COPY, .from = src, .to = dst };
    CL_CHECK(image_check(s->queue, src));
    CL_CHECK(transfer_check_buffer(s->queue, dst));
    CL_EXPECT(src->image->buffer != dst, CL_INVALID_MEM_OBJECT,
              "the target is the buffer that the source is an image of");
    CL_CHECK(image_check_region(src, src_origin, region));
    image_region(src, region, t.region);
    CL_CHECK(buffer_box(dst, dst_offset, t.region, &t.target));
    CL_CHECK(submission_check_list(s));
    CL_CHECK(mem_check_aligned(dst, "target"));
    t.source = image_box(src, src_origin);
    return transfer_submit(s, CL_COMMAND_COPY_IMAGE_TO_BUFFER, &t);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem src, cl_mem dst,
                           const size_t *src_origin, const size_t *region,
                           size_t dst_offset, cl_uint num_events_in_wait_list,
                           const cl_event *event_wait_list, cl_event *event)
{
    const struct submission s = submission_to_queue(
        queue, num_events_in_wait_list, event_wait_list, event);
    return copy_to_buffer(&s, src, dst, src_origin, region, dst_offset);
}

CL_API_ENTRY cl_int CL_API_CALL
image_record_copy_to_buffer(cl_command_buffer_khr command_buffer,
                            cl_command_queue command_queue,
                            const cl_command_properties_khr *properties,
                            cl_mem src, cl_mem dst, const size_t *src_origin,
                            const size_t *region, size_t dst_offset,
                            cl_uint num_sync_points_in_wait_list,
                            const cl_sync_point_khr *sync_point_wait_list,
                            cl_sync_point_khr *sync_point,
                            cl_mutable_command_khr *mutable_handle)
{
    struct submission s;
    CL_CHECK(submission_record(&s, command_buffer, command_queue, properties,
                               num_sync_points_in_wait_list,
                               sync_point_wait_list, sync_point,
                               mutable_handle));
    return copy_to_buffer(&s, src, dst, src_origin, region, dst_offset);
}

static cl_int
copy_from_buffer(const struct submission *s, cl_mem src, cl_mem dst,
                 size_t src_offset, const size_t *dst_origin,
                 const size_t *region)
{
    struct transfer t = { .kind = TRANSFER_COPY, .from = src, .to = dst };
    CL_CHECK(transfer_check_buffer(s->queue, src));
    CL_CHECK(image_check(s->queue, dst));
    CL_EXPECT(dst->image->buffer != src, CL_INVALID_MEM_OBJECT,
              "the source is the buffer that the target is an image of");
    CL_CHECK(image_check_region(dst, dst_origin, region));
    image_region(dst, region, t.region);
    CL_CHECK(buffer_box(src, src_offset, t.region, &t.source));
    CL_CHECK(submission_check_list(s));
    CL_CHECK(mem_check_aligned(src, "source"));
    t.target = image_box(dst, dst_origin);
    return transfer_submit(s, CL_COMMAND_COPY_BUFFER_TO_IMAGE, &t);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem src, cl_mem dst,
                           size_t src_offset, const size_t *dst_origin,
                           const size_t *region,
                           cl_uint num_events_in_wait_list,
                           const cl_event *event_wait_list, cl_event *event)
{
    const struct submission s = submission_to_queue(
        queue, num_events_in_wait_list, event_wait_list, event);
    return copy_from_buffer(&s, src, dst, src_offset, dst_origin, region);
}

CL_API_ENTRY cl_int CL_API_CALL
image_record_copy_from_buffer(cl_command_buffer_khr command_buffer,
                              cl_command_queue command_queue,
                              const cl_command_properties_khr *properties,
                              cl_mem src, cl_mem dst, size_t src_offset,
                              const size_t *dst_origin, const size_t *region,
                              cl_uint num_sync_points_in_wait_list,
                              const cl_sync_point_khr *sync_point_wait_list,
                              cl_sync_point_khr *sync_point,
                              cl_mutable_command_khr *mutable_handle)
{
    struct submission s;
    CL_CHECK(submission_record(&s, command_buffer, command_queue, properties,
                               num_sync_points_in_wait_list,
                               sync_point_wait_list, sync_point,
                               mutable_handle));
    return copy_from_buffer(&s, src, dst, src_offset, dst_origin, region);
}

/* ---- fills ---- */

struct image_fill {
    struct command base;
    cl_mem image;
    struct box box;
    size_t region[3]; /* bytes, rows, slices */
    unsigned char pixel[IMAGE_MAX_PIXEL_B];
};

static cl_int
run_fill(struct command *command, cl_event e)
{
    const struct image_fill *f = (const struct image_fill *)command;
    assert(f->region[0] % f->image->image->format->pixel_B == 0);
    struct limit limit = limit_begin(e);
    uint64_t address;
    CL_CHECK(storage_use(f->image, e->queue->device_index, true, &address));
    address += f->box.origin;
    for (size_t z = 0; z < f->region[2]; z++)
        for (size_t y = 0; y < f->region[1] && limit_allows(&limit); y++)
            CL_EXPECT(
                ventus_dev_fill(
                    e->queue->device->dev,
                    address + z * f->box.slice_pitch + y * f->box.row_pitch,
                    f->pixel, f->image->image->format->pixel_B, f->region[0]),
                CL_OUT_OF_RESOURCES, "%s", ventus_dev_message());
    return limit_end(&limit, e, "a fill");
}

static cl_int
fill_image(const struct submission *s, cl_mem m, const void *fill_color,
           const size_t *origin, const size_t *region)
{
    CL_CHECK(image_check(s->queue, m));
    CL_EXPECT(fill_color, CL_INVALID_VALUE, "fill_color is NULL");
    CL_CHECK(image_check_region(m, origin, region));
    CL_CHECK(submission_check_list(s));
    struct image_fill *f = command_new(sizeof *f, run_fill);
    CL_REQUIRE(f, CL_OUT_OF_HOST_MEMORY);
    if (!command_use(&f->base, m)) {
        command_free(&f->base);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for a command");
    }
    f->image = m;
    f->box = image_box(m, origin);
    image_region(m, region, f->region);
    image_pack(m->image->format, fill_color, f->pixel);
    return submission_end(s, CL_COMMAND_FILL_IMAGE, &f->base);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueFillImage(cl_command_queue queue, cl_mem m, const void *fill_color,
                   const size_t *origin, const size_t *region,
                   cl_uint num_events_in_wait_list,
                   const cl_event *event_wait_list, cl_event *event)
{
    const struct submission s = submission_to_queue(
        queue, num_events_in_wait_list, event_wait_list, event);
    return fill_image(&s, m, fill_color, origin, region);
}

CL_API_ENTRY cl_int CL_API_CALL
image_record_fill(cl_command_buffer_khr command_buffer,
                  cl_command_queue command_queue,
                  const cl_command_properties_khr *properties, cl_mem m,
                  const void *fill_color, const size_t *origin,
                  const size_t *region, cl_uint num_sync_points_in_wait_list,
                  const cl_sync_point_khr *sync_point_wait_list,
                  cl_sync_point_khr *sync_point,
                  cl_mutable_command_khr *mutable_handle)
{
    struct submission s;
    CL_CHECK(submission_record(&s, command_buffer, command_queue, properties,
                               num_sync_points_in_wait_list,
                               sync_point_wait_list, sync_point,
                               mutable_handle));
    return fill_image(&s, m, fill_color, origin, region);
}
