/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/*
 * The client of a fork server (base/fork_server.h):
 *
 *     int socket = fork_client_start("/usr/bin/ventus-cc", args, env);
 *     ok = fork_client_run(socket, &run, &r);
 *     ... read what it writes ...
 *     ok = fork_client_wait(&r, &status);
 *
 * Several threads may have runs at once.
 */
struct fork_run {
    const char *const *words; /* end with NULL, as env */
    char *const *env;
    struct rlimit limits[RLIM_NLIMITS];
    int out; /* its output and messages */
};

struct fork_running {
    pid_t pid;
    int stream;
};

/* Starts a server, which takes the socket as its standard output; the program must fork
 * it and end.  Returns the socket, or -1. */
int
fork_client_start(const char *path, const char *const *args, char **env);

/* Starts a run; false: the server cannot, nothing has been started. */
bool
fork_client_run(int socket, const struct fork_run *run, struct fork_running *r);

/* Kills the run and what is in its process group. */
void
fork_client_kill(const struct fork_running *r);

/* Waits for its end; `status` is waitpid's.  False: the server has ended before, and the
 * run with it. */
bool
fork_client_wait(struct fork_running *r, int *status);
