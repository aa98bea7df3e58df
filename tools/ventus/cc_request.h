/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The request of a `ventus cc` command line. */
#include "base/output.h"
#include "cc/compile.h"
#include "cc/front/front.h"
#include "cc_native.h"
#include "cc_sandbox.h"

struct input {
    const char *file;
    uint8_t *bytes;
    size_t size;
};

struct request {
    struct arena arena;
    struct diag_sink sink;
    struct front_options options;
    struct front_source source;
    struct sandbox sandbox;
    vec(const char *) files;
    vec(struct input) inputs;         /* contents of the inputs */
    vec(struct front_object) objects; /* objects, in place of one source */
    struct native native;             /* further inputs */
    const char *output, *emit, *profile, *after;
    vec(const char *) constants; /* ID=VALUE, of SPIR-V */
    const char *headers;         /* ends with a slash, or NULL */
    const char *depfile;
    struct output rule; /* the depfile, which clang writes */
    const char *start;  /* source of the start code, or NULL */
    enum cc_pause pause;
    unsigned off; /* enum cc_off */
    bool stats, time;
    struct cc_stats results;
};

/* Prints --help; returns the exit status. */
int
cc_request_help(void);

/* Takes one option or file; returns how many words it was, or -1 with a
 * message. */
int
cc_request_take(struct request *r, char **words, int n);
