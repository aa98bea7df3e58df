# Expressions, data and alignment.
    .section .rodata
a:  .word 1 + 2 * 3, (1 + 2) * 3, -1, ~0, 1 << 4, 0xff & 0x0f, 7 / 2, 7 % 4
    .byte 'a', '\n', 0b101, 017, 0x1f, -128, 255
    .half 1, -1, 65535
    .2byte 0x1234
    .balign 4
b:  .word b - a, c - b, (c - a) / 4
    .dword 0x123456789abcdef0, -1
    .float 1.5, -0.25, 3e10
    .double 2.5, 1e-3
    .asciz "hello\n\t\"x\" \101\x42"
    .ascii "a", "b"
    .string "s"
    .p2align 3
c:  .space 3, 0xaa
    .skip 2
    .zero 3
    .fill 3, 2, 0x1234
    .fill 2
    .set x, 5
    .equ y, x + 1
z = y * 2
    .word x, y, z
    .set x, 6
    .word x, y
    .uleb128 624485, 0, 127, 128
    .sleb128 -123456, 63, 64
    .align 4
    .word . - a
    .word fwd + 4
    .set fwd, 0x100
1:  .word 1b - a, 2f - 1b
2:  .word 2b - 1b
    .org c + 200, 0
    .word 7
