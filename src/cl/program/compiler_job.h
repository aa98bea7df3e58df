/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/sha256.h"

/* The inputs of a compilation, and the cache's key for them. */
struct compiler_file {
    const char *name;
    const void *bytes;
    size_t size;
};

struct compiler_job {
    const char *options; /* options as the application gave them; or NULL */
    /* Name of a source in messages and debug information; NULL: that of the input. */
    const char *shown;
    /* Inputs are one OpenCL C source, or objects if `link`; the result is an object or a
     * library if `object`, else a program. */
    const struct compiler_file *inputs;
    size_t n_inputs;
    const struct compiler_file *headers; /* #include finds these first */
    size_t n_headers;
    bool link, object;
    unsigned isa;      /* version of the instruction set */
    const char *pause; /* an option for the device's machine, or NULL */
};

/* Whether the object keeps its source.  Reports and findings show source lines, which
 * exist nowhere else: kept only if a report is requested. */
bool
compiler_job_keeps_source(const struct compiler_job *job);

/* The checks that it is compiled for: SANITIZE_MEMORY and SANITIZE_ARITH
 * (-fcheck-bounds), SANITIZE_INIT (-fcheck-init), SANITIZE_RACE (-fcheck-race, which a
 * link needs, too). */
unsigned
compiler_job_checks(const struct compiler_job *job);

/* Hashes everything that the output depends on except included files; `program` is the
 * path of the compiler. */
void
compiler_job_key(const struct compiler_job *job, const char *program,
                 uint8_t key[SHA256_SIZE]);

/* Whether the source, a header or one of the included `files`, names ended by zero
 * bytes, tests for the existence of a file.  The list of included files does not have
 * those that did not exist, and which may be created later. */
bool
compiler_job_asks(const struct compiler_job *job, const struct buf *files);
