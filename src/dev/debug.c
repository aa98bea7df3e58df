/* SPDX-License-Identifier: Apache-2.0 */
/* A device under a debugger: what src/gdb is told of its launches. */
#include <ventus/dev.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/oom.h"
#include "dev/capture/past.h"
#include "dev/capture/recorder.h"
#include "dev/capture/rerun.h"
#include "dev/error.h"
#include "dev/observer.h"
#include "dev/program.h"
#include "dev/queue.h"
#include "dev/ticket.h"
#include "gdb/gdb.h"
#include "gdb/image.h"
#include "obj/dwarf.h"
#include "obj/elf.h"

struct debug {
    struct ventus_dev *dev;
    struct gdb *gdb;
    struct gdb_launch launch; /* the one that runs */
    struct gdb_argument *arguments;
    struct print *print; /* of the launch that runs, if it prints */
    struct arena arena;  /* of what is kept of the program */
    struct gdb_source *sources;
    size_t n_sources;
    struct buf image; /* version 2: the program as GDB reads it */
    uint64_t kept_of; /* id of the program */
    bool reruns;      /* the device runs a launch again: capture/rerun.h */
    struct gdb_past past;
};

/* ---- a launch ---- */

static void
debug_drain(void *ctx, bool quiet)
{
    struct debug *b = ctx;
    b->print->quiet = quiet;
    print_drain(b->print);
    b->print->quiet = false;
}

static bool
debug_describe_pc(void *ctx, uint64_t pc, char *text, size_t size)
{
    return ventus_dev_describe(ctx, pc, text, size);
}

static const char *
argument_kind(const struct ventus_dev_param *p, enum ventus_dev_arg_kind kind)
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
                                 .kind = argument_kind(p, a->kind),
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
describe_print(const struct ventus_dev *d, struct debug *b, struct print *print)
{
    if (!print->launch) /* nothing is printed */
        return;
    const struct space_range *r =
        space_find_inside(&d->space, d->print.address, 1);
    assert(r);
    b->print = print;
    b->launch.drain = debug_drain;
    b->launch.drain_ctx = b;
    b->launch.drained = &print->drained;
    b->launch.print_address = r->physical;
    b->launch.print_size = print->size;
}

/* ---- launches before it ---- */

static bool
debug_attach(struct ventus_dev *d, struct gdb *gdb, bool reruns);

static const char *
debug_past_kernel(void *ctx, uint64_t number)
{
    const struct debug *b = ctx;
    const struct past *p = recorder_past(b->dev);
    return number == p->launches ? b->launch.kernel
                                 : past_find(p, number)->kernel;
}

/* The new device has the GDB of this one. */
static bool
lend_debugger(void *ctx, struct ventus_dev *d)
{
    const struct debug *b = ctx;
    return debug_attach(d, b->gdb, true);
}

static bool
debug_rerun(void *ctx, uint64_t number, char *text, size_t size)
{
    struct debug *b = ctx;
    return rerun_launch(past_find(recorder_past(b->dev), number), lend_debugger,
                        b, text, size);
}

static void
describe_past(struct debug *b)
{
    const struct past *p = recorder_past(b->dev);
    if (!p)
        return;
    b->past = (struct gdb_past){ .ctx = b,
                                 .first = p->launches - p->n,
                                 .number = p->launches,
                                 .kernel = debug_past_kernel,
                                 .rerun = debug_rerun };
    b->launch.past = &b->past;
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
describe_program(struct debug *b, const struct elf *elf, uint64_t id, bool wide)
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

static void
debug_launch_begins(void *ctx, struct ventus_dev_ticket *t)
{
    struct debug *b = ctx;
    const struct ventus_dev_launch *l = &t->launch;
    if (l->bare)
        return;
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
        .describe = debug_describe_pc,
        .describe_ctx = l->kernel->program,
    };
    describe_program(b, elf, b->launch.id,
                     t->dev->config.value[CONFIG_isa] == VENTUS_ISA_V2 &&
                         !elf->is_64);
    memcpy(b->launch.global, l->global, sizeof l->global);
    memcpy(b->launch.local, l->local, sizeof l->local);
    memcpy(b->launch.offset, l->offset, sizeof l->offset);
    for (size_t i = 0; i < b->launch.n_arguments; i++)
        describe_argument(t, i, &b->arguments[i]);
    describe_print(t->dev, b, &t->print);
    describe_past(b);
    t->hooks.instrumentation =
        gdb_begin(b->gdb, &b->launch, t->hooks.instrumentation);
}

static void
debug_launch_ends(void *ctx, struct ventus_dev_ticket *t)
{
    struct debug *b = ctx;
    if (t->launch.bare)
        return;
    gdb_end(b->gdb);
    struct past *past = recorder_past(b->dev);
    if (past && gdb_is_gone(b->gdb)) { /* nobody goes back to launches */
        past_free(past);
        past->max_B = 0;
    }
    free(b->arguments);
    b->arguments = NULL;
    b->print = NULL;
}

/* ---- the observer ---- */

static void
debug_found(void *ctx, int lane, const char *text)
{
    const struct debug *b = ctx;
    gdb_notice(b->gdb, lane, text);
}

static void
debug_closed(void *ctx)
{
    struct debug *b = ctx;
    if (!b->reruns)
        gdb_close(b->gdb, 0);
    arena_free(&b->arena);
    buf_free(&b->image);
    free(b);
}

static const struct dev_observer debug_observer = {
    .launch_begins = debug_launch_begins,
    .launch_ends = debug_launch_ends,
    .found = debug_found,
    .closed = debug_closed,
};

static bool
debug_attach(struct ventus_dev *d, struct gdb *gdb, bool reruns)
{
    struct debug *b = calloc(1, sizeof *b);
    if (!b)
        return dev_fail_memory("a debugger");
    b->dev = d;
    b->gdb = gdb;
    b->reruns = reruns;
    dev_observe(d, OBSERVER_DEBUGGER, &debug_observer, b);
    return true;
}

bool
ventus_dev_debug(struct ventus_dev *d, const char *where, FILE *told)
{
    char text[512];
    if (!engine_can(&d->config, VENTUS_DEV_SANITIZES))
        return dev_fail("a debugger needs the functional machine (engine=sim)");
    if (d->config.value[CONFIG_execution] == EXECUTION_NATIVE)
        return dev_fail("a debugger needs instructions that are interpreted, "
                        "but execution = native");
    if (dev_observer(d, OBSERVER_DEBUGGER))
        return dev_fail("a device has one debugger");
    struct gdb *gdb = gdb_open(where, told, text, sizeof text);
    if (!gdb)
        return dev_fail("%s", text);
    ticket_lock_acquire(&d->lock);
    bool ok = debug_attach(d, gdb, false);
    ticket_lock_release(&d->lock);
    if (!ok)
        gdb_close(gdb, 0);
    return ok;
}

void
ventus_dev_debug_end(struct ventus_dev *d)
{
    queue_wait_all(d);
    ticket_lock_acquire(&d->lock);
    struct debug *b = dev_observer(d, OBSERVER_DEBUGGER);
    dev_observe_end(d, OBSERVER_DEBUGGER);
    if (b)
        debug_closed(b);
    ticket_lock_release(&d->lock);
}
