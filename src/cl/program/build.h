/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/program/compiler.h"
#include "cl/program/program.h"

/* The common part of clBuildProgram, clCompileProgram and clLinkProgram: a copy of the
 * whole request, because with a callback the build is done on a thread of its own,
 * after the entry has returned. */
enum build_kind { BUILD_EXECUTABLE, BUILD_OBJECT, BUILD_LINK };

typedef void(CL_CALLBACK *build_fn)(cl_program, void *);

struct build {
    enum build_kind kind;
    cl_program program; /* owned, and all of `inputs` */
    char *said;         /* options as the application gave them */
    char *options;      /* options for the compiler */
    bool library;       /* links to a library, not to an executable */
    cl_uint n_devices;
    cl_device_id *devices;
    cl_uint n_inputs;
    cl_program *inputs; /* programs to link, or headers */
    char **names;       /* names of the headers */
    /* Objects to link: those of all inputs for the first device, then for the next; an
     * empty one: the input has none. */
    struct buf *objects;
    bool arg_info; /* all inputs have argument information */
    build_fn notify;
    void *user_data;
};

/* Makes a request: copies lists and takes references; devices NULL: the program's. */
struct build *
build_new(enum build_kind kind, cl_program program, cl_uint n_devices,
          const cl_device_id *devices, const char *options);

/* Adds headers; false: no memory. */
bool
build_add_headers(struct build *b, cl_uint n, const cl_program *inputs,
                  const char *const *names);

/* Adds programs to link as they are now, even if they are compiled again before the
 * link. */
bool
build_add_objects(struct build *b, cl_uint n, const cl_program *inputs);

void
build_free(struct build *b);

/* Builds, or with a callback begins to build and returns CL_SUCCESS.  Frees the
 * request. */
cl_int
build_start(struct build *b);
