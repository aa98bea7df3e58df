# The divider of floats: zero, infinity and what is no number are answered at
# once, and so are roots of what is negative; a group waits for its other lane.
        vid.v   v1
        vfcvt.f.x.v v2, v1
        vfdiv.vv v3, v2, v2
        vadd.vi v4, v3, 1
        vfdiv.vv v5, v4, v2
        vadd.vi v4, v5, 0
        vmv.v.x v6, zero
        vfdiv.vv v7, v2, v6
        vadd.vi v4, v7, 0
        vfdiv.vv v8, v7, v3
        vadd.vi v4, v8, 0
        vfsqrt.v v9, v6
        vadd.vi v4, v9, 0
        lui     t0, 0xbf800
        vmv.v.x v10, t0
        vfsqrt.v v11, v10
        vadd.vi v4, v11, 0
        vfsqrt.v v11, v2
        vadd.vi v4, v11, 0
        fdiv.s  t1, zero, t0
        add     t2, t1, t1
        fsqrt.s t1, t0
        add     t2, t1, t1
        fdiv.s  t1, t0, t0
        add     t2, t1, t1
        endprg
