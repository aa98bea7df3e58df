# warps 8
# Results of all units that meet at the two ports of the registers.
        vid.v   v1
        addi    t0, zero, 5
        vmul.vv v2, v1, v1
        mul     t1, t0, t0
        vadd.vi v3, v1, 1
        vfadd.vv v4, v1, v1
        addi    t2, t0, 1
        csrr    t3, wid
        vfcvt.f.x.v v5, v1
        vadd.vv v6, v2, v3
        add     t4, t1, t3
        vmadd.vv v6, v2, v3
        endprg
