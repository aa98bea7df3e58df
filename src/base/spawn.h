/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <sys/types.h>

/* Starts programs.  A program is in a process group of its own, so that it can be
 * killed with its children; it has the default signal handlers and mask, whatever this
 * process set, an empty standard input, and none of the open files. */
struct spawn {
    const char *path;        /* path of the executable */
    const char *const *args; /* ends with NULL; args[0] is its name */
    char **env;              /* NULL: the environment of this process */
    const char *folder;      /* working folder; NULL: that of this process */
    int out, err;            /* descriptors for its output and its messages */
};

/* Starts a program; returns 0, or the errno of the failure. */
int
spawn_start(const struct spawn *s, pid_t *pid);
