/* SPDX-License-Identifier: Apache-2.0 */
/* ventus replay --list: lists the launches of a recording. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "command.h"
#include "obj/report.h"
#include "replay.h"

struct row {
    struct recording_launch launch;
    struct recording_result result;
    /* All memory; changes since the launch before. */
    uint64_t memory_B, changed_B;
};

static void
measure_launch(struct row *row)
{
    for (size_t i = 0; i < row->launch.n_ranges; i++) {
        const struct recording_range *r = &row->launch.range[i];
        if (r->kind == RECORDING_BUFFER)
            row->memory_B += r->size;
        for (size_t k = 0; k < r->runs.n; k++)
            row->changed_B += r->runs.at[k].count * RECORDING_PAGE;
    }
}

static const char *
outcome_of(const struct row *row)
{
    return !row->result.message ? "not ended" : row->result.ok ? "ok" : "fault";
}

static void
print_sizes(const uint64_t size[3], unsigned dim, unsigned width)
{
    char text[72] = "";
    for (unsigned i = 0; i < (dim ? dim : 1); i++)
        text_append(text, sizeof text, "%s%" PRIu64, i ? "," : "", size[i]);
    printf(" %*s", (int)width, text);
}

static void
print_row(struct arena *a, size_t i, const struct row *row)
{
    const struct recording_launch *l = &row->launch;
    printf("%4zu  %-24s", i, report_printable(a, l->kernel));
    print_sizes(l->global, l->work_dim, 14);
    print_sizes(l->local, l->work_dim, 10);
    printf(" %5zu %12" PRIu64 " %12" PRIu64 "  %s\n", l->n_args, row->memory_B,
           row->changed_B, outcome_of(row));
}

static void
json_sizes(struct json *j, const char *name, const uint64_t size[3])
{
    json_array(j, name);
    for (int i = 0; i < 3; i++)
        json_number(j, NULL, size[i]);
    json_end(j);
}

static void
json_row(struct json *j, struct arena *a, size_t i, const struct row *row)
{
    const struct recording_launch *l = &row->launch;
    json_new_line(j);
    json_object(j, NULL);
    json_number(j, "launch", i);
    json_number(j, "device", l->device);
    json_string(j, "kernel", report_printable(a, l->kernel));
    json_number(j, "dimensions", l->work_dim);
    json_sizes(j, "global", l->global);
    json_sizes(j, "local", l->local);
    json_sizes(j, "offset", l->offset);
    json_number(j, "arguments", l->n_args);
    json_number(j, "memory_B", row->memory_B);
    json_number(j, "changed_B", row->changed_B);
    json_string(j, "outcome", outcome_of(row));
    json_string(j, "message", row->result.message ? row->result.message : "");
    json_bool(j, "results", row->result.has_memory);
    json_end(j);
}

int
replay_list(struct replaying *r)
{
    struct json j = { .out = stdout };
    size_t n = recording_launches(r->from);
    bool json = r->e.json, ok = true;
    if (json)
        json_array(&j, NULL);
    else
        printf("%4s  %-24s %14s %10s %5s %12s %12s  %s\n", "", "kernel",
               "global", "local", "args", "memory", "changed", "end");
    for (size_t i = 0; ok && i < n; i++) {
        struct arena a = { 0 };
        struct row row = { .memory_B = 0 };
        if (r->one && i != r->number)
            continue;
        ok = recording_read_launch(r->from, i, &a, &row.launch, &row.result,
                                   &r->e.sink);
        if (ok) {
            measure_launch(&row);
            if (json)
                json_row(&j, &a, i, &row);
            else
                print_row(&a, i, &row);
        }
        arena_free(&a);
    }
    if (json) {
        json_end(&j);
        putchar('\n');
    }
    diag_print(&r->e.sink, stderr, command_colour());
    return ok ? 0 : 1;
}
