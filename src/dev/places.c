/* SPDX-License-Identifier: Apache-2.0 */
/* Places in the code of a program: symbols and source lines. */
#include <inttypes.h>
#include <stdio.h>

#include "base/oom.h"
#include "dev/device.h"
#include "dev/places.h"
#include "dev/program.h"
#include "obj/dwarf.h"
#include "obj/report.h"

/* The closest symbol at or below an address. */
static const struct elf_symbol *
symbol_before(const struct elf *elf, uint64_t pc)
{
    const struct elf_symbol *best = NULL;
    for (size_t i = 1; i < elf->n_symbols; i++) {
        const struct elf_symbol *s = &elf->symbol[i];
        if (s->section == ELF_SHN_UNDEF || s->section >= elf->n_sections ||
            !s->name[0] || s->name[0] == '.' || s->name[0] == '$' ||
            s->type == ELF_STT_SECTION || s->type == ELF_STT_FILE ||
            !(elf->section[s->section].flags & ELF_SHF_EXEC))
            continue;
        /* The global one of two symbols at one address says more. */
        if (s->value <= pc &&
            (!best || s->value > best->value ||
             (s->value == best->value && s->binding > best->binding)))
            best = s;
    }
    return best;
}

bool
program_place(void *ctx, struct arena *a, uint64_t pc,
              struct profile_place *place)
{
    const struct ventus_dev_program *p = ctx;
    const struct elf_symbol *s = symbol_before(program_elf(p), pc);
    const struct dwarf_row *row = dwarf_line_find(program_lines(p), 0, pc);
    if (s)
        place->symbol = arena_printf(
            a, "%s+0x%" PRIx64, report_printable(a, s->name), pc - s->value);
    if (row) {
        const struct dwarf_file *f = &program_lines(p)->file[row->file];
        place->file = arena_printf(a, "%s", dwarf_file_path(a, f));
        place->line = row->line;
        place->column = row->column;
        place->text = dwarf_file_line(a, f, row->line);
    }
    return s || row;
}

struct describing {
    const struct ventus_dev_program *program;
    uint64_t pc;
    struct arena arena;
    char symbol[96], line[160];
    bool known;
};

static void
describe_pc(void *ctx)
{
    struct describing *d = ctx;
    const struct ventus_dev_program *p = d->program;
    const struct elf_symbol *s = symbol_before(program_elf(p), d->pc);
    const struct dwarf_row *row = dwarf_line_find(program_lines(p), 0, d->pc);
    if (s && s->value == d->pc)
        snprintf(d->symbol, sizeof d->symbol, "%s",
                 report_printable(&d->arena, s->name));
    else if (s)
        snprintf(d->symbol, sizeof d->symbol, "%s+0x%" PRIx64,
                 report_printable(&d->arena, s->name), d->pc - s->value);
    if (row)
        snprintf(
            d->line, sizeof d->line, " (%s:%u)",
            report_printable(&d->arena, program_lines(p)->file[row->file].name),
            row->line);
    d->known = s || row;
}

bool
ventus_dev_describe(const struct ventus_dev_program *p, uint64_t pc, char *text,
                    size_t size)
{
    struct describing d = { .program = p, .pc = pc, .symbol = "?" };
    oom_call(describe_pc, &d); /* without memory it says less */
    snprintf(text, size, "%s%s", d.symbol, d.line);
    arena_free(&d.arena);
    return d.known;
}
