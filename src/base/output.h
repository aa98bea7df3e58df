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
 * The bytes go to a temporary file in the target's folder.  output_close renames it
 * to the target, which keeps its permissions; a symbolic link stays, what it points
 * to is replaced.  After a failure the target is what it was before.
 *
 * What is no regular file (a device, a pipe) is written in place, and so is an open
 * descriptor (/dev/stdout, /dev/fd/3), at whose end the bytes are appended.  "-" is
 * standard output.
 *
 * A zeroed struct is an output that is not open.
 */
struct output {
    bool is_open;
    int fd;       /* -1: standard output */
    int why;      /* errno of the first write that failed */
    FILE *stream; /* NULL: output_stream was not asked for one */
    int folder;   /* what `target` and `hidden` are relative to */
    char *target; /* what is replaced; NULL: nothing, it is written in place */
    char *hidden; /* name of the temporary file; NULL: it has none yet */
};

enum output_flags {
    /* For its owner alone (mode 0600); replaces a symbolic link, and refuses what is
     * neither file nor link (EEXIST). */
    OUTPUT_PRIVATE = 1,
    /* Written for long: the temporary file has no name where the file system allows
     * that, so that a killed process leaves nothing. */
    OUTPUT_LONG = 2,
};

/* `flags` are of enum output_flags.  False: errno says why. */
bool
output_open(struct output *o, const char *path, unsigned flags);

/* For its owner alone, as a name in a folder that is open; replaces whatever has the
 * name, but a folder. */
bool
output_open_at(struct output *o, int folder, const char *name);

/* A file in memory, which is never renamed: `fd` is all there is. */
bool
output_open_memory(struct output *o);

/* OUTPUT_LONG, as a stream, which output_close closes; the struct stays where it is until
 * then.  NULL: errno says why. */
FILE *
output_stream(struct output *o, const char *path);

/* False: errno says why, and output_close says it again. */
bool
output_write(struct output *o, const void *bytes, size_t size);

/*
 * Closes, and replaces the target if `keep` and all was written.  False: it was not,
 * errno says why.  True if it is not open.
 */
bool
output_close(struct output *o, bool keep);

/* Could output_open open it, as far as that is known before?  Creates nothing.
 * False: errno says why not. */
bool
output_may_open(const char *path);
