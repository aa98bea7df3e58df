/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "cc/sandbox/sandbox.h"

/*
 * A program as a child process in the sandbox: what it reads on its standard input,
 * what it writes and what it says, through pipes.  No shell, no temporary files.
 *
 *     struct front_child c = { .input = { { text, size } } };
 *     ok = front_child_start(&c, sandbox, "/usr/bin/clang-19", args, env, &sink) &&
 *          front_child_close_calls(&c, 1, &sink);
 *     ... something else ...
 *     ok = front_child_run(&c, &out, &log, &in_time, &status);
 *
 * Several are started before the first is run: afterwards this process starts none.
 */
struct front_piece {
    const void *at;
    size_t size;
};

struct front_child {
    const struct sandbox *sandbox;
    struct front_piece input[2]; /* one after the other */
    /* The input is a file in memory, complete when the program starts, for programs
     * that read theirs twice; its name is /dev/stdin. */
    bool by_file;
    /* Runs in place of the program, in this process's memory; NULL: the program does.
     * The program's path and its words are given; an exit status is returned. */
    int (*inside)(const char *path, char **args);
    size_t sent;
    int pid;
    int in, out, err; /* our ends; -1: closed */
};

/* The path of the program that a variable of the environment names (NULL: none does), or
 * of `name`, as execvp finds it; the name itself if there is none. */
const char *
front_child_path(struct arena *a, const char *variable, const char *name);

/* Starts a program, a path, that waits for its input.  `sandbox` NULL: no limits.
 * False with an error: it could not be started. */
bool
front_child_start(struct front_child *c, const struct sandbox *sandbox,
                  const char *program, char **args, char **env,
                  struct diag_sink *sink);

/* Closes the system calls of this process, which may end and wait for these children.
 * After an error the children are ended. */
bool
front_child_close_calls(struct front_child *children, unsigned n,
                        struct diag_sink *sink);

/*
 * Sends the input, takes what the program writes, and waits for its end.  *in_time is
 * false if it was ended because time was up by the clock; `status` is waitpid's.
 * False, with errno: it could not be waited for.
 */
bool
front_child_run(struct front_child *c, struct buf *out, struct buf *log,
                bool *in_time, int *status);

/* Ends a child that is not needed. */
void
front_child_drop(struct front_child *c);

/* Whether the end says that processor time ran out. */
bool
front_child_used_up(int status);

/* Processor time that a child may take, in seconds; 0: any. */
unsigned
front_child_limit_s(const struct front_child *c);

/* Variables of the environment of a child. */
char **
front_child_environment(struct arena *a);

/* Reports `what` with the words of an error number; returns false. */
bool
front_child_fail(struct diag_sink *sink, const char *what, int error);
