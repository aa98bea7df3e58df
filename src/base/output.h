/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * A file that is written as a whole or not at all:
 *
 *     struct output o;
 *     if (output_open(&o, path, 0)) {
 *         output_write(&o, bytes, size);
 *         ok = output_close(&o, true);
 *     }
 *
 * The bytes go to a temporary file in the target's folder.  output_close renames it to
 * the target, which keeps its permissions; a symbolic link stays, and its target is
 * replaced.  After a failure the target is as before.
 *
 * A target that is no regular file (a device, a pipe) is written in place, and so is
 * an open descriptor (/dev/stdout, /dev/fd/3), at whose end the bytes are appended.
 * "-" is standard output.
 *
 * A zeroed struct is an output that is not open.
 */
struct output {
    bool is_open;
    int fd;       /* -1: standard output */
    int why;      /* errno of the first write that failed */
    FILE *stream; /* NULL: output_stream was not called */
    int folder;   /* folder to which `target` and `hidden` are relative */
    char *target; /* path to be replaced; NULL: written in place */
    char *hidden; /* name of the temporary file; NULL: none yet */
};

enum output_flags {
    /* Accessible to its owner alone (mode 0600); replaces a symbolic link, and refuses
     * anything that is neither file nor link (EEXIST). */
    OUTPUT_PRIVATE = 1,
    /* Open for a long time: the temporary file has no name where the file system
     * allows that, so that a killed process leaves none. */
    OUTPUT_LONG = 2,
};

/* Opens an output; `flags` are of enum output_flags.  False: errno says why. */
bool
output_open(struct output *o, const char *path, unsigned flags);

/* Opens a file for its owner alone, by a name in a folder that is open; replaces
 * anything of that name except a folder. */
bool
output_open_at(struct output *o, int folder, const char *name);

/* Opens a file in memory, which is never renamed: only `fd` is used. */
bool
output_open_memory(struct output *o);

/* Opens an output with OUTPUT_LONG as a stream, which output_close closes; the struct
 * stays at its address until then.  NULL: errno says why. */
FILE *
output_stream(struct output *o, const char *path);

/* Writes bytes.  False: errno says why, and output_close fails for the same reason. */
bool
output_write(struct output *o, const void *bytes, size_t size);

/* Closes the output, and replaces the target if `keep` and all was written.  False: it
 * was not, errno says why.  True if the output is not open. */
bool
output_close(struct output *o, bool keep);

/* Whether output_open could open the path, as far as that is known in advance.
 * Creates nothing.  False: errno says why not. */
bool
output_may_open(const char *path);
