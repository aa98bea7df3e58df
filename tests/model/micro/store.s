# Stores that miss, a store that hits, a load behind it, a store to a line
# that is on its way.
        lui     t0, 0x90000
        sw      zero, 0(t0)
        sw      zero, 4(t0)
        lw      t1, 64(t0)
        add     t2, t1, t1
        sw      t2, 64(t0)
        lw      t1, 64(t0)
        add     t2, t1, t1
        lw      t1, 128(t0)
        sw      t2, 132(t0)
        sw      t2, 192(t0)
        endprg
