# Branches to the next instruction: taken they are jumps, too.
        vid.v   v1
        addi    t0, zero, 1
        beq     t0, zero, 1f
1:      addi    t1, t0, 1
        bne     t0, zero, 2f
2:      addi    t1, t0, 2
        addi    t1, t0, 3
3:      auipc   t2, %pcrel_hi(5f)
        setrpc  zero, t2, %pcrel_lo(3b)
        vbeq    v1, v1, 4f
4:      vadd.vi v3, v1, 1
5:      join    v0, v0, 0
6:      auipc   t2, %pcrel_hi(8f)
        setrpc  zero, t2, %pcrel_lo(6b)
        vbne    v1, v1, 7f
7:      vadd.vi v3, v1, 2
8:      join    v0, v0, 0
        vmv.v.i v2, 4
9:      auipc   t2, %pcrel_hi(11f)
        setrpc  zero, t2, %pcrel_lo(9b)
        vblt    v1, v2, 10f
10:     vadd.vi v3, v1, 2
11:     join    v0, v0, 0
        vmv.v.i v2, 2
12:     auipc   t2, %pcrel_hi(14f)
        setrpc  zero, t2, %pcrel_lo(12b)
        vblt    v1, v2, 13f
13:     vadd.vi v3, v1, 2
14:     join    v0, v0, 0
        vmv.v.i v2, 6
15:     auipc   t2, %pcrel_hi(16f)
        setrpc  zero, t2, %pcrel_lo(15b)
        vblt    v1, v2, 16f
16:     join    v0, v0, 0
        endprg
