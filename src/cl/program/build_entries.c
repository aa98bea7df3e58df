/* SPDX-License-Identifier: Apache-2.0 */
/* clBuildProgram, clCompileProgram, clLinkProgram. */
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "cl/program/build.h"

/* Checks the list of devices and the callback. */
static cl_int
check_lists(cl_program p, cl_uint n, const cl_device_id *devices,
            build_fn notify, const void *user_data)
{
    CL_EXPECT(
        !n == !devices, CL_INVALID_VALUE,
        "num_devices is %u and device_list is %s; both must be given, or none",
        n, devices ? "given" : "NULL");
    CL_EXPECT(notify || !user_data, CL_INVALID_VALUE,
              "user_data is given, but no callback that would receive it");
    for (cl_uint i = 0; i < n; i++)
        CL_EXPECT(device_is(devices[i]) && program_find(p, devices[i]),
                  CL_INVALID_DEVICE,
                  "device %u of the list is not one of the program", i);
    return CL_SUCCESS;
}

/* Whether a program made from binaries has one for each device. */
static bool
have_binaries(cl_program p, cl_uint n, const cl_device_id *devices)
{
    if (!devices) {
        n = p->n_devices;
        devices = p->device_list;
    }
    bool ok = true;
    pthread_mutex_lock(&p->lock);
    for (cl_uint i = 0; i < n; i++)
        ok &= program_find(p, devices[i])->binary.n != 0;
    pthread_mutex_unlock(&p->lock);
    return ok;
}

CL_API_ENTRY cl_int CL_API_CALL
clBuildProgram(cl_program p, cl_uint num_devices,
               const cl_device_id *device_list, const char *options,
               build_fn pfn_notify, void *user_data)
{
    CL_REQUIRE(program_is(p), CL_INVALID_PROGRAM);
    CL_CHECK(check_lists(p, num_devices, device_list, pfn_notify, user_data));
    CL_EXPECT(
        program_is_compiled(p) || have_binaries(p, num_devices, device_list),
        CL_INVALID_BINARY,
        "the program has no source, and no binary for one of the devices");
    struct build *b =
        build_new(BUILD_EXECUTABLE, p, num_devices, device_list, options);
    CL_REQUIRE(b, CL_OUT_OF_HOST_MEMORY);
    b->notify = pfn_notify;
    b->user_data = user_data;
    return build_start(b);
}

/* Checks headers, which are programs with source, each with a name. */
static cl_int
check_headers(cl_uint n, const cl_program *headers, const char **names)
{
    CL_EXPECT(!n == !headers && !n == !names, CL_INVALID_VALUE,
              "num_input_headers is %u, input_headers is %s and "
              "header_include_names is %s",
              n, headers ? "given" : "NULL", names ? "given" : "NULL");
    for (cl_uint i = 0; i < n; i++) {
        CL_EXPECT(program_is(headers[i]), CL_INVALID_PROGRAM,
                  "header %u is not a program that exists", i);
        CL_EXPECT(names[i], CL_INVALID_VALUE, "the name of header %u is NULL",
                  i);
        CL_EXPECT(headers[i]->has_source, CL_INVALID_OPERATION,
                  "header %u, '%s', has no source", i, names[i]);
    }
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clCompileProgram(cl_program p, cl_uint num_devices,
                 const cl_device_id *device_list, const char *options,
                 cl_uint num_input_headers, const cl_program *input_headers,
                 const char **header_include_names, build_fn pfn_notify,
                 void *user_data)
{
    CL_REQUIRE(program_is(p), CL_INVALID_PROGRAM);
    CL_CHECK(check_lists(p, num_devices, device_list, pfn_notify, user_data));
    CL_CHECK(
        check_headers(num_input_headers, input_headers, header_include_names));
    CL_EXPECT(program_is_compiled(p), CL_INVALID_OPERATION,
              "the program has no source: it was created from binaries");
    struct build *b =
        build_new(BUILD_OBJECT, p, num_devices, device_list, options);
    CL_REQUIRE(b, CL_OUT_OF_HOST_MEMORY);
    b->notify = pfn_notify;
    b->user_data = user_data;
    if (!build_add_headers(b, num_input_headers, input_headers,
                           header_include_names)) {
        build_free(b);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for headers");
    }
    return build_start(b);
}

/* ---- linking ---- */

/* Reads the options of a link.  "-create-library" and "-enable-link-options" are for
 * the runtime, the others for the compiler; anything else is refused here.  5.8.6.2:
 * options of the second kind are valid if a library was created with
 * "-enable-link-options", which belongs to "-create-library"; they allow more than the
 * compiler does without them. */
static cl_int
read_link_options(char *options, bool *library)
{
    static const char *const known[] = {
        "-cl-denorms-are-zero",          "-cl-no-signed-zeros",
        "-cl-unsafe-math-optimizations", "-cl-finite-math-only",
        "-cl-fast-relaxed-math",         "-cl-no-subgroup-ifp",
    };
    char *copy = strdup(options), *rest = NULL;
    bool ok = copy != NULL, enable = false;
    char *to = options; /* the result is never longer than the options */
    for (char *word = ok ? strtok_r(copy, " \t\n", &rest) : NULL; word;
         word = strtok_r(NULL, " \t\n", &rest)) {
        bool create = strcmp(word, "-create-library") == 0;
        bool enables = strcmp(word, "-enable-link-options") == 0;
        bool theirs = false;
        for (size_t i = 0; i < ARRAY_SIZE(known); i++)
            theirs |= strcmp(word, known[i]) == 0;
        *library |= create;
        enable |= enables;
        ok &= create || enables || theirs;
        if (!theirs)
            continue;
        if (to != options)
            *to++ = ' ';
        size_t size = strlen(word);
        memcpy(to, word, size);
        to += size;
    }
    *to = 0;
    free(copy);
    CL_EXPECT(ok, CL_INVALID_LINKER_OPTIONS,
              "an option is unknown; clLinkProgram takes -create-library, "
              "-enable-link-options and -cl-* options of floating point");
    CL_EXPECT(!enable || *library, CL_INVALID_LINKER_OPTIONS,
              "-enable-link-options needs -create-library");
    return CL_SUCCESS;
}

enum has { HAS_NOTHING, HAS_OBJECT, HAS_BUILD };

static enum has
what_has(cl_program p, cl_device_id device)
{
    enum has has = HAS_NOTHING;
    pthread_mutex_lock(&p->lock);
    const struct program_device *d = program_find(p, device);
    if (p->building)
        has = HAS_BUILD;
    else if (d && program_is_object(d))
        has = HAS_OBJECT;
    pthread_mutex_unlock(&p->lock);
    return has;
}

/* Checks that for each device all programs have an object, or none has, and that for
 * one device at least they have. */
static cl_int
check_objects(cl_uint n_devices, const cl_device_id *devices, cl_uint n,
              const cl_program *inputs)
{
    bool any = false;
    for (cl_uint j = 0; j < n_devices; j++) {
        enum has first = what_has(inputs[0], devices[j]);
        for (cl_uint i = 0; i < n; i++) {
            enum has has = what_has(inputs[i], devices[j]);
            CL_EXPECT(has != HAS_BUILD, CL_INVALID_OPERATION,
                      "program %u of the list is being built", i);
            CL_EXPECT(has == first, CL_INVALID_OPERATION,
                      "for device %u of the list some programs have an object, "
                      "others have none",
                      j);
            any |= has == HAS_OBJECT;
        }
    }
    CL_EXPECT(any, CL_INVALID_OPERATION,
              "none of the programs has an object; clCompileProgram makes one");
    return CL_SUCCESS;
}

static cl_int
check_link(cl_context context, cl_uint n_devices, const cl_device_id *devices,
           cl_uint n, const cl_program *inputs)
{
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_EXPECT(
        !n_devices == !devices, CL_INVALID_VALUE,
        "num_devices is %u and device_list is %s; both must be given, or none",
        n_devices, devices ? "given" : "NULL");
    CL_EXPECT(n && inputs, CL_INVALID_VALUE,
              "num_input_programs is %u and input_programs is %s; there must "
              "be at least one",
              n, inputs ? "given" : "NULL");
    for (cl_uint i = 0; i < n; i++)
        CL_EXPECT(program_is(inputs[i]), CL_INVALID_PROGRAM,
                  "program %u of the list is not a program that exists", i);
    for (cl_uint i = 0; i < n_devices; i++)
        CL_EXPECT(device_is(devices[i]) &&
                      context_has_device(context, devices[i]),
                  CL_INVALID_DEVICE,
                  "device %u of the list is not one of the context", i);
    return CL_SUCCESS;
}

static cl_int
link_program(cl_context context, cl_uint n_devices, const cl_device_id *devices,
             const char *options, cl_uint n, const cl_program *inputs,
             build_fn notify, void *user_data, cl_program *program)
{
    CL_CHECK(check_link(context, n_devices, devices, n, inputs));
    CL_EXPECT(notify || !user_data, CL_INVALID_VALUE,
              "user_data is given, but no callback that would receive it");
    if (!devices) {
        n_devices = context->n_devices;
        devices = context->devices;
    }
    cl_program p = program_new(context, n_devices, devices);
    CL_REQUIRE(p, CL_OUT_OF_HOST_MEMORY);
    struct build *b = build_new(BUILD_LINK, p, n_devices, devices, options);
    cl_int code = b ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (code == CL_SUCCESS)
        code = read_link_options(b->options, &b->library);
    if (code == CL_SUCCESS)
        code = check_objects(n_devices, devices, n, inputs);
    if (code == CL_SUCCESS && !build_add_objects(b, n, inputs))
        code = cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for objects");
    if (code != CL_SUCCESS) {
        if (b)
            build_free(b);
        object_unref(p);
        return code;
    }
    b->notify = notify;
    b->user_data = user_data;
    *program = p; /* its build log is needed after a failure, too */
    return build_start(b);
}

CL_API_ENTRY cl_program CL_API_CALL
clLinkProgram(cl_context context, cl_uint num_devices,
              const cl_device_id *device_list, const char *options,
              cl_uint num_input_programs, const cl_program *input_programs,
              build_fn pfn_notify, void *user_data, cl_int *errcode_ret)
{
    cl_program program = NULL;
    CL_RETURN(link_program(context, num_devices, device_list, options,
                           num_input_programs, input_programs, pfn_notify,
                           user_data, &program),
              program);
}
