/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/program/program.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

#include "base/held.h"
#include "base/text.h"
#include "cl/log.h"
#include "cl/program/binary.h"

typedef void(CL_CALLBACK *destructor_fn)(cl_program, void *);

struct executable *
executable_ref(struct executable *e)
{
    assert(__atomic_load_n(&e->refs, __ATOMIC_RELAXED) > 0);
    __atomic_add_fetch(&e->refs, 1, __ATOMIC_RELAXED);
    return e;
}

void
executable_unref(struct executable *e)
{
    if (!e || __atomic_sub_fetch(&e->refs, 1, __ATOMIC_ACQ_REL))
        return;
    ventus_dev_unload(e->loaded);
    free(e);
}

void
program_clear(struct program_device *d)
{
    executable_unref(d->executable);
    d->executable = NULL;
    free(d->options);
    d->options = NULL;
    buf_free(&d->log);
    buf_free(&d->binary);
    d->arg_info = false;
    d->status = CL_BUILD_NONE;
    d->type = CL_PROGRAM_BINARY_TYPE_NONE;
}

static void
destroy_program(void *object)
{
    cl_program p = object;
    assert(!p->building && !p->kernels &&
           "a build is discarded while no kernel exists");
    for (cl_uint i = 0; p->devices && i < p->n_devices; i++)
        program_clear(&p->devices[i]);
    free(p->devices);
    free(p->device_list);
    buf_free(&p->source);
    buf_free(&p->il);
    buf_free(&p->module);
    pthread_cond_destroy(&p->built);
    pthread_mutex_destroy(&p->lock);
    object_unref(p->context);
}

cl_program
program_new(cl_context context, cl_uint n, const cl_device_id *devices)
{
    assert(n > 0);
    cl_program p = object_new(OBJECT_PROGRAM, sizeof *p, destroy_program);
    if (!p)
        return NULL;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->built, NULL);
    p->context = object_ref(context);
    p->devices = calloc(n, sizeof *p->devices);
    p->device_list = calloc(n, sizeof *p->device_list);
    if (!p->devices || !p->device_list) {
        object_unref(p);
        return NULL;
    }
    p->n_devices = n;
    for (cl_uint i = 0; i < n; i++) {
        p->devices[i].device = p->device_list[i] = devices[i];
        p->devices[i].memory =
            context->memory[context_device_index(context, devices[i])];
        program_clear(&p->devices[i]);
    }
    return p;
}

void
program_wait(cl_program p)
{
    assert_held(&p->lock);
    if (p->building)
        log_warning("waits for clBuildProgram, which has a callback and was "
                    "not waited for");
    while (p->building)
        pthread_cond_wait(&p->built, &p->lock);
}

struct program_device *
program_find(cl_program p, cl_device_id d)
{
    for (cl_uint i = 0; i < p->n_devices; i++)
        if (p->devices[i].device == d)
            return &p->devices[i];
    return NULL;
}

/* ---- from source ---- */

static cl_int
create_with_source(cl_context context, cl_uint count, const char **strings,
                   const size_t *lengths, cl_program *program)
{
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_EXPECT(count && strings, CL_INVALID_VALUE,
              "count is %u and strings is %s; there must be at least one",
              count, strings ? "given" : "NULL");
    for (cl_uint i = 0; i < count; i++)
        CL_EXPECT(strings[i], CL_INVALID_VALUE, "string %u is NULL", i);
    cl_program p = program_new(context, context->n_devices, context->devices);
    CL_REQUIRE(p, CL_OUT_OF_HOST_MEMORY);
    bool reserved = true;
    for (cl_uint i = 0; i < count && reserved; i++) {
        size_t n = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
        size_t mark = text_mark(strings[i], n);
        reserved = buf_reserve(&p->source, n - mark + 1);
        if (reserved)
            buf_put(&p->source, strings[i] + mark, n - mark);
    }
    if (!reserved) {
        object_unref(p);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for the source");
    }
    buf_u8(&p->source, 0); /* reserved before */
    p->has_source = true;
    *program = p;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_program CL_API_CALL
clCreateProgramWithSource(cl_context context, cl_uint count,
                          const char **strings, const size_t *lengths,
                          cl_int *errcode_ret)
{
    cl_program program = NULL;
    CL_RETURN(create_with_source(context, count, strings, lengths, &program),
              program);
}

/* ---- from binaries ---- */

static bool
has_twice(cl_uint n, const cl_device_id *devices)
{
    for (cl_uint i = 0; i < n; i++)
        for (cl_uint j = 0; j < i; j++)
            if (devices[i] == devices[j])
                return true;
    return false;
}

/* Reports a binary for another version of the instruction set: the program was
 * probably started with other devices. */
static void
report_other_isa(cl_program p, cl_uint i, const void *bytes, size_t size)
{
    cl_device_id d = p->devices[i].device;
    unsigned isa = binary_other_isa(d, bytes, size);
    char text[160];
    snprintf(text, sizeof text,
             "clCreateProgramWithBinary: binary %u is for version %u of the "
             "instruction set, its device has version %u",
             (unsigned)i, isa, binary_isa(d));
    if (isa)
        context_report(p->context, text);
}

/* Takes each binary, or sets the status of an unusable one. */
static cl_int
take_binaries(cl_program p, const size_t *lengths,
              const unsigned char **binaries, cl_int *binary_status)
{
    assert(!p->has_source && "a program has a source or binaries");
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < p->n_devices; i++) {
        struct program_device *d = &p->devices[i];
        bool no_memory;
        d->type =
            binary_classify(d->device, binaries[i], lengths[i], &no_memory);
        bool taken = d->type != CL_PROGRAM_BINARY_TYPE_NONE;
        if (taken && !buf_reserve(&d->binary, lengths[i]))
            no_memory = true;
        else if (taken)
            buf_put(&d->binary, binaries[i], lengths[i]);
        else if (!no_memory)
            report_other_isa(p, i, binaries[i], lengths[i]);
        cl_int one = no_memory ? CL_OUT_OF_HOST_MEMORY
                     : taken   ? CL_SUCCESS
                               : CL_INVALID_BINARY;
        if (binary_status)
            binary_status[i] = one;
        if (code == CL_SUCCESS)
            code = one;
    }
    return code;
}

static cl_int
create_with_binary(cl_context context, cl_uint n, const cl_device_id *devices,
                   const size_t *lengths, const unsigned char **binaries,
                   cl_int *binary_status, cl_program *program)
{
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_EXPECT(
        devices && n, CL_INVALID_VALUE,
        "num_devices is %u and device_list is %s; there must be at least one",
        n, devices ? "given" : "NULL");
    for (cl_uint i = 0; i < n; i++)
        CL_EXPECT(device_is(devices[i]) &&
                      context_has_device(context, devices[i]),
                  CL_INVALID_DEVICE,
                  "device %u of the list is not one of the context", i);
    if (has_twice(n, devices)) { /* as pocl; not in the specification */
        log_warning("a device is given twice");
        return cl_refuse(CL_INVALID_DEVICE, "a device is given twice");
    }
    CL_EXPECT(lengths && binaries, CL_INVALID_VALUE, "%s is NULL",
              lengths ? "binaries" : "lengths");
    for (cl_uint i = 0; i < n; i++) {
        bool valid = lengths[i] && binaries[i];
        if (binary_status)
            binary_status[i] = valid ? CL_SUCCESS : CL_INVALID_VALUE;
        CL_EXPECT(valid, CL_INVALID_VALUE,
                  "binary %u has %zu bytes, or is NULL", i, lengths[i]);
    }
    cl_program p = program_new(context, n, devices);
    CL_REQUIRE(p, CL_OUT_OF_HOST_MEMORY);
    cl_int code = take_binaries(p, lengths, binaries, binary_status);
    if (code != CL_SUCCESS) {
        object_unref(p);
        return cl_refuse(code, "a binary is none of clGetProgramInfo, or of "
                               "another version or device");
    }
    *program = p;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_program CL_API_CALL
clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                          const cl_device_id *device_list,
                          const size_t *lengths, const unsigned char **binaries,
                          cl_int *binary_status, cl_int *errcode_ret)
{
    cl_program program = NULL;
    CL_RETURN(create_with_binary(context, num_devices, device_list, lengths,
                                 binaries, binary_status, &program),
              program);
}

/* ---- unsupported entries ---- */

static cl_int
refuse_built_in(cl_context context, cl_uint n, const cl_device_id *devices,
                const char *names)
{
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_EXPECT(
        devices && n, CL_INVALID_VALUE,
        "num_devices is %u and device_list is %s; there must be at least one",
        n, devices ? "given" : "NULL");
    CL_EXPECT(names, CL_INVALID_VALUE, "kernel_names is NULL");
    for (cl_uint i = 0; i < n; i++)
        CL_EXPECT(device_is(devices[i]) &&
                      context_has_device(context, devices[i]),
                  CL_INVALID_DEVICE,
                  "device %u of the list is not one of the context", i);
    return cl_refuse(CL_INVALID_VALUE, "no device has built-in kernels");
}

CL_API_ENTRY cl_program CL_API_CALL
clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                  const cl_device_id *device_list,
                                  const char *kernel_names, cl_int *errcode_ret)
{
    CL_RETURN(refuse_built_in(context, num_devices, device_list, kernel_names),
              NULL);
}

/* ---- references ---- */

CL_API_ENTRY cl_int CL_API_CALL
clRetainProgram(cl_program program)
{
    return object_retain(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
}

CL_API_ENTRY cl_int CL_API_CALL
clReleaseProgram(cl_program program)
{
    return object_release(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
}

CL_API_ENTRY cl_int CL_API_CALL
clSetProgramReleaseCallback(cl_program p, destructor_fn pfn_notify,
                            void *user_data)
{
    (void)user_data;
    CL_REQUIRE(program_is(p), CL_INVALID_PROGRAM);
    CL_EXPECT(pfn_notify, CL_INVALID_VALUE, "pfn_notify is NULL");
    /* For programs with destructors of global variables; of 2.2 and deprecated. */
    return cl_refuse(CL_INVALID_OPERATION, "no device has global destructors");
}
