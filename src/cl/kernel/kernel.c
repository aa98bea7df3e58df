/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/kernel/kernel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/held.h"
#include "cl/log.h"
#include "cl/memory/sampler.h"
#include "cl/memory/svm.h"
#include "obj/kernels.h"

/* Releases the program from a kernel that the application no longer has. */
static void
leave_program(cl_kernel k)
{
    pthread_mutex_lock(&k->program->lock);
    assert((!k->info || k->released || k->program->kernels > 0) &&
           "each kernel of the application is counted");
    if (k->info && !k->released)
        k->program->kernels--;
    k->released = true;
    pthread_mutex_unlock(&k->program->lock);
}

static void
destroy_kernel(void *object)
{
    cl_kernel k = object;
    leave_program(k);
    for (size_t i = 0; k->args && i < k->info->n_params; i++)
        free(k->args[i].bytes);
    free(k->args);
    free(k->on);
    pthread_mutex_destroy(&k->lock);
    for (cl_uint i = 0; k->executable && i < k->program->n_devices; i++)
        executable_unref(k->executable[i]);
    free(k->executable);
    object_unref(k->program);
}

/* ---- look-up ---- */

/* Whether parameters are the same.  A pointer has 32 bits on devices of version 1 and
 * 64 on those of version 2. */
static bool
same_param(const struct ventus_dev_param *a, const struct ventus_dev_param *b)
{
    return a->kind == b->kind &&
           (a->kind != VENTUS_DEV_PARAM_VALUE || a->size_B == b->size_B);
}

static bool
same_params(const struct ventus_dev_kernel *a,
            const struct ventus_dev_kernel *b)
{
    if (a->n_params != b->n_params)
        return false;
    for (size_t i = 0; i < a->n_params; i++)
        if (!same_param(&a->params[i], &b->params[i]))
            return false;
    return true;
}

/* Finds the kernel by device; returns the code.  The lock of the program is held. */
static cl_int
find_kernel(cl_kernel k, const char *name)
{
    cl_program p = k->program;
    assert_held(&p->lock);
    assert(!p->building && !k->info && !k->args &&
           "the kernel is new and no build runs");
    bool built = false;
    program_load_binaries(p);
    for (cl_uint i = 0; i < p->n_devices; i++) {
        struct executable *e = p->devices[i].executable;
        if (!e)
            continue;
        built = true;
        k->on[i] = ventus_dev_find(e->loaded, name);
        if (!k->on[i])
            continue;
        k->executable[i] = executable_ref(e);
        assert(k->on[i]->program == e->loaded &&
               "the executable is the one loaded");
        if (!k->info)
            k->info = k->on[i];
        CL_EXPECT(same_params(k->info, k->on[i]), CL_INVALID_KERNEL_DEFINITION,
                  "kernel '%s' has other arguments on device %u", name, i);
    }
    CL_EXPECT(built, CL_INVALID_PROGRAM_EXECUTABLE,
              "the program is not built for any device; clBuildProgram or "
              "clLinkProgram does that");
    CL_EXPECT(k->info, CL_INVALID_KERNEL_NAME, "the program has no kernel '%s'",
              name);
    k->args = calloc(k->info->n_params + 1, sizeof *k->args);
    CL_REQUIRE(k->args, CL_OUT_OF_HOST_MEMORY);
    return CL_SUCCESS;
}

static cl_int
new_kernel(cl_program p, const char *name, cl_kernel *kernel)
{
    cl_kernel k = object_new(OBJECT_KERNEL, sizeof *k, destroy_kernel);
    CL_REQUIRE(k, CL_OUT_OF_HOST_MEMORY);
    pthread_mutex_init(&k->lock, NULL);
    k->program = object_ref(p);
    k->on = calloc(p->n_devices, sizeof *k->on);
    k->executable = calloc(p->n_devices, sizeof *k->executable);
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    pthread_mutex_lock(&p->lock);
    program_wait(p);
    if (k->on && k->executable)
        code = find_kernel(k, name);
    p->kernels += k->info != NULL;
    pthread_mutex_unlock(&p->lock);
    if (code == CL_SUCCESS)
        *kernel = k;
    else
        object_unref(k);
    return code;
}

static cl_int
create_kernel(cl_program p, const char *name, cl_kernel *kernel)
{
    CL_REQUIRE(program_is(p), CL_INVALID_PROGRAM);
    CL_EXPECT(name, CL_INVALID_VALUE, "kernel_name is NULL");
    return new_kernel(p, name, kernel);
}

CL_API_ENTRY cl_kernel CL_API_CALL
clCreateKernel(cl_program program, const char *kernel_name, cl_int *errcode_ret)
{
    cl_kernel kernel = NULL;
    CL_RETURN(create_kernel(program, kernel_name, &kernel), kernel);
}

/* The kernels of the first executable of the program. */
static const struct ventus_dev_kernel *
list_kernels(cl_program p, size_t *n)
{
    const struct ventus_dev_kernel *list = NULL;
    pthread_mutex_lock(&p->lock);
    program_wait(p);
    program_load_binaries(p);
    for (cl_uint i = 0; !list && i < p->n_devices; i++)
        if (p->devices[i].executable)
            list = ventus_dev_kernels(p->devices[i].executable->loaded, n);
    pthread_mutex_unlock(&p->lock);
    return list;
}

CL_API_ENTRY cl_int CL_API_CALL
clCreateKernelsInProgram(cl_program p, cl_uint num_kernels, cl_kernel *kernels,
                         cl_uint *num_kernels_ret)
{
    size_t n;
    CL_REQUIRE(program_is(p), CL_INVALID_PROGRAM);
    const struct ventus_dev_kernel *list = list_kernels(p, &n);
    CL_EXPECT(list, CL_INVALID_PROGRAM_EXECUTABLE,
              "the program is not built for any device; clBuildProgram or "
              "clLinkProgram does that");
    CL_EXPECT(!kernels || num_kernels >= n, CL_INVALID_VALUE,
              "num_kernels is %u; the program has %zu", num_kernels, n);
    for (size_t i = 0; kernels && i < n; i++) {
        cl_int code = new_kernel(p, list[i].name, &kernels[i]);
        while (code != CL_SUCCESS && i--)
            object_unref(kernels[i]);
        CL_CHECK(code);
    }
    if (num_kernels_ret)
        *num_kernels_ret = (cl_uint)n;
    return CL_SUCCESS;
}

/* ---- clones ---- */

static cl_int
copy_args(cl_kernel from, cl_kernel to)
{
    for (size_t i = 0; i < from->info->n_params; i++) {
        struct kernel_value *a = &to->args[i];
        *a = from->args[i];
        if (!a->bytes)
            continue;
        size_t size = from->info->params[i].size_B;
        a->bytes = malloc(size);
        CL_REQUIRE(a->bytes, CL_OUT_OF_HOST_MEMORY);
        memcpy(a->bytes, from->args[i].bytes, size);
    }
    return CL_SUCCESS;
}

static cl_int
clone_kernel(cl_kernel from, cl_kernel *kernel)
{
    CL_REQUIRE(kernel_is(from), CL_INVALID_KERNEL);
    CL_CHECK(new_kernel(from->program, from->info->name, kernel));
    pthread_mutex_lock(&from->lock);
    cl_int code = copy_args(from, *kernel);
    pthread_mutex_unlock(&from->lock);
    if (code != CL_SUCCESS) {
        object_unref(*kernel);
        *kernel = NULL;
    }
    return code;
}

CL_API_ENTRY cl_kernel CL_API_CALL
clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret)
{
    cl_kernel kernel = NULL;
    CL_RETURN(clone_kernel(source_kernel, &kernel), kernel);
}

CL_API_ENTRY cl_int CL_API_CALL
clRetainKernel(cl_kernel kernel)
{
    return object_retain(kernel, OBJECT_KERNEL, CL_INVALID_KERNEL);
}

/* A kernel that only a queued launch uses no longer counts as the application's. */
CL_API_ENTRY cl_int CL_API_CALL
clReleaseKernel(cl_kernel k)
{
    CL_REQUIRE(kernel_is(k), CL_INVALID_KERNEL);
    object_ref(k);
    cl_int code = object_release(k, OBJECT_KERNEL, CL_INVALID_KERNEL);
    if (code == CL_SUCCESS && !object_handles(k))
        leave_program(k);
    object_unref(k);
    return code;
}

/* ---- arguments ---- */

/* Whether a parameter is a vector of 3; assumed if the type is not recorded, because
 * the application knows the size. */
static bool
is_vector_of_3(const struct ventus_dev_param *p)
{
    size_t n = strlen(p->type_name);
    return p->align_B == p->size_B &&
           (!n || (p->type_name[n - 1] == '3' &&
                   !(n > 1 && strchr("0123456789", p->type_name[n - 2]))));
}

static cl_int
set_value(struct kernel_value *a, const struct ventus_dev_param *p, size_t size,
          const void *value)
{
    CL_EXPECT(value, CL_INVALID_ARG_VALUE,
              "arg_value is NULL; argument '%s' needs a value of %u bytes",
              p->name, p->size_B);
    /* A vector of 3 has the size of one of 4 (6.1.5); other drivers, pocl among them,
     * accept 3 elements, too. */
    if (4 * size == 3 * (size_t)p->size_B && is_vector_of_3(p))
        log_warning("argument '%s' is a %s of %u bytes, and %zu are given",
                    p->name, p->type_name, p->size_B, size);
    else
        CL_EXPECT(size == p->size_B, CL_INVALID_ARG_SIZE,
                  "arg_size is %zu; argument '%s' has %u bytes", size, p->name,
                  p->size_B);
    if (!a->bytes)
        a->bytes = calloc(1, p->size_B);
    CL_REQUIRE(a->bytes, CL_OUT_OF_HOST_MEMORY);
    memcpy(a->bytes, value, size);
    a->set = true;
    return CL_SUCCESS;
}

static cl_int
set_local(struct kernel_value *a, size_t size, const void *value)
{
    CL_EXPECT(!value, CL_INVALID_ARG_VALUE,
              "arg_value is given; it must be NULL for local memory");
    a->local_B = size;
    a->set = true;
    return CL_SUCCESS;
}

/* Sets a memory object; a NULL handle, or no handle, is the null pointer. */
static cl_int
set_mem(cl_kernel k, struct kernel_value *a, size_t size, const void *value)
{
    cl_mem m = NULL;
    if (value && size == sizeof m)
        memcpy(&m, value, sizeof m);
    CL_EXPECT(!m || mem_is_buffer(m), CL_INVALID_MEM_OBJECT,
              "arg_value is not a buffer");
    CL_EXPECT(!m || m->context == k->program->context, CL_INVALID_MEM_OBJECT,
              "arg_value is of another context than the kernel");
    CL_EXPECT(size == sizeof m, CL_INVALID_ARG_SIZE,
              "arg_size is %zu; a memory object has %zu bytes", size, sizeof m);
    a->mem = object_weak(m);
    a->svm = NULL;
    a->raw = false;
    a->set = true;
    return CL_SUCCESS;
}

/* Whether the parameter is declared for images of this type. */
static bool
is_of_type(cl_mem_object_type type, const char *type_name)
{
    assert(type >= CL_MEM_OBJECT_IMAGE2D &&
           type <= CL_MEM_OBJECT_IMAGE1D_BUFFER);
    static const char *const names[] = {
        "image2d_t", "image3d_t",       "image2d_array_t",
        "image1d_t", "image1d_array_t", "image1d_buffer_t",
    };
    /* Any other name is a typedef, which may stand for anything. */
    return strncmp(type_name, "image", 5) != 0 ||
           strcmp(type_name, names[type - CL_MEM_OBJECT_IMAGE2D]) == 0;
}

/* Whether the access of a kernel is allowed by the flags of the image. */
static bool
access_fits(cl_mem_flags flags, unsigned access)
{
    if (flags & CL_MEM_WRITE_ONLY)
        return access == KERNEL_ACCESS_WRITE_ONLY;
    return !(flags & CL_MEM_READ_ONLY) || access == KERNEL_ACCESS_READ_ONLY;
}

static cl_int
set_image(cl_kernel k, struct kernel_value *a, const struct ventus_dev_param *p,
          size_t size, const void *value)
{
    cl_mem m = NULL;
    if (value && size == sizeof m)
        memcpy(&m, value, sizeof m);
    CL_EXPECT(value, CL_INVALID_ARG_VALUE,
              "arg_value is NULL; argument '%s' needs a value of %u bytes",
              p->name, p->size_B);
    CL_EXPECT(size != sizeof m || mem_is_image(m), CL_INVALID_MEM_OBJECT,
              "arg_value is not an image");
    CL_EXPECT(!m || m->context == k->program->context, CL_INVALID_MEM_OBJECT,
              "arg_value is of another context than the kernel");
    CL_EXPECT(size == sizeof m, CL_INVALID_ARG_SIZE,
              "arg_size is %zu; a memory object has %zu bytes", size, sizeof m);
    CL_EXPECT(is_of_type(m->type, p->type_name), CL_INVALID_ARG_VALUE,
              "the image has another type; argument '%s' is a %s", p->name,
              p->type_name);
    CL_EXPECT(access_fits(m->flags, p->access), CL_INVALID_ARG_VALUE,
              "the image was created for other access than argument '%s' has",
              p->name);
    a->mem = object_weak(m);
    a->set = true;
    return CL_SUCCESS;
}

static cl_int
set_sampler(cl_kernel k, struct kernel_value *a,
            const struct ventus_dev_param *p, size_t size, const void *value)
{
    cl_sampler s = NULL;
    if (value && size == sizeof s)
        memcpy(&s, value, sizeof s);
    CL_EXPECT((value && size != sizeof s) || sampler_is(s), CL_INVALID_SAMPLER,
              "arg_value is not a sampler");
    CL_EXPECT(!s || s->context == k->program->context, CL_INVALID_SAMPLER,
              "arg_value is of another context than the kernel");
    CL_EXPECT(size == sizeof s, CL_INVALID_ARG_SIZE,
              "arg_size is %zu; a sampler has %zu bytes", size, sizeof s);
    cl_uint word = sampler_word(s);
    return set_value(a, p, sizeof word, &word);
}

static cl_int
set_arg(cl_kernel k, cl_uint i, size_t size, const void *value)
{
    assert_held(&k->lock);
    assert(i < k->info->n_params);
    const struct ventus_dev_param *p = &k->info->params[i];
    struct kernel_value *a = &k->args[i];
    switch (p->kind) {
    case VENTUS_DEV_PARAM_VALUE:
        return set_value(a, p, size, value);
    case VENTUS_DEV_PARAM_LOCAL:
        return set_local(a, size, value);
    case VENTUS_DEV_PARAM_GLOBAL:
    case VENTUS_DEV_PARAM_CONSTANT:
        return set_mem(k, a, size, value);
    case VENTUS_DEV_PARAM_IMAGE:
        return set_image(k, a, p, size, value);
    case VENTUS_DEV_PARAM_SAMPLER:
        return set_sampler(k, a, p, size, value);
    }
    return cl_refuse(CL_INVALID_ARG_VALUE, "argument %u is of an unknown kind",
                     i);
}

CL_API_ENTRY cl_int CL_API_CALL
clSetKernelArg(cl_kernel k, cl_uint arg_index, size_t arg_size,
               const void *arg_value)
{
    CL_REQUIRE(kernel_is(k), CL_INVALID_KERNEL);
    CL_EXPECT(arg_index < k->info->n_params, CL_INVALID_ARG_INDEX,
              "arg_index is %u; kernel '%s' has %zu arguments, from 0",
              arg_index, k->info->name, k->info->n_params);
    pthread_mutex_lock(&k->lock);
    cl_int code = set_arg(k, arg_index, arg_size, arg_value);
    pthread_mutex_unlock(&k->lock);
    return code;
}

/* ---- shared memory ---- */

bool
kernel_set_pointer(cl_kernel k, cl_uint i, const void *pointer, bool raw)
{
    enum ventus_dev_param_kind kind = k->info->params[i].kind;
    if (kind != VENTUS_DEV_PARAM_GLOBAL && kind != VENTUS_DEV_PARAM_CONSTANT)
        return false;
    pthread_mutex_lock(&k->lock);
    k->args[i].mem = object_weak(NULL);
    k->args[i].svm = pointer;
    k->args[i].raw = raw;
    k->args[i].set = true;
    pthread_mutex_unlock(&k->lock);
    return true;
}

CL_API_ENTRY cl_int CL_API_CALL
clSetKernelArgSVMPointer(cl_kernel k, cl_uint arg_index, const void *arg_value)
{
    CL_REQUIRE(kernel_is(k), CL_INVALID_KERNEL);
    CL_EXPECT(svm_is_supported(k->program->context), CL_INVALID_OPERATION,
              "no device of the context has shared virtual memory");
    CL_EXPECT(arg_index < k->info->n_params, CL_INVALID_ARG_INDEX,
              "arg_index is %u; kernel '%s' has %zu arguments, from 0",
              arg_index, k->info->name, k->info->n_params);
    cl_context c = k->program->context;
    CL_EXPECT(!arg_value || svm_is_system(c) || svm_find(c, arg_value, 0, NULL),
              CL_INVALID_ARG_VALUE, "%p is not in an allocation of clSVMAlloc",
              arg_value);
    CL_EXPECT(kernel_set_pointer(k, arg_index, arg_value, false),
              CL_INVALID_ARG_VALUE,
              "argument %u is not a pointer to global or constant memory",
              arg_index);
    return CL_SUCCESS;
}

cl_int CL_API_CALL
kernel_set_device_pointer(cl_kernel k, cl_uint arg_index, cl_ulong arg_value)
{
    CL_REQUIRE(kernel_is(k), CL_INVALID_KERNEL);
    CL_EXPECT(arg_index < k->info->n_params, CL_INVALID_ARG_INDEX,
              "arg_index is %u; kernel '%s' has %zu arguments, from 0",
              arg_index, k->info->name, k->info->n_params);
    CL_EXPECT(kernel_set_pointer(k, arg_index,
                                 (const void *)(uintptr_t)arg_value, true),
              CL_INVALID_ARG_INDEX,
              "argument %u is not a pointer to global or constant memory",
              arg_index);
    return CL_SUCCESS;
}

/* Checks pointers to shared memory; all allocations of a context are mapped in any
 * case. */
static cl_int
check_pointers(cl_context c, size_t size, const void *value)
{
    void *const *list = value;
    CL_EXPECT(size && size % sizeof *list == 0, CL_INVALID_VALUE,
              "param_value_size is %zu; it must be a multiple of %zu above 0",
              size, sizeof *list);
    for (size_t i = 0; i < size / sizeof *list; i++)
        CL_EXPECT(
            svm_is_system(c) || svm_find(c, list[i], 0, NULL), CL_INVALID_VALUE,
            "pointer %zu of the list, %p, is not in an allocation", i, list[i]);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clSetKernelExecInfo(cl_kernel k, cl_kernel_exec_info param_name,
                    size_t param_value_size, const void *param_value)
{
    CL_REQUIRE(kernel_is(k), CL_INVALID_KERNEL);
    bool pointers = param_name == MEM_EXEC_INFO_DEVICE_PTRS;
    CL_EXPECT(pointers || svm_is_supported(k->program->context),
              CL_INVALID_OPERATION,
              "no device of the context has shared virtual memory");
    /* An empty list cancels earlier ones. */
    if (param_name == CL_KERNEL_EXEC_INFO_SVM_PTRS && !param_value &&
        !param_value_size)
        return CL_SUCCESS;
    CL_EXPECT(param_value, CL_INVALID_VALUE, "param_value is NULL");
    switch (param_name) {
    case MEM_EXEC_INFO_DEVICE_PTRS: /* ignored: all buffers are mapped */
        CL_EXPECT(
            param_value_size && param_value_size % sizeof(cl_ulong) == 0,
            CL_INVALID_VALUE,
            "param_value_size is %zu; it must be a multiple of %zu above 0",
            param_value_size, sizeof(cl_ulong));
        return CL_SUCCESS;
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
        return check_pointers(k->program->context, param_value_size,
                              param_value);
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
        CL_EXPECT(param_value_size == sizeof(cl_bool), CL_INVALID_VALUE,
                  "param_value_size is %zu; it must be %zu", param_value_size,
                  sizeof(cl_bool));
        CL_EXPECT(!*(const cl_bool *)param_value ||
                      svm_is_system(k->program->context),
                  CL_INVALID_OPERATION,
                  "no device of the context has fine-grained system memory "
                  "(--set host_memory=yes)");
        return CL_SUCCESS;
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
        CL_EXPECT(param_value_size == sizeof(cl_bool), CL_INVALID_VALUE,
                  "param_value_size is %zu; it must be %zu", param_value_size,
                  sizeof(cl_bool));
        return CL_SUCCESS;
    }
    return info_unknown(param_name);
}
