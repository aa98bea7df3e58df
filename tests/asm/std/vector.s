# The vector instructions that are RVV's own.
    vsetvli t0, a0, e32, m1, ta, ma
    vsetivli t0, 8, e8, mf2, tu, mu
    vsetvl t0, a0, a1
    vle32.v v1, (a0)
    vse32.v v1, (a0), v0.t
    vlse32.v v1, (a0), a1
    vluxei32.v v1, (a0), v2, v0.t
    vadd.vv v1, v2, v3
    vadd.vx v1, v2, a0, v0.t
    vadd.vi v1, v2, -16
    vsll.vi v1, v2, 31
    vmseq.vi v1, v2, 15
    vmsgt.vv v1, v2, v3
    vmerge.vvm v1, v2, v3, v0
    vmerge.vim v1, v2, -1, v0
    vmv.v.i v1, 7
    vmv.x.s a0, v1
    vid.v v1
    vmand.mm v1, v2, v3
    vmclr.m v1
    vmnot.m v1, v2
    vneg.v v1, v2
    vnot.v v1, v2
    vmadd.vx v1, a0, v2
    vfadd.vv v1, v2, v3
    vfmacc.vv v1, v2, v3
    vfsqrt.v v1, v2
    vfcvt.rtz.x.f.v v1, v2, v0.t
    vfneg.v v1, v2
