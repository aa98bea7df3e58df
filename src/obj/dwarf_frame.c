/* SPDX-License-Identifier: Apache-2.0 */
#include "obj/dwarf_frame.h"

#include "base/defer.h"
#include "obj/dwarf_bytes.h"
#include "obj/dwarf_defs.h"

enum { REG_RA = 1, REG_SP = 2, CODE_ALIGN = 4, DATA_ALIGN = -4 };

static void
pad_entry(struct buf *b, size_t start)
{
    while ((b->n - start) % 4)
        buf_u8(b, DW_CFA_nop);
}

/* Appends the common information entry, which all functions share. */
static void
put_common(struct buf *b)
{
    size_t start = dwarf_begin_length(b);
    buf_u32(b, UINT32_MAX); /* marks a common information entry */
    buf_u8(b, 4);           /* version */
    buf_u8(b, 0);           /* augmentation */
    buf_u8(b, 4);           /* size of an address */
    buf_u8(b, 0);           /* size of a segment selector */
    buf_uleb128(b, CODE_ALIGN);
    buf_sleb128(b, DATA_ALIGN);
    buf_uleb128(b, REG_RA);
    buf_u8(b, DW_CFA_def_cfa);
    buf_uleb128(b, REG_SP);
    buf_uleb128(b, 0);
    buf_u8(b, DW_CFA_same_value);
    buf_uleb128(b, REG_SP);
    pad_entry(b, start);
    dwarf_end_length(b, start);
}

/* Appends the rule for ra: the word saved_B bytes below the frame's end.
 * DW_CFA_offset would load as many bytes as the debugger's pc has, which are 8 in
 * programs of version 2. */
static void
put_saved(struct buf *b, uint32_t saved_B)
{
    struct buf e = { 0 };
    struct oom_cleanup c;
    oom_defer_buf(&c, &e);
    /* The expression starts with the frame's end on its stack. */
    buf_u8(&e, DW_OP_constu);
    buf_uleb128(&e, saved_B);
    buf_u8(&e, DW_OP_minus);
    buf_u8(&e, DW_OP_deref_size);
    buf_u8(&e, 4);
    buf_u8(b, DW_CFA_val_expression);
    buf_uleb128(b, REG_RA);
    buf_uleb128(b, e.n);
    buf_put(b, e.at, e.n);
    oom_release(&c);
}

static void
put_function(struct elf_out *o, unsigned section, const struct dwarf_frame *f)
{
    struct buf *b = elf_out_contents(o, section);
    size_t start = dwarf_begin_length(b);
    dwarf_put_address(o, section, section, 0);
    dwarf_put_address(o, section, f->section, f->start);
    buf_u32(b, f->size);
    buf_u8(b, DW_CFA_def_cfa_offset);
    buf_uleb128(b, f->stack_B);
    if (f->is_outermost) {
        buf_u8(b, DW_CFA_undefined);
        buf_uleb128(b, REG_RA);
    } else if (f->saved_at) {
        buf_u8(b, DW_CFA_advance_loc4);
        buf_u32(b, f->saved_at / CODE_ALIGN);
        put_saved(b, f->saved_B);
    }
    pad_entry(b, start);
    dwarf_end_length(b, start);
}

void
dwarf_frame_write(struct elf_out *o, const struct dwarf_frame *frames, size_t n)
{
    if (!n)
        return;
    unsigned section =
        elf_out_section(o, ".debug_frame", ELF_SHT_PROGBITS, 0, 4);
    put_common(elf_out_contents(o, section));
    for (size_t i = 0; i < n; i++)
        put_function(o, section, &frames[i]);
}
