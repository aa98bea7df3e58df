/* SPDX-License-Identifier: Apache-2.0 */
/* --show and --dump of `ventus exec`, and whether its files can be written. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "command.h"
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
    if (!path || file_may_write(path))
        return true;
    fprintf(stderr, "exec: error: %s: cannot write: %s\n", path,
            strerror(errno));
    return false;
}

struct paths {
    vec(const char *) list;
};

/* Files of earlier options are not those of a later one; NULL: it was not given. */
static bool
add_path(struct exec *e, struct paths *p, const char *path)
{
    if (!path)
        return true;
    if (!may_write(path))
        return false;
    for (size_t i = 0; i < p->list.n; i++)
        if (file_is_same(p->list.at[i], path)) {
            fprintf(stderr,
                    "exec: error: %s: two options would write this file\n",
                    path);
            return false;
        }
    vec_push(&e->arena, &p->list, path);
    return true;
}

bool
exec_may_write(struct exec *e)
{
    const struct ventus_dev_record *r = &e->record;
    const char *const files[] = { e->log,         e->issues, e->check_json,
                                  e->check_sarif, r->trace,  r->konata,
                                  r->events,      r->report };
    struct paths p = { 0 };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!add_path(e, &p, files[i]))
            return false;
    for (size_t i = 0; i < e->outputs.n; i++)
        if (!e->outputs.at[i].show && !add_path(e, &p, e->outputs.at[i].what))
            return false;
    for (size_t i = 0; i < e->dumps.n; i++)
        if (!add_path(e, &p, e->dumps.at[i].file))
            return false;
    return true;
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
            spec_print(stdout, o->what, bytes, s->size);
        if (!o->show && !file_write(o->what, bytes, s->size, &e->sink)) {
            diag_print(&e->sink, stderr, command_colour());
            return false;
        }
    }
    return true;
}
