# A sum that write-back has no room for is written twice, and takes the turn of
# a load's result.
# warps 4
        lui s0, 0x90000
        csrr t0, wid
        li t1, 32
        mul t0, t0, t1
        add s0, s0, t0
        vid.v v1
        vmul.vx v2, v1, t1
        vadd.vx v2, v2, s0
        li t1, 0
        vmul.vx v3, v1, t1
        vadd.vx v3, v3, s0
        li t1, 4
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
        vmslt.vx v8, v23, a3
        lb t6, 40(s0)
        sll t2, t6, a1
        vsll.vv v23, v9, v14
        vfnmsub.vv v12, v10, v9
        vmv.v.x v7, t6
        vdivu.vv v7, v12, v14
        vfmadd.vv v11, v8, v7
        vsw12.v v7, 16(v3)
        vsb12.v v11, 56(v2)
        andi t4, t6, 50
        vmslt.vx v20, v14, t5
        sw a2, 112(s0)
        vmseq.vv v16, v6, v7
        vmin.vv v10, v10, v13
        endprg
