# Private memory: lanes side by side.
        vid.v   v1
        vmv.v.i v2, 0
        vsw.v   v1, 0(v2)
        vlw.v   v3, 0(v2)
        vadd.vv v4, v3, v3
        vsw.v   v4, 4(v2)
        vlw.v   v5, 4(v2)
        vadd.vv v6, v5, v5
        endprg
