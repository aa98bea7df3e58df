# Loads that waited in stage 1 of the L1D while lines came are judged by the tags
# of other sets.
# warps 4
        lui s0, 0x90000
        csrr t0, wid
        li t1, 32
        mul t0, t0, t1
        add s0, s0, t0
        vid.v v1
        li t1, 8
        vmul.vx v2, v1, t1
        vadd.vx v2, v2, s0
        li t1, 0
        vmul.vx v3, v1, t1
        vadd.vx v3, v3, s0
        vmul.vx v4, v1, t1
        vadd.vx v4, v4, s0
        li t1, 3
        vmul.vx v5, v1, t1
        vand.vi v5, v5, 15
        vsll.vi v5, v5, 3
        vadd.vx v5, v5, s0
        vfcvt.f.x.v v6, v1
        vfcvt.f.x.v v10, v17
        addi a3, t2, 79
        add a1, t6, a1
        lw t4, 108(s0)
        lw a4, 108(s0)
        sw t5, 76(s0)
        vfadd.vv v15, v8, v14
        vand.vi v10, v10, 1
        fdiv.s t3, a5, a2
        addi a3, t6, 22
        vsw12.v v23, 4(v2)
        sll a4, t2, t4
        vlw12.v v15, 100(v2)
        endprg
