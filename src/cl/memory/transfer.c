/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/memory/transfer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

#include "cl/checks/conflict.h"
#include "cl/checks/misuse.h"
#include "cl/memory/svm.h"
#include "cl/queue/limit.h"

cl_int
transfer_check(cl_command_queue q, cl_mem m)
{
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    CL_REQUIRE(mem_is(m), CL_INVALID_MEM_OBJECT);
    CL_EXPECT(m->context == q->context, CL_INVALID_CONTEXT,
              "the memory object is of another context than the queue");
    return CL_SUCCESS;
}

cl_int
transfer_check_buffer(cl_command_queue q, cl_mem m)
{
    CL_CHECK(transfer_check(q, m));
    CL_EXPECT(mem_is_buffer(m), CL_INVALID_MEM_OBJECT,
              "it is an image, not a buffer");
    return CL_SUCCESS;
}

/* ---- execution on the worker ---- */

static bool
move_piece(const struct transfer *t, struct ventus_dev *dev, uint64_t from,
           uint64_t to, size_t n)
{
    assert(n > 0 && n <= LIMIT_PIECE_B);
    switch (t->kind) {
    case TRANSFER_READ:
        return ventus_dev_read(dev, from, (char *)(uintptr_t)to, n);
    case TRANSFER_WRITE:
        return ventus_dev_write(dev, to, (const char *)(uintptr_t)from, n);
    case TRANSFER_COPY:
        return ventus_dev_copy(dev, to, from, n);
    }
    return false;
}

static bool
move_row(const struct transfer *t, struct ventus_dev *dev, uint64_t from,
         uint64_t to, struct limit *limit)
{
    size_t all = t->region[0];
    bool ok = true;
    for (size_t at = 0, n; ok && at < all && limit_allows(limit); at += n) {
        n = all - at < LIMIT_PIECE_B ? all - at : LIMIT_PIECE_B;
        ok = move_piece(t, dev, from + at, to + at, n);
    }
    return ok && !limit->over;
}

/* Moves rows; `from` and `to` are addresses on the device or on the host.  False: a
 * failure, or the time limit. */
static bool
move_rows(const struct transfer *t, struct ventus_dev *dev, uint64_t from,
          uint64_t to, struct limit *limit)
{
    from += t->source.origin;
    to += t->target.origin;
    for (size_t z = 0; z < t->region[2]; z++) {
        for (size_t y = 0; y < t->region[1]; y++) {
            uint64_t s = z * t->source.slice_pitch + y * t->source.row_pitch;
            uint64_t d = z * t->target.slice_pitch + y * t->target.row_pitch;
            if (!move_row(t, dev, from + s, to + d, limit))
                return false;
        }
    }
    return true;
}

/* Whether the host's side of the box is accessible memory; pages are locked.  The rows
 * are checked one by one only if there may be gaps between them. */
static bool
host_is_there(const struct transfer *t, cl_context c)
{
    bool write = t->kind == TRANSFER_READ;
    const struct box *b = write ? &t->target : &t->source;
    const size_t *n = t->region;
    size_t span =
        (n[2] - 1) * b->slice_pitch + (n[1] - 1) * b->row_pitch + n[0];
    const char *at = t->host + b->origin;
    if (t->kind == TRANSFER_COPY || svm_host_permits(c, at, span, write))
        return true;
    bool there = n[1] > 1 || n[2] > 1;
    for (size_t z = 0; there && z < n[2]; z++)
        for (size_t y = 0; there && y < n[1]; y++)
            there = svm_host_permits(
                c, at + z * b->slice_pitch + y * b->row_pitch, n[0], write);
    return there;
}

/* Lists the rows of a box, from `at` on; NULL: too many, or no host memory. */
static struct ventus_dev_touch *
rows_of(uint64_t at, const struct box *b, const size_t *region, bool written)
{
    enum { MAX_ROWS = 1 << 16 };
    const size_t n = region[1] * region[2];
    struct ventus_dev_touch *row =
        n <= MAX_ROWS ? calloc(n, sizeof *row) : NULL;
    for (size_t i = 0; row && i < n; i++) {
        row[i].from = at + b->origin + i / region[1] * b->slice_pitch +
                      i % region[1] * b->row_pitch;
        row[i].to = row[i].from + region[0];
        row[i].written = written;
    }
    return row;
}

/* Records one side of the transfer for conflict.h; m NULL: the program's memory. */
static void
note_side(const struct transfer *t, cl_event e, cl_mem m, const struct box *b,
          bool written)
{
    const size_t n = t->region[1] * t->region[2];
    uint64_t at = m ? m->origin : (uintptr_t)t->host;
    struct ventus_dev_touch *row =
        e->stamp ? rows_of(at, b, t->region, written) : NULL;
    if (row && m)
        conflict_note(e, m, NULL, row, n);
    else if (row && !t->maps)
        conflict_note_host(e, row, n);
    free(row);
}

/* Checks a read for bytes that were never written; `from`: address of the object on
 * the device. */
static void
check_read(const struct transfer *t, cl_event e, uint64_t from)
{
    enum { LEAST_ROW = 16 }; /* shorter rows may be members of structures */
    const size_t rows = t->region[1] * t->region[2];
    struct ventus_dev_touch *row = rows_of(from, &t->source, t->region, false);
    for (size_t i = 0; row && i < rows; i++)
        if (rows == 1 || t->region[0] >= LEAST_ROW)
            conflict_check_read(e, t->from, row[i].from, t->region[0]);
    free(row);
}

/* Records the transfer for the checks; `from`: address of the source object on the
 * device, `differs`: whether the program's memory of the target differed before. */
static void
note_transfer(const struct transfer *t, cl_event e, uint64_t from, bool differs)
{
    note_side(t, e, t->from, &t->source, false);
    note_side(t, e, t->to, &t->target, true);
    if (e->stamp && t->kind == TRANSFER_READ && (!t->maps || t->seen))
        check_read(t, e, from);
    cl_mem of = mem_root(t->from ? t->from : t->to);
    const bool whole = t->region[0] == of->size;
    if (t->from)
        misuse_note_use(t->from);
    if (t->maps && (t->to || whole))
        of->host_differs = t->to && differs;
    if (t->seen)
        snapshot_take(t->seen, t->host + t->target.origin, &t->target,
                      t->region);
}

static cl_int
run_transfer(struct command *command, cl_event e)
{
    const struct transfer *t = (const struct transfer *)command;
    assert((t->from || t->kind == TRANSFER_WRITE) &&
           (t->to || t->kind == TRANSFER_READ));
    uint64_t from = (uintptr_t)t->host, to = (uintptr_t)t->host;
    if (!t->region[0])
        return CL_SUCCESS;
    if (t->from)
        CL_CHECK(storage_use(t->from, e->queue->device_index, false, &from));
    const bool differs = t->to && mem_root(t->to)->host_differs;
    if (t->to)
        CL_CHECK(storage_use(t->to, e->queue->device_index, true, &to));
    struct limit limit = limit_begin(e);
    svm_hold_pages(e->context);
    bool there = host_is_there(t, e->context);
    bool ok = there && move_rows(t, e->queue->device->dev, from, to, &limit);
    svm_release_pages(e->context);
    if (!there)
        svm_report_host(e->context, "a transfer", t->host, t->region[0]);
    CL_EXPECT(there, CL_OUT_OF_RESOURCES,
              "the memory of the host at this address cannot be used");
    CL_CHECK(limit_end(&limit, e,
                       t->kind == TRANSFER_COPY ? "a copy" : "a transfer"));
    CL_EXPECT(ok, CL_OUT_OF_RESOURCES, "%s", ventus_dev_message());
    note_transfer(t, e, from, differs);
    return CL_SUCCESS;
}

static void
drop_transfer(struct command *command)
{
    snapshot_unref(((struct transfer *)command)->seen);
}

cl_int
transfer_submit(const struct submission *s, cl_command_type type,
                const struct transfer *t)
{
    assert(t->from || t->to);
    assert((t->kind == TRANSFER_COPY) == (t->from && t->to) &&
           "a copy has two objects, other transfers one");
    struct transfer *copy = command_new(sizeof *copy, run_transfer);
    if (!copy) {
        snapshot_unref(t->seen);
        return cl_refuse_plain(CL_OUT_OF_HOST_MEMORY);
    }
    struct command base = copy->base;
    *copy = *t;
    copy->base = base;
    copy->base.drop = drop_transfer;
    if ((t->from && !command_use(&copy->base, t->from)) ||
        (t->to && !command_use(&copy->base, t->to))) {
        command_free(&copy->base);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for a command");
    }
    return submission_end(s, type, &copy->base);
}

cl_int
transfer_enqueue(cl_command_queue q, cl_command_type type,
                 const struct transfer *t, const struct wait *wait,
                 bool blocking, cl_event *event)
{
    struct submission s = submission_to_queue(q, wait->n, wait->list, event);
    s.blocking = blocking;
    return transfer_submit(&s, type, t);
}

/* ---- entries ---- */

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool blocking_read,
                    size_t offset, size_t size, void *ptr,
                    cl_uint num_events_in_wait_list,
                    const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    CL_CHECK(transfer_check_buffer(q, m));
    CL_CHECK(mem_check_bounds(m, offset, size));
    CL_EXPECT(ptr, CL_INVALID_VALUE, "ptr is NULL");
    CL_CHECK(event_check_list(q->context, wait.n, wait.list));
    CL_CHECK(mem_check_aligned(m, "sub-buffer"));
    CL_CHECK(mem_check_host_reads(m));
    const struct transfer t = { .kind = TRANSFER_READ,
                                .from = m,
                                .host = ptr,
                                .source = box_line(offset),
                                .region = { size, 1, 1 } };
    return transfer_enqueue(q, CL_COMMAND_READ_BUFFER, &t, &wait, blocking_read,
                            event);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool blocking_write,
                     size_t offset, size_t size, const void *ptr,
                     cl_uint num_events_in_wait_list,
                     const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    CL_CHECK(transfer_check_buffer(q, m));
    CL_CHECK(mem_check_bounds(m, offset, size));
    CL_EXPECT(ptr, CL_INVALID_VALUE, "ptr is NULL");
    CL_CHECK(event_check_list(q->context, wait.n, wait.list));
    CL_CHECK(mem_check_aligned(m, "sub-buffer"));
    CL_CHECK(mem_check_host_writes(m));
    const struct transfer t = { .kind = TRANSFER_WRITE,
                                .to = m,
                                .host = (char *)(uintptr_t)ptr,
                                .target = box_line(offset),
                                .region = { size, 1, 1 } };
    return transfer_enqueue(q, CL_COMMAND_WRITE_BUFFER, &t, &wait,
                            blocking_write, event);
}

/* Whether two lines of bytes overlap; their objects may be parts of one buffer. */
static bool
lines_overlap(cl_mem a, size_t a_at, cl_mem b, size_t b_at, size_t size)
{
    size_t from = a->origin + a_at, to = b->origin + b_at;
    return mem_root(a) == mem_root(b) && from < to + size && to < from + size;
}

static cl_int
copy_buffer(const struct submission *s, cl_mem src, cl_mem dst,
            size_t src_offset, size_t dst_offset, size_t size)
{
    CL_CHECK(transfer_check_buffer(s->queue, src));
    CL_CHECK(transfer_check_buffer(s->queue, dst));
    CL_EXPECT(mem_in_bounds(src, src_offset, size), CL_INVALID_VALUE,
              "%zu bytes from byte %zu are not in the source, which has %zu",
              size, src_offset, src->size);
    CL_EXPECT(mem_in_bounds(dst, dst_offset, size), CL_INVALID_VALUE,
              "%zu bytes from byte %zu are not in the target, which has %zu",
              size, dst_offset, dst->size);
    CL_CHECK(submission_check_list(s));
    CL_CHECK(mem_check_aligned(src, "source"));
    CL_CHECK(mem_check_aligned(dst, "target"));
    CL_EXPECT(!lines_overlap(src, src_offset, dst, dst_offset, size),
              CL_MEM_COPY_OVERLAP,
              "bytes %zu and %zu of one buffer are less than %zu bytes apart",
              src->origin + src_offset, dst->origin + dst_offset, size);
    const struct transfer t = { .kind = TRANSFER_COPY,
                                .from = src,
                                .to = dst,
                                .source = box_line(src_offset),
                                .target = box_line(dst_offset),
                                .region = { size, 1, 1 } };
    return transfer_submit(s, CL_COMMAND_COPY_BUFFER, &t);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueCopyBuffer(cl_command_queue queue, cl_mem src, cl_mem dst,
                    size_t src_offset, size_t dst_offset, size_t size,
                    cl_uint num_events_in_wait_list,
                    const cl_event *event_wait_list, cl_event *event)
{
    const struct submission s = submission_to_queue(
        queue, num_events_in_wait_list, event_wait_list, event);
    return copy_buffer(&s, src, dst, src_offset, dst_offset, size);
}

CL_API_ENTRY cl_int CL_API_CALL
transfer_record_copy(cl_command_buffer_khr command_buffer,
                     cl_command_queue command_queue,
                     const cl_command_properties_khr *properties, cl_mem src,
                     cl_mem dst, size_t src_offset, size_t dst_offset,
                     size_t size, cl_uint num_sync_points_in_wait_list,
                     const cl_sync_point_khr *sync_point_wait_list,
                     cl_sync_point_khr *sync_point,
                     cl_mutable_command_khr *mutable_handle)
{
    struct submission s;
    CL_CHECK(submission_record(&s, command_buffer, command_queue, properties,
                               num_sync_points_in_wait_list,
                               sync_point_wait_list, sync_point,
                               mutable_handle));
    return copy_buffer(&s, src, dst, src_offset, dst_offset, size);
}
