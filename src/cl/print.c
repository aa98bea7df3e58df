/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/print.h"

#include <stdio.h>
#include <string.h>

#include "obj/elf.h"
#include "obj/print_format.h"

enum { MOST_RECORDS_B = 8 << 20, MOST_STRING = 4096 };

static bool
read_elf(struct arena *a, const struct buf *binary, struct elf *elf)
{
    struct diag_sink sink = { .arena = a };
    return elf_read(a, PROGRAM_FILE, binary->at, binary->n, elf, &sink);
}

void
print_find_table(const struct buf *binary, struct buf *table)
{
    struct arena a = { 0 };
    struct elf elf;
    if (read_elf(&a, binary, &elf))
        for (size_t i = 0; i < elf.n_sections; i++)
            if (strcmp(elf.section[i].name, ".ventus.printf") == 0)
                buf_put(table, elf.section[i].contents, elf.section[i].size);
    arena_free(&a);
}

/* ---- strings at an address ---- */

struct strings {
    const struct executable *program;
    struct arena arena;
    struct elf elf;
    bool readable;
    char text[MOST_STRING];
};

/* A byte of the program's own data, or of a buffer. */
static bool
read_byte(const struct strings *s, uint32_t address, char *byte)
{
    for (size_t i = 0; s->readable && i < s->elf.n_segments; i++) {
        const struct elf_segment *g = &s->elf.segment[i];
        if (g->type != ELF_PT_LOAD || address < g->vaddr ||
            address - g->vaddr >= g->file_size)
            continue;
        *byte = (char)g->contents[address - g->vaddr];
        return true;
    }
    return dev_read(s->program->device->dev, address, byte, 1);
}

static const char *
string_at(void *ctx, uint32_t address)
{
    struct strings *s = ctx;
    size_t n = 0;
    while (n < MOST_STRING - 1 && read_byte(s, address, &s->text[n]) &&
           s->text[n]) {
        n++;
        address++;
    }
    s->text[n] = 0;
    return s->text;
}

/* ---- records ---- */

static void
flush(struct print *p, struct strings *strings)
{
    struct buf out = { 0 };
    const struct buf *table = &p->program->formats;
    const struct print_strings s = { .table = table->at,
                                     .size = table->n,
                                     .at = strings ? string_at : NULL,
                                     .ctx = strings };
    for (size_t at = 0; at < p->records.n;) {
        size_t taken =
            print_record(&out, &s, p->records.at + at, p->records.n - at);
        if (!taken)
            break;
        at += taken;
    }
    fwrite(out.at ? (char *)out.at : "", 1, out.n, stdout);
    fflush(stdout);
    buf_free(&out);
    p->records.n = 0;
}

static void
collect(void *ctx, const void *records, size_t size)
{
    struct print *p = ctx;
    buf_put(&p->records, records, size);
    if (p->records.n > MOST_RECORDS_B)
        flush(p, NULL);
}

const struct dev_hooks *
print_begin(struct print *p, const struct executable *program)
{
    *p = (struct print){ .hooks = { .ctx = p, .print = collect },
                         .program = program };
    return program->formats.n ? &p->hooks : NULL;
}

void
print_end(struct print *p)
{
    if (!p->records.n) {
        buf_free(&p->records);
        return;
    }
    struct strings s = { .program = p->program };
    s.readable = read_elf(&s.arena, &p->program->image, &s.elf);
    flush(p, &s);
    arena_free(&s.arena);
    buf_free(&p->records);
}
