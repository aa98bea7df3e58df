/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "cl/api.h"
#include "cl/compiler_job.h"

/*
 * The compiler, `ventus cc`, as a process: whatever happens in it, the
 * application goes on.  It is the program VENTUS_CC, or bin/ventus in a folder
 * above the one this library is in.
 */
enum compiler_end {
    COMPILER_DONE,
    COMPILER_FAILED,      /* the log says why */
    COMPILER_BAD_OPTIONS, /* likewise */
    COMPILER_MISSING,
    COMPILER_NO_MEMORY /* of the application; the log is empty */
};

/* The log is a string, empty if nothing was said; both become the caller's. */
enum compiler_end
compiler_run(const struct compiler_job *job, struct buf *binary,
             struct buf *log);

cl_bool
compiler_available(void);
