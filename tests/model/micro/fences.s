# A fence does not wait for the fence before it; a load does.
        lui     t0, 0x90000
        sw      zero, 0(t0)
        fence
        fence
        addi    t1, t0, 4
        beq     t1, t0, away
        sw      t1, 8(t0)
        fence
        blt     t1, t0, away
        sb      t1, 16(t0)
away:   addi    t2, t1, 4
        endprg
