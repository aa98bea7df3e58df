# Reading what the launch left, and a vector length.
        csrr    t0, tid
        add     t1, t0, t0
        vsetvli t2, zero, e32, m1, ta, ma
        csrr    t0, knl
        lw      t1, 0(t0)
        add     t2, t1, t1
        endprg
