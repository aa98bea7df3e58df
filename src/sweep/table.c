/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/table.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

#include "base/json.h"
#include "base/json_read.h"
#include "dbg/html.h"
#include "sweep/columns.h"
#include "sweep/metrics.h"

/* A record that is being read. */
struct reading {
    struct table *table;
    const struct sweep_plan *plan;
    const struct sweep_point *point;
    size_t first; /* index of its first row */
    struct table_cell of_record[COLUMNS_OF_RECORD];
    struct table_cell status;
};

static size_t
column_of(struct table *t, const char *name)
{
    void **number = map_put(t->arena, &t->columns, name, strlen(name));
    if (!*number)
        *number = (void *)(uintptr_t)t->columns.n;
    assert((uintptr_t)*number <= t->columns.n);
    return (size_t)(uintptr_t)*number - 1;
}

static void
set_cell(struct table *t, size_t row, const char *name, struct table_cell cell)
{
    assert(row < t->rows.n);
    struct table_row *r = &t->rows.at[row];
    size_t i = column_of(t, name);
    if (i >= r->n) {
        size_t n = 2 * i + 16;
        struct table_cell *cells = arena_new(t->arena, struct table_cell, n);
        if (r->n)
            memcpy(cells, r->cells, r->n * sizeof *cells);
        r->cells = cells;
        r->n = n;
    }
    assert(i < r->n);
    r->cells[i] = cell;
}

static void
set_text(struct table *t, size_t row, const char *name, const char *text)
{
    set_cell(t, row, name, (struct table_cell){ text, true });
}

static void
add_row(struct reading *r)
{
    struct table *t = r->table;
    vec_push(t->arena, &t->rows, ((struct table_row){ .n = 0 }));
    size_t row = t->rows.n - 1;
    set_text(t, row, "program", r->point->program->name);
    set_text(t, row, "preset", r->point->preset);
    for (size_t i = 0; i < r->plan->axes.n; i++) {
        const char *value = r->point->values[i];
        bool number = !value[strspn(value, "0123456789")];
        set_cell(t, row, r->plan->axes.at[i].key,
                 (struct table_cell){ value, !number });
    }
}

/* Whether the path is that of an array's element, whose name is a number. */
static bool
in_array(const char *path)
{
    for (; path; path = strchr(path, '.') ? strchr(path, '.') + 1 : NULL)
        if (isdigit((unsigned char)*path))
            return true;
    return false;
}

static void
take_leaf(void *ctx, const struct json_leaf *leaf)
{
    struct reading *r = ctx;
    struct arena *a = r->table->arena;
    const struct table_cell cell = {
        .text = leaf->string         ? json_plain(a, leaf->text, leaf->n)
                : *leaf->text == 'n' ? NULL
                                     : arena_strndup(a, leaf->text, leaf->n),
        .string = leaf->string
    };
    if (strcmp(leaf->path, "status") == 0)
        r->status = cell;
    for (size_t i = 0; i < COLUMNS_OF_RECORD; i++)
        if (strcmp(leaf->path, columns_of_record[i]) == 0)
            r->of_record[i] = cell;
    if (strncmp(leaf->path, "launches.", 9) != 0)
        return;
    char *name;
    size_t launch = strtoul(leaf->path + 9, &name, 10);
    if (*name != '.' || in_array(name + 1))
        return;
    while (r->table->rows.n <= r->first + launch)
        add_row(r);
    set_cell(r->table, r->first + launch,
             strcmp(name, ".name") == 0 ? "kernel" : name + 1, cell);
}

/* The names of a metric's expression, looked up in a row: a column, a counter, a key
 * of the device. */
struct names {
    const struct reading *r;
    size_t row;
    const char *missing; /* first name that is none of these and no metric */
};

static bool
number_in(const struct names *n, const char *column, double *value)
{
    const struct table *t = n->r->table;
    void **at = map_find(&t->columns, column, strlen(column));
    const struct table_row *row = &t->rows.at[n->row];
    size_t i = at ? (size_t)(uintptr_t)*at - 1 : row->n;
    if (i >= row->n || !row->cells[i].text || row->cells[i].string)
        return false;
    *value = strtod(row->cells[i].text, NULL);
    return true;
}

static bool
is_metric(const struct sweep_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->metrics.n; i++)
        if (strcmp(plan->metrics.at[i].name, name) == 0)
            return true;
    return false;
}

static bool
look_up(void *ctx, const char *name, double *value)
{
    struct names *n = ctx;
    size_t keys;
    const struct ventus_dev_key *key = ventus_dev_keys(&keys);
    char counter[160];
    snprintf(counter, sizeof counter, "counters.%s", name);
    for (size_t i = 0; i < keys; i++)
        if (strcmp(key[i].name, name) == 0) {
            *value = (double)n->r->point->settings[i];
            return true;
        }
    if (number_in(n, name, value) || number_in(n, counter, value))
        return true;
    if (!n->missing && !is_metric(n->r->plan, name))
        n->missing = arena_printf(n->r->table->arena, "%s", name);
    return false;
}

static void
note_gap(struct reading *r, const char *metric, const char *name)
{
    struct table_gap *gap = &r->table->gap;
    if (!gap->rows) {
        gap->metric = metric;
        gap->name = name;
    }
    gap->rows += gap->metric == metric;
}

/* Sets the metrics of a row.  A cell without a value is empty: of a row that failed,
 * after a division by zero, or in a row without a number of that name, which is noted. */
static void
set_metrics(struct reading *r, size_t row)
{
    struct table *t = r->table;
    for (size_t i = 0; i < r->plan->metrics.n; i++) {
        const struct sweep_metric *m = &r->plan->metrics.at[i];
        struct names names = { r, row, NULL };
        double value;
        const char *wrong = metric_value(m->text, look_up, &names, &value);
        assert(!wrong && "the plan has been checked");
        if (!wrong && isfinite(value))
            set_cell(t, row, m->name,
                     (struct table_cell){ arena_printf(t->arena, "%.9g", value),
                                          false });
        else if (names.missing && strcmp(r->status.text, "ok") == 0)
            note_gap(r, m->name, names.missing);
    }
}

static void
read_point(struct reading *r, const struct store *store)
{
    struct arena scratch = { 0 };
    struct table *t = r->table;
    const char *text = store_read(&scratch, store, r->point->key);
    struct json_reader j = { .at = text, .leaf = take_leaf, .ctx = r };
    r->first = t->rows.n;
    r->status = (struct table_cell){ text ? "failed" : "not run", true };
    memset(r->of_record, 0, sizeof r->of_record);
    if (text && !json_read(&j))
        r->status.text = "failed";
    if (t->rows.n == r->first)
        add_row(r);
    for (size_t row = r->first; row < t->rows.n; row++) {
        set_cell(t, row, "status", r->status);
        set_cell(t, row, "launch",
                 (struct table_cell){
                     arena_printf(t->arena, "%zu", row - r->first), false });
        for (size_t i = 0; i < COLUMNS_OF_RECORD; i++)
            if (r->of_record[i].text)
                set_cell(t, row, columns_of_record[i], r->of_record[i]);
        if (text)
            set_metrics(r, row);
    }
    if (!text)
        set_text(t, r->first, "key", r->point->key);
    arena_free(&scratch);
}

void
table_read(struct table *t, struct arena *a, const struct sweep_plan *plan,
           const struct sweep_points *points, const struct store *store)
{
    *t = (struct table){ .arena = a };
    column_of(t, "program");
    column_of(t, "preset");
    for (size_t i = 0; i < plan->axes.n; i++)
        column_of(t, plan->axes.at[i].key);
    column_of(t, "status");
    column_of(t, "launch");
    column_of(t, "kernel");
    for (size_t i = 0; i < plan->metrics.n; i++)
        column_of(t, plan->metrics.at[i].name);
    for (size_t i = 0; i < points->n; i++) {
        struct reading r = { .table = t,
                             .plan = plan,
                             .point = &points->at[i] };
        read_point(&r, store);
    }
}

static struct table_cell
cell_of(const struct table_row *r, size_t i)
{
    return i < r->n ? r->cells[i] : (struct table_cell){ NULL, false };
}

static void
csv_cell(const char *text, FILE *out)
{
    if (!text || !strpbrk(text, ",\"\r\n")) {
        fputs(text ? text : "", out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void
table_csv(const struct table *t, FILE *out)
{
    for (size_t i = 0; i < t->columns.n; i++) {
        fputs(i ? "," : "", out);
        csv_cell(t->columns.entry[i].key, out);
    }
    fputs("\r\n", out);
    for (size_t row = 0; row < t->rows.n; row++) {
        for (size_t i = 0; i < t->columns.n; i++) {
            fputs(i ? "," : "", out);
            csv_cell(cell_of(&t->rows.at[row], i).text, out);
        }
        fputs("\r\n", out);
    }
}

static void
json_cell(struct json *j, struct table_cell c)
{
    if (c.text && !c.string)
        json_raw(j, NULL, c.text, strlen(c.text));
    else
        json_string(j, NULL, c.text);
}

void
table_json(const struct table *t, const struct sweep_plan *plan, FILE *out)
{
    struct json j = { .out = out };
    json_object(&j, NULL);
    json_string(&j, "file", plan->file);
    json_array(&j, "keys");
    for (size_t i = 0; i < plan->axes.n; i++)
        json_string(&j, NULL, plan->axes.at[i].key);
    json_end(&j);
    json_array(&j, "columns");
    for (size_t i = 0; i < t->columns.n; i++)
        json_string(&j, NULL, t->columns.entry[i].key);
    json_end(&j);
    json_array(&j, "rows");
    for (size_t row = 0; row < t->rows.n; row++) {
        json_new_line(&j);
        json_array(&j, NULL);
        for (size_t i = 0; i < t->columns.n; i++)
            json_cell(&j, cell_of(&t->rows.at[row], i));
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
}

extern const char sweep_template[];

void
table_html(const struct table *t, const struct sweep_plan *plan, FILE *out)
{
    char *data = NULL;
    size_t size;
    FILE *text = open_memstream(&data, &size);
    if (!text)
        return;
    table_json(t, plan, text);
    if (fclose(text) == 0)
        html_page(out, sweep_template, data);
    free(data);
}
