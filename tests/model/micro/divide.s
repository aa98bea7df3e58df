# A quotient's bits are its time; lanes in groups of two.
        addi    t0, zero, 1000
        addi    t1, zero, 7
        div     t2, t0, t1
        add     t3, t2, t2
        divu    t2, t1, t0
        add     t3, t2, t2
        rem     t2, t0, zero
        add     t3, t2, t2
        vid.v   v1
        vadd.vi v2, v1, 1
        vmul.vv v3, v2, v2
        vdivu.vv v4, v3, v2
        vadd.vv v5, v4, v4
        vremu.vx v4, v3, t1
        vadd.vv v5, v4, v4
        endprg
