/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <sys/types.h>

/*
 * Starts programs.  Each is in a process group of its own, so that it can be
 * killed with its children, has signals as a program expects them, whatever this
 * process did, nothing to read, and none of the open files.
 */
struct spawn {
    const char *path;        /* of the program */
    const char *const *args; /* ends with NULL; args[0] is its name */
    char **env;              /* NULL: that of this process */
    const char *folder;      /* where it starts; NULL: here */
    int out, err;            /* descriptors of its output and its messages */
};

/* 0, or an errno: it was not started. */
int
spawn_start(const struct spawn *s, pid_t *pid);
