# warps 4
# Operands from one bank and from different ones, of four warps at once.
        vadd.vv v1, v4, v8
        vadd.vv v2, v5, v6
        vadd.vv v3, v12, v16
        vmadd.vv v9, v4, v8
        add     t0, t1, t2
        vadd.vx v10, v4, t0
        vmul.vv v11, v20, v24
        endprg
