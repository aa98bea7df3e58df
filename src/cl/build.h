/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/compiler.h"
#include "cl/program.h"

/*
 * What clBuildProgram, clCompileProgram and clLinkProgram have in common: a
 * copy of everything that was asked for, because with a callback it is done
 * on a thread of its own, after the entry has returned.
 */
enum build_kind { BUILD_EXECUTABLE, BUILD_OBJECT, BUILD_LINK };

typedef void(CL_CALLBACK *build_fn)(cl_program, void *);

struct build {
    enum build_kind kind;
    cl_program program; /* owned, and all of `inputs` */
    char *said;         /* options as the application wrote them */
    char *options;      /* those for the compiler */
    bool library;       /* links to an object, not to an executable */
    cl_uint n_devices;
    cl_device_id *devices;
    cl_uint n_inputs;
    cl_program *inputs;  /* programs to link, or headers */
    char **names;        /* of the headers */
    struct buf *objects; /* to link, of each input for the first device, then
                            for the next; an empty one: there is none */
    bool arg_info;       /* all of these have it */
    build_fn notify;
    void *user_data;
};

/* Copies lists and takes references; NULL as devices: the program's. */
struct build *
build_new(enum build_kind kind, cl_program program, cl_uint n_devices,
          const cl_device_id *devices, const char *options);

/* Headers; false: no memory. */
bool
build_add_headers(struct build *b, cl_uint n, const cl_program *inputs,
                  const char *const *names);

/* Programs to link as they are now, even if they are compiled again. */
bool
build_add_objects(struct build *b, cl_uint n, const cl_program *inputs);

void
build_free(struct build *b);

/*
 * Does it now, or begins to and returns CL_SUCCESS if there is a callback.
 * Frees the build.
 */
cl_int
build_start(struct build *b);
