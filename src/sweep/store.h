/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sweep/plan.h"

/*
 * The folder of a sweep:
 *
 *     points/KEY.json  the record of a point, written atomically
 *     lock             its byte KEY is locked while a process runs the point
 *     running/         output of running programs
 *     table.csv        all records as a table; index.html, as a page
 *
 * Several processes may use a folder; each point is run by one of them.
 */
enum store_state { STORE_NONE, STORE_OK, STORE_FAILED };

struct store {
    struct arena *arena;
    const char *folder;
    int lock;
};

/* Opens the folder, which is made if it does not exist; false: an error, which is
 * reported. */
bool
store_open(struct store *s, struct arena *a, const char *folder,
           struct diag_sink *sink);

/* Opens the folder only to read it. */
void
store_look(struct store *s, struct arena *a, const char *folder);

void
store_close(struct store *s);

/* The state of a point by its record. */
enum store_state
store_state(const struct store *s, const char *key);

/* The record of a point; NULL: none. */
const char *
store_read(struct arena *a, const struct store *s, const char *key);

bool
store_write(const struct store *s, const char *key, const void *record,
            size_t size, struct diag_sink *sink);

/* Takes the lock of a point; false: another process runs it. */
bool
store_take(const struct store *s, const char *key);

void
store_give(const struct store *s, const char *key);

/* The path of a file in the folder. */
const char *
store_path(struct arena *a, const struct store *s, const char *name);
