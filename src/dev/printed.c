/* SPDX-License-Identifier: Apache-2.0 */
/* Records of the print buffer as text. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "abi/print_format.h"
#include "base/clock.h"
#include "base/oom.h"
#include "dev/print.h"
#include "dev/program.h"
#include "dev/queue.h"
#include "obj/elf.h"

enum { MAX_STRING = 4096 };

struct strings {
    const struct print *print;
    char text[MAX_STRING];
};

/* How many bytes there are of the program's own data, or of a buffer of its
 * context; kernels read no others. */
static size_t
find_bytes(const struct strings *s, uint64_t address, const char **at)
{
    struct ventus_dev *d = s->print->dev;
    const struct ventus_dev_program *p = s->print->launch->kernel->program;
    const struct elf *elf = program_elf(p);
    for (size_t i = 0; i < elf->n_segments; i++) {
        const struct elf_segment *g = &elf->segment[i];
        if (g->type != ELF_PT_LOAD || address < g->vaddr ||
            address - g->vaddr >= g->file_size)
            continue;
        *at = (const char *)g->contents + (address - g->vaddr);
        return g->file_size - (address - g->vaddr);
    }
    const struct space_range *r = space_find_inside(&d->space, address, 1);
    if (!r || r->owner != program_context(p))
        return 0;
    uint64_t there, skip = address - r->address;
    *at = (const char *)d->ops->pointer(d->machine, r->physical + skip, &there);
    return there < r->asked - skip ? there : r->asked - skip;
}

static const char *
string_at(void *ctx, uint64_t address)
{
    struct strings *s = ctx;
    size_t n = 0, there;
    const char *at;
    while (n < MAX_STRING - 1 && (there = find_bytes(s, address, &at))) {
        there = there < MAX_STRING - 1 - n ? there : MAX_STRING - 1 - n;
        memcpy(s->text + n, at, there);
        size_t length = strnlen(s->text + n, there);
        n += length;
        address += there;
        if (length < there)
            break;
    }
    assert(n < MAX_STRING);
    s->text[n] = 0;
    return s->text;
}

/* The text that is still written after the limit of time or a stop is all of a
 * buffer, up to this size: a record of 8 bytes may be a megabyte. */
enum { LATE_B = 16 << 20 };

/* The machine, which waits for us, does not see that its time is up. */
static void
check_time(struct print *p, size_t written_B)
{
    uint64_t max_ms = p->dev->config.value[CONFIG_max_ms];
    bool late = max_ms && (clock_now_ns() - p->start_ns) / 1000000 >= max_ms;
    bool stopped = __atomic_load_n(p->stop, __ATOMIC_RELAXED);
    if (!late && !stopped)
        return;
    p->late_B += written_B;
    if (p->late_B > LATE_B && !p->wrong[0])
        snprintf(p->wrong, sizeof p->wrong,
                 "%s; what was printed is lost after %d MiB of text that were "
                 "left to write",
                 late ? "limit exceeded: max_ms" : "stopped", LATE_B >> 20);
}

/* Written in pieces: a buffer full of short records may be a gigabyte. */
enum { PIECE_B = 64 << 10 };

struct writing {
    struct print *print;
    const uint8_t *records;
    size_t size;
    struct buf text;
};

static void
flush(struct writing *w)
{
    FILE *to = w->print->launch->printed;
    if (w->text.n)
        fwrite(w->text.at, 1, w->text.n, to);
    fflush(to);
    w->text.n = 0;
}

static void
write_records(void *ctx)
{
    struct writing *w = ctx;
    struct print *p = w->print;
    struct strings strings = { .print = p };
    const struct elf_section *table =
        program_formats(p->launch->kernel->program);
    const struct print_strings s = { .table = table->contents,
                                     .size = table->size,
                                     .at = string_at,
                                     .ctx = &strings,
                                     .limit = p->text_limit };
    for (size_t at = 0; at < w->size && !p->wrong[0];) {
        size_t before = w->text.n;
        size_t taken =
            print_record(&w->text, &s, w->records + at, w->size - at);
        if (!taken)
            break;
        at += taken;
        assert(at <= w->size);
        if (w->text.n - before > s.limit) {
            w->text.n = before;
            snprintf(p->wrong, sizeof p->wrong,
                     "a printf made more than %zu characters (print_text)",
                     s.limit);
        }
        size_t written_B = w->text.n - before;
        if (w->text.n >= PIECE_B)
            flush(w);
        if (at < w->size)
            check_time(p, written_B);
    }
    flush(w);
}

void
printed_write(struct print *p, const uint8_t *records, size_t size)
{
    struct writing w = { .print = p, .records = records, .size = size };
    if (p->wrong[0])
        return;
    if (!oom_call(write_records, &w))
        snprintf(p->wrong, sizeof p->wrong,
                 "out of memory: what was printed is lost");
    buf_free(&w.text);
}
