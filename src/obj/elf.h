/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/oom.h"
#include "base/vec.h"

/*
 * ELF files, little endian.  The writer makes ELF32 relocatable objects for
 * RISC-V, which ld.lld links, and programs of one object; the reader takes
 * ELF32 and ELF64 of any kind.
 *
 * Writing: the numbers of sections and symbols are 1, 2, ... in the order in
 * which they were added; 0 is none.  The same input gives the same bytes.
 *
 *     struct elf_out o = { .arena = &a };
 *     unsigned text = elf_out_section(&o, ".text", ELF_SHT_PROGBITS,
 *                                     ELF_SHF_ALLOC | ELF_SHF_EXEC, 4);
 *     buf_u32(elf_out_contents(&o, text), 0x0000400b);
 *     elf_out_symbol(&o, &(struct elf_out_symbol){
 *         .name = "k", .section = text, .binding = ELF_STB_GLOBAL });
 *     bool ok = elf_write(&o, "k.o", &bytes, &sink);
 *     elf_out_free(&o);
 *
 * Reading copies nothing.  Names and contents point into the image, which
 * must live as long as the struct elf; its arrays are in the arena.  The image
 * may be malicious: the reader stays inside it, takes memory in proportion to
 * its size, and reports errors:
 *
 *     k.o: error: section 3 '.text': offset 0x34 + size 0x900 is past the end
 *     of the file (512 bytes)
 */
enum elf_machine { ELF_EM_RISCV = 243 };
enum elf_type { ELF_ET_REL = 1, ELF_ET_EXEC = 2, ELF_ET_DYN = 3 };

enum elf_section_type {
    ELF_SHT_NULL = 0,
    ELF_SHT_PROGBITS = 1,
    ELF_SHT_SYMTAB = 2,
    ELF_SHT_STRTAB = 3,
    ELF_SHT_RELA = 4,
    ELF_SHT_NOTE = 7,
    ELF_SHT_RISCV_ATTRIBUTES = 0x70000003,
    ELF_SHT_NOBITS = 8,
};

enum elf_section_flags {
    ELF_SHF_WRITE = 1,
    ELF_SHF_ALLOC = 2,
    ELF_SHF_EXEC = 4,
    ELF_SHF_MERGE = 0x10,
    ELF_SHF_STRINGS = 0x20,
    ELF_SHF_INFO_LINK = 0x40,
};

/* Section numbers of symbols that are in no section. */
enum elf_special_section {
    ELF_SHN_UNDEF = 0,
    /* Numbers from here on denote no sections. */
    ELF_SHN_RESERVED = 0xff00,
    ELF_SHN_ABS = 0xfff1,
    ELF_SHN_COMMON = 0xfff2,
};

enum elf_binding { ELF_STB_LOCAL = 0, ELF_STB_GLOBAL = 1, ELF_STB_WEAK = 2 };

enum elf_symbol_type {
    ELF_STT_NOTYPE = 0,
    ELF_STT_OBJECT = 1,
    ELF_STT_FUNC = 2,
    ELF_STT_SECTION = 3,
    ELF_STT_FILE = 4,
};

enum elf_visibility { ELF_STV_DEFAULT = 0, ELF_STV_HIDDEN = 2 };

enum elf_segment_type { ELF_PT_LOAD = 1, ELF_PT_NOTE = 4 };
enum elf_segment_flags { ELF_PF_X = 1, ELF_PF_W = 2, ELF_PF_R = 4 };

/* Relocations that the tools of this project emit or apply; RISC-V psABI, chapter 8. */
enum elf_riscv_reloc {
    ELF_R_RISCV_NONE = 0,
    ELF_R_RISCV_32 = 1,
    ELF_R_RISCV_64 = 2,
    ELF_R_RISCV_BRANCH = 16,
    ELF_R_RISCV_JAL = 17,
    ELF_R_RISCV_CALL_PLT = 19,
    ELF_R_RISCV_PCREL_HI20 = 23,
    ELF_R_RISCV_PCREL_LO12_I = 24,
    ELF_R_RISCV_PCREL_LO12_S = 25,
    ELF_R_RISCV_HI20 = 26,
    ELF_R_RISCV_LO12_I = 27,
    ELF_R_RISCV_LO12_S = 28,
    ELF_R_RISCV_ADD8 = 33,
    ELF_R_RISCV_ADD16 = 34,
    ELF_R_RISCV_ADD32 = 35,
    ELF_R_RISCV_ADD64 = 36,
    ELF_R_RISCV_SUB8 = 37,
    ELF_R_RISCV_SUB16 = 38,
    ELF_R_RISCV_SUB32 = 39,
    ELF_R_RISCV_SUB64 = 40,
    ELF_R_RISCV_ALIGN = 43,
    ELF_R_RISCV_RELAX = 51,
    ELF_R_RISCV_SUB6 = 52,
    ELF_R_RISCV_SET6 = 53,
    ELF_R_RISCV_SET8 = 54,
    ELF_R_RISCV_SET16 = 55,
    ELF_R_RISCV_SET32 = 56,
    ELF_R_RISCV_32_PCREL = 57,
    ELF_R_RISCV_SET_ULEB128 = 60,
    ELF_R_RISCV_SUB_ULEB128 = 61,
};

/* ---- writing ---- */

struct elf_out_reloc {
    uint32_t offset;
    unsigned type;   /* enum elf_riscv_reloc */
    unsigned symbol; /* 0: none */
    int32_t addend;
};

struct elf_out_section {
    const char *name;
    unsigned type, flags;
    uint32_t align;      /* a power of two; 0 is 1 */
    uint32_t entry_size; /* size of a table's entry, else 0 */
    /* Size of an ELF_SHT_NOBITS section, which has no contents. */
    uint32_t nobits_size;
    uint32_t addr; /* address in a program */
    struct buf contents;
    vec(struct elf_out_reloc) relocs;
};

struct elf_out_symbol {
    const char *name; /* NULL or "": no name, as section symbols */
    unsigned section; /* number, or ELF_SHN_ABS; 0: undefined */
    uint32_t value, size;
    enum elf_binding binding;
    enum elf_symbol_type type;
    enum elf_visibility visibility;
};

/* A segment of one section, on pages of its own. */
struct elf_out_segment {
    unsigned section, flags; /* enum elf_segment_flags */
    unsigned zeros;          /* the section of ELF_SHT_NOBITS after it; or 0 */
};

struct elf_out {
    struct arena *arena;
    uint32_t flags;                       /* e_flags */
    vec(struct elf_out_section) sections; /* at[i] has number i + 1 */
    vec(struct elf_out_symbol) symbols;   /* at[i] has number i + 1 */
    uint32_t entry;
    vec(struct elf_out_segment) segments; /* segments make the file a program */
};

/* Adds a section, even if there is one of that name; returns its number. */
unsigned
elf_out_section(struct elf_out *o, const char *name, unsigned type,
                unsigned flags, uint32_t align);

/* The first section of that name; 0: there is none. */
unsigned
elf_out_find(const struct elf_out *o, const char *name);

/* The contents of a section, to append to; valid until the next elf_out_section. */
struct buf *
elf_out_contents(struct elf_out *o, unsigned section);

unsigned
elf_out_symbol(struct elf_out *o, const struct elf_out_symbol *symbol);

/* The symbol for the start of a section, added at the first call. */
unsigned
elf_out_section_symbol(struct elf_out *o, unsigned section);

void
elf_out_reloc(struct elf_out *o, unsigned section, struct elf_out_reloc reloc);

/* Appends the file to `out`.  False, with nothing appended and errors about `file`, if
 * a number does not fit or refers to nothing. */
bool
elf_write(const struct elf_out *o, const char *file, struct buf *out,
          struct diag_sink *sink);

/* Makes a program of one object in `program`, which is all zero before, with the
 * layout of lib/ventus.ld: code from 0x80000000 with _start first, constants and
 * variables on the pages after it.  Unlike ld.lld, this function needs each symbol to
 * be in the object, and memory only in the sections .text.start, .text, .rodata and
 * .data.  False, and errors about `file`, otherwise. */
bool
elf_link(const struct elf_out *object, const char *file,
         struct elf_out *program, struct diag_sink *sink);

/* Frees the contents of the sections; everything else belongs to the arena. */
void
elf_out_free(struct elf_out *o);

/* Defers elf_out_free to oom_release, or to when memory runs out. */
void
elf_out_defer(struct oom_cleanup *c, struct elf_out *o);

/* ---- reading ---- */

struct elf_reloc {
    uint64_t offset;       /* below the section's size in relocatable objects */
    uint32_t type, symbol; /* symbol: an index into elf.symbol */
    int64_t addend;
};

struct elf_section {
    const char *name;
    uint32_t type;
    uint64_t flags, addr, offset, size, align, entry_size;
    uint32_t link, info;
    const uint8_t *contents; /* `size` bytes; NULL: occupies no file space */
    const struct elf_reloc *reloc;
    size_t n_relocs;
};

struct elf_segment {
    uint32_t type, flags;
    uint64_t vaddr, paddr, align;
    uint64_t file_size, mem_size; /* file_size <= mem_size for ELF_PT_LOAD */
    const uint8_t *contents;      /* file_size bytes */
};

struct elf_symbol {
    const char *name;
    uint64_t value, size;
    uint32_t section; /* an index, or ELF_SHN_RESERVED and above */
    uint8_t binding, type, visibility;
};

/* A file that was read.  Section 0 and symbol 0 are the empty ones that ELF requires. */
struct elf {
    const char *file;
    const uint8_t *image;
    size_t size;
    bool is_64;
    uint16_t type, machine;
    uint32_t flags;
    uint64_t entry;
    const struct elf_section *section;
    const struct elf_segment *segment;
    const struct elf_symbol *symbol; /* [0], without a name, is in every file */
    size_t n_sections, n_segments, n_symbols;
};

/* Reads a file.  Refused or ignored are big-endian files, more than 65279 sections,
 * relocations without addends (SHT_REL, which RISC-V does not use), dynamic symbols. */
bool
elf_read(struct arena *a, const char *file, const uint8_t *image, size_t size,
         struct elf *elf, struct diag_sink *sink);

/* The first section of that name; NULL: there is none. */
const struct elf_section *
elf_find_section(const struct elf *elf, const char *name);

/* The first defined symbol of that name; NULL: there is none. */
const struct elf_symbol *
elf_find_symbol(const struct elf *elf, const char *name);

/* The contents of a section with its relocations applied, with each section at the
 * address in its header, 0 in relocatable objects: for sections with data, such as
 * debugging information.  Without relocations the result is `contents` itself, else a
 * copy.  NULL, and an error, if elf_reloc_apply does not know a relocation. */
const uint8_t *
elf_relocated(struct arena *a, const struct elf *elf,
              const struct elf_section *section, struct diag_sink *sink);

/* Applies a relocation to the `left` bytes at `at`, which are at the address `pc`; `x`
 * is the symbol's address plus the addend.  For data, and for instructions that load
 * an address, branch and call.  For PCREL_LO12_*, whose symbol is the position of a
 * PCREL_HI20, `x` is the distance that the PCREL_HI20 has the upper part of. */
enum elf_reloc_end {
    ELF_RELOC_DONE,
    ELF_RELOC_UNKNOWN, /* the type is unknown */
    ELF_RELOC_CUT_OFF, /* fewer than the relocation's bytes are left */
    ELF_RELOC_TOO_FAR  /* the distance is out of the instruction's range */
};

enum elf_reloc_end
elf_reloc_apply(unsigned type, uint8_t *at, uint64_t left, uint64_t x,
                uint64_t pc);
