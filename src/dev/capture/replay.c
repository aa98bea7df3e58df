/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/capture/replay.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "dev/device.h"
#include "dev/error.h"
#include "dev/memory.h"
#include "dev/observer.h"
#include "dev/program.h"
#include "dev/segments.h"

/* ---- settings ---- */

/* Tests whether a kernel may depend on a setting, so that another device needs it,
 * too. */
static bool
is_needed(const char *setting)
{
    static const char *const names[] = {
        "isa",        "memory_size", "bounds",           "program_size",
        "join_check", "print_text",  "program_segments", "private_size",
        "all_lanes",  "ignore_vm",   "scalar_amo",       "vadd12_signed",
    };
    size_t n = strcspn(setting, "=");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && memcmp(names[i], setting, n) == 0)
            return true;
    return false;
}

/* Memory of the host is in the recording; that of this process is another's. */
static bool
is_of_host(const char *setting)
{
    return strncmp(setting, "host_memory=", 12) == 0;
}

const char *const *
replay_settings(struct arena *a, const struct recording_launch *l, bool part,
                size_t *n)
{
    const char **list = arena_new(a, const char *, l->n_settings + 1);
    *n = 0;
    for (size_t i = 0; i < l->n_settings; i++)
        if (part ? is_needed(l->setting[i]) : !is_of_host(l->setting[i]))
            list[(*n)++] = l->setting[i];
    return list;
}

/* ---- memory ---- */

struct restoring {
    struct replay *replay;
    struct recording *from;
    const struct recording_memory *memory;
    struct diag_sink *sink;
};

static bool
replay_refuse(const struct restoring *k, const char *what)
{
    diag_report(k->sink, DIAG_ERROR,
                (struct diag_at){ .file = recording_path(k->from) }, "%s",
                what);
    return false;
}

/* The reason of the driver. */
static bool
replay_refuse_dev(const struct restoring *k)
{
    return replay_refuse(
        k, arena_printf(k->sink->arena, "%s", ventus_dev_message()));
}

/* Refuses more memory than this host has. */
static bool
check_size(const struct restoring *k)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t most = pages > 0 && page > 0
                        ? (uint64_t)pages * (uint64_t)page / RECORDING_PAGE
                        : UINT64_MAX;
    if (k->memory->stored <= most)
        return true;
    diag_report(k->sink, DIAG_ERROR,
                (struct diag_at){ .file = recording_path(k->from) },
                "the launch had %" PRIu64 " pages of memory, this host has "
                "%" PRIu64,
                k->memory->stored, most);
    return false;
}

static struct scratch *
scratch_of(struct ventus_dev *d, enum recording_range_kind kind)
{
    return kind == RECORDING_ARGS      ? &d->args
           : kind == RECORDING_PRIVATE ? &d->private_memory
           : kind == RECORDING_PRINT   ? &d->print
                                       : NULL;
}

/* Allocates memory for launches where the recorded one had it; the contents come
 * later. */
static bool
alloc_scratch(struct ventus_dev *d, const struct recording_range *range)
{
    struct scratch *s = scratch_of(d, range->kind);
    if (s->address)
        return dev_fail("the launch has two pieces of memory of one kind");
    if (range->address + range->capacity > UINT32_MAX)
        return dev_fail("memory of the driver at 0x%" PRIx64
                        ", expected an address of 32 bits",
                        range->address);
    if (!memory_alloc_at(&d->own, range->address, range->capacity, range->size,
                         s->flags))
        return false;
    s->address = range->address;
    s->size = range->size;
    s->capacity = range->capacity;
    s->context = &d->own;
    return true;
}

/* Tests whether a range is memory of the program, whose pages are there. */
static bool
is_code(const struct ventus_dev_program *p, const struct recording_range *range)
{
    const struct segments *s = program_segments(p);
    for (size_t i = 0; i < s->n; i++)
        if (s->run[i].lo == range->address &&
            space_pages(s->run[i].hi) - s->run[i].lo == range->capacity)
            return true;
    return dev_fail("memory at 0x%" PRIx64 " that the program has not",
                    range->address);
}

static bool
alloc_range(struct replay *r, const struct recording_range *range)
{
    struct ventus_dev *d = r->dev;
    if (range->kind == RECORDING_CODE)
        return is_code(r->program, range);
    return range->kind == RECORDING_BUFFER
               ? memory_alloc_at(&d->own, range->address, range->capacity,
                                 range->size, range->flags)
               : alloc_scratch(d, range);
}

static uint64_t
physical_of(const struct replay *r, const struct recording_range *range)
{
    if (range->kind == RECORDING_CODE)
        return program_physical(r->program, range->address);
    return space_find(&r->dev->space, range->address)->physical;
}

static bool
fill_range(const struct restoring *k, const struct recording_piece *p)
{
    struct ventus_dev *d = k->replay->dev;
    uint64_t physical = physical_of(k->replay, &p->range);
    uint8_t page[RECORDING_PAGE];
    bool is_new = p->range.kind != RECORDING_CODE; /* code has its bytes */
    for (uint64_t i = 0; p->content && i < p->pages; i++) {
        if (is_new && !p->content[i])
            continue;
        if (!recording_read_page(k->from, p->content[i], page, k->sink))
            return false;
        d->ops->write(d->machine, physical + i * RECORDING_PAGE, page,
                      sizeof page);
    }
    return true;
}

static bool
restore_memory(const struct restoring *k)
{
    struct ventus_dev *d = k->replay->dev;
    const struct recording_memory *m = k->memory;
    bool ok = check_size(k);
    ticket_lock_acquire(&d->lock);
    for (size_t i = 0; ok && i < m->n; i++) {
        const struct recording_piece *p = m->piece[i];
        ok = alloc_range(k->replay, &p->range) || replay_refuse_dev(k);
        ok = ok && fill_range(k, p);
        if (ok && p->range.kind == RECORDING_BUFFER)
            observers_restored(d, space_find(&d->space, p->range.address),
                               p->range.written, p->range.n_written);
    }
    ticket_lock_release(&d->lock);
    return ok;
}

/* ---- the launch ---- */

static void
restore_launch(struct replay *r, const struct recording_launch *l)
{
    struct ventus_dev_arg *args =
        arena_new(&r->arena, struct ventus_dev_arg, l->n_args);
    for (size_t i = 0; i < l->n_args; i++)
        args[i] = (struct ventus_dev_arg){
            .kind = (enum ventus_dev_arg_kind)l->arg[i].kind,
            .bytes = l->arg[i].bytes,
            .size = l->arg[i].size,
            .address = l->arg[i].address,
            .align = l->arg[i].align,
            .part_B = l->arg[i].part_B,
        };
    r->launch = (struct ventus_dev_launch){ .work_dim = l->work_dim,
                                            .args = args,
                                            .n_args = l->n_args,
                                            .local_B = l->local_B,
                                            .private_B = l->private_B,
                                            .print_B = l->print_B };
    memcpy(r->launch.global, l->global, sizeof l->global);
    memcpy(r->launch.local, l->local, sizeof l->local);
    memcpy(r->launch.offset, l->offset, sizeof l->offset);
}

bool
replay_restore(struct replay *r, struct ventus_dev *d, struct recording *from,
               const char *name, const struct recording_memory *m,
               struct diag_sink *sink)
{
    struct restoring k = { r, from, m, sink };
    size_t size;
    *r = (struct replay){ .dev = d, .memory = m };
    const uint8_t *elf =
        recording_read_program(from, m->launch.program, &r->arena, &size, sink);
    if (!elf)
        return false;
    r->program = ventus_dev_load(d, elf, size, name);
    if (!r->program)
        return replay_refuse_dev(&k);
    restore_launch(r, &m->launch);
    r->launch.kernel = ventus_dev_find(r->program, m->launch.kernel);
    if (!r->launch.kernel)
        return replay_refuse_dev(&k);
    return restore_memory(&k);
}

void
replay_free(struct replay *r)
{
    arena_free(&r->arena);
    *r = (struct replay){ .dev = NULL };
}

/* ---- afterwards ---- */

const char *
replay_name(struct replay *r, struct arena *a, const struct recording_piece *p)
{
    const struct ventus_dev_launch *l = &r->launch;
    const struct recording_range *range = &p->range;
    if (range->kind == RECORDING_CODE)
        return arena_printf(a, "memory of the program at 0x%" PRIx64,
                            range->address);
    for (size_t i = 0; i < l->n_args; i++) {
        const struct ventus_dev_arg *k = &l->args[i];
        bool names = i < l->kernel->n_params && *l->kernel->params[i].name;
        if ((k->kind == VENTUS_DEV_ARG_BUFFER ||
             k->kind == VENTUS_DEV_ARG_POINTER) &&
            k->address - range->address < range->size)
            return arena_printf(a, "%s%sargument %zu%s",
                                names ? l->kernel->params[i].name : "",
                                names ? " (" : "", i, names ? ")" : "");
    }
    return arena_printf(a, "buffer at 0x%" PRIx64, range->address);
}

struct comparing {
    struct recording *from;
    const struct recording_memory *expected;
    struct ventus_dev *other;
    struct diag_sink *sink;
};

/* Reads the page that is expected, of the recording or of the other device. */
static bool
read_expected(const struct comparing *k, size_t piece, uint64_t i, uint64_t n,
              uint8_t *to)
{
    const struct recording_piece *p = k->expected->piece[piece];
    if (!k->other)
        return recording_read_page(k->from, p->content[i], to, k->sink);
    return ventus_dev_read(k->other, p->range.address + i * RECORDING_PAGE, to,
                           n);
}

static void
compare_bytes(const uint8_t *found, const uint8_t *expected, uint64_t n,
              uint64_t offset, struct replay_difference *d)
{
    if (memcmp(found, expected, n) == 0)
        return;
    for (uint64_t i = 0; i < n; i++) {
        if (found[i] == expected[i])
            continue;
        if (!d->count++) {
            d->offset = offset + i;
            d->found = found[i];
            d->expected = expected[i];
        }
    }
}

/* Buffers only: programs that are loaded differ in nothing that they show. */
static bool
compare_piece(struct replay *r, const struct comparing *k, size_t piece,
              struct replay_difference *d)
{
    const struct recording_piece *p = k->expected->piece[piece];
    uint8_t found[RECORDING_PAGE], expected[RECORDING_PAGE];
    *d = (struct replay_difference){ .piece = p };
    for (uint64_t i = 0; i * RECORDING_PAGE < p->range.size; i++) {
        uint64_t at = i * RECORDING_PAGE;
        uint64_t n = p->range.size - at;
        if (n > RECORDING_PAGE)
            n = RECORDING_PAGE;
        if (!ventus_dev_read(r->dev, p->range.address + at, found, n) ||
            !read_expected(k, piece, i, n, expected)) {
            diag_report(k->sink, DIAG_ERROR, (struct diag_at){ .file = NULL },
                        "memory at 0x%" PRIx64 " cannot be compared",
                        p->range.address + at);
            return false;
        }
        compare_bytes(found, expected, n, at, d);
    }
    return true;
}

size_t
replay_compare(struct replay *r, struct recording *from,
               const struct recording_memory *expected,
               struct ventus_dev *other, struct replay_difference *list,
               size_t most, struct diag_sink *sink)
{
    struct comparing k = { from, expected ? expected : r->memory, other, sink };
    size_t n = 0;
    assert(!expected != !other);
    for (size_t i = 0; i < k.expected->n; i++) {
        struct replay_difference d;
        if (k.expected->piece[i]->range.kind != RECORDING_BUFFER)
            continue;
        if (!compare_piece(r, &k, i, &d))
            return SIZE_MAX;
        if (d.count && n++ < most)
            list[n - 1] = d;
    }
    return n;
}
