# A chain of dependent additions: the collector's lock between two issues.
        addi    t0, zero, 1
        addi    t0, t0, 1
        addi    t0, t0, 1
        addi    t0, t0, 1
        addi    t0, t0, 1
        addi    t0, t0, 1
        add     t1, t0, t0
        add     t1, t1, t0
        vadd.vi v1, v1, 1
        vadd.vi v1, v1, 1
        vadd.vv v1, v1, v1
        endprg
