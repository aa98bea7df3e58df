/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sweep/plan.h"

/*
 * The folder of a sweep:
 *
 *     points/KEY.json  the record of a point, written at once as a whole
 *     lock             its byte KEY is locked while a process runs the point
 *     running/         output of programs that run
 *     table.csv        all records as a table; index.html, as a page
 *
 * Several processes may use a folder; none runs a point that another one runs.
 */
enum store_state { STORE_NONE, STORE_OK, STORE_FAILED };

struct store {
    struct arena *arena;
    const char *folder;
    int lock;
};

/* Makes the folder if it is missing; false: that is not possible, and reported. */
bool
store_open(struct store *s, struct arena *a, const char *folder,
           struct diag_sink *sink);

/* Only to read what is there. */
void
store_look(struct store *s, struct arena *a, const char *folder);

void
store_close(struct store *s);

/* Is there a record of the point, and what does it say? */
enum store_state
store_state(const struct store *s, const char *key);

/* The record, or NULL. */
const char *
store_read(struct arena *a, const struct store *s, const char *key);

bool
store_write(const struct store *s, const char *key, const void *record,
            size_t size, struct diag_sink *sink);

/* False: another process runs the point. */
bool
store_take(const struct store *s, const char *key);

void
store_give(const struct store *s, const char *key);

/* The path of a file in the folder. */
const char *
store_path(struct arena *a, const struct store *s, const char *name);
