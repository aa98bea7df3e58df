/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include "base/map.h"
#include "sweep/store.h"

/*
 * The records of a plan's points as a table, a row for each launch (of a point
 * that failed or was not run, one row): program, preset, a column for each key,
 * status, launch, kernel, a column for each metric of the plan, then all that the
 * launches counted by its path (cycles, counters.issued), and where it comes from.
 */
struct table_cell {
    const char *text; /* NULL: nothing */
    bool string;      /* else JSON's number, true or false */
};

struct table_row {
    struct table_cell *cells; /* `n` of them; columns beyond have nothing */
    size_t n;
};

/* The first metric that has no value in a row with a result, since the row has no
 * number of a name in it. */
struct table_gap {
    const char *metric, *name;
    size_t rows; /* 0: there is no such metric */
};

struct table {
    struct arena *arena;
    struct table_gap gap;
    struct map columns; /* name to its number + 1 */
    vec(struct table_row) rows;
};

void
table_read(struct table *t, struct arena *a, const struct sweep_plan *plan,
           const struct sweep_points *points, const struct store *store);

/* RFC 4180, with a line of names. */
void
table_csv(const struct table *t, FILE *out);

/* {"file", "keys": [...], "columns": [...], "rows": [[...]]} */
void
table_json(const struct table *t, const struct sweep_plan *plan, FILE *out);

/* A page of HTML with plots of it, which needs no network. */
void
table_html(const struct table *t, const struct sweep_plan *plan, FILE *out);
