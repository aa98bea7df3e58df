/* SPDX-License-Identifier: Apache-2.0 */
/* Sections, symbols, relocations and source lines of the disassembled file. */
#include "asm/dis/file.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "asm/dis/quote.h"
#include "asm/dis/source_lines.h"
#include "asm/dis/whole.h"
#include "base/defer.h"
#include "base/vec.h"
#include "obj/dwarf.h"
#include "obj/elf.h"
#include "obj/note.h"
#include "obj/upstream.h"

typedef vec(struct dis_symbol) symbol_list;
typedef vec(struct dis_note) note_list;

static int
by_address(const void *a, const void *b)
{
    const struct dis_symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int
note_order(const void *a, const void *b)
{
    const struct dis_note *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* $x and $d are marks, not names. */
static bool
is_written(const char *name, bool whole)
{
    return dis_is_plain(name) || (whole && *name && *name != '$');
}

static symbol_list
symbols_of(struct arena *a, const struct elf *elf, size_t section, bool whole)
{
    symbol_list list = { 0 };
    const struct elf_section *s = &elf->section[section];
    for (size_t i = 1; i < elf->n_symbols; i++) {
        const struct elf_symbol *y = &elf->symbol[i];
        uint64_t address = y->value + (elf->type == ELF_ET_REL ? s->addr : 0);
        if (y->section != section || y->type == ELF_STT_SECTION ||
            y->type == ELF_STT_FILE || !is_written(y->name, whole))
            continue;
        vec_push(a, &list,
                 ((struct dis_symbol){ address, dis_name(a, y->name) }));
    }
    if (list.n)
        qsort(list.at, list.n, sizeof *list.at, by_address);
    /* A label is written once: of equal names the first. */
    size_t n = 0;
    for (size_t i = 0; i < list.n; i++)
        if (!n || strcmp(list.at[n - 1].name, list.at[i].name) != 0)
            list.at[n++] = list.at[i];
    assert(n <= list.n);
    list.n = n;
    return list;
}

static const char *
reloc_name(unsigned type)
{
    switch ((enum elf_riscv_reloc)type) {
    case ELF_R_RISCV_32:
        return "R_RISCV_32";
    case ELF_R_RISCV_BRANCH:
        return "R_RISCV_BRANCH";
    case ELF_R_RISCV_JAL:
        return "R_RISCV_JAL";
    case ELF_R_RISCV_CALL_PLT:
        return "R_RISCV_CALL_PLT";
    case ELF_R_RISCV_PCREL_HI20:
        return "R_RISCV_PCREL_HI20";
    case ELF_R_RISCV_PCREL_LO12_I:
        return "R_RISCV_PCREL_LO12_I";
    case ELF_R_RISCV_PCREL_LO12_S:
        return "R_RISCV_PCREL_LO12_S";
    case ELF_R_RISCV_HI20:
        return "R_RISCV_HI20";
    case ELF_R_RISCV_LO12_I:
        return "R_RISCV_LO12_I";
    case ELF_R_RISCV_LO12_S:
        return "R_RISCV_LO12_S";
    default: /* the others belong to data; their number says enough */
        return NULL;
    }
}

/* The assembler's name of a part of an address, %hi and the like, or NULL. */
static const char *
reloc_part(unsigned type)
{
    switch (type) {
    case ELF_R_RISCV_32:
        return "";
    case ELF_R_RISCV_HI20:
        return "%hi";
    case ELF_R_RISCV_LO12_I:
    case ELF_R_RISCV_LO12_S:
        return "%lo";
    default: /* in words that show their symbol, or not to be written */
        return NULL;
    }
}

static struct dis_note
note_of(struct arena *a, const struct elf *elf, const struct elf_section *s,
        const struct elf_reloc *r, bool whole)
{
    const struct elf_symbol *y = &elf->symbol[r->symbol];
    const char *type = reloc_name(r->type), *part = reloc_part(r->type);
    const char *name = y->name;
    const char *more = r->addend ? arena_printf(a, "%+" PRId64, r->addend) : "";
    struct dis_note note = { .address = s->addr + r->offset };
    note.operand = part && is_written(name, whole);
    if (note.operand)
        name = dis_name(a, name);
    if (!*name && y->section < elf->n_sections)
        name = elf->section[y->section].name;
    if (!type)
        type = arena_printf(a, "relocation %" PRIu32, r->type);
    note.text = !note.operand ? arena_printf(a, "%s %s%s", type, name, more)
                : *part       ? arena_printf(a, "%s(%s%s)", part, name, more)
                              : arena_printf(a, "%s%s", name, more);
    return note;
}

static note_list
notes_of(struct arena *a, const struct elf *elf, const struct elf_section *s,
         bool whole)
{
    note_list list = { 0 };
    for (size_t i = 0; i < s->n_relocs; i++)
        vec_push(a, &list, note_of(a, elf, s, &s->reloc[i], whole));
    if (list.n)
        qsort(list.at, list.n, sizeof *list.at, note_order);
    return list;
}

static void
put_section_head(struct buf *out, const struct elf *elf, size_t section,
                 bool whole)
{
    const struct elf_section *s = &elf->section[section];
    buf_printf(out, "\n    .section %s, \"%s%s%s\", @%s\n", s->name,
               s->flags & ELF_SHF_ALLOC ? "a" : "",
               s->flags & ELF_SHF_WRITE ? "w" : "",
               s->flags & ELF_SHF_EXEC ? "x" : "",
               s->type == ELF_SHT_NOBITS ? "nobits" : "progbits");
    if (whole && s->align > 1)
        buf_printf(out, "    .balign %" PRIu64 "\n", s->align);
    for (size_t i = 1; i < elf->n_symbols; i++) {
        const struct elf_symbol *y = &elf->symbol[i];
        if (whole || y->section != section || !dis_is_plain(y->name))
            continue;
        if (y->binding != ELF_STB_LOCAL)
            buf_printf(out, "    .%s %s\n",
                       y->binding == ELF_STB_WEAK ? "weak" : "globl", y->name);
    }
}

/* Room without contents, and its names. */
static void
put_zeros(struct buf *out, const struct elf_section *s,
          const symbol_list *symbols)
{
    uint64_t at = 0;
    for (size_t i = 0; i < symbols->n; i++) {
        uint64_t offset = symbols->at[i].address - s->addr;
        if (offset > s->size)
            break;
        if (offset > at)
            buf_printf(out, "    .zero   %" PRIu64 "\n", offset - at);
        buf_printf(out, "%s:\n", symbols->at[i].name);
        at = offset;
    }
    if (s->size > at)
        buf_printf(out, "    .zero   %" PRIu64 "\n", s->size - at);
}

static void
put_section(struct buf *out, struct arena *a, const struct elf *elf,
            size_t section, const struct dis_file_options *options,
            struct dis_source *source)
{
    const struct elf_section *s = &elf->section[section];
    symbol_list symbols = symbols_of(a, elf, section, options->whole);
    note_list notes = notes_of(a, elf, s, options->whole);
    struct dis_code code = {
        .bytes = s->contents,
        .size = s->contents ? (size_t)s->size : 0,
        .address = s->addr,
        .symbol = symbols.at,
        .symbols = symbols.n,
        .note = notes.at,
        .notes = notes.n,
        .source = source ? dis_source_line : NULL,
        .loc = source && options->whole ? dis_source_loc : NULL,
        .ctx = source,
    };
    if (source)
        dis_source_section(source, (uint32_t)section);
    if (options->json) {
        const struct dis_json d = { options->json, &options->code,
                                    source ? dis_source_place : NULL, source };
        dis_json_section(&d, s->name, &code);
        return;
    }
    put_section_head(out, elf, section, options->whole);
    if (!s->contents)
        put_zeros(out, s, &symbols);
    else if (s->flags & ELF_SHF_EXEC)
        dis_section(out, &options->code, &code);
    else
        dis_data(out, &options->code, &code);
}

static bool
is_wanted(const struct elf_section *s, const struct dis_file_options *o)
{
    if (o->section)
        return strcmp(s->name, o->section) == 0 &&
               (s->contents || s->type == ELF_SHT_NOBITS);
    if (!(s->flags & ELF_SHF_ALLOC) || (!s->size && !o->whole) ||
        (s->type != ELF_SHT_PROGBITS && s->type != ELF_SHT_NOBITS))
        return false;
    return s->flags & ELF_SHF_EXEC || o->data;
}

static bool
choose_version(const struct elf *elf, struct dis_file_options *o,
               struct diag_sink *sink)
{
    unsigned isa = 0;
    if (o->code.version)
        return true;
    if (!note_read_isa(elf, &isa, sink))
        return false;
    o->code.version = isa == 2 ? VENTUS_ISA_V2 : VENTUS_ISA_V1;
    return true;
}

static bool
put_elf(struct buf *out, struct arena *a, const struct elf *elf,
        struct dis_file_options *o, struct diag_sink *sink)
{
    struct diag_at at = { .file = elf->file };
    if (elf->machine != ELF_EM_RISCV || elf->is_64) {
        diag_report(sink, DIAG_ERROR, at,
                    "expected a 32-bit RISC-V file, found machine %u, %d bits",
                    elf->machine, elf->is_64 ? 64 : 32);
        return false;
    }
    if (!choose_version(elf, o, sink))
        return false;
    struct dis_source *source =
        o->source ? dis_source_open(a, elf, sink) : NULL;
    if (o->source && !source)
        return false;
    buf_printf(out, "# %s, version %u of the instruction set\n", elf->file,
               o->code.version);
    if (o->json) {
        json_string(o->json, "file", elf->file);
        json_number(o->json, "isa", o->code.version);
        json_array(o->json, "sections");
    }
    if (o->whole && source)
        dis_source_files(source, out);
    if (o->whole && !dis_whole_head(out, a, elf, sink))
        return false;
    bool any = false;
    for (size_t i = 1; i < elf->n_sections; i++) {
        if (!is_wanted(&elf->section[i], o))
            continue;
        put_section(out, a, elf, i, o, source);
        any = true;
    }
    if (o->json)
        json_end(o->json);
    if (!any)
        diag_report(sink, DIAG_ERROR, at, "no section %s%s",
                    o->section ? "" : "with code",
                    o->section ? o->section : "");
    return any;
}

bool
dis_may_elf(const struct elf *elf, struct diag_sink *sink)
{
    static const struct {
        unsigned machine;
        const char *name;
    } others[] = {
        { 3, " (x86)" },      { 20, " (PowerPC)" },  { 40, " (ARM)" },
        { 62, " (x86-64)" },  { 183, " (AArch64)" }, { 190, " (CUDA)" },
        { 224, " (AMDGPU)" },
    };
    if (elf->machine == ELF_EM_RISCV)
        return true;
    const char *name = "";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].machine == elf->machine)
            name = others[i].name;
    diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = elf->file },
                "expected machine code of Ventus (ELF machine %d), found "
                "machine %u%s",
                ELF_EM_RISCV, elf->machine, name);
    return false;
}

bool
dis_elf(struct buf *out, const struct dis_file_options *options,
        const char *file, const uint8_t *image, size_t size,
        struct diag_sink *sink)
{
    struct arena a = { 0 };
    struct oom_cleanup free_a;
    struct elf elf;
    struct dis_file_options o = *options;
    oom_defer_arena(&free_a, &a);
    bool ok = elf_read(&a, file, image, size, &elf, sink) &&
              dis_may_elf(&elf, sink) && put_elf(out, &a, &elf, &o, sink);
    oom_release(&free_a);
    return ok;
}

/* The buffer that holds the first instruction. */
static const struct upstream_buffer *
code_buffer(const struct upstream_case *c)
{
    for (size_t i = 0; i < c->n_buffers; i++) {
        const struct upstream_buffer *b = &c->buffers[i];
        if (c->start_addr >= b->base && c->start_addr - b->base < b->size_B)
            return b;
    }
    return NULL;
}

bool
dis_upstream(struct buf *out, const struct dis_file_options *options,
             const char *metadata, struct diag_sink *sink)
{
    struct arena a = { 0 };
    struct oom_cleanup free_a;
    struct upstream_case c;
    oom_defer_arena(&free_a, &a);
    bool ok = upstream_read(&a, metadata, &c, sink);
    const struct upstream_buffer *code = ok ? code_buffer(&c) : NULL;
    if (ok && !code) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = metadata },
                    "no buffer holds the code at 0x%" PRIx64
                    "; it is in an earlier case of the sequence",
                    c.start_addr);
        ok = false;
    }
    if (code) {
        struct dis_file_options o = *options;
        if (!o.style_given)
            o.code.style = VENTUS_ISA_STYLE_LOG;
        buf_printf(out, "# %s, code at 0x%" PRIx64 "\n", metadata, code->base);
        if (o.code.style == VENTUS_ISA_STYLE_LOG)
            buf_printf(out, "# written as in upstream's logs; "
                            "--style=gnu can be assembled\n");
        buf_printf(out, "\n    .text\n");
        dis_raw(out, &o, code->contents, (size_t)code->size_B, code->base);
    }
    oom_release(&free_a);
    return ok;
}

void
dis_raw(struct buf *out, const struct dis_file_options *options,
        const uint8_t *image, size_t size, uint64_t address)
{
    struct dis_options o = options->code;
    const struct dis_code code = { .bytes = image,
                                   .size = size,
                                   .address = address };
    if (!o.version)
        o.version = VENTUS_ISA_V1;
    if (!options->json) {
        dis_section(out, &o, &code);
        return;
    }
    json_number(options->json, "isa", o.version);
    json_array(options->json, "sections");
    dis_json_section(&(struct dis_json){ .json = options->json, .options = &o },
                     "", &code);
    json_end(options->json);
}
