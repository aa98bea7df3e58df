/* SPDX-License-Identifier: Apache-2.0 */
/* Commands on shared memory.  Host and device have the same bytes, so maps, unmaps and
 * migrations do nothing when the queue reaches them. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cl/memory/svm.h"
#include "cl/memory/svm_commands.h"
#include "cl/queue/event.h"
#include "cl/queue/limit.h"

typedef void(CL_CALLBACK *free_fn)(cl_command_queue, cl_uint, void **, void *);

cl_int
svm_check_queue(cl_command_queue q)
{
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    CL_EXPECT(q->device->svm, CL_INVALID_OPERATION,
              "the device of the queue has no shared virtual memory: its "
              "pointers have 32 bits");
    return CL_SUCCESS;
}

/* ---- copy and fill ---- */

struct move {
    struct command base;
    char *to;
    const char *from; /* NULL: a fill with the pattern */
    /* Whether they were allocations when it was enqueued. */
    bool to_shared, from_shared;
    size_t size, pattern_size;
    char pattern[SVM_PATTERN];
};

/* Whether an address that was in an allocation at the time of enqueueing still is, and
 * the memory is accessible; pages are locked. */
static bool
is_there(cl_context c, const void *at, size_t size, bool shared, bool write)
{
    return shared ? svm_find(c, at, size, NULL)
                  : svm_host_permits(c, at, size, write);
}

static void
move_bytes(const struct move *m, struct limit *limit)
{
    for (size_t at = 0, n; at < m->size && limit_allows(limit); at += n) {
        n = m->size - at < LIMIT_PIECE_B ? m->size - at : LIMIT_PIECE_B;
        if (m->from)
            memcpy(m->to + at, m->from + at, n);
        for (size_t k = 0; !m->from && k < n; k += m->pattern_size)
            memcpy(m->to + at + k, m->pattern, m->pattern_size);
    }
}

static cl_int
run_move(struct command *command, cl_event e)
{
    const struct move *m = (const struct move *)command;
    struct limit limit = limit_begin(e);
    assert(m->from || m->pattern_size);
    svm_hold_pages(e->context);
    bool to = is_there(e->context, m->to, m->size, m->to_shared, true);
    bool from = !m->from ||
                is_there(e->context, m->from, m->size, m->from_shared, false);
    if (to && from)
        move_bytes(m, &limit);
    svm_release_pages(e->context);
    if (!to || !from)
        svm_report_host(e->context, m->from ? "a copy" : "a fill",
                        to ? m->from : m->to, m->size);
    CL_EXPECT(to && from, CL_OUT_OF_RESOURCES,
              "memory of the host cannot be read or written");
    return limit_end(&limit, e, m->from ? "a copy" : "a fill");
}

cl_int
svm_submit_copy(const struct submission *s, cl_command_type type, void *to,
                const void *from, size_t size)
{
    cl_command_queue q = s->queue;
    CL_CHECK(svm_check_queue(q));
    CL_EXPECT(to && from, CL_INVALID_VALUE, "%s is NULL",
              to ? "src_ptr" : "dst_ptr");
    CL_CHECK(submission_check_list(s));
    uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
    CL_EXPECT(!size || (a < b ? b - a : a - b) >= size, CL_MEM_COPY_OVERLAP,
              "source and target are %zu bytes apart; they must be at least "
              "size, %zu",
              (size_t)(a < b ? b - a : a - b), size);
    CL_EXPECT(svm_host_has(q->context, to, size), CL_INVALID_VALUE,
              "%zu bytes at %p reach past the end of their allocation", size,
              to);
    CL_EXPECT(svm_host_has(q->context, from, size), CL_INVALID_VALUE,
              "%zu bytes at %p reach past the end of their allocation", size,
              from);
    struct move *m = command_new(sizeof *m, run_move);
    CL_REQUIRE(m, CL_OUT_OF_HOST_MEMORY);
    m->to = to;
    m->from = from;
    m->size = size;
    m->to_shared = svm_find(q->context, to, size, NULL);
    m->from_shared = svm_find(q->context, from, size, NULL);
    return submission_end(s, type, &m->base);
}

cl_int
svm_submit_fill(const struct submission *s, cl_command_type type, void *to,
                const void *pattern, size_t pattern_size, size_t size)
{
    cl_command_queue q = s->queue;
    CL_CHECK(svm_check_queue(q));
    CL_EXPECT(pattern && pattern_size && pattern_size <= SVM_PATTERN &&
                  !(pattern_size & (pattern_size - 1)),
              CL_INVALID_VALUE,
              "pattern_size is %zu; it must be a power of two, 1 to %d, and "
              "pattern must not be NULL",
              pattern_size, SVM_PATTERN);
    CL_EXPECT(to && (uintptr_t)to % pattern_size == 0, CL_INVALID_VALUE,
              "svm_ptr is %p; it must be a multiple of pattern_size, %zu", to,
              pattern_size);
    CL_EXPECT(size % pattern_size == 0, CL_INVALID_VALUE,
              "size is %zu; it must be a multiple of pattern_size, %zu", size,
              pattern_size);
    CL_EXPECT(svm_is_usable(q->context, to, size), CL_INVALID_VALUE,
              "%zu bytes at %p are not in an allocation", size, to);
    CL_CHECK(submission_check_list(s));
    struct move *m = command_new(sizeof *m, run_move);
    CL_REQUIRE(m, CL_OUT_OF_HOST_MEMORY);
    m->to = to;
    m->to_shared = svm_find(q->context, to, size, NULL);
    m->size = size;
    m->pattern_size = pattern_size;
    memcpy(m->pattern, pattern, pattern_size);
    return submission_end(s, type, &m->base);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking_copy, void *dst_ptr,
                   const void *src_ptr, size_t size,
                   cl_uint num_events_in_wait_list,
                   const cl_event *event_wait_list, cl_event *event)
{
    struct submission s = submission_to_queue(queue, num_events_in_wait_list,
                                              event_wait_list, event);
    s.blocking = blocking_copy;
    return svm_submit_copy(&s, CL_COMMAND_SVM_MEMCPY, dst_ptr, src_ptr, size);
}

CL_API_ENTRY cl_int CL_API_CALL
svm_record_copy(cl_command_buffer_khr command_buffer,
                cl_command_queue command_queue,
                const cl_command_properties_khr *properties, void *dst_ptr,
                const void *src_ptr, size_t size,
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
    return svm_submit_copy(&s, CL_COMMAND_SVM_MEMCPY, dst_ptr, src_ptr, size);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueSVMMemFill(cl_command_queue queue, void *svm_ptr, const void *pattern,
                    size_t pattern_size, size_t size,
                    cl_uint num_events_in_wait_list,
                    const cl_event *event_wait_list, cl_event *event)
{
    const struct submission s = submission_to_queue(
        queue, num_events_in_wait_list, event_wait_list, event);
    return svm_submit_fill(&s, CL_COMMAND_SVM_MEMFILL, svm_ptr, pattern,
                           pattern_size, size);
}

CL_API_ENTRY cl_int CL_API_CALL
svm_record_fill(cl_command_buffer_khr command_buffer,
                cl_command_queue command_queue,
                const cl_command_properties_khr *properties, void *svm_ptr,
                const void *pattern, size_t pattern_size, size_t size,
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
    return svm_submit_fill(&s, CL_COMMAND_SVM_MEMFILL, svm_ptr, pattern,
                           pattern_size, size);
}

/* ---- commands without an effect ---- */

static cl_int
run_nothing(struct command *command, cl_event e)
{
    (void)command, (void)e;
    return CL_SUCCESS;
}

cl_int
svm_enqueue_nothing(cl_command_queue q, cl_command_type type, cl_bool blocking,
                    const struct wait *wait, cl_event *event)
{
    CL_CHECK(event_check_list(q->context, wait->n, wait->list));
    return queue_enqueue(q, type,
                         command_new(sizeof(struct command), run_nothing), wait,
                         blocking, event);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueSVMMap(cl_command_queue q, cl_bool blocking_map, cl_map_flags flags,
                void *svm_ptr, size_t size, cl_uint num_events_in_wait_list,
                const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    const cl_map_flags whole = CL_MAP_WRITE_INVALIDATE_REGION;
    CL_CHECK(svm_check_queue(q));
    CL_EXPECT(svm_ptr, CL_INVALID_VALUE, "svm_ptr is NULL");
    CL_EXPECT(size, CL_INVALID_VALUE, "size is 0; it must be at least 1");
    CL_EXPECT(svm_host_has(q->context, svm_ptr, size), CL_INVALID_VALUE,
              "%zu bytes at %p reach past the end of their allocation", size,
              svm_ptr);
    CL_EXPECT(!(flags & ~(CL_MAP_READ | CL_MAP_WRITE | whole)) &&
                  (!(flags & whole) || flags == whole),
              CL_INVALID_VALUE,
              "map_flags are 0x%" PRIx64
              "; expected CL_MAP_READ, CL_MAP_WRITE or both, or "
              "CL_MAP_WRITE_INVALIDATE_REGION",
              (uint64_t)flags);
    return svm_enqueue_nothing(q, CL_COMMAND_SVM_MAP, blocking_map, &wait,
                               event);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueSVMUnmap(cl_command_queue q, void *svm_ptr,
                  cl_uint num_events_in_wait_list,
                  const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    CL_CHECK(svm_check_queue(q));
    CL_EXPECT(svm_ptr, CL_INVALID_VALUE, "svm_ptr is NULL");
    CL_EXPECT(svm_host_has(q->context, svm_ptr, 1), CL_INVALID_VALUE,
              "%p is not in an allocation", svm_ptr);
    return svm_enqueue_nothing(q, CL_COMMAND_SVM_UNMAP, CL_FALSE, &wait, event);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueSVMMigrateMem(cl_command_queue q, cl_uint num_svm_pointers,
                       const void **svm_pointers, const size_t *sizes,
                       cl_mem_migration_flags flags,
                       cl_uint num_events_in_wait_list,
                       const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    CL_CHECK(svm_check_queue(q));
    CL_EXPECT(num_svm_pointers && svm_pointers, CL_INVALID_VALUE,
              "num_svm_pointers is %u and svm_pointers is %s; there must be at "
              "least one",
              num_svm_pointers, svm_pointers ? "given" : "NULL");
    for (cl_uint i = 0; i < num_svm_pointers; i++)
        CL_EXPECT(
            svm_is_usable(q->context, svm_pointers[i], sizes ? sizes[i] : 0),
            CL_INVALID_VALUE,
            "pointer %u of the list, %p, is not in an allocation of its size",
            i, svm_pointers[i]);
    CL_EXPECT(!(flags & ~(CL_MIGRATE_MEM_OBJECT_HOST |
                          CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)),
              CL_INVALID_VALUE,
              "flags are 0x%" PRIx64 "; only CL_MIGRATE_MEM_OBJECT_HOST and "
              "CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED exist",
              (uint64_t)flags);
    return svm_enqueue_nothing(q, CL_COMMAND_SVM_MIGRATE_MEM, CL_FALSE, &wait,
                               event);
}

/* ---- free ---- */

struct release {
    struct command base;
    free_fn call; /* or NULL: the runtime frees them */
    void *user_data;
    cl_uint n;
    void **pointers; /* owned */
};

static cl_int
run_release(struct command *command, cl_event e)
{
    struct release *r = (struct release *)command;
    if (r->call)
        r->call(e->queue, r->n, r->pointers, r->user_data);
    const void *unknown = NULL;
    for (cl_uint i = 0; !r->call && i < r->n; i++)
        if (r->pointers[i] && !svm_free(e->context, r->pointers[i]))
            unknown = r->pointers[i];
    if (unknown)
        svm_report_unknown(e->context, "clEnqueueSVMFree", unknown);
    CL_EXPECT(!unknown, CL_OUT_OF_RESOURCES,
              "%p is not where an allocation begins", unknown);
    return CL_SUCCESS;
}

static void
drop_release(struct command *command)
{
    free(((struct release *)command)->pointers);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueSVMFree(cl_command_queue q, cl_uint num_svm_pointers,
                 void *svm_pointers[], free_fn pfn_free_func, void *user_data,
                 cl_uint num_events_in_wait_list,
                 const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    CL_CHECK(svm_check_queue(q));
    CL_EXPECT(!num_svm_pointers == !svm_pointers, CL_INVALID_VALUE,
              "num_svm_pointers is %u and svm_pointers is %s", num_svm_pointers,
              svm_pointers ? "given" : "NULL");
    for (cl_uint i = 0; !pfn_free_func && i < num_svm_pointers; i++)
        CL_EXPECT(
            !svm_pointers[i] || svm_begins(q->context, svm_pointers[i]),
            CL_INVALID_VALUE,
            "pointer %u of the list, %p, is not where an allocation begins", i,
            svm_pointers[i]);
    CL_CHECK(event_check_list(q->context, wait.n, wait.list));
    struct release *r = command_new(sizeof *r, run_release);
    CL_REQUIRE(r, CL_OUT_OF_HOST_MEMORY);
    r->base.drop = drop_release;
    r->pointers = calloc(num_svm_pointers + 1, sizeof *r->pointers);
    if (!r->pointers) {
        command_free(&r->base);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for a command");
    }
    if (num_svm_pointers)
        memcpy(r->pointers, svm_pointers,
               num_svm_pointers * sizeof *r->pointers);
    r->n = num_svm_pointers;
    r->call = pfn_free_func;
    r->user_data = user_data;
    return queue_enqueue(q, CL_COMMAND_SVM_FREE, &r->base, &wait, false, event);
}
