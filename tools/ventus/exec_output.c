/* SPDX-License-Identifier: Apache-2.0 */
/* --show and --dump of `ventus exec`, and checks that files can be written. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arith.h"
#include "base/file.h"
#include "base/output.h"
#include "command.h"
#include "dev/output/report.h"
#include "dev/spec.h"
#include "exec.h"

bool
exec_check_outputs(const struct exec *e, const struct spec *spec, size_t n)
{
    for (size_t i = 0; i < e->outputs.n; i++) {
        unsigned index = e->outputs.at[i].index;
        if (index >= n || spec[index].arg.kind != VENTUS_DEV_ARG_BUFFER) {
            fprintf(stderr,
                    "%s: --show, --dump: argument %u is no buffer; the first "
                    "is 0, %zu are given\n",
                    exec_name, index, n);
            return false;
        }
    }
    return true;
}

static bool
may_write(const char *path)
{
    if (!path || output_may_open(path))
        return true;
    fprintf(stderr, "%s: error: %s: cannot write: %s\n", exec_name, path,
            strerror(errno));
    return false;
}

/* A file that an option writes; path NULL: the option was not given. */
struct option_file {
    const char *option, *path;
};

struct outputs {
    vec(struct option_file) list;
    int status;
};

/* Whether two options write the same file.  Outputs that are written one after the
 * other, at the end, may both be standard output. */
static bool
is_same(const struct option_file *a, const struct option_file *b)
{
    bool dumps = strncmp(a->option, "dump", 4) == 0 ||
                 strncmp(b->option, "dump", 4) == 0;
    return file_is_same(a->path, b->path) ||
           (!dumps && strcmp(a->path, "-") == 0 && strcmp(b->path, "-") == 0);
}

/* Adds the file of an option, which must differ from those of earlier options. */
static void
add_path(struct exec *e, struct outputs *p, struct option_file new)
{
    if (!new.path || p->status)
        return;
    const char *expected = spec_other_format(new.option, new.path);
    if (expected) {
        fprintf(stderr, "%s: --%s: expected a file for %s, found '%s'\n",
                exec_name, new.option, expected, new.path);
        p->status = command_usage(exec_name);
    } else if (!may_write(new.path)) {
        p->status = 1;
    }
    for (size_t i = 0; i < p->list.n && !p->status; i++)
        if (is_same(&p->list.at[i], &new)) {
            fprintf(stderr, "%s: --%s and --%s would write one file, '%s'\n",
                    exec_name, p->list.at[i].option, new.option, new.path);
            p->status = command_usage(exec_name);
        }
    vec_push(&e->arena, &p->list, new);
}

int
exec_may_write(struct exec *e)
{
    const struct ventus_dev_record *r = &e->record;
    const struct option_file files[] = {
        { "log", e->log },
        { "issues", e->issues },
        { "trace", r->trace },
        { "konata", r->konata },
        { "events", r->events },
        { "report", r->report },
        { "sarif", e->check_sarif },
        { "check-json", e->check_json },
        { "json", e->json ? "-" : NULL },
    };
    struct outputs p = { .status = 0 };
    for (size_t i = 0; i < ARRAY_SIZE(files); i++)
        add_path(e, &p, files[i]);
    for (size_t i = 0; i < p.list.n; i++)
        e->piped |= strcmp(p.list.at[i].path, "-") == 0;
    for (size_t i = 0; i < e->outputs.n; i++)
        if (!e->outputs.at[i].show)
            add_path(e, &p,
                     (struct option_file){ "dump", e->outputs.at[i].what });
    for (size_t i = 0; i < e->dumps.n; i++)
        add_path(e, &p,
                 (struct option_file){ "dump-mem", e->dumps.at[i].file });
    return p.status;
}

FILE *
exec_text(const struct exec *e)
{
    return e->piped ? stderr : stdout;
}

bool
exec_write_outputs(struct exec *e, const struct spec *spec,
                   struct ventus_dev *dev)
{
    for (size_t i = 0; i < e->outputs.n; i++) {
        const struct exec_output *o = &e->outputs.at[i];
        const struct spec *s = &spec[o->index];
        uint8_t *bytes = arena_alloc(&e->arena, s->size, 1, 8);
        if (!ventus_dev_read(dev, s->arg.address, bytes, s->size))
            return exec_fail() == 0;
        if (o->show)
            spec_print(exec_text(e), o->what, bytes, s->size);
        if (!o->show && !file_write(o->what, bytes, s->size, &e->sink)) {
            diag_print(&e->sink, stderr, command_colour());
            return false;
        }
    }
    return true;
}

bool
exec_wants_both(const struct exec *e)
{
    return e->engine && strcmp(e->engine, "native") == 0 &&
           (e->stats || e->log || e->log_dir || e->issues || e->checked ||
            e->gdb);
}

void
exec_tell_share(const struct exec *e, struct ventus_dev *dev)
{
    if (!e->engine || strcmp(e->engine, "interpreter") == 0)
        return;
    struct ventus_dev_share s = ventus_dev_native_share(dev);
    char who[64];
    snprintf(who, sizeof who, "%s: --engine %s", exec_name, e->engine);
    report_share(stderr, who, &s);
}
