# warps 6
# Warps that end one cycle after the other, and one that ends later.
        csrr    t0, wid
        addi    t1, zero, 2
        vid.v   v1
        barrier x0, x0, 0
        bne     t0, t1, over
        vadd.vi v2, v1, 1
over:   addi    t2, t0, 1
        barrier x0, x0, 0
        endprg
