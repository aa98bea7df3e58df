/* SPDX-License-Identifier: Apache-2.0 */
/* A relocatable object as one piece of code that does not depend on its address. */
#include <elf.h>
#include <string.h>

#include "native/translate.h"

struct object {
    const uint8_t *at;
    size_t size;
    const Elf64_Shdr *section;
    unsigned n;
    uint64_t place[64]; /* offset in the image; NOWHERE: not in it */
    const char *why;
};

#define NOWHERE UINT64_MAX

static bool
fail(struct object *o, const char *why)
{
    o->why = why;
    return false;
}

static bool
is_inside(const struct object *o, uint64_t offset, uint64_t size)
{
    return offset <= o->size && size <= o->size - offset;
}

static bool
open_object(struct object *o)
{
    Elf64_Ehdr head;
    if (o->size < sizeof head)
        return fail(o, "an object without a header");
    memcpy(&head, o->at, sizeof head);
    if (head.e_shnum > 64 ||
        !is_inside(o, head.e_shoff, head.e_shnum * sizeof *o->section) ||
        head.e_shoff % 8)
        return fail(o, "an object with other sections than expected");
    o->section = (const Elf64_Shdr *)(const void *)(o->at + head.e_shoff);
    o->n = head.e_shnum;
    for (unsigned i = 0; i < o->n; i++)
        if (o->section[i].sh_type != SHT_NOBITS &&
            !is_inside(o, o->section[i].sh_offset, o->section[i].sh_size))
            return fail(o, "a section outside of the object");
    return true;
}

/* Code and constants; data that is written does not exist. */
static bool
lay_out(struct object *o, struct buf *code)
{
    for (unsigned i = 0; i < o->n; i++) {
        const Elf64_Shdr *s = &o->section[i];
        o->place[i] = NOWHERE;
        if (!(s->sh_flags & SHF_ALLOC) || !s->sh_size ||
            s->sh_type == SHT_X86_64_UNWIND)
            continue;
        if (s->sh_type != SHT_PROGBITS || s->sh_flags & SHF_WRITE)
            return fail(o, "an object with variables");
        buf_align(code, s->sh_addralign < 64 ? 64 : s->sh_addralign, 0xcc);
        o->place[i] = code->n;
        buf_put(code, o->at + s->sh_offset, s->sh_size);
    }
    return true;
}

static bool
relocate(struct object *o, const Elf64_Rela *r, const Elf64_Sym *symbol,
         uint64_t place, uint64_t size, struct buf *code)
{
    uint64_t type = ELF64_R_TYPE(r->r_info);
    if (type != R_X86_64_PC32 && type != R_X86_64_PLT32)
        return fail(o, "a relocation of another kind");
    if (symbol->st_shndx >= o->n || o->place[symbol->st_shndx] == NOWHERE)
        return fail(o, "a function outside of the object is called");
    if (r->r_offset > size || size - r->r_offset < 4)
        return fail(o, "a relocation outside of its section");
    uint64_t at = place + r->r_offset;
    uint64_t value = o->place[symbol->st_shndx] + symbol->st_value +
                     (uint64_t)r->r_addend - at;
    uint32_t field = (uint32_t)value;
    memcpy(code->at + at, &field, sizeof field);
    return true;
}

static bool
relocate_section(struct object *o, const Elf64_Shdr *s, struct buf *code)
{
    if (s->sh_link >= o->n || s->sh_info >= o->n)
        return fail(o, "relocations of no section");
    if (o->place[s->sh_info] == NOWHERE)
        return true;
    const Elf64_Shdr *symbols = &o->section[s->sh_link];
    for (uint64_t i = 0; i < s->sh_size / sizeof(Elf64_Rela); i++) {
        Elf64_Rela r;
        Elf64_Sym symbol;
        memcpy(&r, o->at + s->sh_offset + i * sizeof r, sizeof r);
        uint64_t index = ELF64_R_SYM(r.r_info);
        if (index >= symbols->sh_size / sizeof symbol)
            return fail(o, "a relocation without a symbol");
        memcpy(&symbol, o->at + symbols->sh_offset + index * sizeof symbol,
               sizeof symbol);
        if (!relocate(o, &r, &symbol, o->place[s->sh_info],
                      o->section[s->sh_info].sh_size, code))
            return false;
    }
    return true;
}

static bool
find_function(struct object *o, const Elf64_Shdr *s, const char *function,
              uint32_t *start)
{
    if (s->sh_link >= o->n)
        return false;
    const Elf64_Shdr *names = &o->section[s->sh_link];
    for (uint64_t i = 0; i < s->sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, o->at + s->sh_offset + i * sizeof symbol,
               sizeof symbol);
        const char *name = (const char *)o->at + names->sh_offset;
        size_t most =
            names->sh_size -
            (symbol.st_name < names->sh_size ? symbol.st_name : names->sh_size);
        if (symbol.st_shndx >= o->n || o->place[symbol.st_shndx] == NOWHERE ||
            most <= strlen(function) ||
            strcmp(name + symbol.st_name, function) != 0)
            continue;
        *start = (uint32_t)(o->place[symbol.st_shndx] + symbol.st_value);
        return true;
    }
    return false;
}

bool
image_make(const uint8_t *object, size_t size, const char *function,
           struct buf *code, uint32_t *start, const char **why)
{
    struct object o = { .at = object, .size = size };
    bool found = false, ok = open_object(&o) && lay_out(&o, code);
    for (unsigned i = 0; ok && i < o.n; i++) {
        if (o.section[i].sh_type == SHT_RELA)
            ok = relocate_section(&o, &o.section[i], code);
        else if (o.section[i].sh_type == SHT_SYMTAB)
            found |= find_function(&o, &o.section[i], function, start);
    }
    if (ok && !found)
        ok = fail(&o, "an object without the function");
    *why = o.why;
    return ok;
}
