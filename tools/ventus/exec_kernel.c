/* SPDX-License-Identifier: Apache-2.0 */
/* ventus exec for a program: arguments in, launch, results out. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "dev/output/report.h"
#include "dev/preview.h"
#include "dev/spec.h"
#include "exec.h"
#include "obj/note.h"

struct run {
    struct exec *e;
    struct ventus_dev *dev;
    struct ventus_dev_program *program;
    const struct ventus_dev_kernel *kernel;
    struct spec *spec;
    struct ventus_dev_arg *args;
    struct exec_launch launched;
};

/* The version that the program was built for; 0: not recorded. */
static unsigned
version_of(struct exec *e, const uint8_t *image, size_t size)
{
    struct elf elf;
    struct diag_sink quiet = { .arena = &e->arena };
    unsigned isa = e->version;
    if (!isa && elf_read(&e->arena, e->files[0], image, size, &elf, &quiet))
        note_read_isa(&elf, &isa, &quiet);
    return isa;
}

static bool
open_device(struct run *r, const uint8_t *image, size_t size)
{
    struct exec *e = r->e;
    vec(const char *) set = { 0 };
    unsigned isa = version_of(e, image, size);
    if (isa)
        vec_push(&e->arena, &set, arena_printf(&e->arena, "isa=v%u", isa));
    if (e->log)
        vec_push(&e->arena, &set, "round_robin=yes");
    for (size_t i = 0; i < e->set.n; i++)
        vec_push(&e->arena, &set, e->set.at[i]);
    r->dev = ventus_dev_open(&(struct ventus_dev_options){
        .config = e->device, .set = set.at, .n_set = set.n });
    if (!r->dev || !exec_check(e, r->dev) || !exec_recorder(e, r->dev) ||
        (e->gdb && !ventus_dev_debug(r->dev, e->gdb, stderr)))
        return false;
    bool is_stdin = strcmp(e->files[0], "-") == 0;
    r->program = ventus_dev_load(r->dev, image, size,
                                 is_stdin ? "<stdin>" : e->files[0]);
    r->kernel = r->program ? ventus_dev_find(r->program, e->kernel) : NULL;
    return r->kernel != NULL;
}

/* Writes a buffer.  Zeros are not written, as new memory is zero and costs the host
 * nothing until it is accessed; checks are told that they count as written. */
static bool
write_buffer(const struct run *r, const struct spec *s)
{
    if (s->bytes)
        return ventus_dev_write(r->dev, s->arg.address, s->bytes, s->size);
    return !r->e->checked ||
           ventus_dev_fill(r->dev, s->arg.address, "", 1, s->size);
}

static bool
make_args(struct run *r)
{
    struct exec *e = r->e;
    for (size_t i = 0; i < e->args.n; i++) {
        struct spec *s = &r->spec[i];
        if (s->arg.kind == VENTUS_DEV_ARG_BUFFER) {
            s->arg.address = ventus_dev_alloc(r->dev, s->size, 0);
            if (!s->arg.address || !write_buffer(r, s))
                return false;
        }
        r->args[i] = s->arg;
    }
    return true;
}

/* Refuses kernels with parameters for which there is no --arg; false: refused, which
 * is reported. */
static bool
may_have_args(const struct run *r)
{
    const struct ventus_dev_kernel *k = r->kernel;
    for (size_t i = 0; i < k->n_params; i++) {
        const struct ventus_dev_param *p = &k->params[i];
        if (p->kind != VENTUS_DEV_PARAM_IMAGE)
            continue;
        fprintf(stderr,
                "exec: error: kernel '%s': argument %zu %s is an image (%s), "
                "which --arg cannot make: expected an OpenCL program, which "
                "`ventus run` runs, or a kernel of buffers\n",
                k->name, i, p->name, p->type_name);
        return false;
    }
    return true;
}

/* Adds a suggestion to the message about a value of another size. */
static void
suggest_bytes(const struct run *r)
{
    const struct ventus_dev_kernel *k = r->kernel;
    const struct ventus_dev_launch *l = &r->launched.launch;
    for (size_t i = 0; l->n_args == k->n_params && i < l->n_args; i++)
        if (k->params[i].kind == VENTUS_DEV_PARAM_VALUE &&
            l->args[i].kind == VENTUS_DEV_ARG_BYTES &&
            l->args[i].size != k->params[i].size_B) {
            fprintf(
                stderr,
                "exec: note: --arg bytes:HEX gives the %u bytes of argument "
                "%zu as they are in memory\n",
                k->params[i].size_B, i);
            return;
        }
}

/* Prepares the launch.  False: it is refused, and writes no files. */
static bool
prepare_launch(struct run *r)
{
    const struct exec *e = r->e;
    struct ventus_dev_launch *l = &r->launched.launch;
    r->launched.e = r->e;
    r->launched.dev = r->dev;
    *l = (struct ventus_dev_launch){
        .kernel = r->kernel,
        .work_dim = e->work_dim,
        .args = r->args,
        .n_args = e->args.n,
    };
    memcpy(l->global, e->grid, sizeof l->global);
    memcpy(l->local, e->local, sizeof l->local);
    memcpy(l->offset, e->offset, sizeof l->offset);
    if (launch_may_run(r->dev, l))
        return true;
    snprintf(r->launched.result.message, sizeof r->launched.result.message,
             "%s", ventus_dev_message());
    return false;
}

static int
finish_run(struct run *r, bool ok)
{
    const struct exec *e = r->e;
    unsigned lanes = (unsigned)ventus_dev_setting(r->dev, "num_thread");
    if (!ok && r->launched.result.message[0])
        fprintf(stderr, "exec: error: %s\n", r->launched.result.message);
    if (!ok)
        suggest_bytes(r);
    else
        report_notes(stderr, "exec: warning", &r->launched.result);
    ok = exec_write_outputs(r->e, r->spec, r->dev) && ok;
    if (e->json)
        report_json(stdout, r->kernel->name, &r->launched.result, lanes,
                    e->stats);
    else if (e->stats)
        report_stats(exec_text(e), &r->launched.result, lanes);
    if (e->hot && !e->json)
        report_hot(exec_text(e), &r->launched.result);
    exec_tell_share(e, r->dev);
    ok = exec_record_end(r->dev) && ok;
    ok = exec_recorder_end(r->e) && ok;
    ok = exec_check_end(e, r->dev) && ok;
    return exec_status(ok);
}

/* The version of the preset on the command line; 0: none is given. */
static unsigned
version_of_device(struct exec *e)
{
    if (!e->device)
        return 0;
    struct ventus_dev *d = ventus_dev_open(&(struct ventus_dev_options){
        .config = e->device, .set = e->set.at, .n_set = e->set.n });
    unsigned version = d ? (unsigned)ventus_dev_setting(d, "isa") : 0;
    /* Errors are reported when the device is opened again. */
    ventus_dev_close(d);
    return version;
}

int
exec_kernel(struct exec *e)
{
    struct run r = { .e = e };
    size_t size;
    int status = 1;
    r.spec = arena_new(&e->arena, struct spec, e->args.n);
    r.args = arena_new(&e->arena, struct ventus_dev_arg, e->args.n);
    for (size_t i = 0; i < e->args.n; i++)
        if (!spec_parse(&e->arena, e->args.at[i], &r.spec[i], &e->sink)) {
            diag_print(&e->sink, stderr, command_colour());
            /* An unreadable file is wrong input, anything else a wrong command line. */
            return strncmp(e->args.at[i], "buf:", 4) == 0 ? 1 : 2;
        }
    if (!exec_check_outputs(e, r.spec, e->args.n))
        return 2;
    if (!e->version)
        e->version = version_of_device(e);
    const uint8_t *image = exec_build(e, e->files[0], &size);
    if (!image)
        return 1;
    r.launched.profile = e->hot ? ventus_dev_profile_new() : NULL;
    if (!open_device(&r, image, size))
        exec_fail();
    else if (!may_have_args(&r))
        status = 1;
    else if (!make_args(&r))
        exec_fail();
    else if (!prepare_launch(&r))
        status = finish_run(&r, false);
    else if (exec_record(e, r.dev))
        status = finish_run(&r, exec_launch(&r.launched));
    exec_recorder_end(e);
    ventus_dev_close(r.dev);
    ventus_dev_profile_free(r.launched.profile);
    return status;
}
