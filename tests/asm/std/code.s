# Instructions, branches, calls, addresses.
    .text
    .globl main
    .type main, @function
main:
.Lmain:
    addi sp, sp, -16
    sw ra, 12(sp)
    li a0, 5
    li a1, 0x12345678
    li a2, -1
    li a3, 0xfffff800
    li a4, 0x80000000
    li a5, 4096
    lui t0, %hi(value)
    addi t0, t0, %lo(value)
    lw t1, %lo(value)(t0)
    sw t1, %lo(value + 4)(t0)
    lui t0, %hi(0x12345fff)
    addi t0, t0, %lo(0x12345fff)
.Lpc:
    auipc t0, %pcrel_hi(extern)
    addi t0, t0, %pcrel_lo(.Lpc)
.Lpc2:
    auipc t0, %pcrel_hi(extern + 8)
    sw t1, %pcrel_lo(.Lpc2)(t0)
    beq a0, a1, 1f
    bnez a0, .Lmain
    bgt a0, a1, 1f
    bleu a0, a1, 1f
    j 1f
    jal 1f
    jal t0, 1f
    j extern
    call extern
    tail extern
    call t2, extern
1:  beqz a0, 1b
    lw a0, (sp)
    lw a0, 4+4*2(sp)
    jr ra
    jalr a0
    jalr a0, 4(a1)
    jalr a0, a1
    ret
    nop
    mv a0, a1
    not a0, a1
    neg a0, a1
    seqz a0, a1
    snez a0, a1
    fence
    fence rw, w
    fence.tso
    csrr a0, 0x300
    csrw mstatus, a0
    csrrwi a0, fcsr, 3
    csrwi 0x305, 31
    rdcycle a0
    mul a0, a1, a2
    divu a0, a1, a2
    add a0, a1, 4
    and a0, a1, -1
    sll a0, a1, 3
    .size main, . - main
    .data
value:
    .word 1, main, extern + 4, value - 4
    .word extern - main
    .half extern - other
    .weak weak
    .word weak
    .section .text.other, "ax", @progbits
other:
    j main
    .word main - other
    .bss
    .globl room
room:
    .zero 64
