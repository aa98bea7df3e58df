/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of a launch before it enters the queue.  They test only properties that
 * cannot change any more, so they wait for no running launch.  The test that the
 * buffers exist follows when the launch begins.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "dev/error.h"
#include "dev/print.h"
#include "dev/validate.h"

enum { LEAST_PRINT_B = PRINT_HEADER_B + 4 }; /* a record is a word at least */

static const char *
kernel_name(const struct ventus_dev_launch *l)
{
    return l->kernel ? l->kernel->name : "<bare>";
}

void
ventus_dev_choose_local(const struct ventus_dev *d,
                        const struct ventus_dev_kernel *k,
                        const uint64_t global[3], uint64_t local[3])
{
    uint64_t width = 4 * d->config.value[CONFIG_num_thread];
    for (int i = 0; i < 3; i++)
        local[i] = k->required_wg[i] ? k->required_wg[i] : 1;
    if (k->required_wg[0])
        return;
    local[0] = global[0] < width ? global[0] : width;
    while (k->uniform_groups && global[0] % local[0])
        local[0]--;
}

static bool
check_uniform(const struct ventus_dev_launch *l)
{
    for (unsigned i = 0; i < 3 && l->kernel->uniform_groups; i++)
        if (l->global[i] % l->local[i])
            return dev_fail("kernel '%s': global size %" PRIu64
                            " is no multiple of local size %" PRIu64
                            ", which it requires (compiled for OpenCL C "
                            "before 2.0 or -cl-uniform-work-group-size)",
                            l->kernel->name, l->global[i], l->local[i]);
    return true;
}

static bool
check_required(const struct ventus_dev_kernel *k, const uint32_t *local)
{
    if (!k->required_wg[0])
        return true;
    for (int i = 0; i < 3; i++)
        if (local[i] != (k->required_wg[i] ? k->required_wg[i] : 1))
            return dev_fail("kernel '%s': local size %u,%u,%u, it requires "
                            "%u,%u,%u",
                            k->name, local[0], local[1], local[2],
                            k->required_wg[0], k->required_wg[1],
                            k->required_wg[2]);
    return true;
}

static bool
check_sizes(struct ventus_dev_ticket *t)
{
    struct ventus_dev_launch *l = &t->launch;
    const char *name = kernel_name(l);
    if (l->work_dim < 1 || l->work_dim > 3)
        return dev_fail("kernel '%s': %u dimensions, 1 to 3 are possible", name,
                        l->work_dim);
    bool chosen = !l->local[0] && !l->local[1] && !l->local[2];
    for (unsigned i = 0; i < 3; i++)
        if (!l->global[i] || i >= l->work_dim)
            l->global[i] = 1;
    if (chosen)
        ventus_dev_choose_local(t->dev, l->kernel, l->global, l->local);
    uint64_t items = 1;
    for (unsigned i = 0; i < 3; i++) {
        if (!l->local[i] || i >= l->work_dim)
            l->local[i] = 1;
        if (l->global[i] + l->offset[i] > UINT32_MAX ||
            l->global[i] > UINT32_MAX || l->offset[i] > UINT32_MAX)
            return dev_fail("kernel '%s': global size %" PRIu64
                            " and offset %" PRIu64 " are above 32 bits",
                            name, l->global[i], l->offset[i]);
        if (l->local[i] > UINT16_MAX)
            return dev_fail("kernel '%s': local size %" PRIu64 " is too large",
                            name, l->local[i]);
        t->run.launch.local[i] = (uint32_t)l->local[i];
        t->run.launch.grid[i] =
            (uint32_t)((l->global[i] + l->local[i] - 1) / l->local[i]);
        items *= l->local[i];
    }
    uint64_t lanes = t->dev->config.value[CONFIG_num_thread];
    uint64_t slots = t->dev->config.value[CONFIG_num_warp];
    const uint64_t default_items = 1024; /* of configs/default.ini */
    if (items > lanes * slots)
        return dev_fail("kernel '%s': a workgroup of %" PRIu64
                        " work-items, an SM has room for %" PRIu64
                        " (num_warp * num_thread)%s",
                        name, items, lanes * slots,
                        items <= default_items
                            ? "; the preset 'default' has for 1024"
                            : "");
    t->run.launch.warps = (unsigned)((items + lanes - 1) / lanes);
    assert(t->run.launch.warps > 0 && t->run.launch.warps <= slots);
    return check_required(l->kernel, t->run.launch.local) && check_uniform(l);
}

/* ---- arguments ---- */

/* Largest alignment, and largest size of all arguments together. */
enum { MAX_ARGS_B = 1 << 20 };

/* The next power of two, 4 to 128: what a scalar of this size is aligned to. */
static uint32_t
natural_align(uint64_t size)
{
    uint32_t align = 4;
    while (align < size && align < 128)
        align *= 2;
    return align;
}

static const struct ventus_dev_param *
param_of(const struct ventus_dev_kernel *k, size_t i)
{
    return i < k->n_params ? &k->params[i] : NULL;
}

static bool
fail_arg(const struct ventus_dev_launch *l, size_t i, const char *what)
{
    const struct ventus_dev_param *p = param_of(l->kernel, i);
    return dev_fail("kernel '%s': argument %zu%s%s: %s", l->kernel->name, i,
                    p && p->name[0] ? " " : "", p ? p->name : "", what);
}

static bool
check_arg(const struct ventus_dev_launch *l, size_t i)
{
    static const char *const wanted[] = {
        [VENTUS_DEV_PARAM_VALUE] = "expected bytes, it is a value",
        [VENTUS_DEV_PARAM_GLOBAL] = "expected a buffer",
        [VENTUS_DEV_PARAM_CONSTANT] = "expected a buffer",
        [VENTUS_DEV_PARAM_LOCAL] = "expected a size of local memory",
        [VENTUS_DEV_PARAM_IMAGE] = "expected the buffer of an image descriptor",
        [VENTUS_DEV_PARAM_SAMPLER] = "expected bytes, it is a sampler",
    };
    const struct ventus_dev_arg *a = &l->args[i];
    const struct ventus_dev_param *p = param_of(l->kernel, i);
    if (a->align & (a->align - 1))
        return fail_arg(l, i, "alignment is no power of two");
    if (a->align > MAX_ARGS_B)
        return fail_arg(l, i, "alignment above 1048576");
    if (a->kind == VENTUS_DEV_ARG_LOCAL && !a->size)
        return fail_arg(l, i, "local memory of size 0");
    if (a->kind == VENTUS_DEV_ARG_BYTES && (!a->size || !a->bytes))
        return fail_arg(l, i, "no bytes");
    if (a->kind == VENTUS_DEV_ARG_BYTES && a->size > MAX_ARGS_B)
        return fail_arg(l, i, "more than 1048576 bytes");
    if (!p)
        return true;
    enum ventus_dev_arg_kind kind = VENTUS_DEV_ARG_BUFFER;
    if (p->kind == VENTUS_DEV_PARAM_VALUE ||
        p->kind == VENTUS_DEV_PARAM_SAMPLER)
        kind = VENTUS_DEV_ARG_BYTES;
    else if (p->kind == VENTUS_DEV_PARAM_LOCAL)
        kind = VENTUS_DEV_ARG_LOCAL;
    bool pointer = a->kind == VENTUS_DEV_ARG_POINTER &&
                   (p->kind == VENTUS_DEV_PARAM_GLOBAL ||
                    p->kind == VENTUS_DEV_PARAM_CONSTANT);
    if (a->kind != kind && !pointer)
        return fail_arg(l, i, wanted[p->kind]);
    if (kind == VENTUS_DEV_ARG_BYTES && a->size != p->size_B)
        return dev_fail(
            "kernel '%s': argument %zu %s: expected %u byte%s%s%s%s, "
            "found %" PRIu64,
            l->kernel->name, i, p->name, p->size_B, text_plural(p->size_B),
            p->type_name[0] ? " (" : "", p->type_name,
            p->type_name[0] ? ")" : "", a->size);
    return true;
}

uint32_t
launch_pointer_B(const struct ventus_dev_ticket *t,
                 enum ventus_dev_arg_kind kind)
{
    bool wide = t->dev->config.value[CONFIG_isa] == VENTUS_ISA_V2;
    bool pointer =
        kind == VENTUS_DEV_ARG_BUFFER || kind == VENTUS_DEV_ARG_POINTER;
    return wide && pointer ? 8 : 4;
}

/* "expected 2 arguments (in: float*, n: int), found 0" */
static bool
fail_count(const struct ventus_dev_launch *l)
{
    const struct ventus_dev_kernel *k = l->kernel;
    char list[1024] = "";
    for (size_t i = 0; i < k->n_params; i++) {
        const struct ventus_dev_param *p = &k->params[i];
        if (p->name[0] || p->type_name[0])
            text_append_item(list, sizeof list, "%s%s%s%s", *list ? ", " : " (",
                             p->name, p->name[0] && p->type_name[0] ? ": " : "",
                             p->type_name);
    }
    return dev_fail("kernel '%s': expected %zu argument%s%s%s, found %zu",
                    k->name, k->n_params, text_plural(k->n_params), list,
                    *list ? ")" : "", l->n_args);
}

/* Copies the arguments, chooses alignments, adds up their memory. */
static bool
copy_args(struct ventus_dev_ticket *t)
{
    struct ventus_dev_launch *l = &t->launch;
    const struct ventus_dev_kernel *k = l->kernel;
    if (k->n_params && l->n_args != k->n_params)
        return fail_count(l);
    struct ventus_dev_arg *copy =
        arena_new(&t->arena, struct ventus_dev_arg, l->n_args);
    for (size_t i = 0; i < l->n_args; i++) {
        if (!check_arg(l, i))
            return false;
        copy[i] = l->args[i];
        struct ventus_dev_arg *a = &copy[i];
        const struct ventus_dev_param *p = param_of(k, i);
        if (a->kind == VENTUS_DEV_ARG_BYTES) {
            a->bytes = arena_strndup(&t->arena, a->bytes, a->size);
            if (!a->align)
                a->align = p ? p->align_B : natural_align(a->size);
        }
        if (a->align < 4)
            a->align = 4;
        uint32_t pointer_B = launch_pointer_B(t, a->kind);
        uint64_t size = a->kind == VENTUS_DEV_ARG_BYTES ? a->size : pointer_B;
        uint64_t align = a->kind == VENTUS_DEV_ARG_BYTES ? a->align : pointer_B;
        t->args_B = (t->args_B + align - 1) / align * align + size;
        assert(align >= 4 && !(align & (align - 1)));
    }
    l->args = copy;
    if (t->args_B > MAX_ARGS_B)
        return dev_fail("kernel '%s': %" PRIu64 " bytes of arguments", k->name,
                        t->args_B);
    return true;
}

/* Spill stacks, static local memory, more of the caller's, then arguments. */
static bool
lay_out_local(struct ventus_dev_ticket *t)
{
    struct ventus_dev_launch *l = &t->launch;
    struct ventus_dev_arg *args =
        (struct ventus_dev_arg *)l->args; /* our copy */
    uint64_t at =
        (uint64_t)t->run.launch.warps * DEV_SPILL_B + l->kernel->local_B;
    if (l->local_B)
        at = (at + 3) / 4 * 4 + l->local_B;
    for (size_t i = 0; i < l->n_args; i++) {
        if (args[i].kind != VENTUS_DEV_ARG_LOCAL)
            continue;
        /* The largest alignment of an OpenCL type, if nothing asks for more. */
        uint64_t align = args[i].align > 128 ? args[i].align : 128;
        at = (at + align - 1) / align * align;
        args[i].address = DEV_LOCAL + at;
        if (args[i].size > UINT32_MAX)
            return fail_arg(l, i, "more local memory than 32 bits");
        at += args[i].size;
    }
    uint64_t most = t->dev->config.value[CONFIG_local_size];
    if (at > most)
        return dev_fail("kernel '%s': a workgroup needs %" PRIu64
                        " bytes of local memory (%u of it for the stacks of "
                        "%u warp%s), an SM has %" PRIu64,
                        l->kernel->name, at, t->run.launch.warps * DEV_SPILL_B,
                        t->run.launch.warps, text_plural(t->run.launch.warps),
                        most);
    t->run.launch.local_size_B = (uint32_t)at;
    return true;
}

static bool
check_private(struct ventus_dev_ticket *t)
{
    const struct ventus_dev_launch *l = &t->launch;
    uint64_t size = l->kernel->private_B;
    if (l->private_B > size)
        size = l->private_B;
    size = (size + 3) / 4 * 4;
    uint64_t lanes = t->dev->config.value[CONFIG_num_thread];
    uint64_t pool = t->dev->config.value[CONFIG_private_pool];
    uint64_t group = size * lanes * t->run.launch.warps;
    if (group > pool)
        return dev_fail("kernel '%s': a workgroup needs %" PRIu64
                        " bytes of private memory, the pool has %" PRIu64
                        " (private_pool)",
                        l->kernel->name, group, pool);
    t->run.launch.pds_size_B = (uint32_t)size;
    return true;
}

static bool
check_bare(struct ventus_dev_ticket *t)
{
    t->run.launch = *t->launch.bare;
    if (!t->run.launch.warps)
        return dev_fail("bare launch: 0 warps");
    for (int i = 0; i < 3; i++)
        if (!t->run.launch.grid[i])
            t->run.launch.grid[i] = 1;
    t->run.launch.first = t->run.launch.count = 0;
    t->run.launch.hooks = NULL;
    t->run.launch.stats = NULL;
    return true;
}

/* Three numbers of 32 bits: a product of up to 96. */
static bool
count_groups(struct ventus_dev_ticket *t)
{
    const uint32_t *g = t->run.launch.grid;
    if (__builtin_mul_overflow((uint64_t)g[0] * g[1], g[2], &t->all_groups))
        return dev_fail("kernel '%s': %u x %u x %u workgroups, expected less "
                        "than 2^64",
                        kernel_name(&t->launch), g[0], g[1], g[2]);
    assert(t->all_groups > 0);
    return true;
}

bool
validate_launch(struct ventus_dev_ticket *t,
                const struct ventus_dev_launch *launch)
{
    t->launch = *launch;
    if (launch->hooks) {
        struct ventus_dev_hooks *hooks =
            arena_new(&t->arena, struct ventus_dev_hooks, 1);
        *hooks = *launch->hooks;
        t->launch.hooks = hooks;
    }
    if (t->dev->bare != (launch->bare != NULL))
        return dev_fail(t->dev->bare
                            ? "a bare device needs ventus_dev_launch.bare"
                            : "ventus_dev_launch.bare needs a bare device");
    if (!launch->bare && !launch->kernel)
        return dev_fail("ventus_dev_launch.kernel is NULL");
    if (launch->hooks && launch->hooks->step &&
        !engine_can(&t->dev->config, VENTUS_DEV_STEPS))
        return dev_fail("dev_hooks.step: engine %s has no steps",
                        engine_of(&t->dev->config)->name);
    if (launch->profile && !engine_can(&t->dev->config, VENTUS_DEV_PROFILES))
        return dev_fail("dev_launch.profile: engine %s makes no profiles",
                        engine_of(&t->dev->config)->name);
    if (launch->print_B && launch->print_B < LEAST_PRINT_B)
        return dev_fail("dev_launch.print_B: %u bytes, expected %u at least",
                        launch->print_B, LEAST_PRINT_B);
    bool ok = launch->bare ? check_bare(t)
                           : check_sizes(t) && copy_args(t) &&
                                 lay_out_local(t) && check_private(t);
    return ok && count_groups(t);
}
