# Eight lines of one load, and of two warps: more than there are MSHRs.
# warps 2
        vid.v   v1
        vsll.vi v1, v1, 4
        lui     t0, 0x90000
        vadd.vx v1, v1, t0
        vlw12.v  v2, 0(v1)
        vlw12.v  v3, 4(v1)
        vadd.vv v4, v2, v3
        vsw12.v  v4, 0(v1)
        vlw12.v  v5, 512(v1)
        vadd.vv v4, v5, v3
        endprg
