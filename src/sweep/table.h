/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include "base/map.h"
#include "sweep/store.h"

/* The records of a plan's points as a table, a row for each launch (one row for a
 * point that failed or was not run): program, preset, a column for each key, status,
 * launch, kernel, a column for each metric of the plan, then all counts of the
 * launches by their paths (cycles, counters.issued), and the origin. */
struct table_cell {
    const char *text; /* NULL: an empty cell */
    bool string;      /* else a JSON number, true or false */
};

struct table_row {
    struct table_cell *cells; /* `n` cells; columns beyond are empty */
    size_t n;
};

/* The first metric without a value in a row with a result, because the row has no
 * number of a name in it. */
struct table_gap {
    const char *metric, *name;
    size_t rows; /* 0: there is no such metric */
};

struct table {
    struct arena *arena;
    struct table_gap gap;
    struct map columns; /* name -> number + 1 */
    vec(struct table_row) rows;
};

void
table_read(struct table *t, struct arena *a, const struct sweep_plan *plan,
           const struct sweep_points *points, const struct store *store);

/* Writes CSV (RFC 4180), with a line of names. */
void
table_csv(const struct table *t, FILE *out);

/* Writes {"file", "keys": [...], "columns": [...], "rows": [[...]]}. */
void
table_json(const struct table *t, const struct sweep_plan *plan, FILE *out);

/* Writes a page of HTML with plots, which needs no network. */
void
table_html(const struct table *t, const struct sweep_plan *plan, FILE *out);
