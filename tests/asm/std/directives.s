# Sections, symbols, .insn and operators of expressions.
    .text
code:
    .insn r 0x33, 0, 0x20, a0, a1, a2
    .insn r 0x33, 7, 1, x5, x31, x1
    .insn r4 0x43, 1, 2, a0, a1, a2, a3
    .insn i 0x13, 0, a0, a1, -2048
    .insn i 0x13, 4, t6, s11, 2047
    .insn i 0x03, 2, a0, -2048(a1)
    .insn i 0x67, 0, ra, 2047 ( x31 ) # a comment, with commas, (and) these
    .insn i 0x03, 5, x7, 1+(2*3)(sp)
    .insn s 0x23, 2, a0, -2048(a1)
    .insn s 0x23, 1, t0, 2047(sp)
    .insn sb 0x63, 1, a0, a1, 4094
    .insn b 0x63, 5, a2, a3, -4096
    .insn u 0x37, t0, 0xfffff
    .insn uj 0x6f, ra, 1048574
    .insn j 0x6f, zero, -1048576
    .insn 0x00000013
    .insn 4, 0x00008067
    lw a0, value
    lbu a1, value + 3
    sw a0, value, t0
    sh a1, value + 2, t1
    la a2, extern
    sgtz a0, a1
    sltz a0, a1
    bgtz a0, code
    blez a0, code
    bgez a0, code
    .section .data.one, "aw", @progbits
one:
    .word 1
    .previous
    nop
    .pushsection .data.two, "aw", %progbits
two: .word 2, one
    .section .data.three, "aw"
three: .byte 3
    .popsection
    nop
    .section .note.mine, "", @note
    .word 4
    .section .nothing, "aw", @nobits
    .space 12
    .bss
room: .space 5
    .balign 8
    .zero 3
    .balign 4
    .lcomm aside, 7
    .data
    .globl value
    .type value, @object
    .size value, 8
value:
    .word 7, 8
    .weak feeble
    .type feeble, %notype
feeble:
    .hidden covert
    .globl covert
covert:
    .protected guarded
guarded:
    .local only
only:
    .type routine, STT_FUNC
routine:
    .word 0
    .size routine, . - routine
    .equiv same, 9
    .word same, (1 == 1) & 1, (1 == 2) & 1, (1 != 2) & 1, (3 != 3) & 1
    .word (1 < 2) & 1, (2 < 1) & 1, (2 < 2) & 1, (2 > 1) & 1, (1 > 2) & 1
    .word (1 <= 1) & 1, (1 <= 0) & 1, (1 >= 1) & 1, (0 >= 1) & 1, (1 <> 2) & 1
    .word 1 && 2, 1 && 0, 0 || 3, 0 || 0, !5, !0
    .word 6 ^ 3, 6 | 3, 6 & 3, 1 << 31, 0x80000000 >> 4
    .word -7 / 2, -7 % 3, 7 - 2 - 1, 2 * 3 % 4, 100 / 7 / 2
    .word (covert - value) * 2 + 1, value - covert
    .org value + 400
    .org value + 400
    .word . - value
    .byte covert - value, one - one
    .align 2
    .rept 3
    .word 0x11
    .endr
    .irp x, 1, 2, 3
    .word \x, \x * 2
    .endr
    .irpc x, 4567
    .byte \x
    .endr
    .macro add_all to, from=a0, rest:vararg
    add \to, \to, \from
    .ifnb \rest
    add_all \to, \rest
    .endif
    .endm
    .macro count n
    .if \n
    .byte \n
    count (\n - 1)
    .endif
    .endm
    .macro unique
    .Lhere\@: .word .Lhere\@ - value
    .exitm
    .word 99
    .endm
    count 4
    unique
    unique
    .text
    add_all s0, a1, a2, a3
    add_all s1
    .purgem unique
    .ifdef value
    nop
    .else
    ret
    .endif
    .ifndef missing
    nop
    .endif
    .ifc a, b
    ret
    .elseif 2 > 1
    fence
    .endif
    .option push
    .option norvc
    .option pop
    .end
    what is behind is not read
