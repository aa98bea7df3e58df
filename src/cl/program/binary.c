/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/program/binary.h"

#include <string.h>

#include "base/bytes.h"
#include "base/oom.h"
#include "base/sha256.h"
#include "cl/program/compiler.h"
#include "obj/kernels.h"
#include "obj/note.h"

static const uint32_t wrapper_magic = 0x0b17c0de;
static const char magic[8] = "VTNSOBJ1";

enum {
    AT_VERSION = 4,
    AT_OFFSET = 8,
    AT_SIZE = 12,
    AT_CPU = 16,
    AT_MAGIC = 20,
    AT_TYPE = 28,
    AT_ISA = 32,
    AT_HASH = 36,
    HEAD = AT_HASH + SHA256_SIZE
};

unsigned
binary_isa(cl_device_id device)
{
    return (unsigned)ventus_dev_setting(device->dev, "isa");
}

static void
hash(const uint8_t *words, const void *bitcode, size_t size,
     uint8_t digest[SHA256_SIZE])
{
    struct sha256 s = sha256_begin();
    sha256_add(&s, words, AT_HASH - AT_TYPE);
    sha256_add(&s, bitcode, size);
    sha256_end(&s, digest);
}

bool
binary_wrap(struct buf *to, cl_program_binary_type type, unsigned isa,
            const struct buf *bitcode)
{
    uint8_t digest[SHA256_SIZE];
    size_t start = to->n;
    if (!buf_reserve(to, HEAD + bitcode->n))
        return false;
    buf_u32(to, wrapper_magic);
    buf_u32(to, 0);
    buf_u32(to, HEAD);
    buf_u32(to, (uint32_t)bitcode->n);
    buf_u32(to, 0);
    buf_put(to, magic, sizeof magic);
    buf_u32(to, (uint32_t)type);
    buf_u32(to, isa);
    hash(to->at + start + AT_TYPE, bitcode->at, bitcode->n, digest);
    buf_put(to, digest, sizeof digest);
    buf_put(to, bitcode->at, bitcode->n);
    return true;
}

/* The type in the header of an object, if header and contents are complete. */
static cl_program_binary_type
read_head(const uint8_t *bytes, size_t size, unsigned isa)
{
    uint8_t digest[SHA256_SIZE];
    if (size < HEAD || bytes_load_u32(bytes + AT_VERSION) != 0 ||
        bytes_load_u32(bytes + AT_OFFSET) != HEAD ||
        bytes_load_u32(bytes + AT_SIZE) != size - HEAD ||
        bytes_load_u32(bytes + AT_CPU) != 0 ||
        memcmp(bytes + AT_MAGIC, magic, sizeof magic) != 0)
        return CL_PROGRAM_BINARY_TYPE_NONE;
    hash(bytes + AT_TYPE, bytes + HEAD, size - HEAD, digest);
    cl_program_binary_type type = bytes_load_u32(bytes + AT_TYPE);
    bool known = type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                 type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
    if (memcmp(digest, bytes + AT_HASH, sizeof digest) != 0 || !known ||
        bytes_load_u32(bytes + AT_ISA) != isa)
        return CL_PROGRAM_BINARY_TYPE_NONE;
    return type;
}

/* Whether the compiler can read the bitcode.  After a correct header the contents may
 * be anything, which has to be reported now. */
static bool
is_readable(const void *bytes, size_t size, unsigned isa, bool *no_memory)
{
    const struct compiler_file file = { "input0.bc", bytes, size };
    struct compiler_job job = {
        .inputs = &file, .n_inputs = 1, .link = true, .object = true, .isa = isa
    };
    struct buf binary = { 0 }, log = { 0 };
    enum compiler_end end = compiler_run(&job, &binary, &log);
    buf_free(&binary);
    buf_free(&log);
    *no_memory |= end == COMPILER_NO_MEMORY;
    return end == COMPILER_DONE || end == COMPILER_MISSING;
}

/* A candidate: an ELF object, as `ventus as` writes it, to be linked. */
struct candidate {
    const void *bytes;
    size_t size;
    unsigned isa;
    struct arena arena;
    bool ok;
};

static void
read_object(void *ctx)
{
    struct candidate *o = ctx;
    struct diag_sink sink = { .arena = &o->arena };
    struct elf elf;
    unsigned version = 0;
    o->ok = o->size >= 4 && memcmp(o->bytes, "\177ELF", 4) == 0 &&
            elf_read(&o->arena, "binary", o->bytes, o->size, &elf, &sink) &&
            elf.type == ELF_ET_REL && elf.machine == ELF_EM_RISCV &&
            !elf.is_64 && note_read_isa(&elf, &version, &sink) &&
            (!version || version == o->isa);
}

static bool
is_elf_object(const void *bytes, size_t size, unsigned isa, bool *no_memory)
{
    struct candidate o = { .bytes = bytes, .size = size, .isa = isa };
    *no_memory |= !oom_call(read_object, &o);
    arena_free(&o.arena);
    return o.ok && !*no_memory;
}

/* Reads the version from the note of any ELF file. */
static void
read_isa(void *ctx)
{
    struct candidate *o = ctx;
    struct diag_sink sink = { .arena = &o->arena };
    struct elf elf;
    o->ok = o->size >= 4 && memcmp(o->bytes, "\177ELF", 4) == 0 &&
            elf_read(&o->arena, "binary", o->bytes, o->size, &elf, &sink) &&
            elf.machine == ELF_EM_RISCV && !elf.is_64 &&
            note_read_isa(&elf, &o->isa, &sink);
}

unsigned
binary_other_isa(cl_device_id device, const void *bytes, size_t size)
{
    struct candidate o = { .bytes = bytes, .size = size };
    const uint8_t *head = bytes;
    unsigned found = 0;
    if (size >= HEAD && bytes_load_u32(head) == wrapper_magic &&
        memcmp(head + AT_MAGIC, magic, sizeof magic) == 0)
        found = bytes_load_u32(head + AT_ISA);
    else if (oom_call(read_isa, &o) && o.ok)
        found = o.isa;
    arena_free(&o.arena);
    return found > 2 || found == binary_isa(device) ? 0 : found;
}

struct variables {
    struct arena arena;
    const void *bytes;
    size_t size, sum_B;
};

/* Adds the sizes of variables, but not of the locks of atomic operations, which are
 * not the program's. */
static void
add_variables(void *ctx)
{
    struct variables *v = ctx;
    struct diag_sink sink = { .arena = &v->arena };
    const unsigned wanted = ELF_SHF_ALLOC | ELF_SHF_WRITE;
    struct elf elf;
    if (v->size < 4 || memcmp(v->bytes, "\177ELF", 4) != 0 ||
        !elf_read(&v->arena, "binary", v->bytes, v->size, &elf, &sink) ||
        elf.type != ELF_ET_EXEC)
        return;
    for (size_t i = 0; i < elf.n_symbols; i++) {
        const struct elf_symbol *s = &elf.symbol[i];
        if (s->type == ELF_STT_OBJECT && s->section < elf.n_sections &&
            (elf.section[s->section].flags & wanted) == wanted &&
            strcmp(s->name, KERNELS_LOCKS) != 0)
            v->sum_B += s->size;
    }
}

size_t
binary_variables_B(const void *bytes, size_t size)
{
    struct variables v = { .bytes = bytes, .size = size };
    oom_call(add_variables, &v);
    arena_free(&v.arena);
    return v.sum_B;
}

/* Whether the driver can load the bytes, by loading them. */
static bool
is_loadable(cl_device_id device, const void *bytes, size_t size,
            bool *no_memory)
{
    struct ventus_dev_program *p =
        ventus_dev_load(device->dev, bytes, size, "binary");
    *no_memory |= !p && ventus_dev_lacks_memory();
    ventus_dev_unload(p);
    return p != NULL;
}

cl_program_binary_type
binary_classify(cl_device_id device, const void *bytes, size_t size,
                bool *no_memory)
{
    unsigned isa = binary_isa(device);
    *no_memory = false;
    if (size < 4)
        return CL_PROGRAM_BINARY_TYPE_NONE;
    if (is_elf_object(bytes, size, isa, no_memory))
        return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    if (bytes_load_u32(bytes) != wrapper_magic)
        return is_loadable(device, bytes, size, no_memory)
                   ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                   : CL_PROGRAM_BINARY_TYPE_NONE;
    cl_program_binary_type type = read_head(bytes, size, isa);
    if (type != CL_PROGRAM_BINARY_TYPE_NONE &&
        !is_readable(bytes, size, isa, no_memory))
        type = CL_PROGRAM_BINARY_TYPE_NONE;
    return type;
}
