/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes the address of a fault in terms of the launch: the nearest
 * argument, its size, its distance.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "abi/image.h"
#include "base/text.h"
#include "dev/device.h"
#include "dev/nearest.h"
#include "dev/program.h"
#include "obj/elf.h"

/* A wild address says nothing about what happens to be next to it. */
enum { NEAR = 1 << 16, NEAR_ARGUMENT = 1 << 24 };

const struct space_range *
nearest_range(const struct ventus_dev_ticket *t, size_t i)
{
    const struct ventus_dev *d = t->dev;
    const struct ventus_dev_arg *a = &t->launch.args[i];
    const struct ventus_dev_kernel *k = t->launch.kernel;
    if ((a->kind != VENTUS_DEV_ARG_BUFFER &&
         a->kind != VENTUS_DEV_ARG_POINTER) ||
        !a->address)
        return NULL;
    const struct space_range *r = space_find_inside(&d->space, a->address, 1);
    bool image = i < k->n_params && k->params[i].kind == VENTUS_DEV_PARAM_IMAGE;
    struct image_descriptor image_is;
    if (!r || !image || a->address + sizeof image_is > r->address + r->asked ||
        !d->ops->read(d->machine, r->physical + (a->address - r->address),
                      &image_is, sizeof image_is))
        return r;
    return space_find_inside(
        &d->space, image_is.data | (uint64_t)image_is.data_high << 32, 1);
}

static void
append_argument(const struct ventus_dev_ticket *t, struct ventus_dev_result *r,
                size_t i)
{
    assert(i < t->launch.n_args);
    const struct ventus_dev_kernel *k = t->launch.kernel;
    const struct ventus_dev_param *p = i < k->n_params ? &k->params[i] : NULL;
    text_append(r->message, sizeof r->message, "%sargument %zu",
                p && p->kind == VENTUS_DEV_PARAM_IMAGE ? "the pixels of " : "",
                i);
    if (p && p->name[0])
        text_append(r->message, sizeof r->message, " '%s'", p->name);
}

/* The argument that is this allocation, or n_args. */
static size_t
argument_of(const struct ventus_dev_ticket *t, const struct space_range *s)
{
    size_t i = 0;
    while (i < t->launch.n_args && nearest_range(t, i) != s)
        i++;
    return i;
}

static void
append_size(struct ventus_dev_result *r, uint64_t size)
{
    text_append(r->message, sizeof r->message, ", %" PRIu64 " byte%s", size,
                text_plural(size));
}

/* How far the address is from an end of what is in [start, end). */
static void
append_distance(struct ventus_dev_result *r, uint64_t address, uint64_t start,
                uint64_t end)
{
    bool before = address < start, past = address >= end;
    uint64_t distance = before ? start - address
                        : past ? address - end
                               : end - address;
    text_append(r->message, sizeof r->message,
                "; %" PRIu64 " byte%s %s the %s of ", distance,
                text_plural(distance), past ? "past" : "before",
                before ? "start" : "end");
}

/* Appends what a range is, and its size. */
static void
append_range(const struct ventus_dev_ticket *t, struct ventus_dev_result *r,
             const struct space_range *s)
{
    const struct ventus_dev *d = t->dev;
    size_t i = argument_of(t, s);
    if (i < t->launch.n_args)
        append_argument(t, r, i);
    else if (s->address == d->args.address)
        text_append(r->message, sizeof r->message,
                    "the metadata and arguments");
    else if (s->address == d->private_memory.address)
        text_append(r->message, sizeof r->message, "private memory");
    else if (s->address == d->print.address)
        text_append(r->message, sizeof r->message, "the print buffer");
    else
        text_append(r->message, sizeof r->message, "the buffer at 0x%08" PRIx64,
                    s->address);
    append_size(r, s->asked);
    uint64_t at = i < t->launch.n_args ? t->launch.args[i].address : 0;
    if (at > s->address && at - s->address < s->asked)
        text_append(r->message, sizeof r->message,
                    " (the argument is at byte %" PRIu64 " of them)",
                    at - s->address);
}

/*
 * An address in an allocation of which the arguments mean parts, and in none of
 * them: the closest one.
 */
static bool
append_part(const struct ventus_dev_ticket *t, struct ventus_dev_result *r,
            const struct space_range *s, uint64_t address)
{
    size_t best = t->launch.n_args;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < t->launch.n_args; i++) {
        const struct ventus_dev_arg *a = &t->launch.args[i];
        if (nearest_range(t, i) != s)
            continue;
        uint64_t end = a->address + a->part_B;
        if (!a->part_B || (address >= a->address && address < end))
            return false;
        uint64_t far =
            address < a->address ? a->address - address : address - end;
        best = far < least ? i : best;
        least = far < least ? far : least;
    }
    if (best == t->launch.n_args)
        return false;
    const struct ventus_dev_arg *a = &t->launch.args[best];
    append_distance(r, address, a->address, a->address + a->part_B);
    append_argument(t, r, best);
    append_size(r, a->part_B);
    text_append(r->message, sizeof r->message,
                ", which begins at byte %" PRIu64 " of a buffer of %" PRIu64
                " bytes",
                a->address - s->address, s->asked);
    return true;
}

/* Bytes between an address and an allocation that it is not in. */
static uint64_t
distance(const struct space_range *s, uint64_t address)
{
    uint64_t end = s->address + s->asked;
    return address < s->address ? s->address - address
           : address < end      ? 0
                                : address - end;
}

static void
take_closer(const struct space_range *s, uint64_t address, uint64_t most,
            const struct space_range **best)
{
    if (s && distance(s, address) <= most &&
        (!*best || distance(s, address) < distance(*best, address)))
        *best = s;
}

/*
 * The closest argument, or what launches use if the address is in the page
 * that is free beside it; if neither, the closest allocation.
 */
static const struct space_range *
closest(const struct ventus_dev_ticket *t, uint64_t address)
{
    const struct ventus_dev *d = t->dev;
    const struct space *space = &d->space;
    const struct scratch *scratch[] = { &d->args, &d->private_memory,
                                        &d->print };
    const struct space_range *best = NULL;
    for (size_t i = 0; i < t->launch.n_args; i++)
        take_closer(nearest_range(t, i), address, NEAR_ARGUMENT, &best);
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
        if (scratch[i]->context == program_context(t->launch.kernel->program))
            take_closer(space_find(space, scratch[i]->address), address,
                        SPACE_PAGE, &best);
    const struct space_range *other = NULL;
    for (size_t i = 0; !best && i < space->n; i++)
        take_closer(&space->range[i], address, NEAR, &other);
    return best ? best : other;
}

const struct space_range *
nearest_allocation(const struct ventus_dev_ticket *t, uint64_t address)
{
    enum { LOWEST = 1 << 12, LOCAL_SIZE = 1 << 28 }; /* below: null */
    if (address < LOWEST || address - DEV_LOCAL < LOCAL_SIZE)
        return NULL;
    const struct space_range *s = space_find(&t->dev->space, address);
    return s ? s : closest(t, address);
}

static void
append_closest(const struct ventus_dev_ticket *t, struct ventus_dev_result *r,
               uint64_t address)
{
    const struct space_range *s = closest(t, address);
    if (!s)
        return;
    append_distance(r, address, s->address, s->address + s->asked);
    append_range(t, r, s);
}

/* Tests whether an allocation lies between two addresses now. */
static bool
is_between(const struct space *space, uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < space->n; i++)
        if (space->range[i].address >= from && space->range[i].address < to)
            return true;
    return false;
}

/*
 * An address that was of an allocation which was released; newest first.  After
 * what has taken its place since, that one's end says more.
 */
static bool
append_released(const struct ventus_dev_ticket *t, struct ventus_dev_result *r,
                uint64_t address)
{
    const struct ventus_dev *d = t->dev;
    for (unsigned n = d->n_freed, i = 0; i < n && i < DEV_FREED; i++) {
        const struct space_range *s = &d->freed[(n - 1 - i) % DEV_FREED];
        if (address < s->address || address - s->address >= s->asked ||
            is_between(&d->space, s->address, address))
            continue;
        text_append(r->message, sizeof r->message,
                    "; at byte %" PRIu64 " of a buffer of %" PRIu64
                    " byte%s that was released",
                    address - s->address, s->asked, text_plural(s->asked));
        return true;
    }
    return false;
}

bool
nearest_may_be_host(const struct ventus_dev_ticket *t, uint64_t address)
{
    return address < t->run.launch.own_lo ||
           (t->run.launch.own_hi && address >= t->run.launch.own_hi);
}

/* The local argument that ends last, which is after all else. */
static const struct ventus_dev_arg *
last_local(const struct ventus_dev_ticket *t, size_t *at)
{
    const struct ventus_dev_arg *last = NULL;
    for (size_t i = 0; i < t->launch.n_args; i++)
        if (t->launch.args[i].kind == VENTUS_DEV_ARG_LOCAL) {
            last = &t->launch.args[i];
            *at = i;
        }
    return last;
}

static void
append_local(const struct ventus_dev_ticket *t, struct ventus_dev_result *r,
             uint64_t address)
{
    size_t i = 0; /* set where `a` is */
    const struct ventus_dev_arg *a = last_local(t, &i);
    append_distance(r, address, DEV_LOCAL,
                    DEV_LOCAL + t->run.launch.local_size_B);
    if (a && address >= DEV_LOCAL) {
        append_argument(t, r, i);
        append_size(r, a->size);
        return;
    }
    text_append(r->message, sizeof r->message,
                "the work-group's local memory, %u bytes (%u of them for the "
                "stacks of %u warps)",
                (unsigned)t->run.launch.local_size_B,
                t->run.launch.warps * DEV_SPILL_B, t->run.launch.warps);
}

/* A segment of the program whose end the address is close to. */
static void
append_segment(const struct ventus_dev_ticket *t, struct ventus_dev_result *r,
               uint64_t address)
{
    enum { PF_X = 1, PF_W = 2 };
    const struct elf *elf = program_elf(t->launch.kernel->program);
    const struct elf_segment *last = NULL;
    for (size_t i = 0; i < elf->n_segments; i++) {
        const struct elf_segment *s = &elf->segment[i];
        if (s->type == ELF_PT_LOAD && s->mem_size &&
            s->vaddr + s->mem_size <= address &&
            (!last || s->vaddr > last->vaddr))
            last = s;
    }
    if (!last || address - (last->vaddr + last->mem_size) > NEAR)
        return;
    append_distance(r, address, last->vaddr, last->vaddr + last->mem_size);
    text_append(r->message, sizeof r->message, "the program's %s",
                last->flags & PF_W   ? "variables"
                : last->flags & PF_X ? "code"
                                     : "constants");
    append_size(r, last->mem_size);
}

/* A local argument that has the address, or n_args. */
static size_t
local_argument(const struct ventus_dev_ticket *t, uint64_t address)
{
    for (size_t i = 0; i < t->launch.n_args; i++) {
        const struct ventus_dev_arg *a = &t->launch.args[i];
        if (a->kind == VENTUS_DEV_ARG_LOCAL && address - a->address < a->size)
            return i;
    }
    return t->launch.n_args;
}

bool
nearest_inside(const struct ventus_dev_ticket *t, struct ventus_dev_result *r)
{
    uint64_t address = r->fault.address;
    if (address - DEV_LOCAL < t->run.launch.local_size_B) {
        size_t i = local_argument(t, address);
        text_append(r->message, sizeof r->message, "in ");
        if (i < t->launch.n_args) {
            const struct ventus_dev_arg *a = &t->launch.args[i];
            append_argument(t, r, i);
            append_size(r, a->size);
            text_append(r->message, sizeof r->message, ", at byte %" PRIu64,
                        address - a->address);
        } else {
            text_append(r->message, sizeof r->message,
                        "the kernel's local memory, at byte %" PRIu64,
                        address - DEV_LOCAL -
                            (uint64_t)t->run.launch.warps * DEV_SPILL_B);
        }
        return true;
    }
    const struct space_range *s = space_find(&t->dev->space, address);
    if (!s || address - s->address >= s->asked)
        return false;
    text_append(r->message, sizeof r->message, "in ");
    append_range(t, r, s);
    text_append(r->message, sizeof r->message, ", at byte %" PRIu64,
                address - s->address);
    return true;
}

/* A generic pointer to private memory (abi.md, Debug information): loads and stores look
 * for one, atomics do not. */
static bool
append_private(const struct ventus_dev_ticket *t, struct ventus_dev_result *r,
               uint64_t address)
{
    enum { WINDOW = 0x40000000, WINDOW_SIZE = 1 << 28 };
    if (address - WINDOW >= WINDOW_SIZE || t->run.launch.own_hi)
        return false;
    text_append(r->message, sizeof r->message,
                "; at byte %" PRIu64 " of private memory, by a generic "
                "pointer: atomics have no such addresses",
                address - WINDOW);
    return true;
}

void
nearest_append(const struct ventus_dev_ticket *t, struct ventus_dev_result *r)
{
    enum { LOCAL_SIZE = 1 << 28 };
    uint64_t address = r->fault.address;
    if (append_private(t, r, address))
        return;
    if (address + NEAR >= DEV_LOCAL && address < DEV_LOCAL + LOCAL_SIZE) {
        append_local(t, r, address);
        return;
    }
    if (address >= DEV_CODE && address - DEV_CODE < DEV_CODE_SIZE - NEAR) {
        append_segment(t, r, address);
        return;
    }
    const struct space_range *s = space_find(&t->dev->space, address);
    if (s && s->owner != program_context(t->launch.kernel->program)) {
        text_append(r->message, sizeof r->message,
                    "; in a buffer of another context");
        return;
    }
    bool inside = s && address - s->address < s->asked;
    if (inside && s->flags & VENTUS_DEV_READ_ONLY) {
        text_append(r->message, sizeof r->message, "; in ");
        append_range(t, r, s);
        text_append(r->message, sizeof r->message, ", which is read only");
    } else if (inside && s->flags & VENTUS_DEV_WRITE_ONLY) {
        text_append(r->message, sizeof r->message, "; in ");
        append_range(t, r, s);
        text_append(r->message, sizeof r->message, ", which is write only");
    }
    if (!s && nearest_may_be_host(t, address) && r->fault.kind &&
        strcmp(r->fault.kind,
               ventus_sim_fault_name(VENTUS_SIM_FAULT_PERMISSION)) == 0) {
        text_append(r->message, sizeof r->message,
                    "; in memory of the host program, which is read only");
        return;
    }
    if (inside && append_part(t, r, s, address))
        return;
    /* Accesses that begin in the last word only can end after it. */
    if (inside && s->address + s->asked - address >= 4)
        return;
    if (!s && append_released(t, r, address))
        return;
    append_closest(t, r, address);
}
