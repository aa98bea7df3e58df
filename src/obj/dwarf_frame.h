/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/elf.h"

/* .debug_frame: call frame information, with which a debugger unwinds from a function
 * to its caller (DWARF 5, 6.4).  The stack pointer is constant within a function, so
 * the canonical frame address is the stack pointer plus the bytes that the function
 * and its callees use; that of the caller is larger.  A kernel is the outermost frame. */
struct dwarf_frame {
    unsigned section;
    uint32_t start, size; /* range of the code, in bytes */
    uint32_t stack_B; /* distance from the stack pointer to the frame's end */
    bool is_outermost;
    uint32_t saved_at; /* offset of the code from which ra is saved; 0: never */
    uint32_t saved_B;  /* distance from the saved ra to the frame's end */
};

void
dwarf_frame_write(struct elf_out *o, const struct dwarf_frame *frames,
                  size_t n);
