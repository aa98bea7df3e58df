/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * A file that is there as a whole or not at all.  It has no name while it is
 * written (a hidden one where the file system needs that), so that of a
 * process that is killed nothing is left; then it is renamed to its path.  It
 * belongs to the user alone (mode 0600), and a symbolic link at the path is
 * replaced, not followed.
 */
struct output {
    char *path, *hidden; /* hidden: NULL while it has no name */
    int fd;
};

/* False: errno says why.  What is there and no file is refused (EEXIST). */
bool
output_open(struct output *o, const char *path);

/* A file in memory, which never has a name: `fd` is all there is. */
bool
output_open_memory(struct output *o);

bool
output_write(struct output *o, const void *bytes, size_t size);

/* `keep`: the file is whole.  Closes in any case; false: errno says why. */
bool
output_close(struct output *o, bool keep);
