# A hit that waits for its answer comes before the line that came meanwhile.
# warps 2
        lui s0, 0x90000
        vid.v v1
        li t1, 4
        vmul.vx v2, v1, t1
        vadd.vx v2, v2, s0
        li t1, 16
        vmul.vx v3, v1, t1
        vadd.vx v3, v3, s0
        li t1, 8
        vmul.vx v4, v1, t1
        vadd.vx v4, v4, s0
        li t1, 3
        vmul.vx v5, v1, t1
        vand.vi v5, v5, 15
        vsll.vi v5, v5, 4
        vadd.vx v5, v5, s0
        vfcvt.f.x.v v6, v1
        sb t4, 1072(s0)
        vsw12.v v6, 1728(v3)
        and t3, a5, t2
        or a2, t5, a4
        vlw12.v v22, 728(v4)
        lui a1, 198
        lw t4, 32(s0)
        barrier x0, x0, 0
        sw t6, 1080(s0)
        slt a3, a4, a3
        sw a4, 1036(s0)
        fence
        vand.vi v30, v1, 7
        vmv.v.i v31, 3
L1: auipc t1, %pcrel_hi(L3)
        setrpc zero, t1, %pcrel_lo(L1)
        vbne v30, v31, L2
        vmv.v.x v22, t2
        vsw12.v v15, 1408(v2)
        vsrl.vi v18, v18, 11
        j L3
L2:
        vsb12.v v13, 1052(v2)
        or a5, t5, a4
        lui t6, 842
        sw t2, 1136(s0)
        vlh12.v v11, 8(v5)
L3: join v0, v0, 0
        endprg
