# Macros, loops, conditions.
    .macro add3 d, a, b, c=zero
    add \d, \a, \b
    add \d, \d, \c
    .endm
    .macro push regs:vararg
    .irp r, \regs
    addi sp, sp, -4
    sw \r, (sp)
    .endr
    .endm
    .macro table n
    .if \n
    .word \n
    table \n-1
    .endif
    .endm
    .macro unique
.Lu\@: j .Lu\@
    .endm
    .macro early x
    .ifc \x, stop
    .exitm
    .endif
    .word 1
    .endm
    add3 a0, a1, a2
    add3 a0, a1, a2, a3
    add3 c=a3, d=a0, a=a1, b=a2
    push a0, a1, ra
    table 4
    unique
    unique
    early stop
    early go
    .rept 3
    .rept 2
    nop
    .endr
    .word 9
    .endr
    .irpc c, 123
    .byte \c
    .endr
    .irp r, a0, a1
    .word 0
    .endr
    .set debug, 1
    .if debug == 1 && 2 > 1
    .byte 1
    .elseif debug == 2
    .byte 2
    .else
    .byte 3
    .endif
    .ifdef nothing
    .byte 4
    .if 1
    .byte 44
    .endif
    .else
    .byte 5
    .endif
    .ifndef nothing
    .byte 6
    .endif
    .ifb
    .byte 7
    .endif
    .ifeq debug - 1
    .byte 8
    .endif
    .pushsection .rodata
    .word 1
    .popsection
    .byte 9, 10
    .macro op name, suffix
    \name\().\suffix v0, v1, v2
    .endm
    .balign 4
    op vadd, vv
