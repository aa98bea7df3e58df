/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/vec.h"
#include "cc/target.h"

/*
 * Build options, as clBuildProgram and `ventus cc` take them.
 *
 *     struct front_options o = front_options_default();
 *     ok = front_options_text(&a, &o, "-D N=4 -cl-mad-enable", &sink);
 *
 * An option that OpenCL does not define is an error, CL_INVALID_BUILD_OPTIONS to a
 * runtime; but options of other vendors' compilers, which programs pass to every
 * device, are ignored.
 */
/* Functions of objects that are not OpenCL C, and the object of each. */
struct front_symbol {
    const char *name, *file;
};

struct front_symbols {
    struct front_symbol *at;
    size_t n, cap;
};

struct front_options {
    const struct cc_target *target; /* NULL: version 1 */
    unsigned optimise;              /* 0 to 2 */
    unsigned std;                   /* OpenCL C: 100 110 120 200 300 310 */
    bool debug;          /* variables and types, too, not lines only */
    bool colour;         /* of clang's messages */
    bool embed_source;   /* what was compiled is part of the lines */
    bool fast_math;      /* native functions in place of exact ones */
    bool inline_all;     /* no function is called */
    bool call_all;       /* all are that can be */
    bool uniform_groups; /* global sizes are multiples of local sizes */
    bool no_fp64;        /* without cl_khr_fp64 */
    bool check_bounds;   /* a hint where an index is outside of its array */
    bool check_init;     /* a hint where a variable has no value yet */
    bool check_race;     /* atomic accesses of local memory are atomics, too */
    bool is_open;        /* an object: others may define and call */
    const char *last_pass;                /* of the front end; NULL: all run */
    struct front_symbols defined, wanted; /* by the other objects */
    unsigned no_warn;                     /* enum cc_warning, or-ed */
    vec(const char *) words;              /* for clang, one argument each */
    const char
        *depfile; /* of `words`, as messages name it; NULL: there is none */
};

struct front_options
front_options_default(void);

/*
 * A path as clang may be given it.  clang hands the argument of an option on to
 * itself as a word of its own, and a word that begins with - is an option there
 * and one with @ a file of more words; so these become ./-PATH and ./@PATH.
 */
const char *
front_options_path(struct arena *a, const char *path);

/*
 * Takes the first option of `words`, an argument of its own included.
 * Returns how many words it took, 0 with an error if there is none.
 */
size_t
front_options_word(struct arena *a, struct front_options *o,
                   const char *const *words, size_t n, struct diag_sink *sink);

/*
 * Takes a string of options between white space.  In "..." and '...' spaces
 * are part of a word; \ makes the next quote, space or \ an ordinary one.
 */
bool
front_options_text(struct arena *a, struct front_options *o, const char *text,
                   struct diag_sink *sink);
