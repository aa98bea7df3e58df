# Products, dependent and not.
        addi    t0, zero, 3
        mul     t1, t0, t0
        mul     t2, t1, t0
        mul     t3, t0, t0
        mulhu   t4, t0, t0
        vmul.vv v1, v2, v3
        vmul.vv v2, v1, v3
        vmul.vv v4, v3, v3
        endprg
