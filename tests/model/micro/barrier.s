# warps 4
# Warps that meet twice.
        csrr    t0, wid
        addi    t1, t0, 1
        barrier x0, x0, 0
        addi    t1, t1, 1
        barrier x0, x0, 0
        endprg
