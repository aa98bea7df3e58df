# warps 4
# Stores and loads of four warps to the same lines and to lines of their own.
        csrr    t0, tid
        slli    t0, t0, 2
        lui     t1, 0x90000
        add     t0, t0, t1
        vid.v   v1
        vsll.vi v1, v1, 2
        vadd.vx v2, v1, t0
        vadd.vx v3, v1, t1
        vlw12.v v4, 0(v3)
        vadd.vv v5, v4, v4
        vsw12.v v5, 256(v2)
        vsw12.v v5, 0(v3)
        vlw12.v v6, 256(v2)
        vadd.vv v7, v6, v5
        vsw12.v v7, 512(v2)
        vsw12.v v7, 256(v2)
        endprg
