/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a plan, and the keys of their results. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ventus/version.h>

#include "base/file.h"
#include "base/map.h"
#include "base/sha256.h"
#include "dev/config.h"
#include "sweep/plan.h"
#include "sweep/tools.h"

struct keys {
    struct arena *arena;
    const struct sweep_plan *plan;
    struct diag_sink *sink;
    struct map files;   /* path -> SHA-256, "" if it is no file */
    struct map presets; /* name -> struct config */
};

static const char *
path_from(struct keys *k, const char *name)
{
    return *name == '/' ? arena_printf(k->arena, "%s", name)
                        : arena_printf(k->arena, "%s/%s", k->plan->base, name);
}

/* The SHA-256 of a file; "" if it is no regular file, NULL if it cannot be read. */
static const char *
file_key(struct keys *k, const char *path)
{
    struct stat st;
    void **known = map_put(k->arena, &k->files, path, strlen(path));
    if (*known)
        return *known;
    *known = arena_new(k->arena, char, SHA256_TEXT);
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return *known;
    struct arena bytes = { 0 };
    size_t size;
    uint8_t digest[SHA256_SIZE];
    char *text = *known;
    const uint8_t *at = file_read(&bytes, path, &size, k->sink);
    struct sha256 s = sha256_begin();
    if (at) {
        sha256_add(&s, at, size);
        sha256_end(&s, digest);
        sha256_text(digest, text);
    }
    arena_free(&bytes);
    return at ? text : NULL;
}

/* The path of the host program: relative to the folder if it has a slash, else from
 * PATH. */
static const char *
program_path(struct keys *k, const char *name)
{
    const char *list = getenv("PATH");
    if (strchr(name, '/') || !list)
        return path_from(k, name);
    while (*list) {
        size_t n = strcspn(list, ":");
        const char *path =
            arena_printf(k->arena, "%.*s/%s", (int)n, list, name);
        if (n && access(path, X_OK) == 0)
            return path;
        list += n + (list[n] == ':');
    }
    return name;
}

static bool
add_file(struct keys *k, struct sha256 *s, const char *path)
{
    const char *key = file_key(k, path);
    if (key)
        sha256_add_sized(s, key, strlen(key));
    return key != NULL;
}

/* Adds a file that must exist. */
static bool
add_listed(struct keys *k, struct sha256 *s, const sweep_words *files)
{
    for (size_t i = 0; i < files->n; i++) {
        const char *path = path_from(k, files->at[i]);
        if (access(path, R_OK) != 0) {
            diag_report(k->sink, DIAG_ERROR,
                        (struct diag_at){ .file = k->plan->file },
                        "file '%s' is not there, or not readable", path);
            return false;
        }
        if (!add_file(k, s, path))
            return false;
    }
    return true;
}

/* Adds the words of a command, and the files in them: FILE, what:FILE and what=FILE. */
static bool
add_program(struct keys *k, struct sha256 *s, const struct sweep_program *p)
{
    sha256_add_sized(s, p->host ? "run" : "exec", p->host ? 3 : 4);
    for (size_t i = 0; i < p->words.n; i++) {
        const char *word = p->words.at[i], *part = word;
        sha256_add_sized(s, word, strlen(word));
        for (; part;
             part = strpbrk(part, ":=") ? strpbrk(part, ":=") + 1 : NULL)
            if (!add_file(k, s, path_from(k, part)))
                return false;
    }
    if (p->host && !strchr(p->words.at[0], '/') &&
        !add_file(k, s, program_path(k, p->words.at[0])))
        return false;
    return add_listed(k, s, &p->files) && add_listed(k, s, &k->plan->files);
}

/* Reports errors of a preset; those without a file refer to the line of the plan. */
static void
report_preset(struct keys *k, const struct diag_sink *own)
{
    for (const struct diag *d = own->first; d; d = d->next) {
        struct diag_at at = { d->file, d->line, d->col, d->line_text };
        diag_report(k->sink, d->severity, d->file ? at : k->plan->presets_at,
                    "%s", d->message);
    }
}

static const struct config *
preset_config(struct keys *k, const char *name)
{
    void **known = map_put(k->arena, &k->presets, name, strlen(name));
    if (*known)
        return *known;
    struct config *c = arena_new(k->arena, struct config, 1);
    config_defaults(c);
    bool file = strchr(name, '/') || strstr(name, ".ini");
    struct diag_sink own = { .arena = k->arena };
    if (!config_read(c, k->arena, file ? path_from(k, name) : name, &own) ||
        (k->plan->model && !config_set(c, k->arena, "engine=model", &own))) {
        report_preset(k, &own);
        return NULL;
    }
    return *known = c;
}

/* Adds all settings of a point, but not the name of the preset. */
static bool
add_device(struct keys *k, struct sha256 *s, struct sweep_point *p)
{
    const struct config *of_preset = preset_config(k, p->preset);
    if (!of_preset)
        return false;
    struct config c = *of_preset;
    assert(p->values || !k->plan->axes.n);
    for (size_t i = 0; i < k->plan->axes.n; i++) {
        const struct sweep_axis *axis = &k->plan->axes.at[i];
        const char *setting =
            arena_printf(k->arena, "%s=%s", axis->key, p->values[i]);
        struct diag_sink own = { .arena = k->arena };
        if (config_set(&c, k->arena, setting, &own))
            continue;
        diag_report(k->sink, DIAG_ERROR, axis->at, "%s", own.first->message);
        return false;
    }
    sha256_add(s, c.value, sizeof c.value);
    if (k->plan->metrics.n) {
        uint64_t *settings = arena_new(k->arena, uint64_t, CONFIG_KEYS);
        memcpy(settings, c.value, sizeof c.value);
        p->settings = settings;
    }
    return true;
}

static bool
add_key(struct keys *k, struct sweep_point *p)
{
    static const char version[] = "ventus sweep 1 " VENTUS_VERSION;
    struct sha256 s = sha256_begin();
    uint8_t digest[SHA256_SIZE];
    char *text = arena_new(k->arena, char, SHA256_TEXT);
    const char *tools = sweep_tools();
    sha256_add_sized(&s, version, sizeof version);
    sha256_add_sized(&s, tools, strlen(tools));
    if (!add_program(k, &s, p->program) || !add_device(k, &s, p))
        return false;
    sha256_end(&s, digest);
    sha256_text(digest, text);
    assert(strlen(text) == SHA256_TEXT - 1 &&
           "keys are SHA-256 in hexadecimal");
    p->key = text;
    return true;
}

/* The values of point `i` of a program and a preset. */
static const char *const *
values_of(struct arena *a, const struct sweep_plan *plan, size_t i)
{
    const char **values = arena_new(a, const char *, plan->axes.n + 1);
    for (size_t axis = plan->axes.n; axis-- > 0;) {
        const sweep_words *all = &plan->axes.at[axis].values;
        assert(all->n > 0);
        values[axis] = all->at[i % all->n];
        i /= all->n;
    }
    assert(i == 0 && "i is below the product of all axes");
    return values;
}

bool
sweep_plan_points(struct arena *a, const struct sweep_plan *plan,
                  struct sweep_points *points, struct diag_sink *sink)
{
    struct keys k = { .arena = a, .plan = plan, .sink = sink };
    size_t inner = 1;
    for (size_t i = 0; i < plan->axes.n && inner <= SWEEP_POINTS_MAX; i++)
        inner *= plan->axes.at[i].values.n;
    assert(plan->presets.n > 0 && plan->programs.n > 0);
    size_t each = inner * plan->presets.n;
    if (inner > SWEEP_POINTS_MAX || each > SWEEP_POINTS_MAX ||
        each * plan->programs.n > SWEEP_POINTS_MAX) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = plan->file },
                    "more than %d points", SWEEP_POINTS_MAX);
        return false;
    }
    points->n = each * plan->programs.n;
    points->at = arena_new(a, struct sweep_point, points->n);
    for (size_t i = 0; i < points->n; i++) {
        points->at[i] = (struct sweep_point){
            .program = &plan->programs.at[i / each],
            .preset = plan->presets.at[i % each / inner],
            .values = values_of(a, plan, i % inner),
        };
        if (!add_key(&k, &points->at[i]))
            return false;
    }
    return true;
}

static void
add_word(struct arena *a, sweep_words *to, const char *word)
{
    vec_push(a, to, word);
}

const char *const *
sweep_command(struct arena *a, const struct sweep_plan *plan,
              const struct sweep_point *point, const char *json)
{
    const struct sweep_program *p = point->program;
    sweep_words w = { 0 };
    assert(p->words.n > 0 && (json || !p->host));
    add_word(a, &w, "ventus");
    add_word(a, &w, p->host ? "run" : "exec");
    add_word(a, &w, plan->model ? "--model" : "--device");
    add_word(a, &w, point->preset);
    for (size_t i = 0; i < plan->axes.n; i++) {
        add_word(a, &w, "--set");
        add_word(
            a, &w,
            arena_printf(a, "%s=%s", plan->axes.at[i].key, point->values[i]));
    }
    add_word(a, &w, "--json");
    add_word(a, &w, p->host ? json : "--stats");
    if (p->host)
        add_word(a, &w, "--");
    for (size_t i = 0; i < p->words.n; i++)
        add_word(a, &w, p->words.at[i]);
    add_word(a, &w, NULL);
    return w.at;
}
