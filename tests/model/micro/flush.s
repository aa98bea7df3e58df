# More dirty lines than the queue to the L2 holds, at the end of a workgroup.
        vid.v   v1
        vsll.vi v1, v1, 3
        lui     t0, 0x90000
        vadd.vx v1, v1, t0
        addi    t1, zero, 8
1:      vlw12.v v2, 0(v1)
        vadd.vi v2, v2, 1
        vsw12.v v2, 0(v1)
        addi    t2, zero, 64
        vadd.vx v1, v1, t2
        addi    t1, t1, -1
        bne     t1, zero, 1b
        endprg
