/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/elf.h"

/*
 * .debug_frame: how a debugger gets from a function to its caller (DWARF 5,
 * 6.4).  The stack pointer never changes, so the frame of a function is named
 * by how many bytes of the stack it and its callees use, which its caller
 * exceeds.  A kernel is called by start code: its caller is of no interest.
 */
struct dwarf_frame {
    unsigned section;
    uint32_t start, size; /* of the code, in bytes */
    uint32_t stack_B;     /* from the stack pointer to the frame's end */
    bool is_outermost;
    uint32_t saved_at; /* from here on the return address is stored; 0: never */
    uint32_t saved_B;  /* ... so many bytes below the frame's end */
};

void
dwarf_frame_write(struct elf_out *o, const struct dwarf_frame *frames,
                  size_t n);
