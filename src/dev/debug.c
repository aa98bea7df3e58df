/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/debug.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/oom.h"
#include "dev/error.h"
#include "dev/past.h"
#include "dev/print.h"
#include "dev/program.h"
#include "dev/queue.h"
#include "dev/recorder.h"
#include "dev/visit.h"
#include "gdb/gdb.h"
#include "gdb/image.h"
#include "obj/dwarf.h"
#include "obj/elf.h"

struct debug {
    struct gdb *gdb;
    struct gdb_launch launch; /* the one that runs */
    struct gdb_argument *arguments;
    struct print *print;
    struct arena arena; /* of what is kept of the program */
    struct gdb_source *sources;
    size_t n_sources;
    struct buf image; /* version 2: the program as GDB reads it */
    uint64_t kept_of; /* id of the program */
    bool visits;      /* it is a device for a launch again: see visit.h */
    struct gdb_past past;
};

bool
ventus_dev_debug(struct ventus_dev *d, const char *where, FILE *told)
{
    char text[512];
    if (!engine_can(&d->config, VENTUS_DEV_SANITIZES))
        return dev_fail("a debugger needs the functional machine (engine=sim)");
    if (d->debug)
        return dev_fail("a device has one debugger");
    struct debug *b = calloc(1, sizeof *b);
    if (!b)
        return dev_fail_memory("a debugger");
    b->gdb = gdb_open(where, told, text, sizeof text);
    if (!b->gdb) {
        free(b);
        return dev_fail("%s", text);
    }
    d->debug = b;
    d->gdb = b->gdb;
    return true;
}

void
debug_free(struct ventus_dev *d)
{
    if (!d->debug)
        return;
    if (!d->debug->visits)
        gdb_close(d->debug->gdb, 0);
    arena_free(&d->debug->arena);
    buf_free(&d->debug->image);
    free(d->debug);
    d->debug = NULL;
    d->gdb = NULL;
}

void
ventus_dev_debug_end(struct ventus_dev *d)
{
    queue_wait_all(d);
    turn_take(&d->turn);
    debug_free(d);
    turn_give(&d->turn);
}

/* ---- a launch ---- */

static void
drain(void *ctx, bool quiet)
{
    struct debug *b = ctx;
    b->print->quiet = quiet;
    print_drain(b->print);
    b->print->quiet = false;
}

static bool
describe(void *ctx, uint64_t pc, char *text, size_t size)
{
    return ventus_dev_describe(ctx, pc, text, size);
}

static const char *
kind_of(const struct ventus_dev_param *p, enum ventus_dev_arg_kind kind)
{
    static const char *const names[] = {
        [VENTUS_DEV_PARAM_VALUE] = "value",
        [VENTUS_DEV_PARAM_GLOBAL] = "global",
        [VENTUS_DEV_PARAM_CONSTANT] = "constant",
        [VENTUS_DEV_PARAM_LOCAL] = "local",
        [VENTUS_DEV_PARAM_IMAGE] = "image",
        [VENTUS_DEV_PARAM_SAMPLER] = "sampler",
    };
    if (p)
        return names[p->kind];
    return kind == VENTUS_DEV_ARG_BYTES   ? "value"
           : kind == VENTUS_DEV_ARG_LOCAL ? "local"
                                          : "global";
}

static void
describe_argument(const struct ventus_dev_ticket *t, size_t i,
                  struct gdb_argument *to)
{
    const struct ventus_dev_arg *a = &t->launch.args[i];
    const struct ventus_dev_kernel *k = t->launch.kernel;
    const struct ventus_dev_param *p = i < k->n_params ? &k->params[i] : NULL;
    *to = (struct gdb_argument){ .name = p ? p->name : "",
                                 .type = p ? p->type_name : "",
                                 .kind = kind_of(p, a->kind),
                                 .address = a->address,
                                 .size = a->size };
    if (a->kind == VENTUS_DEV_ARG_BYTES)
        to->bytes = a->bytes;
    if (a->kind != VENTUS_DEV_ARG_BUFFER && a->kind != VENTUS_DEV_ARG_POINTER)
        return;
    const struct space_range *r =
        a->address ? space_find_inside(&t->dev->space, a->address, 1) : NULL;
    to->size = r ? r->address + r->asked - a->address : 0;
}

static void
fill_print(const struct ventus_dev *d, struct debug *b, struct print *print)
{
    if (!print->launch) /* nothing is printed */
        return;
    const struct space_range *r =
        space_find_inside(&d->space, d->print.address, 1);
    assert(r);
    b->print = print;
    b->launch.drain = drain;
    b->launch.drain_ctx = b;
    b->launch.drained = &print->drained;
    b->launch.print_address = r->physical;
    b->launch.print_size = print->size;
}

/* ---- launches before it ---- */

static const char *
past_kernel(void *ctx, uint64_t number)
{
    const struct ventus_dev *d = ctx;
    const struct past *p = recorder_past(d->recorder);
    return number == p->launches ? d->debug->launch.kernel
                                 : past_find(p, number)->kernel;
}

/* The new device has the GDB of another one. */
static bool
lend_debugger(struct ventus_dev *d, const struct ventus_dev *present)
{
    struct debug *b = calloc(1, sizeof *b);
    if (!b)
        return dev_fail_memory("a debugger");
    b->gdb = present->debug->gdb;
    b->visits = true;
    d->debug = b;
    d->gdb = b->gdb;
    return true;
}

static bool
visit(void *ctx, uint64_t number, char *text, size_t size)
{
    struct ventus_dev *d = ctx;
    return visit_launch(d, past_find(recorder_past(d->recorder), number),
                        lend_debugger, text, size);
}

static void
fill_past(struct ventus_dev *d, struct debug *b)
{
    const struct past *p = d->recorder ? recorder_past(d->recorder) : NULL;
    if (!p)
        return;
    b->past = (struct gdb_past){ .ctx = d,
                                 .first = p->launches - p->n,
                                 .number = p->launches,
                                 .kernel = past_kernel,
                                 .visit = visit };
    b->launch.past = &b->past;
}

/* Without GDB no launch is kept. */
static void
forget_past(struct ventus_dev *d, const struct debug *b)
{
    struct past *p = d->recorder ? recorder_past(d->recorder) : NULL;
    if (!p || !gdb_is_gone(b->gdb))
        return;
    past_free(p);
    p->most_B = 0;
}

/* ---- the program ---- */

struct reading {
    struct debug *b;
    const struct elf *elf;
    bool wide;
};

static void
read_sources(struct debug *b, const struct elf *elf)
{
    struct arena *a = &b->arena;
    struct diag_sink quiet = { .arena = a };
    struct dwarf_lines lines;
    if (!dwarf_line_read(a, elf, &lines, &quiet))
        return;
    b->sources = arena_new(a, struct gdb_source, lines.n_files);
    for (size_t i = 0; i < lines.n_files; i++)
        if (lines.file[i].source[0])
            b->sources[b->n_sources++] =
                (struct gdb_source){ lines.file[i].name, lines.file[i].source };
}

static void
read_program(void *ctx)
{
    const struct reading *r = ctx;
    read_sources(r->b, r->elf);
    if (r->wide)
        gdb_image_as_64(r->elf, &r->b->image);
}

/* Without host memory there is nothing of it. */
static void
keep_program(struct debug *b, const struct elf *elf, uint64_t id, bool wide)
{
    struct reading r = { b, elf, wide };
    if (b->kept_of != id) {
        arena_free(&b->arena);
        b->n_sources = b->image.n = 0;
        b->kept_of = id;
        if (!oom_call(read_program, &r))
            b->n_sources = b->image.n = 0;
    }
    b->launch.sources = b->sources;
    b->launch.n_sources = b->n_sources;
    b->launch.elf = wide ? b->image.at : elf->image;
    b->launch.elf_B = wide ? b->image.n : elf->size;
}

const struct ventus_sim_watch *
debug_begin(struct ventus_dev_ticket *t, const struct ventus_sim_watch *check,
            struct print *print)
{
    struct debug *b = t->dev->debug;
    const struct ventus_dev_launch *l = &t->launch;
    const struct elf *elf = program_elf(l->kernel->program);
    b->arguments = calloc(l->n_args + 1, sizeof *b->arguments);
    b->launch = (struct gdb_launch){
        .kernel = l->kernel->name,
        .program = program_name(l->kernel->program),
        .id = (uint64_t)hash_bytes(elf->image, elf->size) << 32 | elf->size,
        .code = DEV_CODE,
        .entry = l->kernel->entry,
        .dim = l->work_dim,
        .arguments = b->arguments,
        .n_arguments = b->arguments ? l->n_args : 0,
        .describe = describe,
        .describe_ctx = l->kernel->program,
    };
    keep_program(b, elf, b->launch.id,
                 t->dev->config.value[CONFIG_isa] == VENTUS_ISA_V2 &&
                     !elf->is_64);
    memcpy(b->launch.global, l->global, sizeof l->global);
    memcpy(b->launch.local, l->local, sizeof l->local);
    memcpy(b->launch.offset, l->offset, sizeof l->offset);
    for (size_t i = 0; i < b->launch.n_arguments; i++)
        describe_argument(t, i, &b->arguments[i]);
    fill_print(t->dev, b, print);
    fill_past(t->dev, b);
    return gdb_begin(b->gdb, &b->launch, check);
}

void
debug_end(struct ventus_dev_ticket *t)
{
    struct debug *b = t->dev->debug;
    gdb_end(b->gdb);
    forget_past(t->dev, b);
    free(b->arguments);
    b->arguments = NULL;
    b->print = NULL;
}
