# A fence behind a store and a load.
        lui     t0, 0x90000
        sw      zero, 0(t0)
        fence
        lw      t1, 4(t0)
        fence
        add     t2, t1, t1
        endprg
