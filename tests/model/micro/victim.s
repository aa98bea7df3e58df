# Lines of one set: a dirty one is thrown out.
        lui     t0, 0x90000
        lw      t1, 0(t0)
        add     t2, t1, t1
        sw      t2, 0(t0)
        lw      t1, 256(t0)
        lw      t3, 512(t0)
        add     t2, t1, t3
        lw      t1, 768(t0)
        lw      t3, 0(t0)
        add     t2, t1, t3
        endprg
