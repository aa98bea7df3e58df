# Each pipe of the FPU, and the divider.
        vid.v   v1
        vfcvt.f.x.v v2, v1
        vfadd.vv v3, v2, v2
        vfadd.vv v4, v3, v2
        vfmul.vv v5, v4, v4
        vfmadd.vv v5, v4, v3
        vfmul.vv v6, v2, v2
        vfadd.vv v7, v2, v2
        vfmin.vv v8, v2, v3
        vfdiv.vv v9, v5, v4
        vfsqrt.v v10, v9
        vadd.vi v11, v10, 1
        endprg
