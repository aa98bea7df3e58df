/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels on a device. */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/held.h"
#include "cl/checks/checks.h"
#include "cl/checks/commit_log.h"
#include "cl/checks/conflict.h"
#include "cl/checks/interrupt.h"
#include "cl/checks/misuse.h"
#include "cl/kernel/kernel.h"
#include "cl/kernel/launch_stats.h"
#include "cl/memory/image.h"
#include "cl/queue/command_buffer.h"
#include "dev/output/report.h"
#include "dev/preview.h"
#include "obj/kernels.h"

struct launch_arg {
    cl_mem mem; /* owned reference */
    bool write; /* the kernel may write it */
    const void *svm;
    bool raw; /* svm may be outside of any buffer */
    size_t local_B;
    void *bytes; /* owned */
};

struct launch {
    struct command base;
    cl_kernel kernel; /* owned reference */
    const struct ventus_dev_kernel *on;
    unsigned dims;
    uint64_t global[3], local[3], offset[3];
    size_t n_args;
    struct launch_arg *args;
};

static void
drop_launch(struct command *command)
{
    struct launch *l = (struct launch *)command;
    for (size_t i = 0; l->args && i < l->n_args; i++)
        free(l->args[i].bytes);
    free(l->args);
}

/* ---- execution on the worker ---- */

/* Whether an object is a sub-buffer of memory that kernels reach only by arguments. */
static bool
is_part(cl_mem m)
{
    return m->parent && !m->image && !m->parent->addressed &&
           !m->parent->shared;
}

/* Converts the arguments for the driver. */
static cl_int
place_args(const struct launch *l, cl_command_queue q,
           struct ventus_dev_arg *args)
{
    bool anywhere = q->device->svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    for (size_t i = 0; i < l->n_args; i++) {
        const struct launch_arg *a = &l->args[i];
        uint64_t address = (uintptr_t)a->svm;
        assert((!a->bytes || (!a->mem && !a->local_B)) &&
               "an argument has one kind");
        if (a->mem)
            CL_CHECK((a->mem->image ? image_use : storage_use)(
                a->mem, q->device_index, a->write, &address));
        if (a->bytes)
            args[i] = ventus_dev_bytes(a->bytes, l->on->params[i].size_B);
        else if (l->on->params[i].kind == VENTUS_DEV_PARAM_LOCAL)
            /* An argument of no bytes, as OpenCL 3.1 allows it, has an address. */
            args[i] = ventus_dev_local(a->local_B ? a->local_B : 1);
        else
            args[i] = ventus_dev_buffer(address);
        if (a->mem && is_part(a->mem))
            args[i].part_B = a->mem->size;
        if (args[i].kind == VENTUS_DEV_ARG_BUFFER && !a->mem &&
            (a->raw || anywhere))
            args[i].kind = VENTUS_DEV_ARG_POINTER;
    }
    return CL_SUCCESS;
}

/* Reports a fault, naming the kernel; the fault of a deadlock lists the waiting warps. */
static cl_int
report_fault(const struct launch *l, cl_event e,
             const struct ventus_dev_result *r)
{
    char text[sizeof r->message + 256];
    const char *name = l->on->name;
    snprintf(text, sizeof text, "%s%s%s%s",
             strstr(r->message, name) ? "" : "kernel '",
             strstr(r->message, name) ? "" : name,
             strstr(r->message, name) ? "" : "': ", r->message);
    context_report(e->context, text);
    cl_note_fault();
    return CL_OUT_OF_RESOURCES;
}

/* The time of the launch on a machine that counts cycles. */
static cl_ulong
device_ns(cl_device_id device, const struct ventus_dev_result *r)
{
    uint64_t MHz = ventus_dev_setting(device->dev, "clock_mhz");
    return r->cycles / MHz * 1000 + r->cycles % MHz * 1000 / MHz;
}

/* Checks the program's memory that arguments use, before the kernel runs. */
static void
check_host(const struct launch *l, cl_event e)
{
    for (size_t i = 0; i < l->n_args; i++) {
        const struct launch_arg *a = &l->args[i];
        if (a->mem)
            misuse_check_host(a->mem, e->queue->device_index, l->on->name,
                              conflict_entry(e));
    }
}

static void
note_args(const struct launch *l, cl_event e,
          const struct ventus_dev_touched *touched)
{
    for (size_t i = 0; i < l->n_args; i++) {
        const struct launch_arg *a = &l->args[i];
        if (a->mem && a->write)
            misuse_note_kernel(a->mem, l->on->name);
        else if (a->mem)
            misuse_note_use(a->mem);
        if (a->mem)
            conflict_note_kernel(e, a->mem, l->on->name, touched);
    }
}

/* Reports arguments that are mapped for writing.  An unmap leaves the list when it is
 * enqueued, so a map that is still listed is used too early in any order of commands. */
static void
check_maps(const struct launch *l, cl_event e)
{
    for (size_t i = 0; i < l->n_args; i++) {
        cl_mem m = l->args[i].mem;
        if (m && mem_is_mapped_to_write(m))
            checks_note("mapped-use", l->on->name, conflict_entry(e),
                        "kernel '%s' runs while its argument %zu '%s', object "
                        "%llu, has bytes that are mapped for writing",
                        l->on->name, i, l->on->params[i].name,
                        (unsigned long long)m->base.serial);
    }
}

/* Warns of idle lanes, for the first launch that has some: further launches are likely
 * alike. */
static void
warn_of_idle_lanes(const struct ventus_dev *d,
                   const struct ventus_dev_launch *launch)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    char text[512];
    if (idle_lanes_run(d, launch, text, sizeof text) &&
        !atomic_flag_test_and_set(&warned))
        cl_complain("warning: %s", text);
}

static cl_int
run_launch(struct command *command, cl_event e)
{
    struct launch *l = (struct launch *)command;
    cl_device_id device = e->queue->device;
    assert(l->on && l->dims >= 1 && l->dims <= 3);
    struct ventus_dev_result *r = calloc(1, sizeof *r);
    struct ventus_dev_arg *args = calloc(l->n_args + 1, sizeof *args);
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    struct ventus_dev_counters *sm =
        launch_stats_wanted()
            ? calloc(ventus_dev_setting(device->dev, "num_sm"), sizeof *sm)
            : NULL;
    struct ventus_dev_touched touched = { .n = 0 };
    check_maps(l, e);
    check_host(l, e);
    if (r && args)
        code = place_args(l, e->queue, args);
    if (code == CL_SUCCESS) {
        const struct ventus_dev_launch launch = {
            .kernel = l->on,
            .work_dim = l->dims,
            .global = { l->global[0], l->global[1], l->global[2] },
            .local = { l->local[0], l->local[1], l->local[2] },
            .offset = { l->offset[0], l->offset[1], l->offset[2] },
            .args = args,
            .n_args = l->n_args,
            .print_B = DEVICE_PRINTF_B,
            .printed = stdout,
            .stats = launch_stats_wanted(),
            .sm = sm,
            .touched = checks_api() ? &touched : NULL,
        };
        warn_of_idle_lanes(device->dev, &launch);
        bool ok = commit_log_run(device->dev, &launch, r);
        note_args(l, e, &touched);
        free(touched.at);
        cl_ulong ns = device_ns(device, r);
        if (ok)
            e->time[EVENT_END] =
                ns ? e->time[EVENT_START] + ns : clock_now_ns();
        launch_stats_add(l->on, &launch, r, device->lanes,
                         ns ? ns : r->end_ns - r->start_ns);
        if (ok)
            report_notes(stderr, "ventus", r);
        code = ok ? CL_SUCCESS : report_fault(l, e, r);
        interrupt_end();
    }
    free(sm);
    free(args);
    free(r);
    return code;
}

/* ---- checks ---- */

static cl_int
check_args(cl_kernel k)
{
    /* Number of arguments that are set, up to the first that is not. */
    size_t n = 0;
    pthread_mutex_lock(&k->lock);
    while (n < k->info->n_params && k->args[n].set)
        n++;
    pthread_mutex_unlock(&k->lock);
    CL_EXPECT(n == k->info->n_params, CL_INVALID_KERNEL_ARGS,
              "argument %zu '%s' of kernel '%s' is not set", n,
              k->info->params[n].name, k->info->name);
    return CL_SUCCESS;
}

/* Checks the global size; size_t has 32 bits in kernels. */
static cl_int
check_global(cl_uint dims, const size_t *offset, const size_t *global)
{
    for (cl_uint i = 0; global && i < dims; i++)
        CL_EXPECT(global[i] <= UINT32_MAX, CL_INVALID_GLOBAL_WORK_SIZE,
                  "global_work_size[%u] is %zu; it must be at most 4294967295",
                  i, global[i]);
    for (cl_uint i = 0; global && offset && i < dims; i++)
        CL_EXPECT(offset[i] <= UINT32_MAX - global[i], CL_INVALID_GLOBAL_OFFSET,
                  "global_work_offset[%u] is %zu and global_work_size[%u] is "
                  "%zu; the sum must be at most 4294967295",
                  i, offset[i], i, global[i]);
    return CL_SUCCESS;
}

/* Refuses a work-group size, naming the limit and the preset with a higher one. */
static cl_int
refuse_group(cl_kernel k, cl_device_id device, cl_uint dims,
             const size_t *local)
{
    char text[400];
    snprintf(text, sizeof text,
             "kernel '%s': a work-group of %zu x %zu x %zu work-items is too "
             "large: this device takes at most %zu (%u lanes, %u warps); the "
             "preset 'default' takes 1024",
             kernel_on(k, device)->name, local[0], dims > 1 ? local[1] : 1,
             dims > 2 ? local[2] : 1, device->max_group,
             (unsigned)device->lanes, (unsigned)device->warps);
    context_report(k->program->context, text);
    return cl_refuse(CL_INVALID_WORK_GROUP_SIZE, "%s", text);
}

static cl_int
check_local(cl_kernel k, cl_device_id device, cl_uint dims,
            const size_t *global, const size_t *local)
{
    const uint32_t *required = kernel_on(k, device)->required_wg;
    bool uniform = kernel_on(k, device)->uniform_groups;
    size_t items = 1;
    for (cl_uint i = 0; i < dims; i++) {
        CL_EXPECT(!required[0] || local[i] == required[i],
                  CL_INVALID_WORK_GROUP_SIZE,
                  "local_work_size[%u] is %zu; reqd_work_group_size of the "
                  "kernel is %u there",
                  i, local[i], required[i]);
        CL_EXPECT(local[i], CL_INVALID_WORK_GROUP_SIZE,
                  "local_work_size[%u] is 0; it must be at least 1", i);
        if (local[i] > device->max_group) {
            refuse_group(k, device, dims, local);
            return CL_INVALID_WORK_ITEM_SIZE;
        }
        CL_EXPECT(
            !uniform || global[i] % local[i] == 0, CL_INVALID_WORK_GROUP_SIZE,
            "global_work_size[%u] is %zu, not a multiple of local_work_size, "
            "%zu; the kernel was built for uniform work-groups "
            "(-cl-uniform-work-group-size, or -cl-std below CL2.0)",
            i, global[i], local[i]);
        items *= local[i];
        if (items > device->max_group)
            return refuse_group(k, device, dims, local);
    }
    for (cl_uint i = dims; required[0] && i < 3; i++)
        CL_EXPECT(required[i] == 1, CL_INVALID_WORK_GROUP_SIZE,
                  "work_dim is %u; reqd_work_group_size of the kernel has %u "
                  "in dimension %u",
                  dims, required[i], i);
    return CL_SUCCESS;
}

/* Refuses a work-group whose registers or local memory do not fit. */
static cl_int
refuse_size(cl_kernel k, cl_device_id device, size_t items, cl_int code)
{
    char text[400];
    const struct ventus_dev_kernel *on = kernel_on(k, device);
    snprintf(text, sizeof text,
             "kernel '%s': a work-group of %zu work-items with %u scalar and "
             "%u vector registers for each warp and %llu bytes of local memory "
             "does not fit: at most %zu work-items, %llu bytes",
             on->name, items, on->sgprs, on->vgprs,
             (unsigned long long)kernel_local_B(k), kernel_max_group(k, device),
             (unsigned long long)device->local_B);
    context_report(k->program->context, text);
    return cl_refuse(code, "%s", text);
}

/* Replaces work-groups smaller than a warp by a row of whole warps, of which the last
 * may be partial. */
static void
fill_warp(size_t limit, size_t lanes, cl_uint dims, const size_t *global,
          size_t local[3])
{
    size_t rounded[3] = { (global[0] + lanes - 1) / lanes * lanes,
                          dims > 1 ? global[1] : 1, dims > 2 ? global[2] : 1 };
    if (local[0] * local[1] * local[2] < lanes && global[0] > lanes)
        group_choose(limit, lanes, dims, rounded, local);
}

/* Chooses the local size: the required one if the kernel has one. */
static cl_int
choose_local(cl_kernel k, cl_device_id device, cl_uint dims,
             const size_t *global, size_t local[3])
{
    const uint32_t *required = kernel_on(k, device)->required_wg;
    size_t limit = kernel_max_group(k, device);
    if (!limit)
        return refuse_size(k, device, 1, CL_OUT_OF_RESOURCES);
    if (!required[0]) {
        group_choose(limit, device->lanes, dims, global, local);
        if (!kernel_on(k, device)->uniform_groups)
            fill_warp(limit, device->lanes, dims, global, local);
        return CL_SUCCESS;
    }
    for (int i = 0; i < 3; i++)
        local[i] = required[i];
    return check_local(k, device, dims, global, local);
}

/* Checks registers and local memory: whether any work-group fits, and whether this
 * size does. */
static cl_int
check_size(cl_kernel k, cl_device_id device, const size_t local[3])
{
    size_t items = local[0] * local[1] * local[2];
    size_t most = kernel_max_group(k, device);
    if (kernel_local_B(k) > device->local_B || !most)
        return refuse_size(k, device, items, CL_OUT_OF_RESOURCES);
    if (items > most)
        return refuse_size(k, device, items, CL_INVALID_WORK_GROUP_SIZE);
    return CL_SUCCESS;
}

/* ---- enqueueing ---- */

/* Copies one argument as it is now; the lock of the kernel is held. */
static cl_int
copy_arg(struct launch *l, cl_kernel k, size_t i)
{
    assert_held(&k->lock);
    assert(i < l->n_args && k->args[i].set && "check_args has passed");
    const struct kernel_value *from = &k->args[i];
    const struct ventus_dev_param *p = &k->info->params[i];
    struct launch_arg *a = &l->args[i];
    a->local_B = from->local_B;
    a->svm = from->svm;
    a->raw = from->raw;
    if (from->bytes) {
        a->bytes = malloc(p->size_B);
        CL_REQUIRE(a->bytes, CL_OUT_OF_HOST_MEMORY);
        memcpy(a->bytes, from->bytes, p->size_B);
    }
    if (!from->mem.object)
        return CL_SUCCESS;
    cl_mem m = object_upgrade(from->mem);
    CL_EXPECT(m, CL_INVALID_MEM_OBJECT,
              "a memory object of argument %zu was released",
              i); /* released meanwhile */
    bool kept = command_use(&l->base, m);
    object_unref(m);
    CL_REQUIRE(kept, CL_OUT_OF_HOST_MEMORY);
    CL_CHECK(mem_check_aligned(m, "sub-buffer"));
    a->mem = m;
    a->write = p->kind == VENTUS_DEV_PARAM_IMAGE
                   ? p->access != KERNEL_ACCESS_READ_ONLY
                   : p->kind != VENTUS_DEV_PARAM_CONSTANT &&
                         !(p->qualifiers & KERNEL_ARG_CONST);
    return CL_SUCCESS;
}

static cl_int
copy_args(struct launch *l, cl_kernel k)
{
    cl_int code = CL_SUCCESS;
    l->n_args = k->info->n_params;
    l->args = calloc(l->n_args + 1, sizeof *l->args);
    CL_REQUIRE(l->args && command_use(&l->base, k), CL_OUT_OF_HOST_MEMORY);
    pthread_mutex_lock(&k->lock);
    for (size_t i = 0; code == CL_SUCCESS && i < l->n_args; i++)
        code = copy_arg(l, k, i);
    pthread_mutex_unlock(&k->lock);
    return code;
}

struct range {
    cl_uint dims;
    const size_t *offset, *global, *local;
};

/* Runs an empty range, which does nothing. */
static cl_int
run_empty(struct command *command, cl_event e)
{
    (void)command, (void)e;
    return CL_SUCCESS;
}

static bool
is_empty(const struct range *r)
{
    for (cl_uint i = 0; r->global && i < r->dims; i++)
        if (!r->global[i])
            return true;
    return !r->global;
}

static cl_int
fill_launch(struct launch *l, cl_kernel k, cl_device_id device,
            const struct range *r)
{
    size_t local[3] = { 1, 1, 1 };
    for (cl_uint i = 0; r->local && i < r->dims; i++)
        local[i] = r->local[i];
    if (!r->local)
        CL_CHECK(choose_local(k, device, r->dims, r->global, local));
    CL_CHECK(check_size(k, device, local));
    l->kernel = k;
    l->on = kernel_on(k, device);
    assert(l->on && local[0] && local[1] && local[2] &&
           "choose_local chose a size");
    l->dims = r->dims;
    for (cl_uint i = 0; i < 3; i++) {
        l->global[i] = i < r->dims ? r->global[i] : 1;
        l->local[i] = local[i];
        l->offset[i] = i < r->dims && r->offset ? r->offset[i] : 0;
    }
    return copy_args(l, k);
}

/* Checks all of a launch but its local size. */
static cl_int
check_launch(cl_command_queue q, cl_kernel k, const struct range *r)
{
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    CL_REQUIRE(kernel_is(k), CL_INVALID_KERNEL);
    CL_EXPECT(k->program->context == q->context, CL_INVALID_CONTEXT,
              "the kernel is of another context than the queue");
    CL_EXPECT(kernel_on(k, q->device), CL_INVALID_PROGRAM_EXECUTABLE,
              "the program is not built for the device of the queue");
    CL_CHECK(check_args(k));
    CL_EXPECT(r->dims >= 1 && r->dims <= 3, CL_INVALID_WORK_DIMENSION,
              "work_dim is %u; it must be 1 to 3", r->dims);
    return check_global(r->dims, r->offset, r->global);
}

static cl_int
submit_kernel(const struct submission *s, cl_command_type type, cl_kernel k,
              const struct range *r)
{
    cl_command_queue q = s->queue;
    CL_CHECK(check_launch(q, k, r));
    bool empty = is_empty(r);
    if (r->local && !empty)
        CL_CHECK(check_local(k, q->device, r->dims, r->global, r->local));
    CL_CHECK(submission_check_list(s));
    struct launch *l = command_new(sizeof *l, empty ? run_empty : run_launch);
    CL_REQUIRE(l, CL_OUT_OF_HOST_MEMORY);
    l->base.drop = drop_launch;
    cl_int code = empty ? CL_SUCCESS : fill_launch(l, k, q->device, r);
    if (code != CL_SUCCESS) {
        command_free(&l->base);
        return code;
    }
    return submission_end(s, type, &l->base);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                       cl_uint work_dim, const size_t *global_work_offset,
                       const size_t *global_work_size,
                       const size_t *local_work_size,
                       cl_uint num_events_in_wait_list,
                       const cl_event *event_wait_list, cl_event *event)
{
    const struct submission s = submission_to_queue(
        queue, num_events_in_wait_list, event_wait_list, event);
    const struct range range = { work_dim, global_work_offset, global_work_size,
                                 local_work_size };
    return submit_kernel(&s, CL_COMMAND_NDRANGE_KERNEL, kernel, &range);
}

CL_API_ENTRY cl_int CL_API_CALL
kernel_record(cl_command_buffer_khr command_buffer,
              cl_command_queue command_queue,
              const cl_command_properties_khr *properties, cl_kernel kernel,
              cl_uint work_dim, const size_t *global_work_offset,
              const size_t *global_work_size, const size_t *local_work_size,
              cl_uint num_sync_points_in_wait_list,
              const cl_sync_point_khr *sync_point_wait_list,
              cl_sync_point_khr *sync_point,
              cl_mutable_command_khr *mutable_handle)
{
    const struct range range = { work_dim, global_work_offset, global_work_size,
                                 local_work_size };
    struct submission s;
    CL_CHECK(submission_record(&s, command_buffer, command_queue, properties,
                               num_sync_points_in_wait_list,
                               sync_point_wait_list, sync_point,
                               mutable_handle));
    return submit_kernel(&s, CL_COMMAND_NDRANGE_KERNEL, kernel, &range);
}

/* Prepares the launch without a local size, and drops it. */
CL_API_ENTRY cl_int CL_API_CALL
clGetKernelSuggestedLocalWorkSize(cl_command_queue q, cl_kernel k,
                                  cl_uint work_dim,
                                  const size_t *global_work_offset,
                                  const size_t *global_work_size,
                                  size_t *suggested_local_work_size)
{
    const struct range r = { work_dim, global_work_offset, global_work_size,
                             NULL };
    CL_CHECK(check_launch(q, k, &r));
    CL_EXPECT(global_work_size, CL_INVALID_GLOBAL_WORK_SIZE,
              "global_work_size is NULL");
    for (cl_uint i = 0; i < work_dim; i++)
        CL_EXPECT(global_work_size[i], CL_INVALID_GLOBAL_WORK_SIZE,
                  "global_work_size[%u] is 0; it must be at least 1", i);
    CL_EXPECT(suggested_local_work_size, CL_INVALID_VALUE,
              "suggested_local_work_size is NULL");
    struct launch *l = command_new(sizeof *l, run_launch);
    CL_REQUIRE(l, CL_OUT_OF_HOST_MEMORY);
    l->base.drop = drop_launch;
    cl_int code = fill_launch(l, k, q->device, &r);
    for (cl_uint i = 0; code == CL_SUCCESS && i < work_dim; i++)
        suggested_local_work_size[i] = l->local[i];
    command_free(&l->base);
    return code;
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueTask(cl_command_queue queue, cl_kernel kernel,
              cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
              cl_event *event)
{
    static const size_t one = 1;
    const struct submission s = submission_to_queue(
        queue, num_events_in_wait_list, event_wait_list, event);
    const struct range range = { 1, NULL, &one, &one };
    return submit_kernel(&s, CL_COMMAND_TASK, kernel, &range);
}

/* Native kernels are unsupported: CL_DEVICE_EXECUTION_CAPABILITIES has no
 * CL_EXEC_NATIVE_KERNEL. */
CL_API_ENTRY cl_int CL_API_CALL
clEnqueueNativeKernel(cl_command_queue queue,
                      void(CL_CALLBACK *user_func)(void *), void *args,
                      size_t cb_args, cl_uint num_mem_objects,
                      const cl_mem *mem_list, const void **args_mem_loc,
                      cl_uint num_events_in_wait_list,
                      const cl_event *event_wait_list, cl_event *event)
{
    (void)args, (void)cb_args, (void)num_mem_objects, (void)mem_list;
    (void)args_mem_loc, (void)num_events_in_wait_list;
    (void)event_wait_list, (void)event;
    CL_REQUIRE(queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    CL_EXPECT(user_func, CL_INVALID_VALUE, "user_func is NULL");
    return cl_refuse(CL_INVALID_OPERATION,
                     "the device does not run native kernels");
}
