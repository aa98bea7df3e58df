/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

#include "base/diag.h"

/*
 * The one reader of ini files, by the library inih:
 *
 *     [section]
 *     key = value   ; comment
 *         more of it
 *
 * A line that begins with a space continues: its text is a value of the same key.
 */
struct ini_file {
    const char *file; /* for messages */
    const char *text;
    struct diag_sink *sink;
    /* A value; false: that is reported. */
    bool (*take)(struct ini_file *f, const char *section, const char *key,
                 const char *value);
    void *ctx;
    struct diag_at at; /* where `take` is called for */
    const char *next;
    bool wrong;
};

/* Calls f->take for each value; false: something is wrong, and reported. */
bool
ini_file_read(struct ini_file *f);
