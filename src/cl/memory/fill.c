/* SPDX-License-Identifier: Apache-2.0 */
/* Commands on whole memory objects: fill and migrate. */
#include <assert.h>
#include <string.h>

#include <ventus/dev.h>

#include "cl/checks/conflict.h"
#include "cl/memory/transfer.h"
#include "cl/queue/limit.h"

enum { MAX_PATTERN = 128 };

struct fill {
    struct command base;
    cl_mem mem;
    size_t offset, size, pattern_size;
    char pattern[MAX_PATTERN];
};

static cl_int
run_fill(struct command *command, cl_event e)
{
    const struct fill *f = (const struct fill *)command;
    assert(f->pattern_size > 0 && f->pattern_size <= MAX_PATTERN &&
           f->size % f->pattern_size == 0);
    struct limit limit = limit_begin(e);
    uint64_t address;
    if (!f->size)
        return CL_SUCCESS;
    CL_CHECK(storage_use(f->mem, e->queue->device_index, true, &address));
    address += f->offset;
    for (size_t at = 0, n; at < f->size && limit_allows(&limit); at += n) {
        n = f->size - at < LIMIT_PIECE_B ? f->size - at : LIMIT_PIECE_B;
        CL_EXPECT(ventus_dev_fill(e->queue->device->dev, address + at,
                                  f->pattern, f->pattern_size, n),
                  CL_OUT_OF_RESOURCES, "%s", ventus_dev_message());
    }
    conflict_note_range(e, f->mem, f->offset, f->size, true);
    return limit_end(&limit, e, "a fill");
}

static bool
is_pattern_size(size_t n)
{
    return n && n <= MAX_PATTERN && !(n & (n - 1));
}

static cl_int
fill_buffer(const struct submission *s, cl_mem m, const void *pattern,
            size_t pattern_size, size_t offset, size_t size)
{
    CL_CHECK(transfer_check_buffer(s->queue, m));
    CL_CHECK(mem_check_bounds(m, offset, size));
    CL_EXPECT(pattern && is_pattern_size(pattern_size), CL_INVALID_VALUE,
              "pattern_size is %zu; it must be a power of two, 1 to %d, and "
              "pattern must not be NULL",
              pattern_size, MAX_PATTERN);
    CL_EXPECT(offset % pattern_size == 0, CL_INVALID_VALUE,
              "offset is %zu; it must be a multiple of pattern_size, %zu",
              offset, pattern_size);
    CL_EXPECT(size % pattern_size == 0, CL_INVALID_VALUE,
              "size is %zu; it must be a multiple of pattern_size, %zu", size,
              pattern_size);
    CL_CHECK(submission_check_list(s));
    CL_CHECK(mem_check_aligned(m, "sub-buffer"));
    struct fill *f = command_new(sizeof *f, run_fill);
    CL_REQUIRE(f, CL_OUT_OF_HOST_MEMORY);
    f->mem = m;
    f->offset = offset;
    f->size = size;
    f->pattern_size = pattern_size;
    memcpy(f->pattern, pattern, pattern_size);
    if (!command_use(&f->base, m)) {
        command_free(&f->base);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for a command");
    }
    return submission_end(s, CL_COMMAND_FILL_BUFFER, &f->base);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueFillBuffer(cl_command_queue queue, cl_mem m, const void *pattern,
                    size_t pattern_size, size_t offset, size_t size,
                    cl_uint num_events_in_wait_list,
                    const cl_event *event_wait_list, cl_event *event)
{
    const struct submission s = submission_to_queue(
        queue, num_events_in_wait_list, event_wait_list, event);
    return fill_buffer(&s, m, pattern, pattern_size, offset, size);
}

CL_API_ENTRY cl_int CL_API_CALL
fill_record(cl_command_buffer_khr command_buffer,
            cl_command_queue command_queue,
            const cl_command_properties_khr *properties, cl_mem m,
            const void *pattern, size_t pattern_size, size_t offset,
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
    return fill_buffer(&s, m, pattern, pattern_size, offset, size);
}

/* ---- migrate ---- */

struct migrate {
    struct command base; /* references to the memory objects */
    bool to_host;
};

static cl_int
run_migrate(struct command *command, cl_event e)
{
    const struct migrate *m = (const struct migrate *)command;
    assert(command->n_uses > 0 && "the command owns its memory objects");
    for (size_t i = 0; !m->to_host && i < command->n_uses; i++) {
        uint64_t address;
        CL_CHECK(storage_use((cl_mem)command->uses[i], e->queue->device_index,
                             false, &address));
    }
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueMigrateMemObjects(cl_command_queue q, cl_uint num_mem_objects,
                           const cl_mem *mem_objects,
                           cl_mem_migration_flags flags,
                           cl_uint num_events_in_wait_list,
                           const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    CL_EXPECT(num_mem_objects && mem_objects, CL_INVALID_VALUE,
              "num_mem_objects is %u and mem_objects is %s; there must be at "
              "least one",
              num_mem_objects, mem_objects ? "given" : "NULL");
    for (cl_uint i = 0; i < num_mem_objects; i++)
        CL_CHECK(transfer_check(q, mem_objects[i]));
    CL_EXPECT(!(flags & ~known), CL_INVALID_VALUE,
              "flags are 0x%" PRIx64 "; only CL_MIGRATE_MEM_OBJECT_HOST and "
              "CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED exist",
              (uint64_t)flags);
    CL_CHECK(event_check_list(q->context, wait.n, wait.list));
    struct migrate *m = command_new(sizeof *m, run_migrate);
    bool ok = m != NULL;
    for (cl_uint i = 0; ok && i < num_mem_objects; i++)
        ok = command_use(&m->base, mem_objects[i]);
    if (!ok) {
        command_free(m ? &m->base : NULL);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for a command");
    }
    m->to_host = flags & CL_MIGRATE_MEM_OBJECT_HOST;
    return queue_enqueue(q, CL_COMMAND_MIGRATE_MEM_OBJECTS, &m->base, &wait,
                         false, event);
}
