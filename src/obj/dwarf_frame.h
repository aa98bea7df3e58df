/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/elf.h"

/*
 * .debug_frame: how a debugger gets from a function to its caller (DWARF 5,
 * 6.4).  The stack pointer never changes, so the canonical frame address is the
 * stack pointer plus the bytes that the function and its callees use; that of
 * the caller is larger.  A kernel is the outermost frame.
 */
struct dwarf_frame {
    unsigned section;
    uint32_t start, size; /* of the code, in bytes */
    uint32_t stack_B;     /* from the stack pointer to the frame's end */
    bool is_outermost;
    uint32_t saved_at; /* offset from which on ra is saved; 0: never */
    uint32_t saved_B;  /* bytes from its place to the frame's end */
};

void
dwarf_frame_write(struct elf_out *o, const struct dwarf_frame *frames,
                  size_t n);
