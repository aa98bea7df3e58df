/* SPDX-License-Identifier: Apache-2.0 */
#include "cc_native.h"

#include <string.h>
#include <unistd.h>

#include <ventus/asm.h>

#include "command.h"
#include "obj/link.h"

static bool
is_assembly(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (strcmp(dot, ".s") == 0 || strcmp(dot, ".S") == 0);
}

bool
native_is(const char *file, const void *bytes, size_t size)
{
    return is_assembly(file) || (size >= 4 && memcmp(bytes, "\177ELF", 4) == 0);
}

/* Assembles a file; messages are printed as the assembler does. */
static bool
assemble_native(struct arena *a, const char *file,
                enum ventus_isa_version version, const uint8_t **bytes,
                size_t *size)
{
    struct ventus_asm_options options = { .file = file,
                                          .version = version,
                                          .debug = true };
    struct ventus_asm_result r;
    bool ok = ventus_asm_assemble(&options, (const char *)*bytes, *size, &r);
    ventus_asm_print_messages(&r, stderr, command_colour());
    if (ok) {
        *bytes = (const uint8_t *)arena_strndup(a, (const char *)r.object,
                                                r.object_size);
        *size = r.object_size;
    }
    ventus_asm_free(&r);
    return ok;
}

bool
native_take(struct native *n, struct arena *a, const char *file,
            enum ventus_isa_version version, const uint8_t *bytes, size_t size,
            struct diag_sink *sink)
{
    struct elf elf;
    if (is_assembly(file) && !assemble_native(a, file, version, &bytes, &size))
        return false;
    if (!elf_read(a, file, bytes, size, &elf, sink))
        return false;
    if (elf.type != ELF_ET_REL || elf.machine != ELF_EM_RISCV || elf.is_64) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = file },
                    "expected an object for Ventus, as 'ventus as' and "
                    "'ventus cc --emit o' write it");
        return false;
    }
    vec_push(a, &n->objects, elf);
    return true;
}

static bool
is_global(const struct elf_symbol *s)
{
    return s->binding != ELF_STB_LOCAL && *s->name;
}

bool
native_defines(const struct native *n, const char *name)
{
    for (size_t i = 0; i < n->objects.n; i++) {
        const struct elf_symbol *s = elf_find_symbol(&n->objects.at[i], name);
        if (s && is_global(s))
            return true;
    }
    return false;
}

void
native_tell(const struct native *n, struct arena *a, struct front_options *o)
{
    for (size_t i = 0; i < n->objects.n; i++) {
        const struct elf *elf = &n->objects.at[i];
        for (size_t k = 1; k < elf->n_symbols; k++) {
            const struct elf_symbol *s = &elf->symbol[k];
            struct front_symbol x = { s->name, elf->file };
            bool weak = s->binding == ELF_STB_WEAK;
            if (!is_global(s))
                continue;
            if (s->section && !weak)
                vec_push(a, &o->defined, x);
            else if (!s->section && !native_defines(n, s->name))
                vec_push(a, &o->wanted, x);
        }
    }
}

bool
native_link(const struct native *n, struct arena *a, const char *name,
            const struct buf *object, const char *output, struct buf *out,
            struct diag_sink *sink)
{
    struct elf *all = arena_new(a, struct elf, n->objects.n + 1);
    size_t count = 0;
    if (object &&
        !elf_read(a, name, object->at, object->n, &all[count++], sink))
        return false;
    for (size_t i = 0; i < n->objects.n; i++)
        all[count++] = n->objects.at[i];
    return link_program(a, output, all, count, out, sink);
}
