/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/program/build.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

#include "base/held.h"
#include "base/thread.h"
#include "cl/program/binary.h"
#include "cl/program/source_file.h"
#include "cl/queue/fork.h"
#include "dev/preview.h"

/* ---- the request ---- */

/* The application's options followed by those of the user, who has no source; only the
 * application's for a link. */
static char *
with_users_options(enum build_kind kind, const char *options)
{
    const char *more =
        kind == BUILD_LINK ? NULL : cl_env("VENTUS_BUILD_OPTIONS");
    if (!options)
        options = "";
    if (!more)
        return strdup(options);
    size_t n = strlen(options) + strlen(more) + 2;
    char *all = malloc(n);
    if (all)
        snprintf(all, n, "%s %s", options, more);
    return all;
}

struct build *
build_new(enum build_kind kind, cl_program p, cl_uint n_devices,
          const cl_device_id *devices, const char *options)
{
    struct build *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->kind = kind;
    b->program = object_ref(p);
    b->said = strdup(options ? options : "");
    b->options = with_users_options(kind, options);
    if (!devices) {
        n_devices = p->n_devices;
        devices = p->device_list;
    }
    b->n_devices = n_devices;
    assert(n_devices > 0);
    b->devices = calloc(n_devices, sizeof *devices);
    if (!b->said || !b->options || !b->devices) {
        build_free(b);
        return NULL;
    }
    memcpy(b->devices, devices, n_devices * sizeof *devices);
    return b;
}

bool
build_add_headers(struct build *b, cl_uint n, const cl_program *inputs,
                  const char *const *names)
{
    assert(b->kind != BUILD_LINK && !b->n_inputs && "inputs are added once");
    if (!n)
        return true;
    b->inputs = calloc(n, sizeof *b->inputs);
    b->names = calloc(n, sizeof *b->names);
    if (!b->inputs || !b->names)
        return false;
    for (cl_uint i = 0; i < n; i++) {
        b->inputs[i] = object_ref(inputs[i]);
        b->n_inputs++;
        if (!(b->names[i] = strdup(names[i])))
            return false;
    }
    return true;
}

bool
build_add_objects(struct build *b, cl_uint n, const cl_program *inputs)
{
    assert(b->kind == BUILD_LINK && n > 0 && !b->objects &&
           "objects are added once, to a link");
    b->objects = calloc((size_t)n * b->n_devices, sizeof *b->objects);
    if (!b->objects)
        return false;
    b->n_inputs = n;
    b->arg_info = true;
    for (cl_uint i = 0; i < b->n_devices * n; i++) {
        cl_program p = inputs[i % n];
        pthread_mutex_lock(&p->lock);
        const struct program_device *d = program_find(p, b->devices[i / n]);
        bool taken = d && program_is_object(d);
        bool reserved = !taken || buf_reserve(&b->objects[i], d->binary.n);
        if (taken && reserved)
            buf_put(&b->objects[i], d->binary.at, d->binary.n);
        b->arg_info &= !d || d->arg_info;
        pthread_mutex_unlock(&p->lock);
        if (!reserved)
            return false;
    }
    return true;
}

void
build_free(struct build *b)
{
    for (cl_uint i = 0; b->objects && i < b->n_inputs * b->n_devices; i++)
        buf_free(&b->objects[i]);
    for (cl_uint i = 0; b->inputs && i < b->n_inputs; i++) {
        object_unref(b->inputs[i]);
        free(b->names[i]);
    }
    free(b->objects);
    free(b->inputs);
    free(b->names);
    free(b->devices);
    free(b->options);
    free(b->said);
    object_unref(b->program);
    free(b);
}

/* ---- running the compiler ---- */

static struct compiler_file
module_file(cl_program p)
{
    return (struct compiler_file){ PROGRAM_MODULE, p->module.at, p->module.n };
}

static struct compiler_file
source_file(cl_program p, const char *name)
{
    assert(p->has_source && p->source.n > 0 &&
           "the text ends with a zero byte");
    return (struct compiler_file){ name, p->source.at, p->source.n - 1 };
}

/* Whether the application brought the program as an object, which is linked and not
 * compiled. */
static bool
is_own_object(const struct build *b, const struct program_device *d)
{
    return b->kind == BUILD_EXECUTABLE && !program_is_compiled(b->program) &&
           program_is_object(d);
}

/* The inputs of the compiler: headers, or objects under generated names. */
static struct compiler_file *
input_files(const struct build *b, cl_uint device, char (*names)[32])
{
    struct compiler_file *files = calloc(b->n_inputs + 1, sizeof *files);
    for (cl_uint i = 0; files && i < b->n_inputs; i++) {
        if (b->kind != BUILD_LINK) {
            files[i] = source_file(b->inputs[i], b->names[i]);
            continue;
        }
        const struct buf *o = &b->objects[device * b->n_inputs + i];
        snprintf(names[i], sizeof names[i], "input%u.bc", i);
        files[i] = (struct compiler_file){ names[i], o->at, o->n };
    }
    return files;
}

/* The name of the source for a debugger, which is its file; NULL: no debugger, or
 * unknown. */
static char *
shown_name(const struct build *b, const struct compiler_job *job)
{
    const struct compiler_file *f = job->inputs;
    bool wanted = cl_env("VENTUS_GDB") && b->program->has_source && !job->link;
    return wanted ? source_file_find(f->bytes, f->size) : NULL;
}

static enum compiler_end
compile_device(const struct build *b, cl_uint device, struct buf *binary,
               struct buf *log)
{
    const struct program_device *d =
        program_find(b->program, b->devices[device]);
    char(*names)[32] = calloc(b->n_inputs + 1, sizeof *names);
    struct compiler_file *files = names ? input_files(b, device, names) : NULL;
    struct compiler_file one;
    struct compiler_job job = {
        .options = b->options,
        .link = b->kind == BUILD_LINK || is_own_object(b, d),
        .object = b->kind == BUILD_OBJECT || b->library,
        .isa = binary_isa(d->device),
        .pause = pause_option(d->device->dev),
    };
    enum compiler_end end = COMPILER_NO_MEMORY;
    if (b->kind == BUILD_LINK) {
        job.inputs = files;
        job.n_inputs = b->n_inputs;
    } else {
        one = is_own_object(b, d)
                  ? (struct compiler_file){ "input.bc", d->binary.at,
                                            d->binary.n }
              : b->program->il.n ? module_file(b->program)
                                 : source_file(b->program, PROGRAM_FILE);
        job.inputs = &one;
        job.n_inputs = 1;
        job.headers = files;
        job.n_headers = b->n_inputs;
    }
    char *shown = files ? shown_name(b, &job) : NULL;
    job.shown = shown;
    if (files)
        end = compiler_run(&job, binary, log);
    free(shown);
    free(files);
    free(names);
    return end;
}

/* ---- results ---- */

static cl_int
failure_code(enum build_kind kind, enum compiler_end end)
{
    static const cl_int codes[][3] = {
        [BUILD_EXECUTABLE] = { CL_BUILD_PROGRAM_FAILURE,
                               CL_INVALID_BUILD_OPTIONS,
                               CL_COMPILER_NOT_AVAILABLE },
        [BUILD_OBJECT] = { CL_COMPILE_PROGRAM_FAILURE,
                           CL_INVALID_COMPILER_OPTIONS,
                           CL_COMPILER_NOT_AVAILABLE },
        [BUILD_LINK] = { CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS,
                         CL_LINKER_NOT_AVAILABLE },
    };
    switch (end) {
    case COMPILER_DONE:
        return CL_SUCCESS;
    case COMPILER_FAILED:
        return codes[kind][0];
    case COMPILER_BAD_OPTIONS:
        return codes[kind][1];
    case COMPILER_MISSING:
        return codes[kind][2];
    case COMPILER_NO_MEMORY:
        return CL_OUT_OF_HOST_MEMORY;
    }
    return CL_BUILD_PROGRAM_FAILURE;
}

static void
add_to_log(struct buf *log, const char *text)
{
    if (!buf_reserve(log, strlen("error: ") + strlen(text) + 2))
        return; /* the code says why */
    if (log->n)
        log->n--; /* without the zero byte */
    buf_printf(log, "error: %s\n", text);
    buf_u8(log, 0);
}

static struct executable *
load_built(const struct program_device *d, bool *no_memory)
{
    struct executable *e = calloc(1, sizeof *e);
    *no_memory = !e;
    if (!e)
        return NULL;
    e->refs = 1;
    e->device = d->device;
    e->loaded =
        ventus_dev_load_in(d->memory, d->binary.at, d->binary.n, PROGRAM_FILE);
    if (!e->loaded) {
        *no_memory = ventus_dev_lacks_memory();
        executable_unref(e);
        return NULL;
    }
    return e;
}

enum program_loaded
program_load(struct program_device *d)
{
    assert(!d->executable ||
           __atomic_load_n(&d->executable->refs, __ATOMIC_RELAXED) > 0);
    bool no_memory = false;
    if (!d->executable)
        d->executable = load_built(d, &no_memory);
    if (d->executable)
        return PROGRAM_LOADED;
    add_to_log(&d->log, no_memory ? "out of memory" : ventus_dev_message());
    return no_memory ? PROGRAM_NO_MEMORY : PROGRAM_BAD;
}

static cl_program_binary_type
made_type(const struct build *b)
{
    if (b->library)
        return CL_PROGRAM_BINARY_TYPE_LIBRARY;
    if (b->kind == BUILD_OBJECT)
        return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    return CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

/* Loads an executable that the application brought.  Without memory it stays unbuilt,
 * and is tried again. */
static enum program_loaded
load_own(struct program_device *d)
{
    enum program_loaded loaded = program_load(d);
    d->status = loaded == PROGRAM_LOADED ? CL_BUILD_SUCCESS
                : loaded == PROGRAM_BAD  ? CL_BUILD_ERROR
                                         : CL_BUILD_NONE;
    return loaded;
}

void
program_load_binaries(cl_program p)
{
    assert_held(&p->lock);
    for (cl_uint i = 0;
         !program_is_compiled(p) && !p->building && i < p->n_devices; i++) {
        struct program_device *d = &p->devices[i];
        if (d->status == CL_BUILD_NONE &&
            d->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
            load_own(d);
    }
}

/* Whether the build keeps argument information (5.9.3): only programs that were compiled
 * with this option do; one linked input without it suffices to lose it. */
static bool
wants_arg_info(const struct build *b)
{
    if (b->kind == BUILD_LINK)
        return b->arg_info;
    return program_is_compiled(b->program) &&
           strstr(b->options, "-cl-kernel-arg-info") != NULL;
}

/* Makes the compiler's result the state for the device; the lock is held. */
static cl_int
settle_state(const struct build *b, struct program_device *d, cl_int code)
{
    assert_held(&b->program->lock);
    assert(b->program->building && "only the running build changes the state");
    cl_program_binary_type made = made_type(b);
    enum program_loaded loaded = PROGRAM_LOADED;
    if (code == CL_SUCCESS && made == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        loaded = program_load(d);
    if (loaded != PROGRAM_LOADED)
        code = failure_code(b->kind, loaded == PROGRAM_NO_MEMORY
                                         ? COMPILER_NO_MEMORY
                                         : COMPILER_FAILED);
    d->status = code == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    d->arg_info = wants_arg_info(b);
    d->type = code == CL_SUCCESS ? made : CL_PROGRAM_BINARY_TYPE_NONE;
    return code;
}

/* Loads the executable that the application brought. */
static cl_int
load_binary(cl_program p, struct program_device *d)
{
    pthread_mutex_lock(&p->lock);
    assert(p->building && !program_is_compiled(p));
    enum program_loaded loaded = load_own(d);
    pthread_mutex_unlock(&p->lock);
    CL_REQUIRE(loaded != PROGRAM_NO_MEMORY, CL_OUT_OF_HOST_MEMORY);
    CL_EXPECT(loaded == PROGRAM_LOADED, CL_INVALID_BINARY,
              "the binary cannot be loaded: %s", ventus_dev_message());
    return CL_SUCCESS;
}

/* Whether a link has no inputs for the device: "no program executable available for
 * this device". */
static bool
links_nothing(const struct build *b, cl_uint device)
{
    return b->kind == BUILD_LINK && !b->objects[device * b->n_inputs].n;
}

static cl_int
build_for(struct build *b, cl_uint device)
{
    struct buf binary = { 0 }, log = { 0 };
    cl_program p = b->program;
    struct program_device *d = program_find(p, b->devices[device]);
    assert(d && device < b->n_devices);
    if (links_nothing(b, device)) {
        pthread_mutex_lock(&p->lock);
        d->status = CL_BUILD_NONE;
        pthread_mutex_unlock(&p->lock);
        return CL_SUCCESS;
    }
    if (b->kind == BUILD_EXECUTABLE && !program_is_compiled(p) &&
        d->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return load_binary(p, d);
    enum compiler_end end = compile_device(b, device, &binary, &log);
    pthread_mutex_lock(&p->lock);
    buf_free(&d->binary);
    buf_free(&d->log);
    if (end == COMPILER_DONE &&
        made_type(b) != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
        if (!binary_wrap(&d->binary, made_type(b), binary_isa(d->device),
                         &binary))
            end = COMPILER_NO_MEMORY;
        buf_free(&binary);
    } else {
        d->binary = binary;
    }
    d->log = log;
    cl_int code = settle_state(b, d, failure_code(b->kind, end));
    pthread_mutex_unlock(&p->lock);
    return code;
}

/* Copies the value of CL_PROGRAM_BUILD_OPTIONS for each device. */
static bool
copy_options(const struct build *b, char **copies)
{
    bool ok = copies != NULL;
    for (cl_uint i = 0; ok && i < b->n_devices; i++)
        ok = (copies[i] = strdup(b->said)) != NULL;
    for (cl_uint i = 0; copies && !ok && i < b->n_devices; i++)
        free(copies[i]);
    return ok;
}

/* Begins the build: takes the states, with the new options.  False: another build
 * runs, or kernels exist. */
static bool
begin_build(struct build *b, char *const *options)
{
    cl_program p = b->program;
    pthread_mutex_lock(&p->lock);
    bool ok = !p->building && !p->kernels;
    for (cl_uint i = 0; ok && i < b->n_devices; i++) {
        struct program_device *d = program_find(p, b->devices[i]);
        struct buf binary = d->binary;
        cl_program_binary_type type = d->type;
        d->binary = (struct buf){ 0 };
        program_clear(d);
        if (program_is_compiled(p) || b->kind == BUILD_LINK) {
            buf_free(&binary);
        } else {
            d->binary = binary;
            d->type = type;
        }
        d->options = options[i];
        d->status = CL_BUILD_IN_PROGRESS;
    }
    p->building |= ok;
    pthread_mutex_unlock(&p->lock);
    return ok;
}

static cl_int
run_build(struct build *b)
{
    cl_program p = b->program;
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < b->n_devices; i++) {
        cl_int one = build_for(b, i);
        if (code == CL_SUCCESS)
            code = one;
    }
    pthread_mutex_lock(&p->lock);
    assert(p->building && !p->kernels && "begin_build excluded kernels");
    p->building = false;
    pthread_cond_broadcast(&p->built);
    pthread_mutex_unlock(&p->lock);
    if (b->notify)
        b->notify(p, b->user_data);
    build_free(b);
    return code;
}

static void
run_thread(void *ctx)
{
    run_build(ctx);
}

cl_int
build_start(struct build *b)
{
    char **options = calloc(b->n_devices, sizeof *options);
    if (!copy_options(b, options)) {
        free(options);
        build_free(b);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for options");
    }
    bool begun = begin_build(b, options);
    for (cl_uint i = 0; !begun && i < b->n_devices; i++)
        free(options[i]);
    free(options);
    if (!begun) {
        build_free(b);
        return cl_refuse(CL_INVALID_OPERATION,
                         "the program is being built, or kernels of it exist");
    }
    fork_watch();
    if (b->notify && thread_start_detached(run_thread, b))
        return CL_SUCCESS;
    cl_int code = run_build(b);
    CL_EXPECT(code == CL_SUCCESS, code,
              "the build log of clGetProgramBuildInfo says why");
    return CL_SUCCESS;
}
