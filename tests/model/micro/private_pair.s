# warps 2
# Private memory of two warps: the port takes the line of the warp that its LSU
# served before.
        vid.v   v1
        vmv.v.i v2, 0
        csrr    t0, wid
        vadd.vx v3, v1, t0
        vsw.v   v3, 0(v2)
        vsw.v   v1, 4(v2)
        vlw.v   v4, 0(v2)
        vadd.vv v5, v4, v4
        vlw.v   v6, 4(v2)
        vadd.vv v7, v6, v5
        vsw.v   v7, 8(v2)
        vlw.v   v8, 8(v2)
        vadd.vv v9, v8, v8
        endprg
