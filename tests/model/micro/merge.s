# A merge reads the mask, as what is masked does.
        vid.v   v1
        vmv.v.i v2, 4
        vadd.vi v3, v1, 1
        vmv.v.i v0, 1
        vmerge.vvm v5, v2, v3, v0
        vadd.vv v3, v3, v3
        vmerge.vim v5, v2, 3, v0
        vadd.vv v3, v3, v3
        vadd.vv v5, v2, v3, v0.t
        vadd.vv v3, v3, v3
        vadd.vi v5, v2, 3, v0.t
        vadd.vv v3, v3, v3
        vmerge.vvm v5, v2, v3, v0
        vmerge.vvm v5, v2, v3, v0
        vmsgt.vi v4, v1, 3
        vadd.vv v3, v3, v3
        vmslt.vv v4, v1, v3
        vadd.vv v3, v3, v3
        vmand.mm v4, v4, v1
        vadd.vv v3, v3, v3
        vmv.v.v v9, v4
        vfmax.vv v8, v3, v3
        endprg
