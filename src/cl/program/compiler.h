/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "cl/api.h"
#include "cl/program/compiler_job.h"

/* The compiler, `ventus cc`, as a process, so that a crash of the compiler does not
 * end the application.  Its program is VENTUS_CC, or bin/ventus in a folder above that
 * of this library. */
enum compiler_end {
    COMPILER_DONE,
    COMPILER_FAILED,      /* the log has the errors */
    COMPILER_BAD_OPTIONS, /* the log has the errors */
    COMPILER_MISSING,
    COMPILER_NO_MEMORY /* memory of the application; the log is empty */
};

/* Compiles.  The log is a string, empty if nothing was printed; the caller owns both
 * buffers. */
enum compiler_end
compiler_run(const struct compiler_job *job, struct buf *binary,
             struct buf *log);

cl_bool
compiler_available(void);

/* Whether the compiler is there, and the programs that it needs for SPIR-V. */
bool
compiler_reads_spirv(void);
