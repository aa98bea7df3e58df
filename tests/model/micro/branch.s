# Four times around a loop, a branch that is not taken, a jump and a return.
        addi    t0, zero, 4
1:      addi    t0, t0, -1
        bne     t0, zero, 1b
        beq     t0, a0, 2f
        addi    t1, t0, 1
2:      jal     ra, 3f
        addi    t1, t1, 1
        endprg
3:      addi    t1, t1, 2
        ret
