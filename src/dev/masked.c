/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/masked.h"

#include <assert.h>
#include <ventus/isa.h>
#include <ventus/isa_build.h>

#include "base/bytes.h"

/* Kernels declare at least the registers that start code uses, up to x10. */
enum { RA = 1, T0 = 5, T1 = 6, T2 = 7, AT = 8, LOCAL = 9, LEFT = 10 };
enum { CSR_TID = 0x800, CSR_KNL = 0x803, CSR_GDX = 0x808 };
enum { KNL_GL_SIZE = 12, KNL_LC_SIZE = 24 };
enum { MAX_WORDS = 16 }; /* of start code */

/* ---- the program's own ---- */

/* Tests whether an instruction does the same anywhere, and falls through to the next. */
static bool
is_movable(const struct ventus_isa_insn *in)
{
    switch (in->op) {
    case VENTUS_ISA_CSRRS:
    case VENTUS_ISA_ADD:
    case VENTUS_ISA_ADDI:
    case VENTUS_ISA_SLLI:
    case VENTUS_ISA_LW:
        return true;
    case VENTUS_ISA_JALR:
        return in->reg[0] == RA;
    default:
        return false;
    }
}

/* The code of the file from an address on, *n words. */
static const uint8_t *
code_at(const struct elf *elf, uint64_t address, size_t *n)
{
    for (size_t i = 0; i < elf->n_segments; i++) {
        const struct elf_segment *s = &elf->segment[i];
        uint64_t at = address - s->vaddr;
        if (s->type != ELF_PT_LOAD || address < s->vaddr || at >= s->file_size)
            continue;
        *n = (size_t)(s->file_size - at) / 4;
        return s->contents + at;
    }
    return NULL;
}

/* `ventus cc` says that its start code is a function of so many bytes; that of an assembly
 * program is a label, and its machine does with it what the machine does. */
static bool
is_compiled(const struct elf *elf)
{
    const struct elf_symbol *s = elf_find_symbol(elf, "_start");
    return s && s->value == elf->entry && s->type == ELF_STT_FUNC && s->size;
}

/* The words after a call and before endprg; 0: the start code is not that of
 * lib/start.S. */
static size_t
read_start(const struct elf *elf, unsigned isa, uint32_t words[MAX_WORDS])
{
    size_t n = 0, taken;
    const uint8_t *code =
        is_compiled(elf) ? code_at(elf, elf->entry, &n) : NULL;
    bool calls = false;
    n = n < MAX_WORDS ? n : MAX_WORDS;
    for (size_t i = 0; i < n; i++)
        words[i] = (uint32_t)bytes_load(code + 4 * i, 4);
    for (size_t i = 0; i < n; i += taken) {
        struct ventus_isa_insn in;
        taken = ventus_isa_decode((enum ventus_isa_version)isa, words + i,
                                  n - i, &in);
        if (in.op == VENTUS_ISA_ENDPRG)
            return calls ? i : 0;
        if (!taken || calls || !is_movable(&in))
            return 0;
        calls = in.op == VENTUS_ISA_JALR;
    }
    return 0;
}

/* ---- the mask ---- */

static void
put(struct buf *out, struct ventus_isa_insn in)
{
    uint32_t words[2];
    unsigned n = ventus_isa_encode(&in, words);
    assert(n == 1 && "no instruction here has a prefix");
    buf_u32(out, words[0]);
}

/* t1 *= the work-items of this workgroup in a dimension: the last of a row has what is
 * left of the global size. */
static void
put_dimension(struct buf *out, unsigned i)
{
    put(out, ventus_isa_csrrs(AT, CSR_GDX + i, 0));
    put(out, ventus_isa_lw(LOCAL, T0, (int32_t)(KNL_LC_SIZE + 4 * i)));
    put(out, ventus_isa_lw(LEFT, T0, (int32_t)(KNL_GL_SIZE + 4 * i)));
    put(out, ventus_isa_mul(AT, AT, LOCAL));
    put(out, ventus_isa_sub(LEFT, LEFT, AT));
    put(out, ventus_isa_bltu(LEFT, LOCAL, 8));
    put(out, ventus_isa_addi(LEFT, LOCAL, 0));
    put(out, ventus_isa_mul(T1, T1, LEFT));
}

/* v1: the number of the lane's work-item in the workgroup; v2: how many there are.  Those
 * that are beyond wait at the join, `words` after the branch. */
static void
put_branch(struct buf *out, size_t words)
{
    int32_t join = 4 * (int32_t)words + 4; /* from the branch */
    put(out, ventus_isa_csrrs(T2, CSR_TID, 0));
    put(out, ventus_isa_vid_v(1, 1));
    put(out, ventus_isa_vadd_vx(1, 1, T2, 1));
    put(out, ventus_isa_vmv_v_x(2, T1));
    put(out, ventus_isa_auipc(T2, 0));
    put(out, ventus_isa_setrpc(0, T2, join + 8));
    put(out, ventus_isa_vbgeu(1, 2, join));
}

bool
masked_start(const struct elf *elf, unsigned isa, struct buf *out)
{
    uint32_t words[MAX_WORDS];
    size_t n = read_start(elf, isa, words);
    if (!n)
        return false;
    put(out, ventus_isa_csrrs(T0, CSR_KNL, 0));
    put(out, ventus_isa_addi(T1, 0, 1));
    for (unsigned i = 0; i < 3; i++)
        put_dimension(out, i);
    put_branch(out, n);
    for (size_t i = 0; i < n; i++)
        buf_u32(out, words[i]);
    put(out, ventus_isa_join(0, 0, 0));
    put(out, ventus_isa_endprg(0, 0, 0));
    return true;
}
