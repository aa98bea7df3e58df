# A line comes once; what follows finds it.
        lui     t0, 0x90000
        lw      t1, 0(t0)
        add     t2, t1, t1
        lw      t1, 4(t0)
        add     t2, t1, t1
        lw      t1, 0(t0)
        lw      t2, 4(t0)
        add     t3, t1, t2
        endprg
