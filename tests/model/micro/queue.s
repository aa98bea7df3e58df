# warps 4
# More scattered stores than the queue behind the L1D takes.
        csrr    t0, wid
        slli    t0, t0, 9
        lui     t1, 0x90000
        add     t0, t0, t1
        vid.v   v1
        vsll.vi v1, v1, 4
        vadd.vx v2, v1, t0
        vsw12.v v1, 0(v2)
        vsw12.v v1, 8(v2)
        vsw12.v v1, 128(v2)
        vadd.vi v3, v1, 1
        vsw12.v v3, 136(v2)
        add     t2, t0, t1
        vsw12.v v3, 256(v2)
        vadd.vi v4, v3, 1
        vsw12.v v4, 264(v2)
        add     t3, t2, t1
        endprg
