/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of ELF files.  Layout: ELF header; program headers; contents of the added
 * sections; a .rela section for each section with relocations; .symtab; .strtab;
 * .shstrtab; section headers. */
#include <assert.h>
#include <string.h>

#include "base/defer.h"
#include "base/map.h"
#include "obj/elf.h"

enum {
    HEADER_SIZE = 52,
    SEGMENT_SIZE = 32,
    SECTION_SIZE = 40,
    SYMBOL_SIZE = 16,
    RELA_SIZE = 12,
    PAGE = 4096
};

/* A string table under construction, which stores equal strings once. */
struct strings {
    struct map map; /* string -> offset, as a pointer */
    struct buf bytes;
};

struct section_header {
    uint32_t name, type, flags, addr, offset, size, link, info, align;
    uint32_t entry_size;
};

struct writer {
    const struct elf_out *o;
    const char *file;
    struct buf *out;
    size_t start; /* start of the object in `out` */
    struct diag_sink *sink;
    bool failed;
    struct strings names, symbol_names;
    uint32_t *symbol_index; /* index in .symtab by number of the symbol */
    vec(struct section_header) headers;
};

static void
writer_fail(struct writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
writer_fail(struct writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_vreport(w->sink, DIAG_ERROR, (struct diag_at){ .file = w->file },
                 format, args);
    va_end(args);
    w->failed = true;
}

unsigned
elf_out_section(struct elf_out *o, const char *name, unsigned type,
                unsigned flags, uint32_t align)
{
    vec_push(o->arena, &o->sections,
             (struct elf_out_section){
                 .name = name, .type = type, .flags = flags, .align = align });
    return (unsigned)o->sections.n;
}

unsigned
elf_out_find(const struct elf_out *o, const char *name)
{
    for (size_t i = 0; i < o->sections.n; i++)
        if (strcmp(o->sections.at[i].name, name) == 0)
            return (unsigned)i + 1;
    return 0;
}

struct buf *
elf_out_contents(struct elf_out *o, unsigned section)
{
    assert(section && section <= o->sections.n);
    return &o->sections.at[section - 1].contents;
}

unsigned
elf_out_symbol(struct elf_out *o, const struct elf_out_symbol *symbol)
{
    vec_push(o->arena, &o->symbols, *symbol);
    return (unsigned)o->symbols.n;
}

unsigned
elf_out_section_symbol(struct elf_out *o, unsigned section)
{
    assert(section && section <= o->sections.n);
    for (size_t i = 0; i < o->symbols.n; i++)
        if (o->symbols.at[i].type == ELF_STT_SECTION &&
            o->symbols.at[i].section == section)
            return (unsigned)i + 1;
    return elf_out_symbol(o, &(struct elf_out_symbol){
                                 .section = section, .type = ELF_STT_SECTION });
}

void
elf_out_reloc(struct elf_out *o, unsigned section, struct elf_out_reloc reloc)
{
    assert(section && section <= o->sections.n);
    vec_push(o->arena, &o->sections.at[section - 1].relocs, reloc);
}

void
elf_out_free(struct elf_out *o)
{
    for (size_t i = 0; i < o->sections.n; i++)
        buf_free(&o->sections.at[i].contents);
    *o = (struct elf_out){ 0 };
}

static void
release_elf_out(void *o)
{
    elf_out_free(o);
}

void
elf_out_defer(struct oom_cleanup *c, struct elf_out *o)
{
    oom_defer(c, release_elf_out, o);
}

static uint32_t
string_offset(struct writer *w, struct strings *s, const char *name)
{
    if (!s->bytes.n)
        buf_u8(&s->bytes, 0);
    size_t length = name ? strlen(name) : 0;
    if (!length)
        return 0;
    void **value = map_put(w->o->arena, &s->map, name, length);
    if (!*value) {
        *value = (void *)(uintptr_t)s->bytes.n;
        buf_put(&s->bytes, name, length + 1);
    }
    return (uint32_t)(uintptr_t)*value;
}

static void
check_relocs(struct writer *w, const struct elf_out_section *s)
{
    for (size_t i = 0; i < s->relocs.n; i++) {
        const struct elf_out_reloc *r = &s->relocs.at[i];
        if (r->offset > s->contents.n)
            writer_fail(
                w, "section '%s': relocation at 0x%x is past its end (0x%zx)",
                s->name, r->offset, s->contents.n);
        if (r->symbol > w->o->symbols.n)
            writer_fail(w, "section '%s': relocation at 0x%x: symbol %u of %zu",
                        s->name, r->offset, r->symbol, w->o->symbols.n);
        if (r->type > 255)
            writer_fail(w, "section '%s': relocation at 0x%x: unknown type %u",
                        s->name, r->offset, r->type);
    }
}

static void
check_object(struct writer *w)
{
    const struct elf_out *o = w->o;
    /* Each section may get a .rela section; three tables and number 0 are added. */
    if (o->sections.n > (ELF_SHN_RESERVED - 4) / 2)
        writer_fail(w, "%zu sections are too many", o->sections.n);
    if (o->symbols.n > 0xffffff - 1)
        writer_fail(w, "%zu symbols are too many: relocations count up to 2^24",
                    o->symbols.n);
    for (size_t i = 0; i < o->sections.n; i++) {
        const struct elf_out_section *s = &o->sections.at[i];
        if (s->align & (s->align - 1))
            writer_fail(w, "section '%s': alignment %u is not a power of two",
                        s->name, s->align);
        if (s->type == ELF_SHT_NOBITS && s->contents.n)
            writer_fail(w, "section '%s': contents in a section that has none",
                        s->name);
        check_relocs(w, s);
    }
    for (size_t i = 0; i < o->symbols.n; i++) {
        const struct elf_out_symbol *s = &o->symbols.at[i];
        if (s->section > o->sections.n && s->section != ELF_SHN_ABS)
            writer_fail(w, "symbol '%s': section %u of %zu",
                        s->name ? s->name : "", s->section, o->sections.n);
        if (!s->section && s->binding == ELF_STB_LOCAL)
            writer_fail(w, "symbol '%s' is local and not defined",
                        s->name ? s->name : "");
    }
}

/* Aligns the end, and returns its offset from the start of the object.  Large
 * alignments concern memory only; in the file a page is enough. */
static uint32_t
place_part(struct writer *w, uint32_t align)
{
    if (align > PAGE)
        align = PAGE;
    assert(align && (align & (align - 1)) == 0);
    assert(w->out->n >= w->start);
    size_t offset = w->out->n - w->start;
    buf_fill(w->out, 0, -offset & (align - 1));
    return (uint32_t)(w->out->n - w->start);
}

static void
put_header(struct writer *w, const char *name, struct section_header h)
{
    h.name = string_offset(w, &w->names, name);
    vec_push(w->o->arena, &w->headers, h);
}

static bool
is_loaded(const struct elf_out *o, unsigned section)
{
    for (size_t i = 0; i < o->segments.n; i++)
        if (o->segments.at[i].section == section)
            return true;
    return false;
}

static void
put_sections(struct writer *w)
{
    put_header(w, "", (struct section_header){ 0 });
    for (size_t i = 0; i < w->o->sections.n; i++) {
        const struct elf_out_section *s = &w->o->sections.at[i];
        bool nobits = s->type == ELF_SHT_NOBITS;
        uint32_t align = s->align ? s->align : 1;
        bool loaded = is_loaded(w->o, (unsigned)i + 1);
        uint32_t offset = place_part(w, loaded ? PAGE : nobits ? 1 : align);
        buf_put(w->out, s->contents.at, s->contents.n);
        put_header(
            w, s->name,
            (struct section_header){ .type = s->type,
                                     .flags = s->flags,
                                     .addr = s->addr,
                                     .offset = offset,
                                     .size = nobits ? s->nobits_size
                                                    : (uint32_t)s->contents.n,
                                     .align = align,
                                     .entry_size = s->entry_size });
    }
}

/* The number that .symtab will have: the next after the sections so far. */
static uint32_t
symtab_number(const struct writer *w)
{
    uint32_t n = (uint32_t)w->o->sections.n + 1;
    for (size_t i = 0; i < w->o->sections.n; i++)
        n += w->o->sections.at[i].relocs.n != 0;
    return n;
}

static void
put_relocs(struct writer *w, const struct elf_out_section *s, uint32_t number)
{
    uint32_t offset = place_part(w, 4);
    for (size_t i = 0; i < s->relocs.n; i++) {
        const struct elf_out_reloc *r = &s->relocs.at[i];
        assert(r->symbol <= w->o->symbols.n && "check_object has passed");
        assert(w->symbol_index[r->symbol] < 1 << 24 && r->type < 256 &&
               "r_info has 24 bits for the symbol");
        buf_u32(w->out, r->offset);
        buf_u32(w->out, w->symbol_index[r->symbol] << 8 | r->type);
        buf_u32(w->out, (uint32_t)r->addend);
    }
    put_header(
        w, arena_printf(w->o->arena, ".rela%s", s->name),
        (struct section_header){ .type = ELF_SHT_RELA,
                                 .flags = ELF_SHF_INFO_LINK,
                                 .offset = offset,
                                 .size = (uint32_t)s->relocs.n * RELA_SIZE,
                                 .link = symtab_number(w),
                                 .info = number,
                                 .align = 4,
                                 .entry_size = RELA_SIZE });
}

/* Numbers the symbols, locals first; returns the number of locals, the empty one
 * included. */
static uint32_t
number_symbols(struct writer *w)
{
    const struct elf_out *o = w->o;
    uint32_t next = 1, locals = 1;
    w->symbol_index = arena_new(o->arena, uint32_t, o->symbols.n + 1);
    for (int global = 0; global < 2; global++) {
        for (size_t i = 0; i < o->symbols.n; i++)
            if ((o->symbols.at[i].binding != ELF_STB_LOCAL) == global)
                w->symbol_index[i + 1] = next++;
        if (!global)
            locals = next;
    }
    assert(next == o->symbols.n + 1 && locals <= next &&
           "all symbols are numbered");
    return locals;
}

static void
put_symbol(struct writer *w, const struct elf_out_symbol *s)
{
    assert((unsigned)s->binding < 16 && (unsigned)s->type < 16);
    buf_u32(w->out, string_offset(w, &w->symbol_names, s->name));
    buf_u32(w->out, s->value);
    buf_u32(w->out, s->size);
    buf_u8(w->out, (uint8_t)(s->binding << 4 | s->type));
    buf_u8(w->out, (uint8_t)s->visibility);
    buf_u16(w->out, (uint16_t)s->section);
}

static void
put_symbols(struct writer *w, uint32_t locals)
{
    const struct elf_out *o = w->o;
    assert(w->headers.n == symtab_number(w) && ".symtab is the next section");
    uint32_t offset = place_part(w, 4);
    put_symbol(w, &(struct elf_out_symbol){ 0 });
    for (int global = 0; global < 2; global++)
        for (size_t i = 0; i < o->symbols.n; i++)
            if ((o->symbols.at[i].binding != ELF_STB_LOCAL) == global)
                put_symbol(w, &o->symbols.at[i]);
    put_header(w, ".symtab",
               (struct section_header){ .type = ELF_SHT_SYMTAB,
                                        .offset = offset,
                                        .size = (uint32_t)(o->symbols.n + 1) *
                                                SYMBOL_SIZE,
                                        .link = symtab_number(w) + 1,
                                        .info = locals,
                                        .align = 4,
                                        .entry_size = SYMBOL_SIZE });
}

static void
put_strings(struct writer *w, const char *name, struct strings *s)
{
    /* Before the table of strings is written. */
    string_offset(w, &w->names, name);
    uint32_t offset = place_part(w, 1);
    buf_put(w->out, s->bytes.at, s->bytes.n);
    assert(s->bytes.n && !s->bytes.at[s->bytes.n - 1] &&
           "the table ends in a zero byte");
    put_header(w, name,
               (struct section_header){ .type = ELF_SHT_STRTAB,
                                        .offset = offset,
                                        .size = (uint32_t)s->bytes.n,
                                        .align = 1 });
}

static void
put_section_headers(struct writer *w)
{
    for (size_t i = 0; i < w->headers.n; i++) {
        const struct section_header *h = &w->headers.at[i];
        buf_u32(w->out, h->name);
        buf_u32(w->out, h->type);
        buf_u32(w->out, h->flags);
        buf_u32(w->out, h->addr);
        buf_u32(w->out, h->offset);
        buf_u32(w->out, h->size);
        buf_u32(w->out, h->link);
        buf_u32(w->out, h->info);
        buf_u32(w->out, h->align);
        buf_u32(w->out, h->entry_size);
    }
}

static void
put_segments(struct buf *b, const struct writer *w)
{
    for (size_t i = 0; i < w->o->segments.n; i++) {
        const struct elf_out_segment *s = &w->o->segments.at[i];
        assert(s->section && s->section <= w->o->sections.n);
        const struct section_header *h = &w->headers.at[s->section];
        assert(h->offset % PAGE == h->addr % PAGE &&
               "ELF requires it of segments");
        buf_u32(b, ELF_PT_LOAD);
        buf_u32(b, h->offset);
        buf_u32(b, h->addr); /* virtual and physical address */
        buf_u32(b, h->addr);
        const struct section_header *last =
            s->zeros ? &w->headers.at[s->zeros] : h;
        /* Size in the file. */
        buf_u32(b, h->type == ELF_SHT_NOBITS ? 0 : h->size);
        buf_u32(b, last->addr + last->size - h->addr);
        buf_u32(b, s->flags);
        buf_u32(b, PAGE);
    }
}

/* Writes the header into the space that was left free for it. */
static void
fill_elf_header(struct writer *w, uint32_t section_headers)
{
    static const uint8_t ident[16] = {
        0x7f, 'E', 'L', 'F', /* magic number */
        1,                   /* 32 bits */
        1,                   /* little endian */
        1,                   /* version */
    };
    struct buf b = { 0 };
    struct oom_cleanup free_b;
    assert(w->headers.n < ELF_SHN_RESERVED && section_headers % 4 == 0);
    uint16_t segments = (uint16_t)w->o->segments.n;
    oom_defer_buf(&free_b, &b);
    buf_put(&b, ident, sizeof ident);
    buf_u16(&b, segments ? ELF_ET_EXEC : ELF_ET_REL);
    buf_u16(&b, ELF_EM_RISCV);
    buf_u32(&b, 1); /* version of the format */
    buf_u32(&b, w->o->entry);
    buf_u32(&b, segments ? HEADER_SIZE : 0); /* offset of the program headers */
    buf_u32(&b, section_headers);
    buf_u32(&b, w->o->flags);
    buf_u16(&b, HEADER_SIZE);
    buf_u16(&b, segments ? SEGMENT_SIZE : 0);
    buf_u16(&b, segments);
    buf_u16(&b, SECTION_SIZE);
    buf_u16(&b, (uint16_t)w->headers.n);
    buf_u16(&b, (uint16_t)(w->headers.n - 1)); /* number of .shstrtab */
    assert(b.n == HEADER_SIZE);
    put_segments(&b, w);
    assert(b.n == HEADER_SIZE + (size_t)segments * SEGMENT_SIZE);
    memcpy(w->out->at + w->start, b.at, b.n);
    oom_release(&free_b);
}

bool
elf_write(const struct elf_out *o, const char *file, struct buf *out,
          struct diag_sink *sink)
{
    struct writer w = {
        .o = o, .file = file, .out = out, .start = out->n, .sink = sink
    };
    struct oom_cleanup free_names, free_symbol_names;
    check_object(&w);
    if (w.failed)
        return false;
    oom_defer_buf(&free_names, &w.names.bytes);
    oom_defer_buf(&free_symbol_names, &w.symbol_names.bytes);
    buf_fill(out, 0, HEADER_SIZE + o->segments.n * SEGMENT_SIZE);
    uint32_t locals = number_symbols(&w);
    put_sections(&w);
    for (size_t i = 0; i < o->sections.n; i++)
        if (o->sections.at[i].relocs.n)
            put_relocs(&w, &o->sections.at[i], (uint32_t)i + 1);
    put_symbols(&w, locals);
    put_strings(&w, ".strtab", &w.symbol_names);
    put_strings(&w, ".shstrtab", &w.names);
    assert(w.headers.n == symtab_number(&w) + 3 &&
           ".symtab and two string tables come last");
    uint32_t section_headers = place_part(&w, 4);
    put_section_headers(&w);
    if (out->n - w.start > UINT32_MAX)
        writer_fail(&w, "%zu bytes are more than an ELF32 file can hold",
                    out->n - w.start);
    else
        fill_elf_header(&w, section_headers);
    oom_release(&free_symbol_names);
    oom_release(&free_names);
    if (w.failed)
        out->n = w.start;
    return !w.failed;
}
