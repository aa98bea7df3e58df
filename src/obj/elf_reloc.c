/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "obj/elf.h"

/* An action is what a relocation does with the bytes at its position.  Where linker
 * relaxation may change a distance, the assembler stores it as a pair, ADD and SUB or SET
 * and SUB, at the same position (RISC-V psABI 8.2 and 8.5). */
enum action {
    SKIP,
    STORE,
    ADD,
    SUB,
    STORE_6,
    SUB_6,
    STORE_PC,
    ULEB,
    SUB_ULEB,
    HI20, /* rounded, so that adding the signed LO12 gives the number */
    HI20_PC,
    LO12_I,
    LO12_S,
    BRANCH,
    JAL,
    CALL /* a pair of auipc and jalr */
};

struct meaning {
    bool known;
    enum action action;
    unsigned size; /* size of the number in bytes */
};

static struct meaning
meaning_of(uint32_t type)
{
    switch (type) {
    case ELF_R_RISCV_NONE:
    case ELF_R_RISCV_RELAX:
    case ELF_R_RISCV_ALIGN:
        return (struct meaning){ true, SKIP, 0 };
    case ELF_R_RISCV_32:
    case ELF_R_RISCV_SET32:
        return (struct meaning){ true, STORE, 4 };
    case ELF_R_RISCV_64:
        return (struct meaning){ true, STORE, 8 };
    case ELF_R_RISCV_SET8:
        return (struct meaning){ true, STORE, 1 };
    case ELF_R_RISCV_SET16:
        return (struct meaning){ true, STORE, 2 };
    case ELF_R_RISCV_SET6:
        return (struct meaning){ true, STORE_6, 1 };
    case ELF_R_RISCV_SUB6:
        return (struct meaning){ true, SUB_6, 1 };
    case ELF_R_RISCV_32_PCREL:
        return (struct meaning){ true, STORE_PC, 4 };
    case ELF_R_RISCV_SET_ULEB128:
        return (struct meaning){ true, ULEB, 0 };
    case ELF_R_RISCV_SUB_ULEB128:
        return (struct meaning){ true, SUB_ULEB, 0 };
    case ELF_R_RISCV_HI20:
        return (struct meaning){ true, HI20, 4 };
    case ELF_R_RISCV_LO12_I:
    case ELF_R_RISCV_PCREL_LO12_I:
        return (struct meaning){ true, LO12_I, 4 };
    case ELF_R_RISCV_LO12_S:
    case ELF_R_RISCV_PCREL_LO12_S:
        return (struct meaning){ true, LO12_S, 4 };
    case ELF_R_RISCV_PCREL_HI20:
        return (struct meaning){ true, HI20_PC, 4 };
    case ELF_R_RISCV_BRANCH:
        return (struct meaning){ true, BRANCH, 4 };
    case ELF_R_RISCV_JAL:
        return (struct meaning){ true, JAL, 4 };
    case ELF_R_RISCV_CALL_PLT:
        return (struct meaning){ true, CALL, 8 };
    }
    if (type >= ELF_R_RISCV_ADD8 && type <= ELF_R_RISCV_ADD64)
        return (struct meaning){ true, ADD, 1u << (type - ELF_R_RISCV_ADD8) };
    if (type >= ELF_R_RISCV_SUB8 && type <= ELF_R_RISCV_SUB64)
        return (struct meaning){ true, SUB, 1u << (type - ELF_R_RISCV_SUB8) };
    return (struct meaning){ 0 };
}

/* Replaces a ULEB128 number, which keeps its length, by itself * keep + x. */
static bool
add_uleb(uint8_t *at, uint64_t left, bool keep, uint64_t x)
{
    uint64_t length = 0, old = 0;
    do {
        if (length == left)
            return false;
        if (length < 9)
            old |= (uint64_t)(at[length] & 0x7f) << 7 * length;
    } while (at[length++] & 0x80);
    x += keep ? old : 0;
    for (uint64_t i = 0; i < length; i++, x >>= 7)
        at[i] = (uint8_t)((x & 0x7f) | (i + 1 < length ? 0x80 : 0));
    return true;
}

static uint64_t
symbol_address(const struct elf *elf, uint32_t index)
{
    if (!index)
        return 0;
    assert(index < elf->n_symbols);
    const struct elf_symbol *s = &elf->symbol[index];
    if (elf->type != ELF_ET_REL || !s->section ||
        s->section >= ELF_SHN_RESERVED)
        return s->value;
    return elf->section[s->section].addr + s->value;
}

/* Stores immediates of the instruction at `at`: RISC-V, 2.3. */
static void
put_hi20(uint8_t *at, uint64_t x)
{
    bytes_store(at, 4,
                (bytes_load(at, 4) & 0xfff) | ((x + 0x800) & 0xfffff000));
}

static void
put_lo12_i(uint8_t *at, uint64_t x)
{
    bytes_store(at, 4, (bytes_load(at, 4) & 0xfffff) | x << 20);
}

static void
put_lo12_s(uint8_t *at, uint64_t x)
{
    bytes_store(at, 4,
                (bytes_load(at, 4) & 0x01fff07f) | (x & 0xfe0) << 20 |
                    (x & 0x1f) << 7);
}

static void
put_branch(uint8_t *at, uint64_t d)
{
    assert(d % 2 == 0 && "checked by reaches()");
    bytes_store(at, 4,
                (bytes_load(at, 4) & 0x01fff07f) | (d >> 12 & 1) << 31 |
                    (d >> 5 & 0x3f) << 25 | (d >> 1 & 0xf) << 8 |
                    (d >> 11 & 1) << 7);
}

static void
put_jal(uint8_t *at, uint64_t d)
{
    assert(d % 2 == 0);
    bytes_store(at, 4,
                (bytes_load(at, 4) & 0xfff) | (d >> 20 & 1) << 31 |
                    (d >> 1 & 0x3ff) << 21 | (d >> 11 & 1) << 20 |
                    (d >> 12 & 0xff) << 12);
}

/* Whether a distance, modulo 2^32, is even and within [-most, most - 2]. */
static bool
reaches(uint64_t distance, int32_t most)
{
    int32_t d = (int32_t)(uint32_t)distance;
    return d >= -most && d < most && d % 2 == 0;
}

/* Applies a relocation.  False if its number does not fit into the `left` bytes at
 * `at`. */
static bool
apply_action(struct meaning m, uint8_t *at, uint64_t left, uint64_t x,
             uint64_t pc)
{
    if (m.size > left)
        return false;
    switch (m.action) {
    case SKIP:
        return true;
    case STORE:
        bytes_store(at, m.size, x);
        return true;
    case ADD:
        bytes_store(at, m.size, bytes_load(at, m.size) + x);
        return true;
    case SUB:
        bytes_store(at, m.size, bytes_load(at, m.size) - x);
        return true;
    case STORE_6:
        *at = (uint8_t)((*at & 0xc0) | (x & 0x3f));
        return true;
    case SUB_6:
        *at = (uint8_t)((*at & 0xc0) | ((*at - x) & 0x3f));
        return true;
    case STORE_PC:
        bytes_store(at, m.size, x - pc);
        return true;
    case ULEB:
        return add_uleb(at, left, false, x);
    case SUB_ULEB:
        return add_uleb(at, left, true, -x);
    case HI20:
        put_hi20(at, x);
        return true;
    case HI20_PC:
        put_hi20(at, x - pc);
        return true;
    case LO12_I:
        put_lo12_i(at, x);
        return true;
    case LO12_S:
        put_lo12_s(at, x);
        return true;
    case BRANCH:
        put_branch(at, x - pc);
        return true;
    case JAL:
        put_jal(at, x - pc);
        return true;
    case CALL:
        put_hi20(at, x - pc);
        put_lo12_i(at + 4, x - pc);
        return true;
    }
    return false;
}

enum elf_reloc_end
elf_reloc_apply(unsigned type, uint8_t *at, uint64_t left, uint64_t x,
                uint64_t pc)
{
    struct meaning m = meaning_of(type);
    if (!m.known)
        return ELF_RELOC_UNKNOWN;
    if ((m.action == BRANCH && !reaches(x - pc, 1 << 12)) ||
        (m.action == JAL && !reaches(x - pc, 1 << 20)))
        return ELF_RELOC_TOO_FAR;
    return apply_action(m, at, left, x, pc) ? ELF_RELOC_DONE
                                            : ELF_RELOC_CUT_OFF;
}

const uint8_t *
elf_relocated(struct arena *a, const struct elf *elf,
              const struct elf_section *section, struct diag_sink *sink)
{
    /* The linker has applied the relocations of linked files. */
    if (!section->n_relocs || !section->contents || elf->type != ELF_ET_REL)
        return section->contents;
    struct diag_at at = { .file = elf->file };
    uint8_t *copy = (uint8_t *)arena_strndup(a, (const char *)section->contents,
                                             (size_t)section->size);
    for (size_t i = 0; i < section->n_relocs; i++) {
        const struct elf_reloc *r = &section->reloc[i];
        assert(r->offset <= section->size && "checked by elf_read");
        uint64_t x = symbol_address(elf, r->symbol) + (uint64_t)r->addend;
        enum elf_reloc_end end = ELF_RELOC_UNKNOWN;
        if (elf->machine == ELF_EM_RISCV)
            end = elf_reloc_apply(r->type, copy + r->offset,
                                  section->size - r->offset, x,
                                  section->addr + r->offset);
        if (end == ELF_RELOC_UNKNOWN) {
            diag_report(sink, DIAG_ERROR, at,
                        "relocation at 0x%" PRIx64 " of type %u: expected one "
                        "of RISC-V for data",
                        r->offset, r->type);
            return NULL;
        }
        if (end != ELF_RELOC_DONE) {
            diag_report(sink, DIAG_ERROR, at,
                        "relocation at 0x%" PRIx64 " of type %u: past the end "
                        "of its section (0x%" PRIx64 ")",
                        r->offset, r->type, section->size);
            return NULL;
        }
    }
    return copy;
}
