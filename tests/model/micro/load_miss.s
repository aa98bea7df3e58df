# Every load is of a new line; the last two wait for one.
        lui     t0, 0x90000
        lw      t1, 0(t0)
        add     t2, t1, t1
        lw      t1, 64(t0)
        add     t2, t1, t1
        lw      t1, 128(t0)
        lw      t2, 132(t0)
        add     t3, t1, t2
        endprg
