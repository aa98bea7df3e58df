/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/sha256.h"

/* What a compiler is given, and what makes two jobs the same to the cache. */
struct compiler_file {
    const char *name;
    const void *bytes;
    size_t size;
};

struct compiler_job {
    const char *options; /* as the application wrote them; or NULL */
    const char
        *shown; /* the name of a source in messages and debug information;
                            NULL: that of the input */
    /* One OpenCL C source, or with `link` objects; the result is an object or
     * a library of these with `object`, else a program. */
    const struct compiler_file *inputs;
    size_t n_inputs;
    const struct compiler_file *headers; /* what #include finds first */
    size_t n_headers;
    bool link, object;
    unsigned isa;      /* version of the instruction set */
    const char *pause; /* an option for the device's machine, or NULL */
};

/*
 * Reports and findings show source lines, and a program's source is nowhere else: kept in
 * the object if a report is wanted, and only then.
 */
bool
compiler_job_keeps_source(const struct compiler_job *job);

/* For which checks of its launches it is compiled: SANITIZE_MEMORY and SANITIZE_ARITH
 * (-fcheck-bounds), SANITIZE_INIT (-fcheck-init), SANITIZE_RACE (-fcheck-race, which a
 * link needs, too). */
unsigned
compiler_job_checks(const struct compiler_job *job);

/* Of everything that the output depends on, but included files: `program` is the
 * path of the compiler. */
void
compiler_job_key(const struct compiler_job *job, const char *program,
                 uint8_t key[SHA256_SIZE]);

/* Does the source, a header or one of the included `files`, names with a zero
 * behind each, ask whether there is a file?  The list of what was included does not
 * name those that were not there, and which may come later. */
bool
compiler_job_asks(const struct compiler_job *job, const struct buf *files);
