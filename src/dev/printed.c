/* SPDX-License-Identifier: Apache-2.0 */
/* Records of the print buffer as text. */
#include <stdio.h>

#include "dev/print.h"
#include "obj/elf.h"
#include "obj/print_format.h"

enum { MOST_STRING = 4096 };

struct strings {
    const struct print *print;
    char text[MOST_STRING];
};

/* A byte of the program's own data, or of a buffer. */
static bool
read_byte(const struct strings *s, uint32_t address, char *byte)
{
    struct dev *d = s->print->dev;
    const struct elf *elf = program_elf(s->print->launch->kernel->program);
    for (size_t i = 0; i < elf->n_segments; i++) {
        const struct elf_segment *g = &elf->segment[i];
        if (g->type != ELF_PT_LOAD || address < g->vaddr ||
            address - g->vaddr >= g->file_size)
            continue;
        *byte = (char)g->contents[address - g->vaddr];
        return true;
    }
    const struct space_range *r = memory_find(d, address, 1);
    if (!r)
        return false;
    uint64_t there;
    *byte = *(const char *)d->ops->pointer(
        d->machine, r->physical + (address - r->address), &there);
    return true;
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

void
printed_write(const struct print *p, const uint8_t *records, size_t size)
{
    struct strings strings = { .print = p };
    const struct elf_section *table =
        program_formats(p->launch->kernel->program);
    const struct print_strings s = { .table = table->contents,
                                     .size = table->size,
                                     .at = string_at,
                                     .ctx = &strings };
    struct buf out = { 0 };
    for (size_t at = 0; at < size;) {
        size_t taken = print_record(&out, &s, records + at, size - at);
        if (!taken)
            break;
        at += taken;
    }
    fwrite(out.at ? (char *)out.at : "", 1, out.n, p->launch->printed);
    fflush(p->launch->printed);
    buf_free(&out);
}
