/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/record.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ventus/version.h>

#include "base/json_read.h"
#include "sweep/tools.h"

/* The limit of messages in a record: the last bytes are kept. */
enum { ERROR_MAX = 2000 };

struct launch {
    const char *text;
    size_t n;
};

struct launches {
    struct arena *arena;
    vec(struct launch) list;
};

/* Adds an element of the member `kernels` in a host program's file. */
static void
take_kernel(void *ctx, const char *path, const char *begin, const char *end)
{
    struct launches *l = ctx;
    if (strncmp(path, "kernels.", 8) == 0 && !strchr(path + 8, '.'))
        vec_push(l->arena, &l->list,
                 ((struct launch){ begin, (size_t)(end - begin) }));
}

static void
find_launches(struct launches *l, const struct sweep_end *end)
{
    struct json_reader file = { .at = end->json,
                                .list = take_kernel,
                                .ctx = l };
    if (end->json) {
        if (!json_read(&file))
            l->list.n = 0;
        return;
    }
    for (const char *line = end->out; *line; line += *line == '\n') {
        struct json_reader r = { .at = line, .one_line = true };
        if (*line == '{' && json_read(&r) && (*r.at == '\n' || !*r.at))
            vec_push(l->arena, &l->list,
                     ((struct launch){ line, strcspn(line, "\n") }));
        line += strcspn(line, "\n");
    }
}

/* The reason why there is no result; NULL: there is one. */
static const char *
what_is_wrong(struct arena *a, const struct sweep_end *end, size_t launches)
{
    size_t n = strlen(end->err);
    const char *tail = end->err + (n > ERROR_MAX ? n - ERROR_MAX : 0);
    if (end->not_started)
        return arena_printf(a, "cannot be started: %s",
                            strerror(end->not_started));
    if (end->late)
        return arena_printf(a, "not done within the limit of time\n%s", tail);
    if (end->signal)
        return arena_printf(a, "signal %d (%s)\n%s", end->signal,
                            strsignal(end->signal), tail);
    if (end->exit)
        return *tail ? tail : arena_printf(a, "exit status %d", end->exit);
    return launches ? NULL : "no launch of a kernel";
}

static void
put_origin(struct json *j, const struct sweep_end *end)
{
    char host[256] = "", date[32] = "";
    struct tm tm;
    time_t began = (time_t)end->began;
    gethostname(host, sizeof host - 1);
    if (gmtime_r(&began, &tm))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &tm);
    json_string(j, "command", end->command);
    json_string(j, "version", VENTUS_VERSION);
    json_string(j, "commit", sweep_commit);
    json_string(j, "tools", sweep_tools());
    json_string(j, "host", host);
    json_string(j, "began", date);
    json_real(j, "seconds", end->seconds, 6);
    json_real(j, "cpu_seconds", end->cpu_seconds, 6);
}

/* Writes a launch on one line: in JSON line ends can become spaces. */
static void
put_launch(struct json *j, struct arena *a, const struct launch *l)
{
    char *text = arena_strndup(a, l->text, l->n);
    for (char *at = text; (at = strpbrk(at, "\r\n"));)
        *at = ' ';
    json_raw(j, NULL, text, l->n);
}

bool
record_write(struct json *j, const struct sweep_plan *plan,
             const struct sweep_point *point, const struct sweep_end *end)
{
    struct arena a = { 0 };
    struct launches launches = { .arena = &a };
    find_launches(&launches, end);
    const char *wrong = what_is_wrong(&a, end, launches.list.n);
    json_object(j, NULL);
    json_string(j, "key", point->key);
    json_string(j, "status", wrong ? "failed" : "ok");
    json_string(j, "error", wrong);
    json_signed(j, "exit", end->signal ? -1 : end->exit);
    json_string(j, "program", point->program->name);
    json_string(j, "preset", point->preset);
    json_object(j, "settings");
    for (size_t i = 0; i < plan->axes.n; i++)
        json_string(j, plan->axes.at[i].key, point->values[i]);
    json_end(j);
    put_origin(j, end);
    json_array(j, "launches");
    for (size_t i = 0; i < launches.list.n; i++)
        put_launch(j, &a, &launches.list.at[i]);
    json_end(j);
    json_end(j);
    arena_free(&a);
    return !wrong;
}
