/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"

/*
 * Findings to leave out, a line each of a file:
 *
 *     race  bfs  bfs.cl:12      # what, kernel, place; # begins a comment
 *     *     *    helper.h:*
 *
 * Each word is a pattern as of the shell, with * ? and [ ].
 */
struct suppress_rule {
    const char *what, *kernel, *place;
};

struct suppress {
    vec(struct suppress_rule) rule;
};

/* False: it cannot be read, or a line is wrong; the sink says what. */
bool
suppress_read(struct arena *a, struct suppress *s, const char *path,
              struct diag_sink *sink);

bool
suppress_matches(const struct suppress *s, const char *what, const char *kernel,
                 const char *place);
