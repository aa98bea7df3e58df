/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <sys/types.h>

/* Starts programs.  A program is in a process group of its own, so that it can be
 * killed with its children; it has the default signal handlers and mask, whatever this
 * process set, and none of the open files. */
struct spawn {
    const char *path;        /* path of the executable */
    const char *const *args; /* ends with NULL; args[0] is its name */
    char **env;              /* NULL: the environment of this process */
    const char *folder;      /* working folder; NULL: that of this process */
    int in;                  /* descriptor of its input; 0: it is empty */
    int out, err;            /* descriptors for its output and its messages */
};

/* Starts a program; returns 0, or the errno of the failure. */
int
spawn_start(const struct spawn *s, pid_t *pid);

/*
 * The same, without a child that this process can see: wait() of the application does not
 * find it, and no SIGCHLD comes, neither now nor at its end.  It is a child of init, or of
 * the process that adopts orphans (PR_SET_CHILD_SUBREAPER); *pid is for spawn_adopted,
 * -1 where memory is not shared with what starts it, as in Valgrind.
 */
int
spawn_apart(const struct spawn *s, pid_t *pid);

/* Reaps a program that spawn_apart started and that has ended, if it is this process that
 * adopts orphans, as the first of a container does. */
void
spawn_adopted(pid_t pid);
