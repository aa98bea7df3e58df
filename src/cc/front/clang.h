/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "cc/front/child.h"
#include "cc/front/options.h"
#include "cc/sandbox/sandbox.h"

/*
 * clang as a child process: OpenCL C on its standard input, LLVM bitcode and
 * messages through pipes.  No shell, no temporary files.
 *
 *     struct front_clang c;
 *     front_clang_start(&c, a, &source, &options, &sink);
 *     ... something else, for 30 ms ...
 *     ok = front_clang_finish(&c, &bitcode, &log, &sink);
 */

/* The first line of the text that clang reads before a source, and the start of its last
 * one, which names the source's file. */
#define FRONT_PROLOGUE     "#/* declarations of the device */\n"
#define FRONT_PROLOGUE_END "#line 1 \""

struct front_source {
    const char *name; /* in messages: "input.cl" */
    const char *dir;  /* #include "..." looks here first, or NULL */
    const char *text; /* "" of a SPIR-V module */
    size_t size;
    const void *il; /* a SPIR-V module, or NULL */
    size_t il_size;
    const char *clang; /* the program; NULL: $VENTUS_CLANG, clang-19 */
    /* Runs in place of that program if it is the one whose archives this process
     * was linked with (front/driver.h); NULL: there are none. */
    int (*inside)(const char *path, char **args);
    /* In which clang runs, and we too from then on; NULL: no limits. */
    struct sandbox *sandbox;
};

struct front_clang {
    struct front_child child;
    const char *prologue;
    const struct front_source *source;
    const char *depfile; /* or NULL */
};

bool
front_clang_start(struct front_clang *c, struct arena *a,
                  const struct front_source *source,
                  const struct front_options *options, struct diag_sink *sink);

/* The path of clang's program, if there is one. */
const char *
front_clang_path(struct arena *a, const struct front_source *source);

/* Lets a sandbox read what clang and the front end do: the system's libraries,
 * the device library, clang, -I folders, the working folder. */
void
front_allow(struct sandbox *s, struct arena *a,
            const struct front_source *source, const struct front_options *o);

/*
 * Waits for clang.  False: it reported errors, which are in the log, or it
 * failed itself, which is an error in the sink.
 */
bool
front_clang_finish(struct front_clang *c, struct buf *bitcode, struct buf *log,
                   struct diag_sink *sink);
