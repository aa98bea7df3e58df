/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/context/context.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef void(CL_CALLBACK *notify_fn)(const char *, const void *, size_t,
                                     void *);
typedef void(CL_CALLBACK *destructor_fn)(cl_context, void *);

bool
context_has_device(cl_context c, cl_device_id d)
{
    for (cl_uint i = 0; i < c->n_devices; i++)
        if (c->devices[i] == d)
            return true;
    return false;
}

cl_uint
context_device_index(cl_context c, cl_device_id d)
{
    cl_uint i = 0;
    while (i < c->n_devices && c->devices[i] != d)
        i++;
    assert(i < c->n_devices && "the caller has checked the device");
    return i;
}

void
context_report(cl_context c, const char *text)
{
    cl_complain("%s", text);
    if (c->notify)
        c->notify(text, NULL, 0, c->user_data);
}

static void
call_destructor(callback_fn function, void *object, void *user_data)
{
    ((destructor_fn)function)(object, user_data);
}

static void
destroy_context(void *object)
{
    cl_context c = object;
    assert(!c->base.refs);
    callback_run(c->destructors, c, call_destructor);
    conflict_end(&c->accesses);
    order_drop_reads(&c->order, true);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->changed);
    if (c->svm)
        c->close_svm(c);
    pthread_rwlock_destroy(&c->pages);
    for (cl_uint i = 0; c->memory && i < c->n_devices; i++)
        ventus_dev_context_free(c->memory[i]);
    free(c->memory);
    free(c->devices);
    free(c->properties);
}

/* Checks a list of pairs that ends with 0; `n`: the number of words including the 0,
 * or 0 for NULL. */
static cl_int
check_properties(const cl_context_properties *p, size_t *n)
{
    bool platform = false, sync = false;
    *n = 0;
    if (!p)
        return CL_SUCCESS;
    for (; p[*n]; *n += 2) {
        cl_context_properties value = p[*n + 1];
        bool *seen = NULL;
        if (p[*n] == CL_CONTEXT_PLATFORM) {
            CL_EXPECT(object_is((void *)value, OBJECT_PLATFORM),
                      CL_INVALID_PLATFORM,
                      "CL_CONTEXT_PLATFORM is 0x%" PRIxPTR
                      "; it must be a platform of clGetPlatformIDs",
                      (uintptr_t)value);
            seen = &platform;
        } else if (p[*n] == CL_CONTEXT_INTEROP_USER_SYNC) {
            CL_EXPECT(value == CL_TRUE || value == CL_FALSE,
                      CL_INVALID_PROPERTY,
                      "CL_CONTEXT_INTEROP_USER_SYNC is %" PRIdPTR
                      "; it must be CL_TRUE or CL_FALSE",
                      value);
            seen = &sync;
        }
        CL_EXPECT(seen, CL_INVALID_PROPERTY,
                  "the property 0x%" PRIxPTR
                  " is unknown; expected CL_CONTEXT_PLATFORM or "
                  "CL_CONTEXT_INTEROP_USER_SYNC",
                  (uintptr_t)p[*n]);
        CL_EXPECT(!*seen, CL_INVALID_PROPERTY,
                  "the property 0x%" PRIxPTR " is given twice",
                  (uintptr_t)p[*n]);
        *seen = true;
    }
    ++*n;
    return CL_SUCCESS;
}

static bool
copy_lists(cl_context c, cl_uint n, const cl_device_id *devices,
           const cl_context_properties *properties)
{
    c->devices = calloc(n, sizeof *c->devices);
    if (c->n_properties)
        c->properties = calloc(c->n_properties, sizeof *c->properties);
    if (!c->devices || (c->n_properties && !c->properties))
        return false;
    /* A device that is listed twice counts once. */
    for (cl_uint i = 0; i < n; i++)
        if (!context_has_device(c, devices[i]))
            c->devices[c->n_devices++] = devices[i];
    if (c->n_properties)
        memcpy(c->properties, properties,
               c->n_properties * sizeof *c->properties);
    c->memory = calloc(c->n_devices, sizeof(struct ventus_dev_context *));
    assert(c->n_devices > 0 && c->n_devices <= n);
    for (cl_uint i = 0; c->memory && i < c->n_devices; i++) {
        c->memory[i] = ventus_dev_context_new(c->devices[i]->dev);
        if (!c->memory[i])
            return false;
    }
    return c->memory != NULL;
}

static cl_int
create_context(const cl_context_properties *properties, cl_uint num_devices,
               const cl_device_id *devices, notify_fn notify, void *user_data,
               cl_context *context)
{
    size_t n;
    CL_CHECK(check_properties(properties, &n));
    CL_EXPECT(devices && num_devices, CL_INVALID_VALUE,
              "num_devices is %u and devices is %s; there must be at least one "
              "device",
              num_devices, devices ? "given" : "NULL");
    CL_EXPECT(notify || !user_data, CL_INVALID_VALUE,
              "user_data is given, but no callback that would receive it");
    CL_EXPECT(devices_are(num_devices, devices), CL_INVALID_DEVICE,
              "a device of the list is not one of clGetDeviceIDs");
    cl_context c = object_new(OBJECT_CONTEXT, sizeof *c, destroy_context);
    CL_REQUIRE(c, CL_OUT_OF_HOST_MEMORY);
    pthread_mutex_init(&c->lock, NULL);
    pthread_rwlock_init(&c->pages, NULL);
    pthread_cond_init(&c->changed, NULL);
    c->notify = notify;
    c->user_data = user_data;
    c->n_properties = n;
    if (!copy_lists(c, num_devices, devices, properties)) {
        object_unref(c);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for lists");
    }
    *context = c;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_context CL_API_CALL
clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                const cl_device_id *devices, notify_fn pfn_notify,
                void *user_data, cl_int *errcode_ret)
{
    cl_context context = NULL;
    CL_RETURN(create_context(properties, num_devices, devices, pfn_notify,
                             user_data, &context),
              context);
}

static cl_int
create_from_type(const cl_context_properties *properties, cl_device_type type,
                 notify_fn notify, void *user_data, cl_context *context)
{
    size_t words;
    cl_uint n;
    cl_device_id *list = platform_devices(&n);
    CL_CHECK(check_properties(properties, &words));
    CL_EXPECT(notify || !user_data, CL_INVALID_VALUE,
              "user_data is given, but no callback that would receive it");
    CL_CHECK(clGetDeviceIDs(NULL, type, 0, NULL, &n));
    return create_context(properties, n, list, notify, user_data, context);
}

CL_API_ENTRY cl_context CL_API_CALL
clCreateContextFromType(const cl_context_properties *properties,
                        cl_device_type device_type, notify_fn pfn_notify,
                        void *user_data, cl_int *errcode_ret)
{
    cl_context context = NULL;
    CL_RETURN(create_from_type(properties, device_type, pfn_notify, user_data,
                               &context),
              context);
}

CL_API_ENTRY cl_int CL_API_CALL
clRetainContext(cl_context context)
{
    return object_retain(context, OBJECT_CONTEXT, CL_INVALID_CONTEXT);
}

CL_API_ENTRY cl_int CL_API_CALL
clReleaseContext(cl_context context)
{
    if (context_is(context) && object_handles(context) == 1)
        conflict_tell_reads(context);
    return object_release(context, OBJECT_CONTEXT, CL_INVALID_CONTEXT);
}

CL_API_ENTRY cl_int CL_API_CALL
clGetContextInfo(cl_context c, cl_context_info param_name,
                 size_t param_value_size, void *param_value,
                 size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(context_is(c), CL_INVALID_CONTEXT);
    switch (param_name) {
    case CL_CONTEXT_REFERENCE_COUNT:
        return INFO(&info, cl_uint, object_handles(c));
    case CL_CONTEXT_NUM_DEVICES:
        return INFO(&info, cl_uint, c->n_devices);
    case CL_CONTEXT_DEVICES:
        return info_put(&info, c->devices, c->n_devices * sizeof *c->devices);
    case CL_CONTEXT_PROPERTIES:
        return info_put(&info, c->properties,
                        c->n_properties * sizeof *c->properties);
    }
    return info_unknown(param_name);
}

CL_API_ENTRY cl_int CL_API_CALL
clSetContextDestructorCallback(cl_context c, destructor_fn pfn_notify,
                               void *user_data)
{
    CL_REQUIRE(context_is(c), CL_INVALID_CONTEXT);
    CL_EXPECT(pfn_notify, CL_INVALID_VALUE, "pfn_notify is NULL");
    pthread_mutex_lock(&c->lock);
    bool ok =
        callback_push(&c->destructors, (callback_fn)pfn_notify, user_data);
    pthread_mutex_unlock(&c->lock);
    CL_REQUIRE(ok, CL_OUT_OF_HOST_MEMORY);
    return CL_SUCCESS;
}
