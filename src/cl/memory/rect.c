/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes in buffers: clEnqueue{Read,Write,Copy}BufferRect. */
#include <assert.h>

#include "cl/memory/transfer.h"

static bool
multiply(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

bool
transfer_mul_add(size_t a, size_t b, size_t *sum)
{
    size_t product;
    return multiply(a, b, &product) &&
           !__builtin_add_overflow(*sum, product, sum);
}

/* Makes a box; pitches of 0 mean densely packed.  `end`: the offset after the last
 * byte. */
static cl_int
make_box(const size_t *origin, const size_t *region, size_t row_pitch,
         size_t slice_pitch, struct box *box, size_t *end)
{
    size_t least;
    if (!row_pitch)
        row_pitch = region[0];
    CL_EXPECT(row_pitch >= region[0], CL_INVALID_VALUE,
              "the row pitch is %zu; it must be 0 or at least %zu, the width "
              "of the region",
              row_pitch, region[0]);
    CL_EXPECT(multiply(region[1], row_pitch, &least), CL_INVALID_VALUE,
              "%zu rows of %zu bytes are larger than any memory", region[1],
              row_pitch);
    if (!slice_pitch)
        slice_pitch = least;
    CL_EXPECT(slice_pitch >= least && slice_pitch % row_pitch == 0,
              CL_INVALID_VALUE,
              "the slice pitch is %zu; it must be 0, or at least %zu and a "
              "multiple of %zu",
              slice_pitch, least, row_pitch);
    *box = (struct box){ origin[0], row_pitch, slice_pitch };
    CL_EXPECT(transfer_mul_add(origin[1], row_pitch, &box->origin) &&
                  transfer_mul_add(origin[2], slice_pitch, &box->origin),
              CL_INVALID_VALUE,
              "the origin {%zu, %zu, %zu} is past the end of any memory",
              origin[0], origin[1], origin[2]);
    *end = box->origin;
    CL_EXPECT(transfer_mul_add(region[2] - 1, slice_pitch, end) &&
                  transfer_mul_add(region[1] - 1, row_pitch, end) &&
                  transfer_mul_add(region[0], 1, end),
              CL_INVALID_VALUE,
              "the region {%zu, %zu, %zu} ends past the end of any memory",
              region[0], region[1], region[2]);
    assert(*end > box->origin);
    return CL_SUCCESS;
}

static bool
is_region(const size_t *region)
{
    return region && region[0] && region[1] && region[2];
}

/* Makes the boxes in the buffer and in the host's memory, and checks that the former
 * is inside. */
static cl_int
check_host_rect(cl_mem m, const size_t *buffer_origin,
                const size_t *host_origin, const size_t *region,
                const size_t pitch[4], struct box box[2])
{
    size_t end, host_end;
    CL_EXPECT(buffer_origin && host_origin, CL_INVALID_VALUE, "%s is NULL",
              buffer_origin ? "host_origin" : "buffer_origin");
    CL_EXPECT(
        is_region(region), CL_INVALID_VALUE,
        "region is NULL or has a size of 0; all three must be at least 1");
    CL_CHECK(
        make_box(buffer_origin, region, pitch[0], pitch[1], &box[0], &end));
    CL_CHECK(
        make_box(host_origin, region, pitch[2], pitch[3], &box[1], &host_end));
    CL_EXPECT(end <= m->size, CL_INVALID_VALUE,
              "the region ends at byte %zu; the buffer has %zu", end, m->size);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking_read,
                        const size_t *buffer_origin, const size_t *host_origin,
                        const size_t *region, size_t buffer_row_pitch,
                        size_t buffer_slice_pitch, size_t host_row_pitch,
                        size_t host_slice_pitch, void *ptr,
                        cl_uint num_events_in_wait_list,
                        const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    const size_t pitch[] = { buffer_row_pitch, buffer_slice_pitch,
                             host_row_pitch, host_slice_pitch };
    struct box box[2];
    CL_CHECK(transfer_check_buffer(q, m));
    CL_CHECK(
        check_host_rect(m, buffer_origin, host_origin, region, pitch, box));
    CL_EXPECT(ptr, CL_INVALID_VALUE, "ptr is NULL");
    CL_CHECK(event_check_list(q->context, wait.n, wait.list));
    CL_CHECK(mem_check_aligned(m, "sub-buffer"));
    CL_CHECK(mem_check_host_reads(m));
    const struct transfer t = { .kind = TRANSFER_READ,
                                .from = m,
                                .host = ptr,
                                .source = box[0],
                                .target = box[1],
                                .region = { region[0], region[1], region[2] } };
    return transfer_enqueue(q, CL_COMMAND_READ_BUFFER_RECT, &t, &wait,
                            blocking_read, event);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking_write,
                         const size_t *buffer_origin, const size_t *host_origin,
                         const size_t *region, size_t buffer_row_pitch,
                         size_t buffer_slice_pitch, size_t host_row_pitch,
                         size_t host_slice_pitch, const void *ptr,
                         cl_uint num_events_in_wait_list,
                         const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    const size_t pitch[] = { buffer_row_pitch, buffer_slice_pitch,
                             host_row_pitch, host_slice_pitch };
    struct box box[2];
    CL_CHECK(transfer_check_buffer(q, m));
    CL_CHECK(
        check_host_rect(m, buffer_origin, host_origin, region, pitch, box));
    CL_EXPECT(ptr, CL_INVALID_VALUE, "ptr is NULL");
    CL_CHECK(event_check_list(q->context, wait.n, wait.list));
    CL_CHECK(mem_check_aligned(m, "sub-buffer"));
    CL_CHECK(mem_check_host_writes(m));
    const struct transfer t = { .kind = TRANSFER_WRITE,
                                .to = m,
                                .host = (char *)(uintptr_t)ptr,
                                .source = box[1],
                                .target = box[0],
                                .region = { region[0], region[1], region[2] } };
    return transfer_enqueue(q, CL_COMMAND_WRITE_BUFFER_RECT, &t, &wait,
                            blocking_write, event);
}

/* ---- copies ---- */

/* Whether boxes overlap.  The distance of their first bytes is divided into slices,
 * rows and bytes, rounded both ways each: they overlap if all three are less than the
 * region. */
bool
transfer_boxes_overlap(size_t a, size_t b, const struct box *pitch,
                       const size_t *region)
{
    assert(pitch->row_pitch > 0 && pitch->slice_pitch > 0);
    size_t distance = a < b ? b - a : a - b;
    size_t slices = distance / pitch->slice_pitch;
    for (size_t z = slices; z <= slices + 1; z++) {
        if (z >= region[2])
            continue;
        /* The remainder is between -slice_pitch and slice_pitch. */
        size_t whole = z * pitch->slice_pitch;
        size_t rest = whole > distance ? whole - distance : distance - whole;
        size_t rows = rest / pitch->row_pitch;
        for (size_t y = rows; y <= rows + 1; y++) {
            size_t part = y * pitch->row_pitch;
            size_t bytes = part > rest ? part - rest : rest - part;
            if (y < region[1] && bytes < region[0])
                return true;
        }
    }
    return false;
}

/* Whether rectangles overlap; with different pitches any two with overlapping ranges
 * count. */
static bool
rects_overlap(cl_mem src, cl_mem dst, const struct box box[2],
              const size_t end[2], const size_t *region)
{
    size_t a = src->origin + box[0].origin, b = dst->origin + box[1].origin;
    if (mem_root(src) != mem_root(dst))
        return false;
    if (a >= dst->origin + end[1] || b >= src->origin + end[0])
        return false;
    if (box[0].row_pitch != box[1].row_pitch ||
        box[0].slice_pitch != box[1].slice_pitch)
        return true;
    return transfer_boxes_overlap(a, b, &box[0], region);
}

/* Checks one buffer: "src_row_pitch == dst_row_pitch" and likewise for slices. */
static bool
same_pitches(cl_mem src, cl_mem dst, const struct box box[2])
{
    return src != dst || (box[0].row_pitch == box[1].row_pitch &&
                          box[0].slice_pitch == box[1].slice_pitch);
}

/* `pitch`: rows and slices of the source, then of the target. */
static cl_int
copy_rect(const struct submission *s, cl_mem src, cl_mem dst,
          const size_t *src_origin, const size_t *dst_origin,
          const size_t *region, const size_t pitch[4])
{
    struct box box[2];
    size_t end[2];
    CL_CHECK(transfer_check_buffer(s->queue, src));
    CL_CHECK(transfer_check_buffer(s->queue, dst));
    CL_EXPECT(src_origin && dst_origin, CL_INVALID_VALUE, "%s is NULL",
              src_origin ? "dst_origin" : "src_origin");
    CL_EXPECT(
        is_region(region), CL_INVALID_VALUE,
        "region is NULL or has a size of 0; all three must be at least 1");
    CL_CHECK(
        make_box(src_origin, region, pitch[0], pitch[1], &box[0], &end[0]));
    CL_CHECK(
        make_box(dst_origin, region, pitch[2], pitch[3], &box[1], &end[1]));
    CL_EXPECT(end[0] <= src->size && end[1] <= dst->size, CL_INVALID_VALUE,
              "the regions end at bytes %zu of the source, which has %zu, and "
              "%zu of the target, which has %zu",
              end[0], src->size, end[1], dst->size);
    CL_EXPECT(same_pitches(src, dst, box), CL_INVALID_VALUE,
              "source and target are one buffer; their pitches must be equal");
    CL_CHECK(submission_check_list(s));
    CL_EXPECT(!rects_overlap(src, dst, box, end, region), CL_MEM_COPY_OVERLAP,
              "the regions overlap");
    CL_CHECK(mem_check_aligned(src, "source"));
    CL_CHECK(mem_check_aligned(dst, "target"));
    const struct transfer t = { .kind = TRANSFER_COPY,
                                .from = src,
                                .to = dst,
                                .source = box[0],
                                .target = box[1],
                                .region = { region[0], region[1], region[2] } };
    return transfer_submit(s, CL_COMMAND_COPY_BUFFER_RECT, &t);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem src, cl_mem dst,
                        const size_t *src_origin, const size_t *dst_origin,
                        const size_t *region, size_t src_row_pitch,
                        size_t src_slice_pitch, size_t dst_row_pitch,
                        size_t dst_slice_pitch, cl_uint num_events_in_wait_list,
                        const cl_event *event_wait_list, cl_event *event)
{
    const size_t pitch[] = { src_row_pitch, src_slice_pitch, dst_row_pitch,
                             dst_slice_pitch };
    const struct submission s = submission_to_queue(
        queue, num_events_in_wait_list, event_wait_list, event);
    return copy_rect(&s, src, dst, src_origin, dst_origin, region, pitch);
}

CL_API_ENTRY cl_int CL_API_CALL
rect_record_copy(cl_command_buffer_khr command_buffer,
                 cl_command_queue command_queue,
                 const cl_command_properties_khr *properties, cl_mem src,
                 cl_mem dst, const size_t *src_origin, const size_t *dst_origin,
                 const size_t *region, size_t src_row_pitch,
                 size_t src_slice_pitch, size_t dst_row_pitch,
                 size_t dst_slice_pitch, cl_uint num_sync_points_in_wait_list,
                 const cl_sync_point_khr *sync_point_wait_list,
                 cl_sync_point_khr *sync_point,
                 cl_mutable_command_khr *mutable_handle)
{
    const size_t pitch[] = { src_row_pitch, src_slice_pitch, dst_row_pitch,
                             dst_slice_pitch };
    struct submission s;
    CL_CHECK(submission_record(&s, command_buffer, command_queue, properties,
                               num_sync_points_in_wait_list,
                               sync_point_wait_list, sync_point,
                               mutable_handle));
    return copy_rect(&s, src, dst, src_origin, dst_origin, region, pitch);
}
