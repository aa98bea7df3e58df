/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "asm/symbol.h"

#include "obj/elf.h"

static const struct {
    const char *name;
    uint32_t type, flags;
} known[] = {
    { ".text", ELF_SHT_PROGBITS, ELF_SHF_ALLOC | ELF_SHF_EXEC },
    { ".init", ELF_SHT_PROGBITS, ELF_SHF_ALLOC | ELF_SHF_EXEC },
    { ".fini", ELF_SHT_PROGBITS, ELF_SHF_ALLOC | ELF_SHF_EXEC },
    { ".data", ELF_SHT_PROGBITS, ELF_SHF_ALLOC | ELF_SHF_WRITE },
    { ".sdata", ELF_SHT_PROGBITS, ELF_SHF_ALLOC | ELF_SHF_WRITE },
    { ".bss", ELF_SHT_NOBITS, ELF_SHF_ALLOC | ELF_SHF_WRITE },
    { ".sbss", ELF_SHT_NOBITS, ELF_SHF_ALLOC | ELF_SHF_WRITE },
    { ".rodata", ELF_SHT_PROGBITS, ELF_SHF_ALLOC },
    { ".srodata", ELF_SHT_PROGBITS, ELF_SHF_ALLOC },
    { ".note", ELF_SHT_NOTE, 0 },
};

/* ".text.hot" has the type and flags of ".text". */
static void
guess(struct section *s)
{
    s->type = ELF_SHT_PROGBITS;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t n = strlen(known[i].name);
        if (strncmp(s->name, known[i].name, n) == 0 &&
            (!s->name[n] || s->name[n] == '.')) {
            s->type = known[i].type;
            s->flags = known[i].flags;
        }
    }
    s->nobits = s->type == ELF_SHT_NOBITS;
    s->align = s->flags & ELF_SHF_EXEC ? 4 : 1;
    assert((s->align & (s->align - 1)) == 0);
}

struct section *
section_find(struct assembler *a, struct span name)
{
    void **at = map_put(a->arena, &a->section_names, name.at, name.n);
    if (*at)
        return *at;
    struct section *s = arena_new(a->arena, struct section, 1);
    *at = s;
    s->name = arena_strndup(a->arena, name.at, name.n);
    guess(s);
    s->anchor.state = SYMBOL_LABEL;
    s->anchor.type = ELF_STT_SECTION;
    s->anchor.section = s;
    assert(!*a->last_section); /* the end of the list */
    *a->last_section = s;
    a->last_section = &s->next;
    return s;
}

void
section_enter(struct assembler *a, struct section *s)
{
    section_interrupts_prefix(a, "a change of section");
    assert(!a->pending.section); /* a prefix waits in one section only */
    a->previous = a->section;
    a->section = s;
}

static bool
enough(struct assembler *a, uint64_t n)
{
    assert(a->total <= MAX_OUTPUT);
    if (n <= MAX_OUTPUT && a->total + n <= MAX_OUTPUT)
        return true;
    if (!a->stop)
        asm_error(a, a->start, "more than %d MiB of output", MAX_OUTPUT >> 20);
    a->stop = true;
    return false;
}

uint8_t *
section_extend(struct assembler *a, uint64_t n)
{
    struct section *s = a->section;
    if (s->nobits) {
        asm_error(a, a->start, "section '%s' holds no bytes, only .space",
                  s->name);
        return NULL;
    }
    if (!enough(a, n))
        return NULL;
    assert(s->size == s->bytes.n); /* else an offset names another byte */
    s->size += n;
    a->total += n;
    return buf_extend(&s->bytes, (size_t)n);
}

void
section_fill(struct assembler *a, uint64_t n, uint8_t byte)
{
    if (!n)
        return;
    if (a->section->nobits && !byte) {
        if (!enough(a, n))
            return;
        assert(!a->section->bytes.n);
        a->section->size += n;
        a->total += n;
        return;
    }
    uint8_t *at = section_extend(a, n);
    if (at)
        memset(at, byte, (size_t)n);
}

/* Nops, after the bytes that are missing to a word. */
static void
fill_nops(struct assembler *a, uint64_t n)
{
    static const uint8_t nop[4] = { 0x13, 0, 0, 0 };
    uint8_t *at = section_extend(a, n);
    if (!at)
        return;
    memset(at, 0, (size_t)(n % 4));
    /* Whole words; two bytes are aligned by one. */
    assert(n < 4 || (a->section->size - (n - n % 4)) % 4 == 0);
    for (uint64_t i = n % 4; i < n; i += 4)
        memcpy(at + i, nop, 4);
}

void
section_align(struct assembler *a, uint64_t align, int fill, uint64_t most)
{
    struct section *s = a->section;
    assert(align && (align & (align - 1)) == 0 && align <= 1 << 30);
    uint64_t n = (0 - s->size) & (align - 1);
    if (n > most)
        return;
    assert((s->size + n) % align == 0);
    if (align > s->align)
        s->align = (uint32_t)align;
    if (!n)
        return;
    section_interrupts_prefix(a, "alignment");
    if (fill < 0 && s->flags & ELF_SHF_EXEC)
        fill_nops(a, n);
    else
        section_fill(a, n, fill < 0 ? 0 : (uint8_t)fill);
}

void
section_fixup(struct assembler *a, struct fixup fixup)
{
    struct section *s = a->section;
    assert(!s->nobits && fixup.offset < s->size);
    /* fixup.c looks for a %pcrel_hi by bisection */
    assert(!s->fixups.n ||
           s->fixups.at[s->fixups.n - 1].offset <= fixup.offset);
    vec_push(a->arena, &s->fixups, fixup);
}

void
section_interrupts_prefix(struct assembler *a, const char *what)
{
    if (!a->pending.section)
        return;
    assert(ventus_isa_is_prefix(a->pending.op));
    a->pending.section = NULL;
    asm_report(a, DIAG_WARNING, &a->pending.position,
               "'%s' has no effect: %s follows it, not an instruction",
               ventus_isa_info[a->pending.op].name, what);
}
