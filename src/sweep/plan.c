/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/plan.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/spelling.h"
#include "dev/ini_file.h"
#include "sweep/columns.h"
#include "sweep/metrics.h"

#include <ventus/dev.h>
#include <ventus/model.h>

struct reading {
    struct arena *arena;
    struct sweep_plan *plan;
    const char *key;   /* key of the previous value, which may continue */
    char section[256]; /* section of that key */
};

static bool
refuse_value(struct ini_file *f, const char *wrong, const char *text)
{
    if (wrong)
        diag_report(f->sink, DIAG_ERROR, f->at, "%s, found '%s'", wrong, text);
    return !wrong;
}

/* Reports an unknown key with the known ones, a list that ends with NULL. */
static bool
unknown_key(struct ini_file *f, const char *section, const char *key,
            const char *const *known)
{
    struct reading *r = f->ctx;
    struct spelling nearest = { .word = key };
    const char *list = "";
    for (size_t i = 0; known[i]; i++) {
        spelling_offer(&nearest, known[i]);
        list = arena_printf(r->arena, "%s%s%s", list,
                            !i             ? ""
                            : known[i + 1] ? ", "
                                           : " or ",
                            known[i]);
    }
    diag_report(f->sink, DIAG_ERROR, f->at,
                "unknown key '%s' in [%s]; expected %s%s%s%s", key, section,
                list, nearest.name ? ", did you mean '" : "",
                nearest.name ? nearest.name : "", nearest.name ? "'?" : "");
    return false;
}

/* Reads a member of [sweep]. */
static bool
take_general(struct ini_file *f, struct reading *r, const char *key,
             const char *value)
{
    struct sweep_plan *p = r->plan;
    bool model = strcmp(key, "model") == 0;
    if (model || strcmp(key, "device") == 0) {
        if (p->presets.n && p->model != model)
            return refuse_value(f, "expected `model` or `device`, not both",
                                key);
        p->model = model;
        p->presets_at = f->at;
        return refuse_value(f, values_split(r->arena, value, &p->presets),
                            value);
    }
    if (strcmp(key, "files") == 0)
        return refuse_value(f, values_split(r->arena, value, &p->files), value);
    if (strcmp(key, "folder") == 0) {
        p->folder = *value == '/'
                        ? arena_printf(r->arena, "%s", value)
                        : arena_printf(r->arena, "%s/%s", p->base, value);
        return refuse_value(f, *value ? NULL : "expected a folder", value);
    }
    if (strcmp(key, "time_limit") == 0) {
        char *end;
        unsigned long s = strtoul(value, &end, 10);
        p->time_limit_s = (unsigned)s;
        return refuse_value(f,
                            isdigit((unsigned char)*value) && !*end && s &&
                                    s <= 10000000
                                ? NULL
                                : "time_limit is a number of seconds above 0",
                            value);
    }
    static const char *const known[] = { "model",  "device",     "files",
                                         "folder", "time_limit", NULL };
    return unknown_key(f, "sweep", key, known);
}

static bool
take_axis(struct ini_file *f, struct reading *r, const char *key,
          const char *value, bool goes_on)
{
    struct sweep_plan *p = r->plan;
    for (size_t i = 0; i < p->axes.n && !goes_on; i++)
        if (strcmp(p->axes.at[i].key, key) == 0)
            return refuse_value(f, "expected each key once", key);
    if (!goes_on)
        vec_push(r->arena, &p->axes,
                 ((struct sweep_axis){ .key = arena_printf(r->arena, "%s", key),
                                       .at = f->at }));
    assert(p->axes.n > 0);
    struct sweep_axis *axis = &p->axes.at[p->axes.n - 1];
    if (!refuse_value(f, values_expand(r->arena, value, &axis->values), value))
        return false;
    return refuse_value(f, axis->values.n ? NULL : "expected values", value);
}

/* Names that a metric may use: a key, a counter, the path of another column
 * (rates.ipc), cycles, seconds, or an earlier metric. */
struct known {
    const struct sweep_plan *plan;
    struct arena *arena;
    const char *unknown; /* first unknown name */
    struct spelling nearest;
};

static bool
is_known(void *ctx, const char *name, double *value)
{
    struct known *k = ctx;
    size_t keys, i;
    const struct ventus_dev_key *key = ventus_dev_keys(&keys);
    struct spelling nearest = { .word = name };
    *value = 1;
    if (strchr(name, '.') || strcmp(name, "cycles") == 0 ||
        strcmp(name, "seconds") == 0)
        return true;
    for (i = 0; i < k->plan->metrics.n; i++)
        if (strcmp(k->plan->metrics.at[i].name, name) == 0)
            return true;
    for (i = 0; i < keys; spelling_offer(&nearest, key[i++].name))
        if (strcmp(key[i].name, name) == 0)
            return true;
    const struct ventus_model_counter *c = ventus_model_counters;
    for (; c->name; spelling_offer(&nearest, c++->name))
        if (strcmp(c->name, name) == 0)
            return true;
    if (!k->unknown) {
        k->unknown = arena_printf(k->arena, "%s", name);
        k->nearest = nearest;
    }
    return true;
}

/* Reads a member of [metrics]. */
static bool
take_metric(struct ini_file *f, struct reading *r, const char *name,
            const char *text, bool goes_on)
{
    struct sweep_plan *p = r->plan;
    struct known k = { .plan = p, .arena = r->arena };
    double value;
    size_t keys;
    const struct ventus_dev_key *key = ventus_dev_keys(&keys);
    if (goes_on)
        return refuse_value(f, "expected a metric in one line", text);
    for (size_t i = 0; i < keys; i++)
        if (strcmp(key[i].name, name) == 0)
            return refuse_value(f, "expected another name than that of a key",
                                name);
    for (const struct ventus_model_counter *c = ventus_model_counters; c->name;
         c++)
        if (strcmp(c->name, name) == 0)
            return refuse_value(
                f, "expected another name than that of a counter", name);
    if (columns_have(name))
        return refuse_value(
            f, "expected another name than that of a measured column", name);
    for (size_t i = 0; i < p->metrics.n; i++)
        if (strcmp(p->metrics.at[i].name, name) == 0)
            return refuse_value(f, "expected each metric once", name);
    if (!refuse_value(f, metric_value(text, is_known, &k, &value), text))
        return false;
    if (k.unknown) {
        diag_report(f->sink, DIAG_ERROR, f->at,
                    "expected a key, a counter or a metric before this one, "
                    "found '%s'%s%s%s",
                    k.unknown, k.nearest.name ? "; did you mean '" : "",
                    k.nearest.name ? k.nearest.name : "",
                    k.nearest.name ? "'?" : "");
        return false;
    }
    vec_push(r->arena, &p->metrics,
             ((struct sweep_metric){ arena_printf(r->arena, "%s", name),
                                     arena_printf(r->arena, "%s", text) }));
    return true;
}

static struct sweep_program *
find_program(struct reading *r, const char *name, struct diag_at at)
{
    struct sweep_plan *p = r->plan;
    for (size_t i = 0; i < p->programs.n; i++)
        if (strcmp(p->programs.at[i].name, name) == 0)
            return &p->programs.at[i];
    vec_push(r->arena, &p->programs,
             ((struct sweep_program){
                 .name = arena_printf(r->arena, "%s", name), .at = at }));
    return &p->programs.at[p->programs.n - 1];
}

/* Reads a member of [program NAME]. */
static bool
take_program(struct ini_file *f, struct reading *r, const char *name,
             const char *key, const char *value, bool goes_on)
{
    static const char *const known[] = { "exec", "run", "files", NULL };
    name += strspn(name, " \t");
    if (!*name)
        return refuse_value(f, "expected [program NAME]", "[program]");
    struct sweep_program *program = find_program(r, name, f->at);
    if (strcmp(key, "files") == 0)
        return refuse_value(f, values_split(r->arena, value, &program->files),
                            value);
    bool host = strcmp(key, "run") == 0;
    if (!host && strcmp(key, "exec") != 0)
        return unknown_key(f, name, key, known);
    if (program->words.n && !goes_on)
        return refuse_value(f, "expected one command for a program", key);
    program->host = host;
    return refuse_value(f, values_split(r->arena, value, &program->words),
                        value);
}

/* Whether a line continues the value of the line before: inih passes both as values of
 * the same key; only a new value has the key in its line. */
static bool
goes_on(const struct ini_file *f, const struct reading *r, const char *section,
        const char *key)
{
    return r->key && strcmp(r->key, key) == 0 &&
           strcmp(r->section, section) == 0 &&
           (*f->at.line_text == ' ' || *f->at.line_text == '\t');
}

static bool
take_line(struct ini_file *f, const char *section, const char *key,
          const char *value)
{
    struct reading *r = f->ctx;
    bool more = goes_on(f, r, section, key);
    r->key = arena_printf(r->arena, "%s", key);
    strncpy(r->section, section, sizeof r->section - 1);
    if (strcmp(section, "sweep") == 0)
        return take_general(f, r, key, value);
    if (strcmp(section, "keys") == 0)
        return take_axis(f, r, key, value, more);
    if (strcmp(section, "metrics") == 0)
        return take_metric(f, r, key, value, more);
    if (strncmp(section, "program", 7) == 0)
        return take_program(f, r, section + 7, key, value, more);
    return refuse_value(
        f, "expected [sweep], [keys], [metrics] or [program NAME]", section);
}

/* Checks that the plan is complete. */
static bool
check_plan(const struct sweep_plan *p, struct diag_sink *sink)
{
    bool ok = p->presets.n && p->programs.n;
    if (!p->presets.n)
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = p->file },
                    "expected `model = PRESET...` or `device = PRESET...` in "
                    "[sweep]");
    if (!p->programs.n)
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = p->file },
                    "expected [program NAME] with a command");
    for (size_t i = 0; i < p->programs.n; i++)
        if (!p->programs.at[i].words.n) {
            diag_report(sink, DIAG_ERROR, p->programs.at[i].at,
                        "program %s has no command; expected exec = FILE "
                        "OPTION... or run = PROGRAM ARGUMENT...",
                        p->programs.at[i].name);
            ok = false;
        }
    return ok;
}

bool
sweep_plan_read(struct arena *a, struct sweep_plan *plan, const char *path,
                struct diag_sink *sink)
{
    size_t size;
    struct reading r = { .arena = a, .plan = plan };
    const char *slash = strrchr(path, '/');
    *plan = (struct sweep_plan){ .file = path };
    plan->base =
        slash
            ? arena_strndup(a, path, slash == path ? 1 : (size_t)(slash - path))
            : ".";
    size_t n = strlen(path);
    n -= n > 4 && strcmp(path + n - 4, ".ini") == 0 ? 4 : 0;
    plan->folder = arena_printf(a, "%.*s.sweep", (int)n, path);
    const char *text = (const char *)file_read(a, path, &size, sink);
    if (text && strlen(text) != size) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = path },
                    "a zero byte: this is no ini file");
        return false;
    }
    if (!text)
        return false;
    assert(!plan->presets.n && !plan->programs.n && !plan->axes.n);
    struct ini_file f = {
        .file = path, .text = text, .sink = sink, .take = take_line, .ctx = &r
    };
    return ini_file_read(&f) && check_plan(plan, sink);
}
