/* SPDX-License-Identifier: Apache-2.0 */
/* The bitcode of templates.c, which the build has made. */
__asm__(".section .rodata\n"
        ".globl native_templates\n"
        ".globl native_templates_end\n"
        ".balign 16\n"
        "native_templates:\n"
        ".incbin \"" NATIVE_BITCODE "\"\n"
        "native_templates_end:\n"
        ".byte 0\n"
        ".previous\n");
