/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs: a linked ELF file in device memory, and what is mapped for it.
 *
 * All programs are linked to the same addresses, so each has physical memory
 * and a page table root of its own.  Segments that share no page are banks of
 * their own, which end at the segment's last byte.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "base/text.h"
#include "dev/device.h"
#include "dev/error.h"
#include "dev/load.h"
#include "dev/masked.h"
#include "dev/observer.h"
#include "dev/program.h"
#include "dev/program_state.h"
#include "dev/queue.h"
#include "dev/segments.h"
#include "obj/dwarf.h"
#include "obj/kernels.h"
#include "obj/note.h"
#include "obj/report.h"

/* The lowest part of physical memory that no program has. */
static unsigned
find_slot(const struct ventus_dev *d)
{
    unsigned slot = 0;
    for (const struct ventus_dev_program *p = d->programs; p;)
        if (p->slot == slot) {
            slot++;
            p = d->programs;
        } else {
            p = p->next;
        }
    return slot;
}

static bool
program_measure(struct ventus_dev_program *p)
{
    const struct config *config = &p->dev->config;
    struct segments *s = &p->segments;
    if (!segments_read(&p->arena, p->name, &p->elf, config, s))
        return false;
    segments_pad(s, p->dev->space.padded);
    p->lo = s->lo;
    p->hi = s->hi;
    uint64_t entry = p->elf.entry;
    if (entry % 4 || entry < p->lo || entry >= p->hi ||
        !(s->perm[(entry - p->lo) / SPACE_PAGE] & ENGINE_EXEC))
        return dev_fail("%s: entry 0x%" PRIx64 " is not in its code", p->name,
                        entry);
    return true;
}

static bool
map_segments(struct ventus_dev_program *p)
{
    struct ventus_dev *d = p->dev;
    for (; p->mapped < p->segments.n; p->mapped++) {
        const struct segment_run *r = &p->segments.run[p->mapped];
        uint64_t at = program_physical(p, r->lo);
        if (!d->ops->map(d->machine, at, r->end - r->lo,
                         ENGINE_READ | ENGINE_WRITE | ENGINE_EXEC))
            return dev_fail_memory("a program");
        d->ops->bound(d->machine, at, r->hi - r->lo,
                      d->checks_bounds ? 0 : r->padding);
    }
    return true;
}

/* Maps start code that masks lanes, after the segments and a page that stays without
 * memory. */
static bool
map_masked(struct ventus_dev_program *p)
{
    struct ventus_dev *d = p->dev;
    uint64_t at = p->hi + SPACE_PAGE, end = DEV_CODE + DEV_CODE_SIZE;
    struct buf code = { 0 };
    if (!d->config.value[CONFIG_all_lanes] || end - p->hi < 2 * SPACE_PAGE)
        return true;
    if (!buf_reserve(&code, SPACE_PAGE))
        return dev_fail_memory("a program");
    bool ok = true;
    if (masked_start(&p->elf, (unsigned)d->config.value[CONFIG_isa], &code)) {
        ok = (d->ops->map(d->machine, program_physical(p, at), SPACE_PAGE,
                          ENGINE_READ | ENGINE_WRITE | ENGINE_EXEC) ||
              dev_fail_memory("a program"));
        p->masked = ok ? at : 0;
        ok = ok &&
             (paging_map(&d->paging, &p->context->tables, &p->root, at,
                         program_physical(p, at), SPACE_PAGE, ENGINE_EXEC) ||
              dev_fail("no room for page tables"));
    }
    if (ok && p->masked)
        d->ops->write(d->machine, program_physical(p, at), code.at, code.n);
    buf_free(&code);
    return ok;
}

static void
unmap_segments(struct ventus_dev_program *p)
{
    if (p->masked)
        p->dev->ops->unmap(p->dev->machine, program_physical(p, p->masked));
    p->masked = 0;
    while (p->mapped) {
        const struct segment_run *r = &p->segments.run[--p->mapped];
        uint64_t at = program_physical(p, r->lo);
        observers_unloaded(p->dev, at);
        p->dev->ops->unmap(p->dev->machine, at);
    }
}

static bool
map_page(struct ventus_dev_program *p, uint64_t at, unsigned perm)
{
    return paging_map(&p->dev->paging, &p->context->tables, &p->root, at,
                      program_physical(p, at), SPACE_PAGE, perm) ||
           dev_fail("no room for page tables");
}

/* The permissions of padding are those of the page before it. */
static bool
map_pages(struct ventus_dev_program *p)
{
    const struct segments *s = &p->segments;
    bool ok = true;
    for (uint64_t at = p->lo; ok && at < p->hi; at += SPACE_PAGE) {
        unsigned perm = s->perm[(at - p->lo) / SPACE_PAGE];
        ok = !perm || map_page(p, at, perm);
    }
    for (size_t i = 0; ok && i < s->n; i++) {
        uint64_t page = space_pages(s->run[i].hi);
        ok = s->run[i].end == page ||
             map_page(p, page,
                      s->perm[(page - SPACE_PAGE - s->lo) / SPACE_PAGE]);
    }
    return ok;
}

static bool
load_segments(struct ventus_dev_program *p)
{
    struct ventus_dev *d = p->dev;
    if (!map_segments(p) || !map_pages(p))
        return false;
    assert(p->mapped == p->segments.n);
    for (size_t i = 0; i < p->elf.n_segments; i++) {
        const struct elf_segment *s = &p->elf.segment[i];
        if (segments_is_loaded(s))
            d->ops->write(d->machine, program_physical(p, s->vaddr),
                          s->contents, s->file_size);
    }
    return map_masked(p);
}

void
program_free_locks(struct ventus_dev_program *p)
{
    static const uint8_t zeros[1024];
    for (size_t i = 0; i < p->elf.n_symbols; i++) {
        const struct elf_symbol *s = &p->elf.symbol[i];
        uint64_t size = s->size < sizeof zeros ? s->size : sizeof zeros;
        if (strcmp(s->name, KERNELS_LOCKS) == 0 && s->value >= p->lo &&
            s->value < p->hi && size <= p->hi - s->value)
            p->dev->ops->write(p->dev->machine, program_physical(p, s->value),
                               zeros, size);
    }
}

static bool
check_isa(struct ventus_dev_program *p)
{
    const struct config *c = &p->dev->config;
    unsigned machine = (unsigned)c->value[CONFIG_isa];
    if (p->isa && p->isa != machine)
        return dev_fail("%s: built for version %u of the instruction set, the "
                        "device has %u (%s%u)",
                        p->name, p->isa, machine,
                        c->value[CONFIG_memory_size] > DEV_NARROW_MAX
                            ? "use a preset of version "
                            : "--set isa=v",
                        p->isa);
    for (size_t i = 0; i < p->n_kernels; i++)
        if (p->kernel[i].isa && p->kernel[i].isa != machine)
            return dev_fail("%s: kernel '%s' is recorded for version %u of the "
                            "instruction set, the device has %u",
                            p->name, p->kernel[i].name, p->kernel[i].isa,
                            machine);
    return true;
}

/* Everything that is in the file; nothing of the device changes. */
static bool
read_file(struct ventus_dev_program *p, const uint8_t *image, size_t size)
{
    struct diag_sink sink = { .arena = &p->arena };
    struct kernel_list list;
    if (!elf_read(&p->arena, p->name, image, size, &p->elf, &sink))
        return dev_fail_sink(&sink);
    if (p->elf.machine != ELF_EM_RISCV || p->elf.type != ELF_ET_EXEC)
        return dev_fail("%s: not a linked RISC-V program", p->name);
    if (!note_read_isa(&p->elf, &p->isa, &sink) ||
        !kernels_read(&p->arena, &p->elf, &list, &sink) ||
        (list.n && !program_add_described(p, &list, &sink)))
        return dev_fail_sink(&sink);
    if (!list.n)
        program_add_symbols(p);
    program_index_kernels(p);
    p->nowhere = elf_find_symbol(&p->elf, "__ventus_nowhere");
    /* Without lines messages are poorer, but the program runs. */
    if (!dwarf_line_read(&p->arena, &p->elf, &p->lines, &sink))
        p->lines = (struct dwarf_lines){ 0 };
    return check_isa(p) && program_measure(p);
}

struct reading {
    struct ventus_dev_program *program;
    const void *elf;
    size_t size;
    const char *name;
    bool ok;
};

static void
read_program(void *ctx)
{
    struct reading *r = ctx;
    struct arena *a = &r->program->arena;
    r->program->name = arena_printf(a, "%s", r->name);
    uint8_t *image = arena_alloc(a, r->size ? r->size : 1, 1, 8);
    memcpy(image, r->elf, r->size);
    r->ok = read_file(r->program, image, r->size);
}

static bool
program_map(struct ventus_dev_program *p)
{
    struct ventus_dev *d = p->dev;
    p->slot = find_slot(d);
    p->next = d->programs;
    d->programs = p;
    context_link(p->context);
    return (paging_add_root(&d->paging, &p->context->tables, &p->root) ||
            dev_fail("no room for page tables")) &&
           load_segments(p);
}

struct ventus_dev_program *
ventus_dev_load(struct ventus_dev *d, const void *elf, size_t size,
                const char *name)
{
    if (!d->bare)
        return ventus_dev_load_in(&d->own, elf, size, name);
    dev_fail("ventus_dev_load: this device is bare");
    return NULL;
}

struct ventus_dev_program *
ventus_dev_load_in(struct ventus_dev_context *c, const void *elf, size_t size,
                   const char *name)
{
    struct ventus_dev *d = c->dev;
    struct ventus_dev_program *p = calloc(1, sizeof *p);
    if (!p) {
        dev_fail_memory("a program");
        return NULL;
    }
    p->dev = d;
    p->context = c;
    struct reading r = { p, elf, size, name ? name : "<program>", false };
    bool had_memory = oom_call(read_program, &r);
    if (!had_memory)
        dev_fail_memory("a program");
    if (!had_memory || !r.ok) {
        arena_free(&p->arena);
        free(p);
        return NULL;
    }
    ticket_lock_acquire(&d->lock);
    bool ok = program_map(p);
    if (!ok)
        program_remove(p);
    ticket_lock_release(&d->lock);
    return ok ? p : NULL;
}

void
program_remove(struct ventus_dev_program *p)
{
    struct ventus_dev *d = p->dev;
    struct ventus_dev_program **link = &d->programs;
    while (*link != p)
        link = &(*link)->next;
    *link = p->next;
    unmap_segments(p);
    assert(!p->mapped);
    paging_remove_root(&d->paging, &p->root);
    arena_free(&p->arena);
    free(p->told.pc);
    free(p);
}

void
ventus_dev_unload(struct ventus_dev_program *p)
{
    if (!p)
        return;
    struct ventus_dev *d = p->dev;
    queue_wait_all(d);
    ticket_lock_acquire(&d->lock);
    program_remove(p);
    ticket_lock_release(&d->lock);
}
