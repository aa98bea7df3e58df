/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "cc/sandbox/calls.h"

/*
 * The sandbox of the compiler and of clang, which read text and bitcode of
 * others.  A process enters it by itself, and cannot leave it:
 *
 *     struct sandbox s = { 0 };
 *     ok = sandbox_from_environment(&s, &sink);     VENTUS_SANDBOX and limits
 *     sandbox_allow(&s, &a, SANDBOX_READ, "include");
 *     ok = sandbox_close_files(&s, &sink);          Landlock, memory, time
 *     ... if there are children: fork, and in each sandbox_exec(&s, ...) ...
 *     ok = sandbox_close_calls(&s, children, &sink);   seccomp
 *     ... hostile input from here on ...
 *
 * After the first step no file can be opened but those that were allowed,
 * after the last no process started, no socket made, no other process
 * reached.  A child has the same, may run the one program it is made for, and
 * writes nothing but what SANDBOX_CHILD_WRITE names.
 *
 * What a kernel lacks is left out, unless VENTUS_SANDBOX=require: then it is an
 * error.  docs/security.md says what each part holds.
 */
enum sandbox_mode { SANDBOX_AUTO, SANDBOX_REQUIRE, SANDBOX_OFF };

enum sandbox_right {
    SANDBOX_READ = 1,        /* a file, or what is in a folder */
    SANDBOX_RUN = 2,         /* and as a program */
    SANDBOX_WRITE = 4,       /* a file, or files in a folder, new ones too */
    SANDBOX_CHILD_WRITE = 8, /* likewise, a child too */
};

struct sandbox_path {
    const char *path;
    unsigned rights; /* enum sandbox_right, or-ed */
};

struct sandbox {
    enum sandbox_mode mode;
    uint64_t memory_B; /* of each process, and of each file it writes */
    unsigned cpu_s;    /* processor time of each process */
    vec(struct sandbox_path) paths;
    bool has_files; /* Landlock holds */
};

/* The mode and the limits; false: a setting is wrong. */
bool
sandbox_from_environment(struct sandbox *s, struct diag_sink *sink);

/* Allows files and folders; one that does not exist when the sandbox is closed is not
 * reached in it. */
void
sandbox_allow(struct sandbox *s, struct arena *a, unsigned rights,
              const char *path);

/* Allows what a program needs that the system's loader starts, and the folders of
 * VENTUS_SANDBOX_READ. */
void
sandbox_allow_system(struct sandbox *s, struct arena *a);

/* Closes the files; false: VENTUS_SANDBOX=require, and the kernel cannot. */
bool
sandbox_close_files(struct sandbox *s, struct diag_sink *sink);

/* `children`, SANDBOX_CHILDREN or NULL, may be ended by a signal and waited for; 0:
 * there is none. */
bool
sandbox_close_calls(const struct sandbox *s, const pid_t *children,
                    struct diag_sink *sink);

/* The same limits and sandbox for a child that goes on in the program it was forked from,
 * and starts none.  False: the reason is in errno, and in *what the part that failed. */
bool
sandbox_enter_child(const struct sandbox *s, const char **what);

/*
 * Runs `program`, a path, in a child that was forked for it: limits, the sandbox, the
 * program.  Returns only when it failed, the reason in errno, and in *what the part
 * that failed.
 */
void
sandbox_exec(const struct sandbox *s, const char *program, char **args,
             char **env, const char **what);
